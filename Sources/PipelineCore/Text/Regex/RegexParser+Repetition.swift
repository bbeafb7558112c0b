// `* + ? {2} {2,} {2,5}`, each followed by `?` to match as few as possible.

extension RegexParser {
    /// At the sign.
    mutating func parseRepetition() throws(RegexError) {
        let offset = index
        let sign = scalars[index]
        switch repeatable {
        case .nothing: throw RegexError(reason: .nothingToRepeat(String(sign)), offset: offset)
        case .repetition:
            throw RegexError(reason: sign == "+" ? .possessiveRepetition : .repeatedRepetition, offset: offset)
        case .piece: break
        }
        index += 1
        let (least, most): (Int, Int?) =
            switch sign {
            case "*": (0, nil)
            case "+": (1, nil)
            case "?": (0, 1)
            default: try parseCounts(openedAt: offset)
            }
        var isGreedy = true
        if peek() == "?" {
            isGreedy = false
            index += 1
        }
        guard let piece = pieces.popLast() else { return }
        pieces.append(RegexNode(repeating: piece, least: least, most: most, isGreedy: isGreedy))
        repeatable = .repetition
    }

    /// After `{`.
    private mutating func parseCounts(openedAt offset: Int) throws(RegexError) -> (Int, Int?) {
        guard let least = try parseCount() else { throw RegexError(reason: .badRepetition, offset: offset) }
        var most: Int? = least
        if peek() == "," {
            index += 1
            most = try parseCount()
        }
        guard peek() == "}" else { throw RegexError(reason: .badRepetition, offset: offset) }
        index += 1
        if let most, most < least { throw RegexError(reason: .reversedRepetition, offset: offset) }
        return (least, most)
    }

    /// The decimal number at `index`; nil if there is none.
    private mutating func parseCount() throws(RegexError) -> Int? {
        let offset = index
        var number = 0
        while let digit = peek(), ("0"..."9").contains(digit) {
            number = number * 10 + Int(digit.value - 0x30)
            guard number <= Self.repetitionLimit else {
                throw RegexError(reason: .tooManyRepetitions(limit: Self.repetitionLimit), offset: offset)
            }
            index += 1
        }
        return index > offset ? number : nil
    }
}
