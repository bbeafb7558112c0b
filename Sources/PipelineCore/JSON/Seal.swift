// The end mark of a fetch tool: `{"$seal":{"records":7438,"complete":true}}`, a record of this one member.

/// Finds seals.
package enum Seal {
    /// Whether the line is a seal. A line that isn't a record is none.
    package static func isSeal(_ line: Span<UInt8>) -> Bool {
        var reader = JSONReader(line)
        do throws(JSONError) {
            try reader.beginRecord()
            guard case .name(let name) = try reader.next(), isMark(line.extracting(name.range), name) else {
                return false
            }
            guard let value = try reader.next() else { return false }
            try reader.skipRest(of: value)
            guard try reader.next() == .endObject else { return false }
            return try reader.next() == nil
        } catch {
            return false
        }
    }

    private static func isMark(_ content: Span<UInt8>, _ name: JSONString) -> Bool {
        guard name.hasEscapes else { return content.equals("$seal") }
        var text: [UInt8] = []
        JSONStringDecoder.append(content, to: &text)
        return text.span.equals("$seal")
    }
}
