// JSON for people: each value on a line of its own, as `jq .` writes it.

extension JSONTree {
    /// The tree as JSON, each level indented by two spaces, without a line end after the last line.
    package var lines: String {
        var bytes = ByteBuffer()
        appendLines(to: &bytes, depth: 0)
        return bytes.text
    }

    private func appendLines(to bytes: inout ByteBuffer, depth: Int) {
        switch self {
        case .array(let elements) where !elements.isEmpty:
            bytes.append(UInt8(ascii: "["))
            for (index, element) in elements.enumerated() {
                Self.beginLine(index, depth + 1, &bytes)
                element.appendLines(to: &bytes, depth: depth + 1)
            }
            Self.endLines(depth, "]", &bytes)
        case .object(let members) where !members.isEmpty:
            bytes.append(UInt8(ascii: "{"))
            for (index, member) in members.enumerated() {
                Self.beginLine(index, depth + 1, &bytes)
                JSONWriter.appendString(member.name, to: &bytes)
                bytes.append(": ")
                member.value.appendLines(to: &bytes, depth: depth + 1)
            }
            Self.endLines(depth, "}", &bytes)
        default: bytes.append(text: json)
        }
    }

    private static func beginLine(_ index: Int, _ depth: Int, _ bytes: inout ByteBuffer) {
        bytes.append(index > 0 ? ",\n" : "\n")
        bytes.append(repeating: UInt8(ascii: " "), count: 2 * depth)
    }

    private static func endLines(_ depth: Int, _ bracket: StaticString, _ bytes: inout ByteBuffer) {
        bytes.append("\n")
        bytes.append(repeating: UInt8(ascii: " "), count: 2 * depth)
        bytes.append(bracket)
    }
}
