// Finds the elements of one array, or the members of one object, in a JSON text of any size that comes in pieces. Each
// is found as soon as its last byte is there; nothing but an element that has begun is kept.
//
//     {"info":{"count":2},"data":[{"_id":7},{"_id":8}],"next":null}
//     ^ rest ───────────────────^  ^ element  ^ element ^ rest ────^
//
// The rest is checked token by token, and kept up to a limit: `{"info":{"count":2},"data":[],"next":null}`.

/// Finds the elements of one list in a text.
package struct ElementStream {
    /// Where the elements are.
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
        /// The text ends early.
        case cutShort
        /// An element, or what is kept of the rest, is larger than the limit.
        case tooLarge(limitBytes: Int)
        /// At the path there is something else.
        case noList(isArray: Bool)
    }

    /// What the grammar allows next.
    enum Expectation {
        case value, firstName, name, colon, firstValue, separator
        case firstElement, element, elementSeparator
        case end
    }

    /// An element that has been found: the range of its value in the text, and of its name, between the quotes.
    package typealias Element = (value: Range<Int>, name: Range<Int>?)

    /// The longest element, and the most that is kept of the rest.
    let limitBytes: Int
    let place: Place
    /// The text without the elements is needed.
    package let keepsRest: Bool
    var expectation = Expectation.value
    /// The open containers of the rest, the innermost last: whether each is an object.
    var containers: [Bool] = []
    /// How many of them, from the outermost on, the path leads through.
    private var followed = 0
    /// The path leads to the next value.
    private var isOnPath = true
    var extent = JSONExtent()
    /// Where the value of the member begins that hasn't ended, counted from its name.
    var valueStart: Int?

    /// The text without the elements. Empty if it isn't wanted.
    package private(set) var rest: [UInt8] = []
    /// The list was found.
    package private(set) var hasFound = false
    /// In place of an object of members there is an array, which must be empty, as some languages write an empty object.
    private var mustBeEmpty = false
    /// At the path there is one object instead of an array: it is the only element.
    package private(set) var isSingle = false

    /// - Parameters:
    ///   - keepsRest: the text without the elements is needed.
    ///   - limitBytes: of an element, and of the rest.
    package init(_ place: Place, keepsRest: Bool, limitBytes: Int) {
        self.place = place
        self.keepsRest = keepsRest
        self.limitBytes = limitBytes
    }

    /// The whole text has come and is well-formed.
    package var isAtEnd: Bool { expectation == .end }

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
            switch expectation {
            case .element: return true
            case .firstElement, .elementSeparator: try passSeparator(text, &index)
            default: guard try passToken(text, &index, isLast: isLast) else { return false }
            }
        }
    }

    /// Takes the element that begins here, whatever it is.
    /// - Returns: nil if more of the text is needed.
    package mutating func takeElement(
        _ text: Span<UInt8>, _ index: inout Int, isLast: Bool
    ) throws(Fault) -> Element? {
        let start = index
        var name: Range<Int>?
        var first = start
        if place.isObject, !isSingle {
            if valueStart == nil { valueStart = try nameEnd(text, start, isLast: isLast).map { $0 - start } }
            guard let valueStart else { return nil }
            first = start + valueStart
            name = start + 1..<(try Self.string(text, start))
        }
        guard let end = try valueEnd(text, first, isLast: isLast) else { return nil }
        try Self.check(text, first..<end)
        index = end
        extent = JSONExtent()
        valueStart = nil
        endElement(text.extracting(first..<end))
        return (first..<end, name)
    }

    /// An object in place of the list belongs to the rest too.
    private mutating func endElement(_ value: Span<UInt8>) {
        guard isSingle else { return expectation = .elementSeparator }
        keep(value)
        isOnPath = false
        expectation = containers.isEmpty ? .end : .separator
    }

    private mutating func passSeparator(_ text: Span<UInt8>, _ index: inout Int) throws(Fault) {
        let byte = text[index]
        if byte == (place.isObject ? UInt8(ascii: "}") : UInt8(ascii: "]")) {
            try keep(text, index..<index + 1)
            expectation = containers.isEmpty ? .end : .separator
            index += 1
        } else if expectation == .firstElement {
            expectation = .element
        } else {
            guard byte == UInt8(ascii: ",") else {
                throw .malformed(
                    JSONError(place.isObject ? .expectedCommaOrBrace : .expectedCommaOrBracket, at: index))
            }
            expectation = .element
            index += 1
        }
    }

    // MARK: The rest

    /// Takes the next token of the rest.
    /// - Returns: false if more of the text is needed.
    private mutating func passToken(
        _ text: Span<UInt8>, _ index: inout Int, isLast: Bool
    ) throws(Fault) -> Bool {
        let byte = text[index]
        switch expectation {
        case .firstName where byte == UInt8(ascii: "}"), .firstValue where byte == UInt8(ascii: "]"):
            try close(text, &index)
        case .firstName, .name: return try passName(text, &index, isLast: isLast)
        case .colon:
            guard byte == UInt8(ascii: ":") else { throw .malformed(JSONError(.expectedColon, at: index)) }
            try keep(text, index..<index + 1)
            index += 1
            expectation = .value
        case .value, .firstValue: return try passValue(text, &index, isLast: isLast)
        case .separator: try passRestSeparator(text, &index)
        case .end: throw .malformed(JSONError(.expectedEnd, at: index))
        case .firstElement, .element, .elementSeparator: break
        }
        return true
    }

    private mutating func passName(_ text: Span<UInt8>, _ index: inout Int, isLast: Bool) throws(Fault) -> Bool {
        guard text[index] == UInt8(ascii: "\"") else {
            throw .malformed(
                JSONError(expectation == .name ? .expectedNameAfterComma : .expectedNameOrBrace, at: index))
        }
        guard let end = try valueEnd(text, index, isLast: isLast) else { return false }
        try Self.check(text, index..<end)
        let isFollowed = followed == containers.count && followed <= place.path.count
        let name = text.extracting(index + 1..<end - 1)
        isOnPath = isFollowed && isFollowing(name)
        try keep(text, index..<end)
        index = end
        extent = JSONExtent()
        expectation = .colon
        return true
    }

    /// Whether the path leads to the member of that name in the innermost container.
    private func isFollowing(_ name: Span<UInt8>) -> Bool {
        guard followed > 0 else { return false }
        let wanted = place.path[followed - 1]
        return JSONStringDecoder.equals(name, wanted.span)
    }

    private mutating func passValue(_ text: Span<UInt8>, _ index: inout Int, isLast: Bool) throws(Fault) -> Bool {
        let byte = text[index]
        if mustBeEmpty { throw .noList(isArray: true) }
        // A null is no list; the same name may come again.
        if isOnPath, followed == place.path.count, followed == containers.count, byte != UInt8(ascii: "n") {
            try beginList(text, &index)
        } else if byte == UInt8(ascii: "{") || byte == UInt8(ascii: "[") {
            try open(text, &index)
        } else {
            // What can't be a value is told at once, and not when something seems to end it.
            guard JSONExtent.beginsBareValue(byte) || byte == UInt8(ascii: "\"") else {
                throw .malformed(JSONError(.expectedValue, at: index))
            }
            guard let end = try valueEnd(text, index, isLast: isLast) else { return false }
            try Self.check(text, index..<end)
            try keep(text, index..<end)
            index = end
            extent = JSONExtent()
            expectation = containers.isEmpty ? .end : .separator
        }
        return true
    }

    private mutating func beginList(_ text: Span<UInt8>, _ index: inout Int) throws(Fault) {
        let byte = text[index]
        let isObject = byte == UInt8(ascii: "{")
        let isArray = byte == UInt8(ascii: "[")
        if isArray, place.isObject {
            hasFound = true
            mustBeEmpty = true
            return try open(text, &index)
        }
        guard isObject || isArray else {
            guard JSONExtent.beginsBareValue(byte) || byte == UInt8(ascii: "\"") else {
                throw .malformed(JSONError(.expectedValue, at: index))
            }
            throw .noList(isArray: false)
        }
        hasFound = true
        isOnPath = false
        isSingle = isObject && !place.isObject
        expectation = isSingle ? .element : .firstElement
        guard !isSingle else { return }
        try keep(text, index..<index + 1)
        index += 1
    }

    private mutating func open(_ text: Span<UInt8>, _ index: inout Int) throws(Fault) {
        guard containers.count < JSONReader.depthLimit else { throw .malformed(JSONError(.tooDeep, at: index)) }
        let isObject = text[index] == UInt8(ascii: "{")
        if isObject, isOnPath, followed == containers.count { followed += 1 }
        containers.append(isObject)
        isOnPath = false
        try keep(text, index..<index + 1)
        index += 1
        expectation = isObject ? .firstName : .firstValue
    }

    private mutating func close(_ text: Span<UInt8>, _ index: inout Int) throws(Fault) {
        followed = min(followed, containers.count - 1)
        containers.removeLast()
        mustBeEmpty = false
        try keep(text, index..<index + 1)
        index += 1
        expectation = containers.isEmpty ? .end : .separator
    }

    private mutating func passRestSeparator(_ text: Span<UInt8>, _ index: inout Int) throws(Fault) {
        guard let isInObject = containers.last else { return }
        let byte = text[index]
        if byte == UInt8(ascii: ",") {
            try keep(text, index..<index + 1)
            index += 1
            expectation = isInObject ? .name : .value
        } else if byte == (isInObject ? UInt8(ascii: "}") : UInt8(ascii: "]")) {
            try close(text, &index)
        } else {
            throw .malformed(JSONError(isInObject ? .expectedCommaOrBrace : .expectedCommaOrBracket, at: index))
        }
    }

    private mutating func keep(_ text: Span<UInt8>, _ range: Range<Int>) throws(Fault) {
        guard keepsRest else { return }
        guard range.count <= limitBytes - rest.count else { throw .tooLarge(limitBytes: limitBytes) }
        rest.append(text.extracting(range))
    }

    /// An object that is the only element belongs to the rest too; it is within the limit.
    private mutating func keep(_ value: Span<UInt8>) {
        if keepsRest { rest.append(value) }
    }
}

/// The values of a text that comes in pieces: each is checked once its end is there.
extension ElementStream {
    /// The end of the value that begins here; nil if more of the text is needed.
    mutating func valueEnd(_ text: Span<UInt8>, _ start: Int, isLast: Bool) throws(Fault) -> Int? {
        let end = extent.end(in: text, from: start, isLast: isLast)
        guard (end ?? text.count) - start <= limitBytes else { throw .tooLarge(limitBytes: limitBytes) }
        // A bracket has to follow.
        let isOpen = !containers.isEmpty || expectation == .element && !isSingle
        if isLast, end == nil || end == text.count && isOpen { throw .cutShort }
        return end
    }

    /// Where the value of the member begins whose name begins here; nil if more of the text is needed.
    mutating func nameEnd(_ text: Span<UInt8>, _ start: Int, isLast: Bool) throws(Fault) -> Int? {
        guard text[start] == UInt8(ascii: "\"") else {
            throw .malformed(JSONError(.expectedNameOrBrace, at: start))
        }
        guard let end = try valueEnd(text, start, isLast: isLast) else { return nil }
        try Self.check(text, start..<end)
        let json = JSONValidator(text)
        let colon = json.afterSpace(end)
        let value = colon < text.count ? json.afterSpace(colon + 1) : colon
        if colon < text.count, text[colon] != UInt8(ascii: ":") {
            throw .malformed(JSONError(.expectedColon, at: colon))
        }
        guard value < text.count, value > colon else {
            if isLast { throw .cutShort }
            guard text.count - start <= limitBytes else { throw .tooLarge(limitBytes: limitBytes) }
            return nil
        }
        extent = JSONExtent()
        return value
    }

    /// The index of the closing quote of a checked string.
    static func string(_ text: Span<UInt8>, _ start: Int) throws(Fault) -> Int {
        do throws(JSONError) { return try JSONStringScanner.end(of: text, from: start + 1).end } catch {
            throw .malformed(error)
        }
    }

    /// Checks a value whose end is known.
    static func check(_ text: Span<UInt8>, _ range: Range<Int>) throws(Fault) {
        var reader = JSONReader(text.extracting(range))
        do throws(JSONError) { try reader.skipToEnd() } catch {
            throw .malformed(JSONError(error.reason, at: range.lowerBound + error.offset))
        }
    }
}
