// How the runs of a tool can end, for the tables of its help and its manual.

/// An exit status, and what it says.
package struct RunEnding: Sendable {
    package let status: Int32
    package let meaning: String

    private static let signals = [
        RunEnding(status: 130, meaning: "ended by SIGINT"), RunEnding(status: 143, meaning: "ended by SIGTERM"),
    ]

    /// Every status of the common table.
    package static var all: [RunEnding] { of(ExitStatus.allCases) }

    /// Those of a tool.
    /// - Parameter answer: what the answer "no" is, status 1; nil for a tool that never gives it.
    package static func of(_ statuses: [ExitStatus], answer: String? = nil) -> [RunEnding] {
        statuses.map { status in
            let meaning = status == .noMatch ? answer.map { "done, and the answer is no: " + $0 } : nil
            return RunEnding(status: status.rawValue, meaning: meaning ?? status.meaning)
        } + signals
    }
}
