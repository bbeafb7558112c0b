// What is before and after a position in a text, as far as assertions depend on it.

struct RegexContext: Equatable, Sendable {
    var isAtStart = false
    var isAfterLineEnd = false
    var isAfterWord = false
    var isAtEnd = false
    var isBeforeLineEnd = false
    var isBeforeWord = false

    func holds(_ assertion: RegexAssertion) -> Bool {
        switch assertion {
        case .textStart: isAtStart
        case .textEnd: isAtEnd
        case .lineStart: isAtStart || isAfterLineEnd
        case .lineEnd: isAtEnd || isBeforeLineEnd
        case .wordBoundary: isAfterWord != isBeforeWord
        case .notWordBoundary: isAfterWord == isBeforeWord
        }
    }
}

extension RegexContext {
    /// The complete context of a position in a text.
    /// - Parameter word: the scalars that are part of a word; nil if no assertion needs them.
    init(_ text: Span<UInt8>, at index: Int, word: ScalarSet?) {
        isAtStart = index == 0
        isAtEnd = index == text.count
        isAfterLineEnd = !isAtStart && text[index - 1] == 0x0A
        isBeforeLineEnd = !isAtEnd && text[index] == 0x0A
        guard let word else { return }
        isBeforeWord = !isAtEnd && Self.isWord(text, at: index, word)
        guard !isAtStart else { return }
        var previous = index - 1
        while previous > 0, index - previous < 4, text[previous] & 0xC0 == 0x80 { previous -= 1 }
        isAfterWord = Self.isWord(text, at: previous, word)
    }

    private static func isWord(_ text: Span<UInt8>, at index: Int, _ word: ScalarSet) -> Bool {
        let byte = text[index]
        return byte < 0x80 ? ByteClasses.isASCIIWord(byte) : word.contains(text.codePoint(at: index).code)
    }
}
