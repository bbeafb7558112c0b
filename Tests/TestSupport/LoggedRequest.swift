// A line of the local server's log, which the server writes and tests read.

package struct LoggedRequest: Codable, Sendable {
    /// Connections are counted from 1 in the order in which they came.
    package let connection: Int
    /// Since the server began, on a clock that only goes forward.
    package let seconds: Double
    package let method: String
    package let target: String
    /// Names and values in the order in which they came.
    package let headers: [[String]]
    /// Nil where no status was sent.
    package let status: Int?
    /// The spec of the fault that took it.
    package let fault: String?
    /// As text. Nil where there is none.
    package let body: String?

    package init(
        connection: Int, seconds: Double, method: String, target: String, headers: [[String]], status: Int?,
        fault: String?, body: String? = nil
    ) {
        self.connection = connection
        self.seconds = seconds
        self.method = method
        self.target = target
        self.headers = headers
        self.status = status
        self.fault = fault
        self.body = body
    }

    /// The value of the first header of that name, in any case.
    package func header(_ name: String) -> String? {
        headers.first { $0[0].lowercased() == name.lowercased() }?[1]
    }
}
