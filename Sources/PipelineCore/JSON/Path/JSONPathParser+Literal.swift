// Strings and numbers in a path (RFC 9535, sections 2.3.1.1, 2.1 and 2.3.5.1).

extension JSONPathParser {
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
        let isZero = next == "0"
        let start = position
        let digits = try digits()
        guard !isZero || digits == "0" else { throw error(.leadingZero, at: start + 1) }
        return digits
    }

    private mutating func digits() throws(JSONPathError) -> String {
        var digits = ""
        while let scalar = next, Self.isDigit(scalar) {
            digits.unicodeScalars.append(scalar)
            position += 1
        }
        guard !digits.isEmpty else { throw error(.expectedDigit) }
        return digits
    }
}
