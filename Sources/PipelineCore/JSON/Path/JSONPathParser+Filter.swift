// Filters: the logical grammar and the types of function expressions (RFC 9535, sections 2.3.5 and 2.4.3).

extension JSONPathParser {
    /// A term of a filter, before its context decides what it may be: `length(@.a)` alone isn't a test.
    enum Term {
        /// A query in it may find any number of nodes.
        case operand(JSONPathOperand)
        /// A function that returns true or false.
        case test(JSONPathCondition)
    }

    /// `a || b || …`
    mutating func condition() throws(JSONPathError) -> JSONPathCondition {
        var parts = [try conjunction()]
        while takeBehindSpace("||") { parts.append(try conjunction()) }
        return parts.count == 1 ? parts[0] : .any(parts)
    }

    /// `a && b && …`
    private mutating func conjunction() throws(JSONPathError) -> JSONPathCondition {
        var parts = [try basic()]
        while takeBehindSpace("&&") { parts.append(try basic()) }
        return parts.count == 1 ? parts[0] : .all(parts)
    }

    private mutating func takeBehindSpace(_ text: String) -> Bool {
        let start = position
        skipSpace()
        if take(text) { return true }
        position = start
        return false
    }

    /// A condition in parentheses, a comparison, or a test.
    private mutating func basic() throws(JSONPathError) -> JSONPathCondition {
        skipSpace()
        let isNegated = take("!")
        if isNegated { skipSpace() }
        let condition: JSONPathCondition
        if take("(") {
            condition = try nested { parser throws(JSONPathError) in try parser.condition() }
            skipSpace()
            guard take(")") else { throw error(.expectedParenthesis) }
        } else {
            condition = try comparisonOrTest(isNegated: isNegated)
        }
        return isNegated ? .not(condition) : condition
    }

    private mutating func comparisonOrTest(isNegated: Bool) throws(JSONPathError) -> JSONPathCondition {
        let start = position
        let left = try term()
        let end = position
        skipSpace()
        if let comparison = JSONComparison.allCases.first(where: { take($0.rawValue) }) {
            if isNegated { throw error(.negatedComparison, at: start) }
            let leftValue = try value(left, at: start, .notSingular, .resultIsNoValue)
            skipSpace()
            let rightStart = position
            let rightValue = try value(try term(), at: rightStart, .notSingular, .resultIsNoValue)
            return .comparison(leftValue, comparison, rightValue)
        }
        if next == "=" { throw error(.expectedOperator) }
        position = end
        switch left {
        case .operand(.query(let query)): return .exists(query)
        case .operand(.literal): throw error(.literalIsNoTest, at: start)
        case .operand: throw error(.resultIsNoTest, at: start)
        case .test(let condition): return condition
        }
    }

    /// The term as a value.
    /// - Parameters: why neither a query of several nodes nor a test is one here.
    private func value(
        _ term: Term, at start: Int, _ several: JSONPathError.Reason, _ test: JSONPathError.Reason
    ) throws(JSONPathError) -> JSONPathOperand {
        guard case .operand(let operand) = term else { throw error(test, at: start) }
        if case .query(let query) = operand, !query.isSingular { throw error(several, at: start) }
        return operand
    }

    // MARK: Terms

    private mutating func term() throws(JSONPathError) -> Term {
        switch next {
        case "$", "@":
            let isAbsolute = next == "$"
            position += 1
            return .operand(
                .query(JSONPathQuery(isAbsolute: isAbsolute, segments: try segments(isShort: false))))
        case "'", "\"": return literal(.string, try string())
        case let scalar? where scalar == "-" || Self.isDigit(scalar):
            return literal(.number, try number())
        default: return try word()
        }
    }

    /// `true`, `false`, `null`, or a function.
    private mutating func word() throws(JSONPathError) -> Term {
        let start = position
        let word = take { ("a"..."z").contains($0) || $0 == "_" || Self.isDigit($0) }
        if take("(") { return try function(word, at: start) }
        switch word {
        case "true", "false": return literal(.boolean, Array(word.utf8))
        case "null": return literal(.null, Array(word.utf8))
        default: throw error(.expectedOperand, at: start)
        }
    }

    private func literal(_ kind: JSONNode.Kind, _ text: [UInt8]) -> Term {
        .operand(.literal(JSONPathLiteral(kind: kind, text: text)))
    }

    // MARK: Functions

    /// A call, from after its parenthesis. Rejects one that isn't well-typed (RFC 9535, section 2.4.3).
    private mutating func function(_ name: String, at start: Int) throws(JSONPathError) -> Term {
        let counts = ["length": 1, "count": 1, "value": 1, "match": 2, "search": 2]
        guard let count = counts[name] else { throw error(.unknownFunction, at: start) }
        let arguments = try nested { parser throws(JSONPathError) in try parser.arguments() }
        guard arguments.count == count else {
            throw error(count == 1 ? .expectedOneArgument : .expectedTwoArguments, at: start)
        }
        switch name {
        case "length": return .operand(.length(try value(arguments[0])))
        case "count": return .operand(.count(try nodes(arguments[0])))
        case "value": return .operand(.value(try nodes(arguments[0])))
        default:
            let (text, pattern) = (try value(arguments[0]), try value(arguments[1]))
            return .test(.pattern(pattern, in: text, isWhole: name == "match"))
        }
    }

    private mutating func arguments() throws(JSONPathError) -> [(term: Term, start: Int)] {
        skipSpace()
        if take(")") { return [] }
        var arguments: [(term: Term, start: Int)] = []
        repeat {
            skipSpace()
            if next == "!" || next == "(" { throw error(.argumentIsNoValue) }
            let start = position
            arguments.append((try term(), start))
            skipSpace()
        } while take(",")
        guard take(")") else { throw error(.expectedCommaOrParenthesis) }
        return arguments
    }

    private func value(_ argument: (term: Term, start: Int)) throws(JSONPathError) -> JSONPathOperand {
        try value(argument.term, at: argument.start, .argumentIsNoValue, .argumentIsNoValue)
    }

    private func nodes(_ argument: (term: Term, start: Int)) throws(JSONPathError) -> JSONPathQuery {
        guard case .operand(.query(let query)) = argument.term else {
            throw error(.argumentIsNoQuery, at: argument.start)
        }
        return query
    }

    // MARK: Strings and numbers (RFC 9535, sections 2.3.1.1, 2.1 and 2.3.5.1)

    /// The text, in UTF-8, of a string in either kind of quotes.
    mutating func string() throws(JSONPathError) -> [UInt8] {
        guard let quote = next else { throw error(.expectedQuote) }
        position += 1
        var text: [UInt8] = []
        while let scalar = next {
            if scalar == quote {
                position += 1
                return text
            }
            guard scalar.value >= 0x20 else { throw error(.controlCharacter) }
            position += 1
            let value = scalar == "\\" ? try escape(in: quote) : scalar.value
            UTF8Sequence.append(value, to: &text)
        }
        throw error(.expectedQuote)
    }

    /// The scalar that an escape names, from after its backslash.
    private mutating func escape(in quote: Unicode.Scalar) throws(JSONPathError) -> UInt32 {
        let escapes: [Unicode.Scalar: UInt32] = [
            "b": 0x08, "f": 0x0C, "n": 0x0A, "r": 0x0D, "t": 0x09, "/": 0x2F, "\\": 0x5C, quote: quote.value,
        ]
        if take("u") { return try unicodeEscape() }
        guard let scalar = next, let value = escapes[scalar] else { throw error(.expectedEscape) }
        position += 1
        return value
    }

    /// Four digits, or eight for a surrogate pair.
    private mutating func unicodeEscape() throws(JSONPathError) -> UInt32 {
        let start = position - 2
        let first = try codeUnit()
        guard (0xD800...0xDFFF).contains(first) else { return first }
        guard first < 0xDC00, take("\\u") else { throw error(.loneSurrogate, at: start) }
        let second = try codeUnit()
        guard (0xDC00...0xDFFF).contains(second) else { throw error(.loneSurrogate, at: start) }
        return 0x10000 + (first - 0xD800) << 10 + (second - 0xDC00)
    }

    private mutating func codeUnit() throws(JSONPathError) -> UInt32 {
        var value: UInt32 = 0
        for _ in 0..<4 {
            guard let scalar = next, let byte = UInt8(exactly: scalar.value),
                let digit = JSONStringScanner.hexValue(byte)
            else { throw error(.expectedHexDigit) }
            value = value << 4 | digit
            position += 1
        }
        return value
    }

    /// An index or a bound of a slice; nil if none begins here. No leading zeros, no `-0`, within ±(2^53 - 1).
    mutating func optionalInteger() throws(JSONPathError) -> Int? {
        let start = position
        let isNegative = take("-")
        guard let first = next, Self.isDigit(first) else {
            if isNegative { throw error(.expectedDigit) }
            return nil
        }
        let digits = try digitsWithoutLeadingZero()
        guard let magnitude = Int(digits), magnitude < 1 << 53 else { throw error(.integerOutOfRange, at: start) }
        if isNegative, magnitude == 0 { throw error(.minusZero, at: start) }
        return isNegative ? -magnitude : magnitude
    }

    /// A number as written, if JSON allows it.
    mutating func number() throws(JSONPathError) -> [UInt8] {
        var text = take("-") ? "-" : ""
        text += try digitsWithoutLeadingZero()
        if take(".") { text += "." + (try digits()) }
        if take("e") || take("E") {
            text += "e"
            if take("-") { text += "-" } else { _ = take("+") }
            text += try digits()
        }
        return Array(text.utf8)
    }

    private mutating func digitsWithoutLeadingZero() throws(JSONPathError) -> String {
        let start = position
        let digits = try digits()
        guard digits == "0" || !digits.hasPrefix("0") else { throw error(.leadingZero, at: start + 1) }
        return digits
    }

    private mutating func digits() throws(JSONPathError) -> String {
        let digits = take(while: Self.isDigit)
        guard !digits.isEmpty else { throw error(.expectedDigit) }
        return digits
    }
}
