// The grammar of JSON (RFC 8259) over arbitrary bytes: it skips what is well-formed, and of a fault it reports only
// that there is one. It is the fast path of JSONReader, which uses it to skip values and to read numbers and
// literals, and takes over where it gives up. Both leave strings to JSONStringScanner.
//
//     {"name":"Mick","films":[1]},
//             ^ passValue ^      ^ passValue

package struct JSONValidator: ~Escapable {
    /// Deeper values are not skipped: a word has one bit for each level.
    static let depthLimit = 64

    let bytes: Span<UInt8>
    /// The number of bytes that are JSON. Bytes past them may be read but don't count.
    let count: Int

    @_lifetime(copy bytes)
    init(_ bytes: Span<UInt8>) { self.init(bytes, end: bytes.count) }

    @_lifetime(copy bytes)
    package init(_ bytes: Span<UInt8>, end: Int) {
        precondition(end >= 0 && end <= bytes.count)
        self.bytes = bytes
        count = end
    }

    /// Past the last byte there are zeros, which are never part of JSON. An index is never negative.
    subscript(_ index: Int) -> UInt8 {
        @inline(__always)
        get {
            // SAFETY: the index is compared with the count, and only ever moves forward from 0.
            index < count ? unsafe bytes[unchecked: index] : 0
        }
    }

    /// The open containers, the innermost in the lowest bit: 1 for an object.
    private struct Containers {
        private var kinds: UInt64 = 0
        private(set) var depth = 0

        var isInObject: Bool { kinds & 1 == 1 }

        @inline(__always)
        mutating func open(isObject: Bool) {
            kinds = kinds &<< 1 | (isObject ? 1 : 0)
            depth &+= 1
        }

        @inline(__always)
        mutating func close() {
            kinds &>>= 1
            depth &-= 1
        }
    }

    @inline(__always)
    func passValue(_ index: inout Int) -> Bool {
        switch self[index] {
        case UInt8(ascii: "\""):
            index = stringEnd(index &+ 1)
            return index > 0
        case UInt8(ascii: "["), UInt8(ascii: "{"):
            // The codes of a pair of brackets differ by two.
            guard self[index &+ 1] != self[index] &+ 2 else {
                index &+= 2
                return true
            }
            return passContainer(&index)
        default: return passOther(&index)
        }
    }

    private func passContainer(_ index: inout Int) -> Bool {
        var containers = Containers()
        values: while true {
            let first = self[index]
            if first == UInt8(ascii: "\"") {
                index = stringEnd(index &+ 1)
                guard index > 0 else { return false }
            } else if first | 0x20 == UInt8(ascii: "{") {
                index = afterSpace(index &+ 1)
                // The codes of a pair of brackets differ by two.
                guard self[index] == first &+ 2 else {
                    guard containers.depth < Self.depthLimit else { return false }
                    containers.open(isObject: first == UInt8(ascii: "{"))
                    if containers.isInObject { guard passName(&index) != nil else { return false } }
                    continue
                }
                index &+= 1
            } else {
                guard passOther(&index) else { return false }
            }
            while containers.depth > 0 {
                let end = containers.isInObject ? UInt8(ascii: "}") : UInt8(ascii: "]")
                guard let isLast = passComma(&index, end: end) else { return false }
                guard isLast else {
                    if containers.isInObject { guard passName(&index) != nil else { return false } }
                    continue values
                }
                containers.close()
            }
            return true
        }
    }

    @inline(__always)
    func passColon(_ index: inout Int) -> Bool {
        index = afterSpace(index)
        guard self[index] == UInt8(ascii: ":") else { return false }
        index = afterSpace(index &+ 1)
        return true
    }

    /// RFC 8259, section 2: space, tab, line feed, carriage return.
    @inline(__always)
    func afterSpace(_ start: Int) -> Int { self[start] > 0x20 ? start : afterSpaces(start) }

    private func afterSpaces(_ start: Int) -> Int {
        var index = start
        while true {
            switch self[index] {
            case 0x20, 0x09, 0x0A, 0x0D: index &+= 1
            default: return index
            }
        }
    }

    // MARK: Strings

    /// The index after a string's closing quote; -1 if the string isn't well-formed.
    /// - Parameter start: the index after the opening quote.
    @inline(__always)
    func stringEnd(_ start: Int) -> Int {
        let special = bytes.firstSpecialInString(from: start)
        return self[special] == UInt8(ascii: "\"") ? special &+ 1 : stringEnd(fromSpecial: special)
    }

    /// The same, from the first byte on that isn't plain.
    func stringEnd(fromSpecial start: Int) -> Int {
        do throws(JSONError) {
            return try JSONStringScanner.end(of: bytes, to: count, fromSpecial: start).end &+ 1
        } catch {
            return -1
        }
    }

    // MARK: Numbers and words

    private func passOther(_ index: inout Int) -> Bool {
        switch self[index] {
        case UInt8(ascii: "t"): pass("true", &index)
        case UInt8(ascii: "f"): pass("false", &index)
        case UInt8(ascii: "n"): pass("null", &index)
        default: passNumber(&index)
        }
    }

    func pass(_ text: StaticString, _ index: inout Int) -> Bool {
        let letters = text.bytes
        for position in letters.indices {
            guard self[index] == letters[position] else { return false }
            index &+= 1
        }
        return true
    }

    /// RFC 8259, section 6: `-`, integer without leading zeros, fraction, exponent. Stops at a missing digit.
    func passNumber(_ index: inout Int) -> Bool {
        if self[index] == UInt8(ascii: "-") { index &+= 1 }
        if self[index] == UInt8(ascii: "0") {
            index &+= 1
        } else {
            guard passDigits(&index) else { return false }
        }
        if self[index] == UInt8(ascii: ".") {
            index &+= 1
            guard passDigits(&index) else { return false }
        }
        guard self[index] | 0x20 == UInt8(ascii: "e") else { return true }
        index &+= 1
        if self[index] == UInt8(ascii: "+") || self[index] == UInt8(ascii: "-") { index &+= 1 }
        return passDigits(&index)
    }

    private func passDigits(_ index: inout Int) -> Bool {
        let start = index
        while self[index] &- UInt8(ascii: "0") < 10 { index &+= 1 }
        return index > start
    }
}

/// The members of an object in arbitrary bytes, one after another.
///
///     {"name":"Mick","films":[1]}
///       name   value
extension JSONValidator {
    /// Moves past the object that begins here.
    /// - Parameter pass: receives the range between the quotes of each member's name, whether those bytes are the
    ///   name's text (false only means they may not be), and where the member's value begins, and moves past it.
    ///   Returning false stops the walk.
    /// - Returns: whether the object is well-formed and `pass` accepted every member.
    @inline(__always)
    func passMembers(
        _ index: inout Int, _ pass: (_ name: Range<Int>, _ isPlain: Bool, _ value: inout Int) -> Bool
    ) -> Bool {
        index = afterSpace(index &+ 1)
        if self[index] == UInt8(ascii: "}") {
            index &+= 1
            return true
        }
        while true {
            guard let (name, isPlain) = passName(&index), pass(name, isPlain, &index),
                let isLast = passComma(&index, end: UInt8(ascii: "}"))
            else { return false }
            if isLast { return true }
        }
    }

    /// Moves to the value of the member whose name begins here.
    /// - Returns: the range between the name's quotes, and whether those bytes are certainly its text.
    @inline(__always)
    func passName(_ index: inout Int) -> (name: Range<Int>, isPlain: Bool)? {
        guard self[index] == UInt8(ascii: "\"") else { return nil }
        let start = index &+ 1
        let special = bytes.firstSpecialInString(from: start)
        let isPlain = self[special] == UInt8(ascii: "\"")
        index = isPlain ? special &+ 1 : stringEnd(fromSpecial: special)
        let end = index &- 1
        guard end >= start, passColon(&index) else { return nil }
        return (start..<end, isPlain)
    }

    /// Moves to the next element, or past the container's end.
    /// - Returns: whether it was the end; nil if neither follows.
    @inline(__always)
    func passComma(_ index: inout Int, end: UInt8) -> Bool? {
        index = afterSpace(index)
        let byte = self[index]
        if byte == UInt8(ascii: ",") {
            index = afterSpace(index &+ 1)
            return false
        }
        index &+= 1
        return byte == end ? true : nil
    }

    /// A member of an object by its name, where nothing can have been missed.
    package enum OwnMember {
        case absent
        /// The bytes of its value, with the quotes of a text.
        case value(Range<Int>)
    }

    /// Checks an object to its end, and finds one of its own members on the way.
    /// - Parameters:
    ///   - name: the member's name; must not need escapes.
    ///   - start: where the object begins.
    /// - Returns: nil if there is no such object, if more than white space follows it, if it has several such members,
    ///   or if an escape may spell the name.
    package func member(_ name: [UInt8], from start: Int) -> OwnMember? {
        precondition(start >= 0 && start < count)
        guard self[start] == UInt8(ascii: "{") else { return nil }
        var index = start
        var found: Range<Int>?
        let isObject = passMembers(&index) { other, isPlain, index in
            let value = index
            guard passValue(&index) else { return false }
            guard other.count == name.count, bytes.extracting(other).equals(name.span) else {
                return isPlain || bytes.extracting(other).firstIndex(of: UInt8(ascii: "\\")) == nil
            }
            guard found == nil else { return false }
            found = value..<index
            return true
        }
        guard isObject, afterSpace(index) == count else { return nil }
        return found.map { .value($0) } ?? .absent
    }

    /// The text of an object's own member, see `member`.
    /// - Returns: nil too if there is no such member, or its value isn't a text.
    package func text(ofMember name: [UInt8], from start: Int) -> JSONString? {
        guard case .value(let value)? = member(name, from: start), self[value.lowerBound] == UInt8(ascii: "\"")
        else {
            return nil
        }
        let text = value.lowerBound + 1..<value.upperBound - 1
        let hasEscapes = bytes.extracting(text).firstIndex(of: UInt8(ascii: "\\")) != nil
        return JSONString(range: text, hasEscapes: hasEscapes)
    }
}

/// A member of a record, as offsets into the record's bytes.
package struct JSONMember: BitwiseCopyable, Equatable, Sendable {
    /// The offset after the name's opening quote.
    package let name: UInt32
    package let nameEnd: UInt32
    package let value: UInt32
    package let valueEnd: UInt32
    /// Whether the bytes between the name's quotes are its text.
    package let isPlain: Bool
    /// Whether only a colon separates name and value.
    package let isTight: Bool

    package init(name: Range<Int>, value: Range<Int>, isPlain: Bool) {
        self.name = UInt32(truncatingIfNeeded: name.lowerBound)
        nameEnd = UInt32(truncatingIfNeeded: name.upperBound)
        self.value = UInt32(truncatingIfNeeded: value.lowerBound)
        valueEnd = UInt32(truncatingIfNeeded: value.upperBound)
        self.isPlain = isPlain
        isTight = value.lowerBound == name.upperBound + 2
    }

    package var nameRange: Range<Int> { Int(name)..<Int(nameEnd) }
    package var valueRange: Range<Int> { Int(value)..<Int(valueEnd) }
}
