// An object that is written member by member.

import PipelineCore

/// The text of a JSON object.
struct JSONObjectText: ~Copyable {
    private(set) var bytes: [UInt8]
    private var isFirst = true

    /// - Parameter bytes: what stands in front of it.
    init(behind bytes: consuming [UInt8]) {
        self.bytes = bytes
        self.bytes.append(UInt8(ascii: "{"))
    }

    /// Adds a member.
    /// - Parameter name: of plain letters.
    mutating func add(_ name: String, _ value: String) {
        begin(name)
        Self.append(value, to: &bytes)
    }

    mutating func add(_ name: String, _ value: Int) {
        begin(name)
        bytes.append(contentsOf: String(value).utf8)
    }

    /// What stands in front of it, and the whole object.
    consuming func ended() -> [UInt8] {
        bytes.append(UInt8(ascii: "}"))
        return bytes
    }

    private mutating func begin(_ name: String) {
        if !isFirst { bytes.append(UInt8(ascii: ",")) }
        isFirst = false
        bytes.append(UInt8(ascii: "\""))
        bytes.append(contentsOf: name.utf8)
        bytes.append(UInt8(ascii: "\""))
        bytes.append(UInt8(ascii: ":"))
    }

    /// Most texts need no escapes.
    private static func append(_ text: String, to bytes: inout [UInt8]) {
        let content = text.utf8Span.span
        for index in content.indices
        where content[index] < 0x20 || content[index] == UInt8(ascii: "\"") || content[index] == UInt8(ascii: "\\")
        {
            return JSONWriter.appendString(content, to: &bytes)
        }
        bytes.append(UInt8(ascii: "\""))
        bytes.append(contentsOf: text.utf8)
        bytes.append(UInt8(ascii: "\""))
    }
}
