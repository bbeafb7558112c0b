// What is wrong with a JSON text, and at which byte.

/// The first fault of a JSON text.
package struct JSONError: Error, Equatable, Sendable {
    /// The rule of RFC 8259 that the text breaks, or the limit it goes over.
    package enum Reason: Equatable, Sendable {
        case expectedRecord
        case expectedValue
        case expectedNameOrBrace
        case expectedNameAfterComma
        case expectedColon
        case expectedCommaOrBrace
        case expectedCommaOrBracket
        case expectedEnd
        case expectedQuote
        case expectedLiteral
        case expectedDigit
        case leadingZero
        case expectedEscape
        case expectedHexDigit
        case controlCharacter
        case invalidUTF8
        case tooDeep
        case tooMuchForPath
    }

    package let reason: Reason
    /// The number of bytes before the fault.
    package let offset: Int

    package init(_ reason: Reason, at offset: Int) {
        self.reason = reason
        self.offset = offset
    }
}

extension JSONError: CustomStringConvertible {
    package var description: String {
        switch reason {
        case .expectedRecord: "expected a record, which begins with '{'"
        case .expectedValue: "expected a value"
        case .expectedNameOrBrace: "expected a member name or '}'"
        case .expectedNameAfterComma: "expected a member name after ','"
        case .expectedColon: "expected ':' after a member name"
        case .expectedCommaOrBrace: "expected ',' or '}' after a member"
        case .expectedCommaOrBracket: "expected ',' or ']' after an element"
        case .expectedEnd: "expected the end of the line after the record"
        case .expectedQuote: "expected '\"' at the end of a string"
        case .expectedLiteral: "expected true, false or null"
        case .expectedDigit: "expected a digit"
        case .leadingZero: "expected no digit after a leading zero"
        case .expectedEscape: "expected one of \"\\/bfnrtu after '\\'"
        case .expectedHexDigit: "expected four hexadecimal digits after '\\u'"
        case .controlCharacter: "expected no control character in a string; write it as an escape"
        case .invalidUTF8: "expected UTF-8"
        case .tooDeep: "expected at most \(JSONReader.depthLimit) levels of nesting"
        case .tooMuchForPath: "expected a smaller record; the path takes too much work on this one"
        }
    }
}
