// Whether a line is a record, said quickly: yes, or that it has to be read. The grammar is that of JSONReader, but
// nothing is said of where a fault is, so that no token needs to be made.
//
//     {"name":"Mick","films":[1]}       yes
//     {"name":"Mick",}                  not sure: JSONReader knows what is wrong

/// A check without tokens (RFC 8259).
package enum RecordCheck {
    /// Whether a line is a record, and one of its own members' names begins at `place`, at its quote.
    /// - Parameters:
    ///   - bytes: the line and its LF, and what there may be around them.
    ///   - start: where the line begins, at its brace.
    package static func isRecord(_ bytes: Span<UInt8>, from start: Int, withMemberAt position: Int) -> Bool {
        guard let end = bytes.firstIndex(of: 0x0A, from: start) else { return false }
        var hasMember = false
        let isRecord = isRecord(JSONValidator(bytes, end: end), from: start) { name, _, _ in
            hasMember = hasMember || name.lowerBound == position &+ 1
            return true
        }
        return isRecord && hasMember
    }

    /// The text of a record's own member.
    /// - Parameters:
    ///   - name: the member's, which needs no escapes.
    ///   - bytes: the line, up to its LF at `end`, and what there may be around it.
    ///   - start: where the line begins, at its brace.
    /// - Returns: nil where the line is no record, has not one such member but none or several, or that is no text.
    package static func text(
        ofMember name: [UInt8], in bytes: Span<UInt8>, from start: Int, to end: Int
    ) -> JSONString? {
        var text: Range<Int>?
        let isRecord = isRecord(JSONValidator(bytes, end: end), from: start) { found, isPlain, value in
            guard found.count == name.count, bytes.extracting(found).equals(name.span) else {
                // An escape may make it the name.
                return isPlain || bytes.extracting(found).firstIndex(of: UInt8(ascii: "\\")) == nil
            }
            guard text == nil, bytes[value.lowerBound] == UInt8(ascii: "\"") else { return false }
            text = value.lowerBound &+ 1..<value.upperBound &- 1
            return true
        }
        guard isRecord, let text else { return nil }
        let hasEscapes = bytes.extracting(text).firstIndex(of: UInt8(ascii: "\\")) != nil
        return JSONString(range: text, hasEscapes: hasEscapes)
    }

    @inline(__always)
    private static func isRecord(
        _ line: JSONValidator, from start: Int,
        _ use: (_ name: Range<Int>, _ isPlain: Bool, _ value: Range<Int>) -> Bool
    ) -> Bool {
        precondition(start >= 0 && start < line.count)
        guard line[start] == UInt8(ascii: "{") else { return false }
        var index = start
        return line.passMembers(&index, use) && line.afterSpace(index) == line.count
    }
}
