// Walks over a block of lines and finds one member's text in each, without looking at the rest of the record.
//
//     {"_id":6,"name":"Mick"}⏎{"_id":7,"name":"Ann","x":{"name":1}}⏎{"_id":8,"na      the block
//              ^name   ^^^^text        two names: not sure                  end
//
// Only what is plain is decided: a line in braces that isn't the seal, where the name stands once with a string or a number
// after it. Names that stand further on are searched for over the lines' ends, a window at a time.

/// The lines of a block, with the place of a member's text in each.
package struct FieldScan: ~Escapable {
    package enum Finding: Equatable, Sendable {
        /// The lines that are whole have been passed.
        case end
        /// What stands between the quotes of the text.
        case text(JSONString)
        /// The member is no text.
        case other
        /// Only reading the line can tell.
        case unsure
    }

    /// How far after the line's end is searched as well, in bytes.
    private static let window = 4096

    private let bytes: Span<UInt8>
    private let finder: MemberFinder
    private let needle: Needle
    private let nameCount: Int
    private let limitBytes: Int
    /// The next place of the name; where there is none yet, none begins before it.
    private var nextName = 0
    private var isName = false
    /// No backslash stands before this.
    private var nextBackslash = 0
    private var isBackslash = false

    /// Where the line begins that was found last.
    package private(set) var lineStart = 0
    /// Where that line's name begins, at its quote.
    package private(set) var name = 0
    /// Where the line after it begins.
    package private(set) var next = 0

    /// - Parameters:
    ///   - bytes: lines with their LF; the last one may be cut off.
    ///   - finder: finds the member in a line; it has a `quotedName`.
    ///   - limitBytes: a longer line isn't decided.
    @_lifetime(copy bytes)
    package init(_ bytes: Span<UInt8>, _ finder: MemberFinder, limitBytes: Int) {
        guard let needle = finder.quotedName else { preconditionFailure("the name can't be searched for") }
        self.bytes = bytes
        self.finder = finder
        self.needle = needle
        nameCount = needle.count
        self.limitBytes = limitBytes
    }

    /// Goes on at a place after, where a line begins.
    @_lifetime(self: copy self)
    package mutating func skip(to position: Int) {
        precondition(position >= next)
        next = position
        if nextName < position { (nextName, isName) = (position, false) }
    }

    /// Goes to the next line.
    @_lifetime(self: copy self)
    package mutating func advance() -> Finding {
        lineStart = next
        guard let end = bytes.firstIndex(of: 0x0A, from: lineStart) else { return .end }
        next = end + 1
        guard isPlain(to: end), findName(before: end) else { return .unsure }
        name = nextName
        isName = false
        nextName += nameCount
        if findName(before: end) { return .unsure }
        if hasBackslash(before: end), finder.mayBeHidden(in: bytes.extracting(lineStart..<end)) { return .unsure }
        return value(end)
    }

    /// Whether the line is in braces, not too long and no seal.
    @inline(__always)
    private func isPlain(to end: Int) -> Bool {
        guard end - lineStart > 4, end - lineStart <= limitBytes else { return false }
        let last = bytes[end - 1] == 0x0D ? bytes[end - 2] : bytes[end - 1]
        let first = bytes[lineStart + 2]
        return bytes[lineStart] == UInt8(ascii: "{") && bytes[lineStart + 1] == UInt8(ascii: "\"")
            && first != UInt8(ascii: "$") && first != UInt8(ascii: "\\") && last == UInt8(ascii: "}")
    }

    /// Goes on to the next place of the name, unless it is known; whether that is in the line.
    @inline(__always)
    @_lifetime(self: copy self)
    private mutating func findName(before end: Int) -> Bool {
        if !isName, nextName < end {
            let start = max(nextName, lineStart)
            let limit = min(end + Self.window, bytes.count)
            let position = needle.firstIndex(in: bytes, from: start, to: limit)
            isName = position != nil
            nextName = position ?? max(start, limit - nameCount + 1)
        }
        return isName && nextName < end
    }

    @inline(__always)
    @_lifetime(self: copy self)
    private mutating func hasBackslash(before end: Int) -> Bool {
        if isBackslash ? nextBackslash < lineStart : nextBackslash < end {
            let start = max(nextBackslash, lineStart)
            let limit = min(end + Self.window, bytes.count)
            let position = bytes.extracting(..<limit).firstIndex(of: UInt8(ascii: "\\"), from: start)
            isBackslash = position != nil
            nextBackslash = position ?? limit
        }
        return isBackslash && nextBackslash < end
    }

    /// What stands after the name. The line's last byte is a brace or a carriage return.
    @inline(__always)
    private func value(_ end: Int) -> Finding {
        var index = afterSpace(name + nameCount)
        guard bytes[index] == UInt8(ascii: ":") else { return .unsure }
        index = afterSpace(index + 1)
        switch bytes[index] {
        case UInt8(ascii: "\""): break
        case UInt8(ascii: "-"), UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "f"), UInt8(ascii: "n"),
            UInt8(ascii: "t"):
            return .other
        default: return .unsure
        }
        let start = index + 1
        let special = bytes.firstSpecialInString(from: start)
        guard special < end else { return .unsure }
        if bytes[special] == UInt8(ascii: "\"") {
            return .text(JSONString(range: start..<special, hasEscapes: false))
        }
        do throws(JSONError) {
            let scan = try JSONStringScanner.end(of: bytes.extracting(..<end), from: special)
            return .text(JSONString(range: start..<scan.end, hasEscapes: scan.hasEscapes))
        } catch {
            return .unsure
        }
    }

    /// A line end is no space, so that this stays in the line.
    @inline(__always)
    private func afterSpace(_ start: Int) -> Int {
        var index = start
        while bytes[index] == 0x20 || bytes[index] == 0x09 { index += 1 }
        return index
    }
}
