// Parses a path by recursive descent, following the grammar of RFC 9535, section 2.

/// Parses one path. Each method reads what it is named after, starting at `position`.
struct JSONPathParser {
    private let scalars: [Unicode.Scalar]
    var position = 0
    private var depth = 0
    private var segmentCount = 0

    init(_ scalars: [Unicode.Scalar]) { self.scalars = scalars }

    /// The path, from `$` or the short form's first name, as far as it extends.
    mutating func path() throws(JSONPathError) -> JSONPathQuery {
        if take("$") { return JSONPathQuery(isAbsolute: true, segments: try segments(isShort: false)) }
        guard let name = name(isShort: true) else { throw error(.expectedRoot) }
        let first = JSONPathSegment(isDescendant: false, selectors: [.name(name)])
        return JSONPathQuery(isAbsolute: true, segments: [first] + (try segments(isShort: true)))
    }

    // MARK: Characters

    var next: Unicode.Scalar? { position < scalars.count ? scalars[position] : nil }

    func error(_ reason: JSONPathError.Reason, at offset: Int? = nil) -> JSONPathError {
        JSONPathError(reason: reason, offset: offset ?? position)
    }

    mutating func take(_ text: String) -> Bool {
        guard scalars[position...].starts(with: text.unicodeScalars) else { return false }
        position += text.unicodeScalars.count
        return true
    }

    mutating func take(while isTaken: (Unicode.Scalar) -> Bool) -> String {
        let taken = scalars[position...].prefix(while: isTaken)
        position += taken.count
        return String(String.UnicodeScalarView(taken))
    }

    mutating func skipSpace() { _ = take { $0 == " " || $0 == "\t" || $0 == "\n" || $0 == "\r" } }

    /// Parses one level deeper. `depthLimit` bounds the recursion.
    mutating func nested<Result>(
        _ parse: (inout JSONPathParser) throws(JSONPathError) -> Result
    ) throws(JSONPathError) -> Result {
        guard depth < JSONPath.depthLimit else { throw error(.tooDeep) }
        depth += 1
        let result = try parse(&self)
        depth -= 1
        return result
    }

    // MARK: Segments

    /// All segments that follow. Reads white space before a segment, but not after the last one.
    mutating func segments(isShort: Bool) throws(JSONPathError) -> [JSONPathSegment] {
        var segments: [JSONPathSegment] = []
        while true {
            let start = position
            skipSpace()
            guard next == "." || next == "[" else {
                position = start
                return segments
            }
            guard segmentCount < JSONPath.segmentLimit else { throw error(.tooManySegments) }
            segmentCount += 1
            segments.append(try segment(isShort: isShort))
        }
    }

    private mutating func segment(isShort: Bool) throws(JSONPathError) -> JSONPathSegment {
        let isDescendant = take("..")
        let hasDot = isDescendant || take(".")
        if next == "[", isDescendant || !hasDot {
            return JSONPathSegment(isDescendant: isDescendant, selectors: try bracketed())
        }
        if take("*") { return JSONPathSegment(isDescendant: isDescendant, selectors: [.wildcard]) }
        guard let name = name(isShort: isShort) else { throw error(.expectedName) }
        return JSONPathSegment(isDescendant: isDescendant, selectors: [.name(name)])
    }

    /// A name without quotes; nil if none begins here.
    private mutating func name(isShort: Bool) -> [UInt8]? {
        guard let first = next, isShort || !Self.isDigit(first) else { return nil }
        let name = take { Self.isNameFirst($0) || Self.isDigit($0) || isShort && $0 == "-" }
        return name.isEmpty ? nil : Array(name.utf8)
    }

    /// Whether the text is a name that needs no quotes.
    static func isName(_ text: String, isShort: Bool) -> Bool {
        var parser = JSONPathParser(Array(text.unicodeScalars))
        return parser.name(isShort: isShort) != nil && parser.position == parser.scalars.count
    }

    private static func isNameFirst(_ scalar: Unicode.Scalar) -> Bool {
        scalar == "_" || ("a"..."z").contains(scalar) || ("A"..."Z").contains(scalar) || scalar.value >= 0x80
    }

    static func isDigit(_ scalar: Unicode.Scalar) -> Bool { ("0"..."9").contains(scalar) }

    // MARK: Selectors

    private mutating func bracketed() throws(JSONPathError) -> [JSONPathSelector] {
        position += 1
        var selectors: [JSONPathSelector] = []
        repeat {
            skipSpace()
            selectors.append(try selector())
            skipSpace()
        } while take(",")
        guard take("]") else { throw error(.expectedCommaOrBracket) }
        return selectors
    }

    private mutating func selector() throws(JSONPathError) -> JSONPathSelector {
        switch next {
        case "'", "\"": return .name(try string())
        case "*":
            position += 1
            return .wildcard
        case "?":
            position += 1
            return .filter(try nested { parser throws(JSONPathError) in try parser.condition() })
        case ":": return .slice(try slice(from: nil))
        default:
            guard let integer = try optionalInteger() else { throw error(.expectedSelector) }
            let end = position
            skipSpace()
            if next == ":" { return .slice(try slice(from: integer)) }
            position = end
            return .index(integer)
        }
    }

    /// The rest of a slice, from its first colon.
    private mutating func slice(from start: Int?) throws(JSONPathError) -> JSONPathSlice {
        position += 1
        skipSpace()
        let end = try optionalInteger()
        let behindEnd = position
        skipSpace()
        guard take(":") else {
            position = behindEnd
            return JSONPathSlice(start: start, end: end, step: 1)
        }
        skipSpace()
        return JSONPathSlice(start: start, end: end, step: try optionalInteger() ?? 1)
    }
}

package struct JSONPathError: Error, Equatable, Sendable, CustomStringConvertible {
    /// The rule of RFC 9535 that the text breaks, or the limit it goes over.
    package enum Reason: String, Sendable {
        case expectedRoot =
            "expected '$' or a member's name; a name with spaces or signs is written $['my name']"
        case expectedSegment =
            "expected '.', '[' or the end of the path; a name with spaces or signs is written $['my name']"
        case expectedName = "expected a member's name or '*'; a name with spaces or signs is written $['my name']"
        case expectedSelector =
            "expected a quoted name, an index, a slice, '*' or '?'; write [*] for jq's []"
        case expectedCommaOrBracket = "expected ',' or ']' after a selector"
        case expectedQuote = "expected a quote at the end of a string"
        case controlCharacter = "expected no control character in a string; write it as an escape"
        case expectedEscape = "expected one of \\/bfnrtu or the string's own quote after '\\'"
        case expectedHexDigit = "expected four hexadecimal digits after '\\u'"
        case loneSurrogate = "expected both halves of a surrogate pair"
        case expectedDigit = "expected a digit"
        case leadingZero = "expected no digit after a leading zero"
        case minusZero = "expected an index without a sign before 0"
        case integerOutOfRange = "expected an integer from -9007199254740991 to 9007199254740991"
        case expectedOperand = "expected '@', '$', a literal, a function, '!' or '('"
        case expectedParenthesis = "expected ')'"
        case expectedOperator = "expected one of == != <= >= < >"
        case literalIsNoTest = "expected a comparison; a literal alone tests nothing"
        case negatedComparison = "expected no comparison after '!'; put it in parentheses"
        case notSingular = "expected a query of names and indexes only, since it is compared"
        case unknownFunction = "expected one of the functions length, count, match, search, value"
        case expectedOneArgument = "expected 1 argument"
        case expectedTwoArguments = "expected 2 arguments"
        case expectedCommaOrParenthesis = "expected ',' or ')' after an argument"
        case argumentIsNoQuery = "expected a query as the argument"
        case argumentIsNoValue =
            "expected a value as the argument: a literal, a query of names and indexes, or length, count, value"
        case resultIsNoTest = "expected a comparison; the function's result is a value"
        case resultIsNoValue = "expected no comparison; match and search are tests by themselves"
        case tooDeep = "expected at most 64 levels of nesting"
        case tooManySegments = "expected at most 512 segments"
    }

    package let reason: Reason
    /// The number of Unicode scalars before the fault.
    package let offset: Int

    package var description: String { reason.rawValue }

    /// The part of a message that follows the path's text.
    package var account: String { "the path is wrong at character \(offset + 1): \(self)" }
}
