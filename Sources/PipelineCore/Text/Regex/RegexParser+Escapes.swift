// What a backslash and the character after it mean, inside and outside a class.

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
