// The short form of a path, `films` or `image.url` or `$.image.url`: names of members, one within another.

/// Leads from a record to a member.
package struct MemberPath: Equatable, Sendable {
    /// The names in UTF-8.
    let names: [[UInt8]]

    /// Nil for a text that isn't of this form.
    package init?(_ text: String) {
        var text = text[...]
        if text.hasPrefix("$.") { text = text.dropFirst(2) }
        let names = text.split(separator: ".", omittingEmptySubsequences: false)
        let isPlain = names.allSatisfy { name in
            !name.isEmpty
                && name.unicodeScalars.allSatisfy {
                    !"[]*'\"()$?@,:".unicodeScalars.contains($0) && $0.value > 0x20
                }
        }
        guard isPlain else { return nil }
        self.names = names.map { Array($0.utf8) }
    }

    /// Appends the text of the member in a record that was written down: a string, or a number by its text.
    /// - Returns: false where there is no such member, or one of another kind.
    func appendText(in record: Span<UInt8>, to key: inout [UInt8]) -> Bool {
        var reader = FlatReader(record)
        if reader.isAtEnd { return false }
        let first = reader.next()
        guard first.tag == FlatTag.beginDictionary else { return false }
        var level = 0
        while !reader.isAtEnd {
            let (tag, content) = reader.next()
            guard tag == FlatTag.key else { return false }
            let name = names[level]
            let isNext = name.span.equals(record.extracting(content))
            let (valueTag, value) = reader.next()
            guard isNext else {
                reader.skipRest(of: valueTag)
                continue
            }
            level += 1
            if level == names.count { return Self.append(valueTag, value, record, to: &key) }
            guard valueTag == FlatTag.beginDictionary else { return false }
        }
        return false
    }

    private static func append(
        _ tag: UInt8, _ content: Range<Int>, _ record: Span<UInt8>, to key: inout [UInt8]
    ) -> Bool {
        switch tag {
        case FlatTag.string: key.append(record.extracting(content))
        case FlatTag.integer, FlatTag.negative:
            if tag == FlatTag.negative { key.append(UInt8(ascii: "-")) }
            key.appendDecimal(FlatReader.number(in: record, content))
        case FlatTag.real:
            key.append(contentsOf: Double(bitPattern: FlatReader.number(in: record, content)).description.utf8)
        default: return false
        }
        return true
    }
}
