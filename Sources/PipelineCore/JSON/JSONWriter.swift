// Writes text as a JSON string, escaping only what must be.

package enum JSONWriter {
    /// Appends a string with its quotes; escapes only quotes, backslashes and controls (RFC 8259, section 7).
    package static func appendString(_ text: Span<UInt8>, to bytes: inout [UInt8]) {
        var written = ByteBuffer()
        appendString(text, to: &written)
        bytes.append(written.span)
    }

    @inline(__always)
    package static func appendString(_ text: Span<UInt8>, to bytes: inout ByteBuffer) {
        bytes.append(UInt8(ascii: "\""))
        var index = bytes.append(text, from: 0, upTo: JSONScan())
        while index < text.count {
            appendEscaped(text[index], to: &bytes)
            index = bytes.append(text, from: index + 1, upTo: JSONScan())
        }
        bytes.append(UInt8(ascii: "\""))
    }

    private static func appendEscaped(_ byte: UInt8, to bytes: inout ByteBuffer) {
        switch byte {
        case UInt8(ascii: "\""), UInt8(ascii: "\\"):
            bytes.append(UInt8(ascii: "\\"))
            bytes.append(byte)
        case 0x0A: bytes.append("\\n")
        case 0x0D: bytes.append("\\r")
        case 0x09: bytes.append("\\t")
        default: bytes.append(text: "\\u" + String(byte, radix: 16).padded(to: 4))
        }
    }

    package static func appendString(_ text: String, to bytes: inout [UInt8]) {
        appendString(Array(text.utf8).span, to: &bytes)
    }

    package static func appendString(_ text: String, to bytes: inout ByteBuffer) {
        appendString(Array(text.utf8).span, to: &bytes)
    }
}

/// Writes a JSON object member by member, with a comma before each but the first.
extension ByteBuffer {
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

    /// Adds a member to the object begun last. Its name must not need escapes; nil is written as null.
    package mutating func addMember(_ name: StaticString, _ value: String?) {
        guard let value else { return addMember(name, json: "null") }
        beginMember(name)
        JSONWriter.appendString(value, to: &self)
    }

    package mutating func addMember(_ name: StaticString, _ value: Int?) {
        addMember(name, json: value.map { String($0) } ?? "null")
    }

    package mutating func addMember(_ name: StaticString, _ value: Bool) {
        addMember(name, json: value ? "true" : "false")
    }

    /// Rounded to a millisecond, such as `0.250`.
    package mutating func addMember(_ name: StaticString, seconds: Double) {
        let milliseconds = Int((min(seconds, 1e12) * 1000).rounded())
        addMember(name, json: "\(milliseconds / 1000).\(String(milliseconds % 1000).padded(to: 3))")
    }

    /// - Parameter json: a complete value.
    package mutating func addMember(_ name: StaticString, json: String) {
        beginMember(name)
        append(text: json)
    }

    package mutating func addMember(_ name: StaticString, json: Span<UInt8>) {
        beginMember(name)
        append(json)
    }

    package mutating func addMember(_ name: StaticString, texts: [String]) {
        beginMember(name)
        append(UInt8(ascii: "["))
        for (index, text) in texts.enumerated() {
            if index > 0 { append(UInt8(ascii: ",")) }
            JSONWriter.appendString(text, to: &self)
        }
        append(UInt8(ascii: "]"))
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
