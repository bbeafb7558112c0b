// Finds the elements of one array, or the members of one object, in a JSON text of any size that comes in pieces. Each
// is found as soon as its last byte is there; nothing but an element that has begun is kept.
//
//     {"info":{"count":2},"data":[{"_id":7},{"_id":8}],"next":null}
//     ^ rest ───────────────────^  ^ element  ^ element ^ rest ────^
//
// The rest is checked token by token, and kept up to a limit: `{"info":{"count":2},"data":[],"next":null}`.

package struct ElementStream {
    package struct Place: Sendable {
        /// The names of the nested members that lead to the list. None for the whole text.
        package let path: [[UInt8]]
        /// The list is an object, whose members are wanted, and not an array.
        package let isObject: Bool

        package init(path: [[UInt8]], isObject: Bool) {
            self.path = path
            self.isObject = isObject
        }
    }

    /// Why a text has no such elements.
    package enum Fault: Error, Equatable {
        /// What is wrong, and where in the text given last.
        case malformed(JSONError)
        case cutShort
        /// An element, or what is kept of the rest, is larger than the limit.
        case tooLarge(limitBytes: Int)
        /// At the path there is something else.
        case noList(isArray: Bool)

        fileprivate static func of<Result>(_ read: @autoclosure () throws(JSONError) -> Result) throws(Fault)
            -> Result
        {
            do throws(JSONError) { return try read() } catch { throw .malformed(error) }
        }
    }

    enum Stage {
        case rest
        /// The end of the list, a comma, or the first element.
        case separator
        case element
    }

    /// An element that has been found: the range of its value in the text, and of its name, between the quotes.
    package typealias Element = (value: Range<Int>, name: Range<Int>?)

    /// The longest element, and the most that is kept of the rest.
    let limitBytes: Int
    let place: Place
    package let keepsRest: Bool
    private(set) var stage = Stage.rest
    /// Where the rest is, for the reader that goes on there.
    private var state = JSONReader.State()
    /// How many of the open containers, from the outermost on, the path leads through.
    private var followed = 0
    private var isOnPath = true
    private(set) var extent = JSONExtent()
    /// Where the value of the member begins that hasn't ended, counted from its name.
    private var valueStart: Int?

    /// The text without the elements. Empty if it isn't wanted.
    package private(set) var rest: [UInt8] = []
    package private(set) var hasFound = false
    /// In place of an object of members there is an array, which must be empty, as some languages write an empty object.
    private var mustBeEmpty = false
    /// At the path there is one object instead of an array: it is the only element.
    package private(set) var isSingle = false

    package init(_ place: Place, keepsRest: Bool, limitBytes: Int) {
        self.place = place
        self.keepsRest = keepsRest
        self.limitBytes = limitBytes
    }

    /// The whole text has come and is well-formed.
    package var isAtEnd: Bool { state.isAtEnd }

    /// Takes the text up to the first element that it reaches, or as far as it goes.
    /// - Parameters:
    ///   - text: begins where the last call stopped.
    ///   - index: where to begin; afterwards, where the next call has to.
    ///   - isLast: nothing follows the text.
    /// - Returns: whether an element begins there; else more of the text is needed, or it has ended.
    package mutating func reachElement(
        _ text: Span<UInt8>, _ index: inout Int, isLast: Bool
    ) throws(Fault) -> Bool {
        let json = JSONValidator(text)
        while true {
            index = json.afterSpace(index)
            guard index < text.count else {
                if isLast, !isAtEnd { throw .cutShort }
                return false
            }
            switch stage {
            case .element: return true
            case .separator: try passSeparator(text, &index)
            case .rest where isSingle && isAtEnd && place.path.isEmpty && text[index] == UInt8(ascii: "{"):
                (state, isOnPath) = (JSONReader.State(), true)
            // A null is no list; the same name may come again.
            case .rest where isOnPath && isAtPlace && text[index] != UInt8(ascii: "n"): try beginList(text, &index)
            case .rest: guard try passToken(text, &index, isLast: isLast) else { return false }
            }
        }
    }

    /// The path leads through all open containers, and no further.
    private var isAtPlace: Bool { followed == place.path.count && followed == state.depth }

    /// Takes the element that begins here, whatever it is.
    /// - Returns: nil if more of the text is needed.
    package mutating func takeElement(
        _ text: Span<UInt8>, _ index: inout Int, isLast: Bool
    ) throws(Fault) -> Element? {
        let start = index
        var name: Range<Int>?
        var first = start
        if place.isObject, !isSingle {
            guard text[start] == UInt8(ascii: "\"") else {
                throw .malformed(JSONError(.expectedNameOrBrace, at: start))
            }
            if valueStart == nil { valueStart = try nameEnd(text, start, isLast: isLast).map { $0 - start } }
            guard let valueStart else { return nil }
            first = start + valueStart
            name = start + 1..<(try Fault.of(JSONStringScanner.end(of: text, from: start + 1)).end)
        }
        guard let end = try valueEnd(text, first, isLast: isLast) else { return nil }
        try Self.check(text, first..<end)
        if isSingle { try keep(text, first..<end) }
        index = end
        extent = JSONExtent()
        valueStart = nil
        endElement()
        return (first..<end, name)
    }

    mutating func endElement() {
        state.passValue()
        stage = isSingle ? .rest : .separator
        isOnPath = false
    }

    mutating func beginElement() { stage = .element }

    private mutating func passSeparator(_ text: Span<UInt8>, _ index: inout Int) throws(Fault) {
        let byte = text[index]
        if byte == (place.isObject ? UInt8(ascii: "}") : UInt8(ascii: "]")) {
            _ = try read(text, &index)
            stage = .rest
        } else if state.isAtFirst {
            stage = .element
        } else {
            guard byte == UInt8(ascii: ",") else {
                throw .malformed(
                    JSONError(place.isObject ? .expectedCommaOrBrace : .expectedCommaOrBracket, at: index))
            }
            index += 1
            stage = .element
        }
    }

    private mutating func beginList(_ text: Span<UInt8>, _ index: inout Int) throws(Fault) {
        let (isObject, isArray) = (text[index] == UInt8(ascii: "{"), text[index] == UInt8(ascii: "["))
        guard isObject || isArray else {
            guard JSONExtent.beginsScalar(text[index]) else {
                throw .malformed(JSONError(.expectedValue, at: index))
            }
            throw .noList(isArray: false)
        }
        hasFound = true
        isOnPath = false
        isSingle = isObject && !place.isObject
        guard !isSingle else { return stage = .element }
        mustBeEmpty = isArray && place.isObject
        _ = try read(text, &index)
        if !mustBeEmpty { stage = .separator }
    }

    // MARK: The rest

    /// Takes the next token of the rest; returns false if more of the text is needed.
    private mutating func passToken(_ text: Span<UInt8>, _ index: inout Int, isLast: Bool) throws(Fault) -> Bool {
        let byte = text[index]
        if mustBeEmpty, byte != UInt8(ascii: "]") { throw .noList(isArray: true) }
        if byte == UInt8(ascii: ","), state.passComma() {
            try keep(text, index..<index + 1)
            index += 1
            return true
        }
        // What can't be a value is told at once, and not when something seems to end it.
        if JSONExtent.beginsScalar(byte) {
            let isName = state.expectsName && byte == UInt8(ascii: "\"")
            let end =
                isName ? try nameEnd(text, index, isLast: isLast) : try valueEnd(text, index, isLast: isLast)
            guard end != nil else { return false }
        }
        let depth = state.depth
        switch try read(text, &index) {
        case .name(let name):
            isOnPath = leads(toMember: text.extracting(name.range))
            return true
        case .beginObject: if isOnPath, followed == depth { followed += 1 }
        case .endObject, .endArray:
            followed = min(followed, state.depth)
            mustBeEmpty = false
        default: break
        }
        isOnPath = false
        return true
    }

    /// Whether the path leads to the member of that name in the innermost container.
    private func leads(toMember name: Span<UInt8>) -> Bool {
        guard followed > 0, followed <= place.path.count, followed == state.depth else { return false }
        let wanted = place.path[followed - 1]
        return JSONStringDecoder.equals(name, wanted.span)
    }

    /// Reads a token of the rest, all of which is there.
    private mutating func read(_ text: Span<UInt8>, _ index: inout Int) throws(Fault) -> JSONToken? {
        var reader = JSONReader(text, from: index, state)
        let token = try Fault.of(reader.next())
        if case .name(let name)? = token {
            try keep(text, index..<name.range.upperBound + 1)
            try keep(text, reader.position - 1..<reader.position)
        } else {
            try keep(text, index..<reader.position)
        }
        (index, state) = (reader.position, reader.state)
        extent = JSONExtent()
        return token
    }

    private mutating func keep(_ text: Span<UInt8>, _ range: Range<Int>) throws(Fault) {
        guard keepsRest else { return }
        guard range.count <= limitBytes - rest.count else { throw .tooLarge(limitBytes: limitBytes) }
        rest.append(text.extracting(range))
    }

    // MARK: Values

    /// The end of the value that begins here; nil if more of the text is needed.
    private mutating func valueEnd(_ text: Span<UInt8>, _ start: Int, isLast: Bool) throws(Fault) -> Int? {
        let end = extent.end(in: text, from: start, isLast: isLast)
        guard (end ?? text.count) - start <= limitBytes else { throw .tooLarge(limitBytes: limitBytes) }
        // A bracket has to follow.
        if isLast, end == nil || end == text.count && state.depth > 0 { throw .cutShort }
        return end
    }

    /// Where the value of the member begins whose name begins here; nil if more of the text is needed.
    private mutating func nameEnd(_ text: Span<UInt8>, _ start: Int, isLast: Bool) throws(Fault) -> Int? {
        guard let end = try valueEnd(text, start, isLast: isLast) else { return nil }
        let json = JSONValidator(text)
        let colon = json.afterSpace(end)
        if colon < text.count, text[colon] != UInt8(ascii: ":") {
            throw .malformed(JSONError(.expectedColon, at: colon))
        }
        let value = json.afterSpace(colon + 1)
        guard value < text.count else {
            if isLast { throw .cutShort }
            guard text.count - start <= limitBytes else { throw .tooLarge(limitBytes: limitBytes) }
            return nil
        }
        extent = JSONExtent()
        return value
    }

    private static func check(_ text: Span<UInt8>, _ range: Range<Int>) throws(Fault) {
        var reader = JSONReader(text.extracting(..<range.upperBound), from: range.lowerBound)
        try Fault.of(reader.skipToEnd())
    }
}
