// Whether a line is a record, said quickly: yes, or that it has to be read. The grammar is that of JSONReader, but
// nothing is said of where a fault is, so that no token needs to be made.
//
//     {"name":"Mick","films":[1]}       yes
//     {"name":"Mick",}                  not sure: JSONReader knows what is wrong

/// A check without tokens (RFC 8259).
package enum RecordCheck {
    /// A record of more levels isn't for this check: a word has a bit for each.
    private static let depthLimit = 64

    /// Whether a line is a record, and one of its own members' names begins at `place`, at its quote.
    /// - Parameters:
    ///   - bytes: the line and its LF, and what there may be around them.
    ///   - start: where the line begins, at its brace.
    package static func isRecord(_ bytes: Span<UInt8>, from start: Int, withMemberAt place: Int) -> Bool {
        precondition(start >= 0 && start < bytes.count && bytes[start] == UInt8(ascii: "{"))
        guard let end = bytes.firstIndex(of: 0x0A, from: start) else { return false }
        return unsafe bytes.withUnsafeBufferPointer { buffer in
            var hasMember = false
            let isRecord = unsafe LineBytes(buffer, end: end).isRecord(from: start) { name, _ in
                hasMember = hasMember || name.range.lowerBound == place &+ 1
                return true
            }
            return isRecord && hasMember
        }
    }

    /// The text of a record's own member.
    /// - Parameters:
    ///   - name: the member's, which needs no escapes.
    ///   - bytes: the line, up to its LF at `end`, and what there may be around it.
    ///   - start: where the line begins, at its brace.
    /// - Returns: nil where the line is no record, has not one such member but none or several, or that is no text.
    package static func text(
        ofMember name: [UInt8], in bytes: Span<UInt8>, from start: Int, to end: Int
    ) -> JSONString? {
        precondition(start >= 0 && start < end && end < bytes.count && bytes[end] == 0x0A)
        guard bytes[start] == UInt8(ascii: "{") else { return nil }
        return unsafe bytes.withUnsafeBufferPointer { buffer in
            let line = unsafe LineBytes(buffer, end: end)
            var text: Int?
            let isRecord = line.isRecord(from: start) { member, value in
                guard line.equals(name, member.range) else { return !member.mayBeHidden(in: line) }
                guard text == nil, line[value] == UInt8(ascii: "\"") else { return false }
                text = value &+ 1
                return true
            }
            guard isRecord, let text else { return nil }
            return line.string(from: text)
        }
    }

    /// The name of one of the record's own members.
    private struct MemberName {
        /// What stands between its quotes.
        let range: Range<Int>
        /// Whether it is ASCII, and nothing in it is escaped.
        let isPlain: Bool

        /// Whether an escape in it may make it another name.
        @inline(__always)
        func mayBeHidden(in line: LineBytes) -> Bool { !isPlain && line.hasBackslash(range) }
    }

    /// The containers that are open, the innermost in the lowest bit: 1 for an object.
    private struct Containers {
        private var kinds: UInt64 = 1
        private(set) var depth = 1

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

    /// A line's bytes without a check of each index. SAFETY: each step goes on from one byte to the next only where that
    /// one is part of a token or a space, which the LF at the line's end never is; so none goes further than that.
    @safe private struct LineBytes {
        private let bytes: UnsafeBufferPointer<UInt8>
        private let base: UnsafePointer<UInt8>
        /// Where the LF is.
        private let end: Int

        init(_ bytes: UnsafeBufferPointer<UInt8>, end: Int) {
            guard let base = bytes.baseAddress else { preconditionFailure("no line") }
            unsafe self.bytes = bytes
            unsafe self.base = base
            self.end = end
        }

        subscript(_ index: Int) -> UInt8 {
            @inline(__always)
            get { unsafe base[index] }
        }

        /// - Parameter isSure: is told of each of the record's own members, with the index of its value; where it isn't
        ///   sure, the check ends.
        @inline(__always)
        func isRecord(from start: Int, _ isSure: (MemberName, Int) -> Bool) -> Bool {
            var containers = Containers()
            var index = afterSpace(start &+ 1)
            elements: while true {
                if containers.isInObject {
                    guard self[index] == UInt8(ascii: "\"") else { return false }
                    let name = index &+ 1
                    let special = firstSpecial(name)
                    let isPlain = self[special] == UInt8(ascii: "\"")
                    let end = isPlain ? special &+ 1 : longStringEnd(special)
                    index = afterSpace(end)
                    guard self[index] == UInt8(ascii: ":") else { return false }
                    index = afterSpace(index &+ 1)
                    if containers.depth == 1 {
                        guard isSure(MemberName(range: name..<end &- 1, isPlain: isPlain), index) else {
                            return false
                        }
                    }
                }
                let first = self[index]
                if first == UInt8(ascii: "\"") {
                    index = stringEnd(index &+ 1)
                } else if first | 0x20 == UInt8(ascii: "{") {
                    guard containers.depth < depthLimit else { return false }
                    index = afterSpace(index &+ 1)
                    // The brackets of a pair are two apart.
                    if self[index] != first &+ 2 {
                        containers.open(isObject: first == UInt8(ascii: "{"))
                        continue
                    }
                    index &+= 1
                } else {
                    guard passOther(&index, first) else { return false }
                }
                while true {
                    index = afterSpace(index)
                    let byte = self[index]
                    if byte == UInt8(ascii: ",") { break }
                    let closing = containers.isInObject ? UInt8(ascii: "}") : UInt8(ascii: "]")
                    guard byte == closing else { return false }
                    index &+= 1
                    containers.close()
                    guard containers.depth > 0 else { break elements }
                }
                index = afterSpace(index &+ 1)
            }
            return self[afterSpace(index)] == 0x0A
        }

        @inline(__always)
        func equals(_ name: [UInt8], _ range: Range<Int>) -> Bool {
            guard range.count == name.count else { return false }
            for index in name.indices where self[range.lowerBound &+ index] != name[index] { return false }
            return true
        }

        func hasBackslash(_ range: Range<Int>) -> Bool {
            unsafe bytes.span.extracting(range).firstIndex(of: UInt8(ascii: "\\")) != nil
        }

        /// A well-formed string.
        /// - Parameter start: the index behind the opening quote.
        func string(from start: Int) -> JSONString {
            let special = firstSpecial(start)
            guard self[special] != UInt8(ascii: "\"") else {
                return JSONString(range: start..<special, hasEscapes: false)
            }
            let range = start..<longStringEnd(special) &- 1
            return JSONString(range: range, hasEscapes: hasBackslash(range))
        }

        @inline(__always)
        private func afterSpace(_ start: Int) -> Int { self[start] > 0x20 ? start : afterSpaces(start) }

        private func afterSpaces(_ start: Int) -> Int {
            var index = start
            while self[index] == 0x20 || self[index] == 0x09 || self[index] == 0x0D { index &+= 1 }
            return index
        }

        /// The index behind a string's closing quote; that of the LF where the string isn't well-formed.
        /// - Parameter start: the index behind the opening quote.
        @inline(__always)
        private func stringEnd(_ start: Int) -> Int {
            let special = firstSpecial(start)
            return self[special] == UInt8(ascii: "\"") ? special &+ 1 : longStringEnd(special)
        }

        /// The same from a special byte on.
        private func longStringEnd(_ start: Int) -> Int {
            var index = start
            while true {
                let byte = self[index]
                if byte == UInt8(ascii: "\"") { return index &+ 1 }
                let length =
                    byte == UInt8(ascii: "\\") ? escapeLength(index) : byte < 0x80 ? 0 : sequenceLength(index)
                guard length > 0 else { return end }
                index = firstSpecial(index &+ length)
            }
        }

        private func escapeLength(_ backslash: Int) -> Int {
            switch self[backslash &+ 1] {
            case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"), UInt8(ascii: "b"), UInt8(ascii: "f"),
                UInt8(ascii: "n"), UInt8(ascii: "r"), UInt8(ascii: "t"):
                return 2
            case UInt8(ascii: "u"):
                for index in backslash &+ 2..<backslash &+ 6 where !Self.isHexadecimal(self[index]) { return 0 }
                return 6
            default: return 0
            }
        }

        private static func isHexadecimal(_ byte: UInt8) -> Bool {
            byte &- UInt8(ascii: "0") < 10 || byte | 0x20 &- UInt8(ascii: "a") < 6
        }

        private func sequenceLength(_ index: Int) -> Int {
            unsafe UTF8Sequence.length(in: bytes.span, at: index)
        }

        /// The index of the first byte at `start` or after it that means something in a string; at most that of the LF.
        @inline(__always)
        private func firstSpecial(_ start: Int) -> Int {
            var index = start
            while unsafe index &+ 16 <= bytes.count {
                // SAFETY: sixteen bytes are there.
                let block = unsafe UnsafeRawPointer(base + index).loadUnaligned(as: StringMarks.Block.self)
                let zeros = StringMarks.zerosBefore(block)
                if zeros < 128 { return index &+ zeros / 8 }
                index &+= 16
            }
            while !StringMarks.isSpecial(self[index]) { index &+= 1 }
            return index
        }

        private func passOther(_ index: inout Int, _ first: UInt8) -> Bool {
            switch first {
            case UInt8(ascii: "t"): pass("true", &index)
            case UInt8(ascii: "f"): pass("false", &index)
            case UInt8(ascii: "n"): pass("null", &index)
            default: passNumber(&index)
            }
        }

        private func pass(_ text: StaticString, _ index: inout Int) -> Bool {
            let letters = text.bytes
            for place in letters.indices {
                guard self[index] == letters[place] else { return false }
                index &+= 1
            }
            return true
        }

        /// RFC 8259, section 6.
        private func passNumber(_ index: inout Int) -> Bool {
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

        /// - Returns: whether there was any.
        private func passDigits(_ index: inout Int) -> Bool {
            let start = index
            while self[index] &- UInt8(ascii: "0") < 10 { index &+= 1 }
            return index > start
        }
    }
}
