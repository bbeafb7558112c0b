// Finds the words of ASCII text by the rules of WordBoundaries, but without their tables.
//
//     It's 3.5 o'clock: x_1     →     It's  3.5  o'clock  x_1

package enum ASCIIWords {
    /// What each character does between words. 6 is allowed between letters and between digits.
    private static let kinds: StaticString = """
        00000000000000000000000000000000\
        00000006000050602222222222450000\
        01111111111111111111111111100003\
        01111111111111111111111111100000
        """
    private static let letter = UInt8(ascii: "1")
    private static let digit = UInt8(ascii: "2")
    private static let underline = UInt8(ascii: "3")
    private static let betweenLetters = UInt8(ascii: "4")
    private static let betweenDigits = UInt8(ascii: "5")

    /// The range of the next word from `start` on; nil if there is none.
    package static func next(in text: Span<UInt8>, from start: Int) -> Range<Int>? {
        let kinds = kinds.bytes
        var lower = start
        while lower < text.count, !isWordPart(kinds[Int(text[lower] & 0x7F)]) { lower += 1 }
        guard lower < text.count else { return nil }
        var upper = lower + 1
        while upper < text.count {
            let kind = kinds[Int(text[upper] & 0x7F)]
            guard isWordPart(kind) || kind >= betweenLetters && joins(kind, text, upper) else { break }
            upper += 1
        }
        return lower..<upper
    }

    @inline(__always)
    private static func isWordPart(_ kind: UInt8) -> Bool { kind &- letter <= underline - letter }

    /// Whether both neighbours are letters, or digits, as the kind requires (WB6, WB7, WB11, WB12).
    private static func joins(_ kind: UInt8, _ text: Span<UInt8>, _ position: Int) -> Bool {
        guard position + 1 < text.count else { return false }
        let last = kinds.bytes[Int(text[position - 1] & 0x7F)]
        guard last == kinds.bytes[Int(text[position + 1] & 0x7F)] else { return false }
        return last == letter && kind != betweenDigits || last == digit && kind != betweenLetters
    }
}
