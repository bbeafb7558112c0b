// What is wrong with the text of a path, and at which character.

/// The first fault of a path's text.
package struct JSONPathError: Error, Equatable, Sendable {
    /// The rule of RFC 9535 that the text breaks, or the limit it goes over.
    package enum Reason: Equatable, Sendable {
        case expectedRoot
        case expectedSegment
        case expectedName
        case expectedSelector
        case expectedCommaOrBracket
        case expectedQuote
        case controlCharacter
        case expectedEscape
        case expectedHexDigit
        case loneSurrogate
        case expectedDigit
        case leadingZero
        case minusZero
        case integerOutOfRange
        case expectedOperand
        case expectedParenthesis
        case expectedOperator
        case literalIsNoTest
        case negatedComparison
        case notSingular
        case unknownFunction
        case wrongArgumentCount(Int)
        case expectedCommaOrParenthesis
        case argumentIsNoQuery
        case argumentIsNoValue
        case resultIsNoTest
        case resultIsNoValue
        case tooDeep
        case tooManySegments
    }

    package let reason: Reason
    /// The number of Unicode scalars before the fault.
    package let offset: Int

    init(_ reason: Reason, at offset: Int) {
        self.reason = reason
        self.offset = offset
    }
}

extension JSONPathError: CustomStringConvertible {
    package var description: String {
        switch reason {
        case .expectedRoot: "expected '$' or a member's name; a name with other characters is written $['my name']"
        case .expectedSegment:
            "expected '.', '[' or the end of the path; a name with other characters is written ['my-name']"
        case .expectedName: "expected a member's name or '*'; a name with other characters is written ['my-name']"
        case .expectedSelector: "expected a quoted name, an index, a slice, '*' or '?'"
        case .expectedCommaOrBracket: "expected ',' or ']' after a selector"
        case .expectedQuote: "expected a quote at the end of a string"
        case .controlCharacter: "expected no control character in a string; write it as an escape"
        case .expectedEscape: "expected one of \\/bfnrtu or the string's own quote after '\\'"
        case .expectedHexDigit: "expected four hexadecimal digits after '\\u'"
        case .loneSurrogate: "expected both halves of a surrogate pair"
        case .expectedDigit: "expected a digit"
        case .leadingZero: "expected no digit after a leading zero"
        case .minusZero: "expected an index without a sign before 0"
        case .integerOutOfRange: "expected an integer from -9007199254740991 to 9007199254740991"
        case .expectedOperand: "expected '@', '$', a literal, a function, '!' or '('"
        case .expectedParenthesis: "expected ')'"
        case .expectedOperator: "expected one of == != <= >= < >"
        case .literalIsNoTest: "expected a comparison; a literal alone tests nothing"
        case .negatedComparison: "expected no comparison after '!'; put it in parentheses"
        case .notSingular: "expected a query of names and indexes only, since it is compared"
        case .unknownFunction: "expected one of the functions length, count, match, search, value"
        case .wrongArgumentCount(let count): "expected \(count) argument\(count == 1 ? "" : "s")"
        case .expectedCommaOrParenthesis: "expected ',' or ')' after an argument"
        case .argumentIsNoQuery: "expected a query as the argument"
        case .argumentIsNoValue:
            "expected a value as the argument: a literal, a query of names and indexes, or length, count, value"
        case .resultIsNoTest: "expected a comparison; the function's result is a value"
        case .resultIsNoValue: "expected no comparison; match and search are tests by themselves"
        case .tooDeep: "expected at most \(JSONPath.depthLimit) levels of nesting"
        case .tooManySegments: "expected at most \(JSONPath.segmentLimit) segments"
        }
    }

    /// The part of a message that follows the path's text.
    package var account: String { "the path is wrong at character \(offset + 1): \(self)" }
}
