// What `--report FILE` writes: one JSON object about a run, for monitoring.

package struct RunReport: Sendable {
    package var recordsIn = 0
    package var recordsOut = 0
    package var badLines = 0
    package var bytesIn = 0
    package var bytesOut = 0
    package var fetch: Fetch?

    /// Further members, each with its value as JSON.
    package var members: [(name: StaticString, json: String)] = []

    /// The figures of tools that send requests to a service.
    package struct Fetch: Sendable {
        package var requests = 0
        package var retries = 0
        package var fromCache = 0
        /// Nil if unknown.
        package var expected: Int?
        /// Whether everything requested has come.
        package var isComplete = false

        package init() {}
    }

    package init() {}

    func line(tool: String, status: Int32, seconds: Double, messages: [String]) -> ByteBuffer {
        var line = ByteBuffer.object { object in
            object.addMember("tool", tool)
            object.addMember("version", Tool.version)
            object.addMember("exitStatus", Int(status))
            object.addMember("seconds", seconds: seconds)
            object.addMember("recordsIn", recordsIn)
            object.addMember("recordsOut", recordsOut)
            object.addMember("badLines", badLines)
            object.addMember("bytesIn", bytesIn)
            object.addMember("bytesOut", bytesOut)
            if let fetch {
                object.addMember("requests", fetch.requests)
                object.addMember("retries", fetch.retries)
                object.addMember("fromCache", fetch.fromCache)
                object.addMember("expected", fetch.expected)
                object.addMember("complete", fetch.isComplete)
            }
            for member in members { object.addMember(member.name, json: member.json) }
            if !messages.isEmpty { object.addMember("messages", texts: messages) }
        }
        line.append(0x0A)
        return line
    }
}
