// A strict pull reader for RFC 8259: it accepts everything that is valid and nothing else.
//
//     {"name":"Mick","films":[1]}
//     beginObject  name  string  name  beginArray  number  endArray  endObject  nil
//
// It keeps only its position, so it costs no memory, and it can stop after any token.

package struct JSONReader: ~Escapable {
    /// The most nested containers, including the outermost.
    package static let depthLimit = 512

    fileprivate enum Expectation {
        case value
        case name
        case firstElementOrEnd
        case firstNameOrEnd
        case commaOrEnd
        case end
    }

    /// What has been read, as far as it matters for what follows: a text that comes in pieces takes a reader for each.
    struct State {
        fileprivate var expectation = Expectation.value
        /// One bit for each open container, set for an object: the outermost 64, and the deeper ones, which few texts
        /// have. Only the first `depth` bits count.
        fileprivate var outerBits: UInt64 = 0
        fileprivate var deeperBits = SIMD8<UInt64>(repeating: 0)
        fileprivate var isInObject = false
        fileprivate(set) var depth = 0

        var isAtEnd: Bool { expectation == .end }

        var isAtFirst: Bool { expectation == .firstElementOrEnd || expectation == .firstNameOrEnd }

        var expectsName: Bool { expectation == .name || expectation == .firstNameOrEnd }

        /// Goes on after the comma that is next, if the grammar allows it here.
        mutating func passComma() -> Bool {
            guard expectation == .commaOrEnd else { return false }
            expectation = isInObject ? .name : .value
            return true
        }

        mutating func passValue() { expectation = depth == 0 ? .end : .commaOrEnd }
    }

    private let bytes: Span<UInt8>
    private(set) var state: State
    /// Where reading continues: after the last token (for a name, after its colon).
    package private(set) var position = 0
    /// Where the last token begins: for a string or a name, at its quote.
    package private(set) var tokenStart = 0

    /// - Parameter start: where in `bytes` the text begins. It runs to the end of `bytes`.
    @_lifetime(copy bytes)
    package init(_ bytes: Span<UInt8>, from start: Int = 0) { self.init(bytes, from: start, State()) }

    @_lifetime(copy bytes)
    init(_ bytes: Span<UInt8>, from start: Int, _ state: State) {
        self.bytes = bytes
        self.state = state
        position = start
    }

    package var depth: Int { state.depth }

    /// The next token; nil after the end of the text.
    @_lifetime(self: copy self)
    package mutating func next() throws(JSONError) -> JSONToken? {
        skipSpace()
        switch state.expectation {
        case .value: return try value(orElse: .expectedValue)
        case .name: return try name(orElse: .expectedNameAfterComma)
        case .firstElementOrEnd: return peek() == UInt8(ascii: "]") ? close() : try value(orElse: .expectedValue)
        case .firstNameOrEnd:
            return peek() == UInt8(ascii: "}") ? close() : try name(orElse: .expectedNameOrBrace)
        case .commaOrEnd: return try afterValue()
        case .end:
            guard position == bytes.count else { throw JSONError(.expectedEnd, at: position) }
            return nil
        }
    }

    @_lifetime(self: copy self)
    package mutating func beginRecord() throws(JSONError) {
        skipSpace()
        guard peek() == UInt8(ascii: "{") else { throw JSONError(.expectedRecord, at: position) }
        _ = try next()
    }

    /// Reads a member's name if it comes right after the brace or comma, spelt like this, with its quotes and the colon.
    @inline(__always)
    @_lifetime(self: copy self)
    mutating func take(name spelling: Span<UInt8>) -> Bool {
        var start = position
        if state.expectation == .commaOrEnd, state.isInObject, start < bytes.count,
            bytes[start] == UInt8(ascii: ",")
        {
            start += 1
        } else if state.expectation != .firstNameOrEnd {
            return false
        }
        guard bytes.holds(spelling, at: start) else { return false }
        tokenStart = start
        position = start + spelling.count
        state.expectation = .value
        return true
    }

    /// Reads and checks the rest of a value whose first token was just read.
    @_lifetime(self: copy self)
    package mutating func skipRest(of token: JSONToken) throws(JSONError) {
        guard token == .beginObject || token == .beginArray, !passRest() else { return }
        let outer = depth - 1
        while depth > outer { _ = try next() }
    }

    @_lifetime(self: copy self)
    package mutating func skipToEnd() throws(JSONError) {
        if depth == 0 { _ = try next() }
        if state.expectation == .firstNameOrEnd || state.expectation == .firstElementOrEnd { _ = passRest() }
        while try next() != nil {}
    }

    /// Reads the rest of the container whose opening bracket was just read, if it is well-formed and not too deep
    /// for the validator. Following a path this way takes 0.9 of the time of skipping containers unchecked, by
    /// their brackets (Benchmarks/filter-search, a condition on a number).
    @_lifetime(self: copy self)
    private mutating func passRest() -> Bool {
        guard depth + JSONValidator.depthLimit <= Self.depthLimit else { return false }
        var index = position - 1
        guard JSONValidator(bytes).passValue(&index) else { return false }
        position = index - 1
        _ = close()
        return true
    }

    // MARK: Structure

    @inline(__always)
    private func peek() -> UInt8? { position < bytes.count ? bytes[position] : nil }

    /// RFC 8259, section 2: space, tab, line feed, carriage return.
    @inline(__always)
    @_lifetime(self: copy self)
    private mutating func skipSpace() {
        while position < bytes.count {
            switch bytes[position] {
            case 0x20, 0x09, 0x0A, 0x0D: position += 1
            default: return
            }
        }
    }

    @_lifetime(self: copy self)
    private mutating func afterValue() throws(JSONError) -> JSONToken {
        switch peek() {
        case UInt8(ascii: ","):
            position += 1
            skipSpace()
            return state.isInObject ? try name(orElse: .expectedNameAfterComma) : try value(orElse: .expectedValue)
        case UInt8(ascii: "}") where state.isInObject: return close()
        case UInt8(ascii: "]") where !state.isInObject: return close()
        default: throw JSONError(state.isInObject ? .expectedCommaOrBrace : .expectedCommaOrBracket, at: position)
        }
    }

    @_lifetime(self: copy self)
    private mutating func open(object: Bool) throws(JSONError) -> JSONToken {
        guard depth < Self.depthLimit else { throw JSONError(.tooDeep, at: position) }
        setIsObject(object)
        state.depth += 1
        position += 1
        state.isInObject = object
        state.expectation = object ? .firstNameOrEnd : .firstElementOrEnd
        return object ? .beginObject : .beginArray
    }

    @_lifetime(self: copy self)
    private mutating func close() -> JSONToken {
        let token: JSONToken = state.isInObject ? .endObject : .endArray
        tokenStart = position
        position += 1
        state.depth -= 1
        state.passValue()
        if depth > 0 { state.isInObject = isObject(depth - 1) }
        return token
    }

    private func isObject(_ depth: Int) -> Bool {
        let bits = depth < 64 ? state.outerBits : state.deeperBits[depth / 64]
        return bits >> UInt64(depth % 64) & 1 == 1
    }

    private mutating func setIsObject(_ isObject: Bool) {
        let bit: UInt64 = 1 << UInt64(depth % 64)
        let bits = depth < 64 ? state.outerBits : state.deeperBits[depth / 64]
        let newBits = isObject ? bits | bit : bits & ~bit
        if depth < 64 { state.outerBits = newBits } else { state.deeperBits[depth / 64] = newBits }
    }

    @_lifetime(self: copy self)
    private mutating func name(orElse reason: JSONError.Reason) throws(JSONError) -> JSONToken {
        guard peek() == UInt8(ascii: "\"") else { throw JSONError(reason, at: position) }
        let name = try string()
        skipSpace()
        guard peek() == UInt8(ascii: ":") else { throw JSONError(.expectedColon, at: position) }
        position += 1
        state.expectation = .value
        return .name(name)
    }

    @_lifetime(self: copy self)
    private mutating func value(orElse reason: JSONError.Reason) throws(JSONError) -> JSONToken {
        tokenStart = position
        guard let first = peek() else { throw JSONError(reason, at: position) }
        switch first {
        case UInt8(ascii: "{"): return try open(object: true)
        case UInt8(ascii: "["): return try open(object: false)
        default: break
        }
        let token: JSONToken
        switch first {
        case UInt8(ascii: "\""): token = .string(try string())
        case UInt8(ascii: "-"), UInt8(ascii: "0")...UInt8(ascii: "9"): token = .number(try number())
        case UInt8(ascii: "t"): token = try literal("true", .boolean(true))
        case UInt8(ascii: "f"): token = try literal("false", .boolean(false))
        case UInt8(ascii: "n"): token = try literal("null", .null)
        default: throw JSONError(reason, at: position)
        }
        state.passValue()
        return token
    }

    // MARK: Scalars

    @_lifetime(self: copy self)
    private mutating func literal(_ text: StaticString, _ token: JSONToken) throws(JSONError) -> JSONToken {
        var end = position
        guard JSONValidator(bytes).pass(text, &end) else { throw JSONError(.expectedLiteral, at: position) }
        position = end
        return token
    }

    @_lifetime(self: copy self)
    private mutating func string() throws(JSONError) -> JSONString {
        tokenStart = position
        let start = position + 1
        let scan = try JSONStringScanner.end(of: bytes, from: start)
        position = scan.end + 1
        return JSONString(range: start..<scan.end, hasEscapes: scan.hasEscapes)
    }

    @_lifetime(self: copy self)
    private mutating func number() throws(JSONError) -> JSONNumber {
        let start = position
        guard JSONValidator(bytes).passNumber(&position) else { throw JSONError(.expectedDigit, at: position) }
        var isInteger = true
        for index in start..<position
        where bytes[index] == UInt8(ascii: ".") || bytes[index] | 0x20 == UInt8(ascii: "e") {
            isInteger = false
        }
        // A digit can be left only after a zero that begins the integer.
        if let byte = peek(), byte &- UInt8(ascii: "0") < 10 { throw JSONError(.leadingZero, at: position) }
        return JSONNumber(range: start..<position, isInteger: isInteger)
    }
}

/// What the pull reader finds: tokens that hold the range of their text, without copying it.
package enum JSONToken: Equatable, Sendable {
    case beginObject
    case endObject
    case beginArray
    case endArray
    /// A member's name. Its colon has been read too.
    case name(JSONString)
    case string(JSONString)
    case number(JSONNumber)
    case boolean(Bool)
    case null
}

package struct JSONString: Equatable, Sendable {
    /// The range between the quotes.
    package let range: Range<Int>
    /// Whether it has any escapes. Without them the bytes are the text.
    package let hasEscapes: Bool

    package func equals(_ text: Span<UInt8>, in bytes: Span<UInt8>) -> Bool {
        let content = bytes.extracting(range)
        return hasEscapes ? JSONStringDecoder.equals(content, text) : content.equals(text)
    }

    package func text(in bytes: Span<UInt8>) -> String {
        let text = JSONStringDecoder.decoded(bytes.extracting(range))
        return text.span.text
    }
}

package struct JSONNumber: Equatable, Sendable {
    package let range: Range<Int>
    package let isInteger: Bool
}

package struct JSONError: Error, Equatable, Sendable, CustomStringConvertible {
    /// The rule of RFC 8259 that the text breaks, or the limit it goes over.
    package enum Reason: String, Sendable {
        case expectedRecord = "expected a record, which begins with '{'"
        case expectedValue = "expected a value"
        case expectedNameOrBrace = "expected a member name or '}'"
        case expectedNameAfterComma = "expected a member name after ','"
        case expectedColon = "expected ':' after a member name"
        case expectedCommaOrBrace = "expected ',' or '}' after a member"
        case expectedCommaOrBracket = "expected ',' or ']' after an element"
        case expectedEnd = "expected the end of the line after the record"
        case expectedQuote = "expected '\"' at the end of a string"
        case expectedLiteral = "expected true, false or null"
        case expectedDigit = "expected a digit"
        case leadingZero = "expected no digit after a leading zero"
        case expectedEscape = "expected one of \"\\/bfnrtu after '\\'"
        case expectedHexDigit = "expected four hexadecimal digits after '\\u'"
        case controlCharacter = "expected no control character in a string; write it as an escape"
        case invalidUTF8 = "expected UTF-8"
        case tooDeep = "expected at most 512 levels of nesting"
        case tooMuchForPath = "expected a smaller record; the path takes too much work on this one"
    }

    package let reason: Reason
    /// The number of bytes before the fault.
    package let offset: Int

    package init(_ reason: Reason, at offset: Int) {
        self.reason = reason
        self.offset = offset
    }

    package var description: String { reason.rawValue }
}

/// The bytes that stop the copying of a text into a JSON string.
struct JSONScan: ByteScan {
    private let quotes = SIMD16<UInt8>(repeating: UInt8(ascii: "\""))
    private let backslashes = SIMD16<UInt8>(repeating: UInt8(ascii: "\\"))
    private let spaces = SIMD16<UInt8>(repeating: 0x20)

    @inline(__always)
    func marks(_ block: SIMD16<UInt8>) -> SIMDMask<SIMD16<Int8>> {
        (block .== quotes) .| (block .== backslashes) .| (block .< spaces)
    }
}
