// An object that is written member by member.

import PipelineCore

extension ByteBuffer {
    /// Adds a member to the object that was begun last.
    /// - Parameter name: of plain letters.
    mutating func addMember(_ name: StaticString, _ value: String) {
        beginMember(name)
        JSONWriter.appendString(value.utf8Span.span, to: &self)
    }

    /// - Parameter value: from 0.
    mutating func addMember(_ name: StaticString, _ value: Int) {
        beginMember(name)
        appendDecimal(UInt64(value))
    }

    private mutating func beginMember(_ name: StaticString) {
        append(self[count - 1] == UInt8(ascii: "{") ? "\"" : ",\"")
        append(name)
        append("\":")
    }
}
