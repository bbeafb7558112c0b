// Comma-separated values and their like: every line has the same number of fields.

extension InputKind {
    /// The number of lines that are compared.
    private static let comparedLines = 10

    static func table(_ head: ArraySlice<UInt8>, isWhole: Bool) -> InputKind? {
        guard !head.contains(where: { $0 < 0x20 && $0 != 0x09 && $0 != 0x0A && $0 != 0x0D }) else { return nil }
        for separator in [0x09, UInt8(ascii: ","), UInt8(ascii: ";")] {
            let counts = separators(separator, in: head, isWhole: isWhole).prefix(comparedLines)
            guard counts.count > 1, let first = counts.first, first > 0 else { continue }
            if counts.allSatisfy({ $0 == first }) { return .table(separator) }
        }
        return nil
    }

    /// The number of separators on each line that is there in full. Empty for running text, in which a space follows
    /// a comma.
    private static func separators(_ separator: UInt8, in head: ArraySlice<UInt8>, isWhole: Bool) -> [Int] {
        var counts: [Int] = []
        var count = 0
        var isQuoted = false
        var isFieldStart = true
        var isEmpty = true
        for byte in head {
            if byte == UInt8(ascii: "\""), isQuoted || isFieldStart {
                isQuoted.toggle()
                (isFieldStart, isEmpty) = (false, false)
            } else if isQuoted {
                continue
            } else if byte == 0x0A {
                if !isEmpty { counts.append(count) }
                (count, isFieldStart, isEmpty) = (0, true, true)
            } else if byte == separator {
                count += 1
                (isFieldStart, isEmpty) = (true, false)
            } else {
                if isFieldStart, byte == 0x20, count > 0 { return [] }
                if byte != 0x0D { (isFieldStart, isEmpty) = (false, false) }
            }
        }
        if isWhole, !isEmpty, !isQuoted { counts.append(count) }
        return counts
    }
}
