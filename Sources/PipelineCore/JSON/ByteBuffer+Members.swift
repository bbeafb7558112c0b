// Writes a JSON object member by member, with a comma before each but the first.

extension ByteBuffer {
    /// A buffer that holds one object.
    package static func object(_ members: (inout ByteBuffer) -> Void) -> ByteBuffer {
        var bytes = ByteBuffer(capacity: 512)
        bytes.appendObject(members)
        return bytes
    }

    package mutating func appendObject(_ members: (inout ByteBuffer) -> Void) {
        append(UInt8(ascii: "{"))
        members(&self)
        append(UInt8(ascii: "}"))
    }

    /// Adds a member to the object begun last.
    /// - Parameters:
    ///   - name: must not need escapes.
    ///   - value: nil is written as null.
    package mutating func addMember(_ name: StaticString, _ value: String?) {
        guard let value else { return addMember(name, json: "null") }
        beginMember(name)
        JSONWriter.appendString(value, to: &self)
    }

    /// - Parameter value: nil is written as null.
    package mutating func addMember(_ name: StaticString, _ value: Int?) {
        guard let value else { return addMember(name, json: "null") }
        beginMember(name)
        if value < 0 { append(UInt8(ascii: "-")) }
        appendDecimal(UInt64(value.magnitude))
    }

    package mutating func addMember(_ name: StaticString, _ value: Bool) {
        addMember(name, json: value ? "true" : "false")
    }

    /// Rounded to a millisecond, such as `0.250`.
    package mutating func addMember(_ name: StaticString, seconds: Double) {
        let milliseconds = Int((min(seconds, 1e12) * 1000).rounded())
        addMember(name, json: "\(milliseconds / 1000).\(String(milliseconds % 1000 + 1000).dropFirst())")
    }

    /// - Parameter json: a complete value.
    package mutating func addMember(_ name: StaticString, json: String) {
        beginMember(name)
        append(text: json)
    }

    package mutating func addMember(_ name: StaticString, object members: (inout ByteBuffer) -> Void) {
        beginMember(name)
        appendObject(members)
    }

    private mutating func beginMember(_ name: StaticString) {
        append(self[count - 1] == UInt8(ascii: "{") ? "\"" : ",\"")
        append(name)
        append("\":")
    }
}
