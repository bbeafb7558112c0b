// The end mark of a fetch tool: `{"$seal":{"records":7438,"complete":true}}`, a record with this one member.

/// Recognises seals.
package enum Seal {
    /// Whether the line is a seal. A line that isn't a record is not.
    package static func isSeal(_ line: Span<UInt8>) -> Bool {
        guard mayBeSeal(line) else { return false }
        var reader = JSONReader(line)
        do throws(JSONError) {
            try reader.beginRecord()
            guard case .name(let name) = try reader.next(), isName("$seal", line, name) else {
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

    /// Whether a seal says that everything requested was received. Of several members `complete` the last counts.
    package static func isComplete(_ seal: Span<UInt8>) -> Bool {
        var reader = JSONReader(seal)
        var isComplete = false
        do throws(JSONError) {
            while let token = try reader.next() {
                guard reader.depth == 2, case .name(let name) = token else { continue }
                let isMember = isName("complete", seal, name)
                if let value = try reader.next() {
                    if isMember { isComplete = value == .boolean(true) }
                    try reader.skipRest(of: value)
                }
            }
        } catch {
            return false
        }
        return isComplete
    }

    /// Whether the first member's name begins like the mark, or with an escape. Nearly every line fails this test.
    private static func mayBeSeal(_ line: Span<UInt8>) -> Bool {
        var signs = 0
        for index in line.indices where line[index] > 0x20 {
            switch (signs, line[index]) {
            case (0, UInt8(ascii: "{")), (1, UInt8(ascii: "\"")): signs += 1
            case (2, UInt8(ascii: "$")), (2, UInt8(ascii: "\\")): return true
            default: return false
            }
        }
        return false
    }

    private static func isName(_ wanted: StaticString, _ line: Span<UInt8>, _ name: JSONString) -> Bool {
        let content = line.extracting(name.range)
        guard name.hasEscapes else { return content.equals(wanted) }
        var text: [UInt8] = []
        JSONStringDecoder.append(content, to: &text)
        return text.span.equals(wanted)
    }
}
