// What may follow `(`: nothing special, a name, flags or a comment. The rest is rejected, each by its name.

extension RegexParser {
    /// At `(`.
    mutating func openGroup() throws(RegexError) {
        let offset = index
        guard peek(1) == "?" else { return try enter(at: offset, after: 1) }
        switch peek(2) {
        case ":": try enter(at: offset, after: 3)
        case "#": try passComment()
        case "P" where peek(3) == "<": try enterNamed(at: offset, nameFrom: offset + 4)
        case "<" where peek(3) != "=" && peek(3) != "!": try enterNamed(at: offset, nameFrom: offset + 3)
        default:
            if let reason = refusal() { throw RegexError(reason: reason, offset: offset) }
            try parseFlags()
        }
    }

    /// Why the group at `index`, which begins with `(?`, isn't supported; nil if flags follow.
    private func refusal() -> RegexError.Reason? {
        switch peek(2) {
        case "=", "!", "<": .lookAround
        case "P" where peek(3) == "=": .backReference
        case "P" where peek(3) == ">": .recursion
        case "R", "&", "+": .recursion
        case .some("0"..."9"): .recursion
        case ">": .atomicGroup
        case "(": .condition
        case "P", "|", "'", nil: .unknownGroup
        default: nil
        }
    }

    private mutating func enter(at offset: Int, after count: Int, with inner: Flags? = nil) throws(RegexError) {
        guard open.count < Self.nestingLimit else {
            throw RegexError(reason: .nestedTooDeep, offset: offset)
        }
        open.append(
            OpenGroup(offset: offset, outerFlags: flags, outerBranches: branches, outerPieces: pieces))
        if let inner { flags = inner }
        branches = []
        pieces = []
        repeatable = .nothing
        index = offset + count
    }

    /// Checks the name and drops it: nothing can refer to it.
    private mutating func enterNamed(at offset: Int, nameFrom start: Int) throws(RegexError) {
        var end = start
        while end < scalars.count,
            scalars[end] == "_" || Self.isLetter(scalars[end])
                || (end > start && ("0"..."9").contains(scalars[end]))
        {
            end += 1
        }
        guard end > start, end < scalars.count, scalars[end] == ">" else {
            throw RegexError(reason: .badGroupName, offset: end)
        }
        try enter(at: offset, after: end + 1 - offset)
    }

    private static func isLetter(_ scalar: Unicode.Scalar) -> Bool {
        ("a"..."z").contains(scalar) || ("A"..."Z").contains(scalar)
    }

    private mutating func passComment() throws(RegexError) {
        guard let end = scalars[index...].firstIndex(of: ")") else {
            throw RegexError(reason: .unclosedGroup, offset: index)
        }
        index = end + 1
    }

    /// `(?i-s)` for the rest of the enclosing group, or `(?i-s:…)` for its own.
    private mutating func parseFlags() throws(RegexError) {
        let offset = index
        var inner = flags
        var value = true
        var position = offset + 2
        while position < scalars.count {
            switch scalars[position] {
            case "i": inner.ignoresCase = value
            case "m": inner.anchorsAreForLines = value
            case "s": inner.dotMatchesLineEnd = value
            case "x": inner.ignoresSpace = value
            case "-" where value: value = false
            case ":": return try enter(at: offset, after: position + 1 - offset, with: inner)
            case ")" where position > offset + 2:
                flags = inner
                repeatable = .nothing
                index = position + 1
                return
            case ")": throw RegexError(reason: .unknownGroup, offset: offset)
            default: throw RegexError(reason: .unknownFlag(String(scalars[position])), offset: position)
            }
            position += 1
        }
        throw RegexError(reason: .unclosedGroup, offset: offset)
    }
}

/// What a backslash and the character after it mean, inside and outside a class.
extension RegexParser {
    enum Escaped {
        case scalar(Unicode.Scalar)
        case set(ScalarSet)
    }

    /// At a backslash outside a class.
    mutating func parseEscape() throws(RegexError) {
        switch peek(1) {
        case "A": appendAssertion(.textStart)
        case "z": appendAssertion(.textEnd)
        case "b": appendAssertion(.wordBoundary)
        case "B": appendAssertion(.notWordBoundary)
        case "Q": appendQuoted()
        default:
            switch try parseEscaped() {
            case .scalar(let scalar): append(literal(scalar))
            case .set(let set): append(.scalars(set))
            }
        }
    }

    private mutating func appendAssertion(_ assertion: RegexAssertion) {
        index += 2
        append(.assertion(assertion))
    }

    /// From `\Q` to `\E` or the pattern's end, every character is literal.
    private mutating func appendQuoted() {
        index += 2
        while let scalar = peek() {
            if scalar == "\\", peek(1) == "E" {
                index += 2
                return
            }
            index += 1
            append(literal(scalar))
        }
    }

    /// At a backslash, for escapes that mean the same inside and outside a class.
    mutating func parseEscaped() throws(RegexError) -> Escaped {
        let offset = index
        guard let scalar = peek(1) else { throw RegexError(reason: .unfinishedEscape, offset: offset) }
        index += 2
        switch scalar {
        case "n": return .scalar("\n")
        case "t": return .scalar("\t")
        case "r": return .scalar("\r")
        case "f": return .scalar("\u{0C}")
        case "v": return .scalar("\u{0B}")
        case "a": return .scalar("\u{07}")
        case "e": return .scalar("\u{1B}")
        case "0":
            if let next = peek(), ("0"..."7").contains(next) {
                throw RegexError(reason: .octalEscape, offset: offset)
            }
            return .scalar("\0")
        case "x": return .scalar(try parseNumber(digits: 2, escapedAt: offset))
        case "u": return .scalar(try parseNumber(digits: 4, escapedAt: offset))
        case "p", "P": return .set(try parseProperty(isNegated: scalar == "P", escapedAt: offset))
        case "1"..."9", "k", "g": throw RegexError(reason: .backReference, offset: offset)
        default: break
        }
        if let set = Self.namedClass(scalar) { return .set(set) }
        // GNU's \< and \> match the ends of a word; read as literals they would silently match something else.
        guard !scalar.properties.isAlphabetic, scalar != "<", scalar != ">" else {
            throw RegexError(reason: .unknownEscape(String(scalar)), offset: offset)
        }
        return .scalar(scalar)
    }

    private static func namedClass(_ scalar: Unicode.Scalar) -> ScalarSet? {
        switch scalar {
        case "d": NamedClasses.digit
        case "D": NamedClasses.digit.inverted
        case "s": NamedClasses.space
        case "S": NamedClasses.space.inverted
        case "w": NamedClasses.word
        case "W": NamedClasses.word.inverted
        case "h": NamedClasses.blank
        case "H": NamedClasses.blank.inverted
        default: nil
        }
    }

    /// After `\x` or `\u`: exactly `digits` hexadecimal digits, or any number of them in braces.
    private mutating func parseNumber(digits: Int, escapedAt offset: Int) throws(RegexError) -> Unicode.Scalar {
        let isBraced = peek() == "{"
        if isBraced { index += 1 }
        let start = index
        var number: UInt32 = 0
        while let digit = peek().flatMap({ Self.hexadecimalValue($0) }), isBraced || index - start < digits {
            number = min(number << 4 | digit, 0x200000)
            index += 1
        }
        guard isBraced ? index > start && peek() == "}" : index - start == digits else {
            throw RegexError(reason: .badNumber, offset: offset)
        }
        if isBraced { index += 1 }
        guard let scalar = Unicode.Scalar(number) else { throw RegexError(reason: .notAScalar, offset: offset) }
        return scalar
    }

    private static func hexadecimalValue(_ scalar: Unicode.Scalar) -> UInt32? {
        switch scalar {
        case "0"..."9": scalar.value - 0x30
        case "a"..."f": scalar.value - 0x61 + 10
        case "A"..."F": scalar.value - 0x41 + 10
        default: nil
        }
    }
}

/// `* + ? {2} {2,} {2,5}`, each followed by `?` to match as few as possible.
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
                throw RegexError(reason: .tooManyRepetitions, offset: offset)
            }
            index += 1
        }
        return index > offset ? number : nil
    }
}
