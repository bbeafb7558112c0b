// The end mark of a fetch tool: `{"$seal":{"records":7438,"complete":true,"by":"count"}}`, a record with this one
// member.

/// Recognises seals.
package enum Seal {
    /// Whether the line is a seal. A line that isn't a record is not.
    package static func isSeal(_ line: Span<UInt8>) -> Bool {
        guard mayBeSeal(line) else { return false }
        var reader = JSONReader(line)
        do throws(JSONError) {
            try reader.beginRecord()
            guard case .name(let name) = try reader.next(), name.text(in: line) == "$seal" else {
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
}
