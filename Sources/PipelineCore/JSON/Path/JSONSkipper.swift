// The cheapest way to a member: names are compared, and all else is passed over by its quotes and brackets alone.
//
//     {"id":"7","films":[{"year":1950},…],"name":"Mick"}       findMember("name")
//      ^ no     ^ no     ^ to its ']'     ^ yes ^ position
//
// Nothing is checked. On bytes that aren't JSON it finds something or nothing, but it always ends, and never looks
// outside the bytes.

/// Steps through the containers of a JSON text.
struct JSONSkipper: ~Escapable {
    private let bytes: Span<UInt8>
    private(set) var position: Int

    @_lifetime(copy bytes)
    init(_ bytes: Span<UInt8>) {
        self.bytes = bytes
        position = 0
    }

    /// The byte that stands after white space.
    @_lifetime(self: copy self)
    mutating func peek() -> UInt8? {
        while position < bytes.count {
            switch bytes[position] {
            case 0x20, 0x09, 0x0A, 0x0D: position += 1
            case let byte: return byte
            }
        }
        return nil
    }

    /// Reads the byte if it stands here.
    @_lifetime(self: copy self)
    mutating func take(_ byte: UInt8) -> Bool {
        guard peek() == byte else { return false }
        position += 1
        return true
    }

    /// Goes to the value of the next member; with a name, of the next one of that name.
    /// - Returns: false at the object's end, which has been read then.
    @_lifetime(self: copy self)
    mutating func findMember(_ name: [UInt8]?) -> Bool {
        while true {
            _ = take(UInt8(ascii: ","))
            guard peek() == UInt8(ascii: "\"") else { return leave(UInt8(ascii: "}")) }
            let start = position + 1
            skipString()
            let content = start..<max(position - 1, start)
            guard take(UInt8(ascii: ":")), peek() != nil else { return leave(UInt8(ascii: "}")) }
            guard let name, !Self.is(bytes.extracting(content), name) else { return true }
            skipValue()
        }
    }

    /// Goes to the next element.
    /// - Returns: false at the array's end, which has been read then.
    @_lifetime(self: copy self)
    mutating func findElement() -> Bool {
        _ = take(UInt8(ascii: ","))
        switch peek() {
        case nil, UInt8(ascii: "]"), UInt8(ascii: "}"): return leave(UInt8(ascii: "]"))
        default: return true
        }
    }

    /// Reads the end of a container. Where it isn't here the text isn't JSON, and nothing more is found in it.
    @_lifetime(self: copy self)
    private mutating func leave(_ end: UInt8) -> Bool {
        if !take(end) { position = bytes.count }
        return false
    }

    /// Whether a name is spelt so. Escapes make a name longer, never shorter.
    private static func `is`(_ content: Span<UInt8>, _ name: [UInt8]) -> Bool {
        guard content.count >= name.count, content.count == name.count ? content.equals(name.span) : true else {
            return false
        }
        let hasEscapes = content.firstIndex(of: UInt8(ascii: "\\")) != nil
        return hasEscapes ? JSONStringDecoder.equals(content, name.span) : content.count == name.count
    }

    // MARK: Passing over

    /// Goes after the value that stands here.
    @_lifetime(self: copy self)
    mutating func skipValue() {
        switch peek() {
        case UInt8(ascii: "\""): skipString()
        case UInt8(ascii: "{"), UInt8(ascii: "["): position = bytes.containerEnd(from: position)
        default: skipScalar()
        }
    }

    @_lifetime(self: copy self)
    private mutating func skipScalar() {
        while position < bytes.count {
            switch bytes[position] {
            case UInt8(ascii: ","), UInt8(ascii: "]"), UInt8(ascii: "}"), 0x20, 0x09, 0x0A, 0x0D: return
            default: position += 1
            }
        }
    }

    /// A quote ends the string if an even number of backslashes stands before it.
    @_lifetime(self: copy self)
    private mutating func skipString() {
        let start = position + 1
        var quote = start
        while let found = bytes.firstIndex(of: UInt8(ascii: "\""), from: quote) {
            var index = found
            while index > start, bytes[index - 1] == UInt8(ascii: "\\") { index -= 1 }
            position = found + 1
            if (found - index).isMultiple(of: 2) { return }
            quote = found + 1
        }
        position = bytes.count
    }

    /// The value that stands here; reads it.
    @_lifetime(self: copy self)
    mutating func node() -> JSONNode? {
        guard let first = peek() else { return nil }
        let start = position
        skipValue()
        let kind = JSONNode.Kind(firstByte: first)
        let isWhole = position - start > (kind == .string || kind == .object || kind == .array ? 1 : 0)
        return isWhole ? JSONNode(range: start..<position, kind: kind) : nil
    }
}
