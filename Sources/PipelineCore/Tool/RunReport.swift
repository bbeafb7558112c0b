// What `--report FILE` writes: one JSON object about a run, for machines that watch over it.

/// The figures of a run.
package struct RunReport: Sendable {
    private let tool: String
    private let startSeconds = MonotonicClock.seconds
    package var recordsIn = 0
    package var recordsOut = 0
    package var badLines = 0
    package var bytesIn = 0
    package var bytesOut = 0
    /// What the fetch tools add.
    package var fetch: Fetch?

    /// Further members, each with its value as JSON.
    package var members: [(name: String, json: String)] = []

    /// The figures that only a tool has which asks a service.
    package struct Fetch: Sendable {
        package var requests = 0
        package var retries = 0
        /// Answers that came from the cache.
        package var fromCache = 0
        /// How many records there are, nil where nobody says.
        package var expected: Int?
        /// Whether everything that was asked for has come.
        package var isComplete = false

        package init() {}
    }

    package init(tool: String) { self.tool = tool }

    /// The object on a line of its own.
    package func line(status: Int32) -> String {
        let milliseconds = Int(((MonotonicClock.seconds - startSeconds) * 1000).rounded())
        let fraction = String(milliseconds % 1000 + 1000).dropFirst()
        var members = [
            "\"tool\":\"\(tool)\"", "\"version\":\"\(Tool.version)\"", "\"exitStatus\":\(status)",
            "\"seconds\":\(milliseconds / 1000).\(fraction)", "\"recordsIn\":\(recordsIn)",
            "\"recordsOut\":\(recordsOut)", "\"badLines\":\(badLines)", "\"bytesIn\":\(bytesIn)",
            "\"bytesOut\":\(bytesOut)",
        ]
        if let fetch {
            members += [
                "\"requests\":\(fetch.requests)", "\"retries\":\(fetch.retries)",
                "\"fromCache\":\(fetch.fromCache)",
                "\"expected\":\(fetch.expected.map { "\($0)" } ?? "null")", "\"complete\":\(fetch.isComplete)",
            ]
        }
        members += self.members.map { "\"\($0.name)\":\($0.json)" }
        return "{" + members.joined(separator: ",") + "}\n"
    }
}
