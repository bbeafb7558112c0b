// Passes over the lines that a query can't be in, without looking for fields: most lines, where the query is rare.
//
//     query     maleficent          its two rarest letters: f and, two further on, c
//     bytes     …,"name":"Mulan"}LF{"name":"Pacific"}LF
//                                            ^ both are there: this line has to be looked at
//
// A letter may also be spelt otherwise: by a character above U+007F that folds to it, or by an escape. A line with
// either has to be looked at as well, so that none is passed over wrongly. One that isn't enclosed in braces has too.
//
// Benchmarks/filter-search, a rare ASCII query: 1.6 times as fast as with the field's text alone, 2.5 times as fast as
// line by line; by the first two letters in place of the rarest, 0.7 times.

/// What tells such lines, for a query of ASCII letters.
package struct LinePrefilter: Sendable {
    private typealias Block = SIMD16<UInt8>
    private typealias Marks = SIMDMask<SIMD16<Int8>>
    /// Bytes looked at in one step: four blocks.
    private static let stride = 64
    /// Characters of a line that may be looked at one by one.
    private static let mostStops = 16
    /// In bytes.
    private static let longLine = 4096
    /// The largest distance between the two letters, in bytes.
    private static let mostDistance = 16

    /// A letter; where case doesn't count, the bit that tells large letters from small ones is set before it is compared.
    private struct Letter {
        let value: Block
        let caseBit: Block

        @inline(__always)
        func marks(_ block: Block) -> Marks { (block | caseBit) .== value }

        @inline(__always)
        func equals(_ byte: UInt8) -> Bool { byte | caseBit[0] == value[0] }
    }

    private let strength: TextStrength
    /// The query's letters.
    private let letters: [Atom]
    private let first: Letter
    private let second: Letter
    /// The second letter stands that many bytes after the first.
    private let distance: Int
    private let lineEnds = Block(repeating: 0x0A)
    private let backslashes = Block(repeating: UInt8(ascii: "\\"))
    /// The least byte that begins a character above U+007F.
    private let leads = Block(repeating: 0xC0)
    /// Characters that can't be a part of a match.
    private var ruledOut = CodePointSet()

    /// - Returns: nil where the query isn't of two ASCII letters at the least, or has one that is escaped in JSON.
    init?(_ letters: [Atom], _ strength: TextStrength) {
        guard letters.count > 1 else { return nil }
        var bytes: [UInt8] = []
        for letter in letters {
            guard !letter.isMark, letter.code >= 0x20, letter.code < 0x7F else { return nil }
            let byte = UInt8(letter.code)
            guard byte != UInt8(ascii: "\""), byte != UInt8(ascii: "\\"), byte != UInt8(ascii: "/") else {
                return nil
            }
            bytes.append(byte)
        }
        self.letters = letters
        self.strength = strength
        let pair = Self.rarestPair(bytes)
        first = Self.letter(bytes[pair.lowerBound], strength)
        second = Self.letter(bytes[pair.upperBound], strength)
        distance = pair.count - 1
    }

    private static func letter(_ byte: UInt8, _ strength: TextStrength) -> Letter {
        let hasCase = strength != .exact && byte &- 0x61 < 26
        return Letter(value: Block(repeating: byte), caseBit: Block(repeating: hasCase ? 0x20 : 0))
    }

    /// Where the two letters stand that are rarest together.
    private static func rarestPair(_ bytes: [UInt8]) -> ClosedRange<Int> {
        var best = 0...1
        var least = Int.max
        for lower in 0..<bytes.count - 1 {
            for upper in lower + 1..<min(bytes.count, lower + mostDistance) {
                let frequency = ByteFrequency.of(bytes[lower]) + ByteFrequency.of(bytes[upper])
                // Two that are the same, as in "tt", are less rare than they look.
                let isBetter = frequency < least && (bytes[lower] != bytes[upper] || bytes.count == 2)
                if isBetter { (best, least) = (lower...upper, frequency) }
            }
        }
        return best
    }

    /// How far the query can't be in the bytes.
    package struct Passed {
        /// Lines, and where the one begins that has to be looked at or isn't whole.
        package fileprivate(set) var lines = 0
        package fileprivate(set) var end: Int
        /// Whether there is nothing to be looked at after the lines either.
        fileprivate var isClear = false
        /// Characters that were looked at one by one.
        fileprivate var stops = 0

        fileprivate let start: Int

        /// Whether that was quicker than to look for the fields: not in a text that is hardly ASCII, where each character
        /// stops it (Benchmarks/filter-search, Japanese names and lists: 6 times as slow). A long line is mostly one text,
        /// which would have to be looked at as well.
        package var wasQuick: Bool {
            lines > 0 && (stops <= LinePrefilter.mostStops * lines || end - start > LinePrefilter.longLine * lines)
        }
    }

    /// Passes over the first lines of the bytes that the query can't be in.
    /// - Parameters:
    ///   - start: where a line begins.
    ///   - limitBytes: a longer line has to be looked at.
    package mutating func pass(_ bytes: Span<UInt8>, from start: Int, limitBytes: Int) -> Passed {
        var passed = Passed(end: start, start: start)
        guard Self.opensRecord(bytes, start) else { return passed }
        var position = start
        while position + Self.stride + Self.mostDistance <= bytes.count {
            let marks = marks(bytes, position)
            let any = Self.words((marks.0 .| marks.1) .| (marks.2 .| marks.3))
            if any.x | any.y != 0 {
                guard pass(bytes, at: position, marks.0, limitBytes, &passed),
                    pass(bytes, at: position + 16, marks.1, limitBytes, &passed),
                    pass(bytes, at: position + 32, marks.2, limitBytes, &passed),
                    pass(bytes, at: position + 48, marks.3, limitBytes, &passed)
                else { return passed }
            }
            position &+= Self.stride
        }
        while position < bytes.count {
            guard pass(bytes, at: position, limitBytes, &passed) else { return passed }
            position += 1
        }
        passed.isClear = true
        return passed
    }

    /// Whether the query can't be in the line.
    package mutating func passes(_ line: Span<UInt8>) -> Bool {
        let passed = pass(line, from: 0, limitBytes: .max)
        return passed.isClear && passed.lines == 0 && Self.closesRecord(line, line.count)
    }

    /// Looks at the marked bytes of a block.
    /// - Returns: false where the line has to be looked at.
    @inline(__always)
    private mutating func pass(
        _ bytes: Span<UInt8>, at position: Int, _ marks: Marks, _ limitBytes: Int, _ passed: inout Passed
    ) -> Bool {
        let words = Self.words(marks)
        for half in 0..<2 as Range<Int> {
            var word = words[half].littleEndian
            while word != 0 {
                let shift = word.trailingZeroBitCount & ~7
                guard pass(bytes, at: position &+ half &* 8 &+ shift &>> 3, limitBytes, &passed) else {
                    return false
                }
                word &= ~(0xFF &<< UInt64(truncatingIfNeeded: shift))
            }
        }
        return true
    }

    /// - Returns: false where the line has to be looked at.
    @inline(__always)
    private mutating func pass(
        _ bytes: Span<UInt8>, at position: Int, _ limitBytes: Int, _ passed: inout Passed
    ) -> Bool {
        guard bytes[position] == 0x0A else {
            passed.stops &+= 1
            return !isWanted(bytes, position)
        }
        guard position - passed.end <= limitBytes, Self.closesRecord(bytes, position) else { return false }
        passed.lines += 1
        passed.end = position + 1
        return passed.wasQuick && Self.opensRecord(bytes, passed.end)
    }

    /// Whether a record with a member begins here: no seal, and no name that an escape hides.
    @inline(__always)
    private static func opensRecord(_ bytes: Span<UInt8>, _ start: Int) -> Bool {
        guard start + 3 < bytes.count else { return false }
        return bytes[start] == UInt8(ascii: "{") && bytes[start + 1] == UInt8(ascii: "\"")
            && bytes[start + 2] != UInt8(ascii: "$") && bytes[start + 2] != UInt8(ascii: "\\")
    }

    /// Whether a record ends here, with a carriage return after it perhaps, and not in the middle of a member. Three
    /// bytes of the line come before.
    @inline(__always)
    private static func closesRecord(_ bytes: Span<UInt8>, _ end: Int) -> Bool {
        let brace = bytes[end - 1] == 0x0D ? end - 2 : end - 1
        let last = bytes[brace - 1]
        return bytes[brace] == UInt8(ascii: "}") && last != UInt8(ascii: ",") && last != UInt8(ascii: ":")
    }

    /// All ones in each of the 64 bytes from the place on that may be a line end or wanted.
    @inline(__always)
    private func marks(_ bytes: Span<UInt8>, _ position: Int) -> (Marks, Marks, Marks, Marks) {
        precondition(position >= 0 && position + Self.stride + Self.mostDistance <= bytes.count)
        return unsafe bytes.withUnsafeBytes { buffer in
            guard let base = buffer.baseAddress else { preconditionFailure("there are bytes") }
            // SAFETY: that many bytes are there, and the second letter is nearer than `mostDistance`.
            let start = unsafe base + position
            return unsafe (marks(start), marks(start + 16), marks(start + 32), marks(start + 48))
        }
    }

    @inline(__always)
    private func marks(_ start: UnsafeRawPointer) -> Marks {
        let block = unsafe start.loadUnaligned(as: Block.self)
        let after = unsafe start.loadUnaligned(fromByteOffset: distance, as: Block.self)
        let pair = first.marks(block) .& second.marks(after)
        return pair .| ((block .== lineEnds) .| (block .== backslashes)) .| (block .>= leads)
    }

    @inline(__always)
    private static func words(_ marks: Marks) -> SIMD2<UInt64> {
        // SAFETY: both are sixteen bytes without padding.
        unsafe unsafeBitCast(marks, to: SIMD2<UInt64>.self)
    }

    /// Whether the byte, which is no line end, may begin a part of a match.
    @inline(__always)
    private mutating func isWanted(_ bytes: Span<UInt8>, _ position: Int) -> Bool {
        let byte = bytes[position]
        if byte == UInt8(ascii: "\\") {
            return position + 1 >= bytes.count || bytes[position + 1] == UInt8(ascii: "u")
        }
        if byte >= 0xC0 { return mayFold(bytes, position) }
        return position + distance < bytes.count && first.equals(byte) && second.equals(bytes[position + distance])
    }

    /// Whether the character, which isn't ASCII, may fold to one of the letters, or to nothing or a mark between them.
    private mutating func mayFold(_ bytes: Span<UInt8>, _ position: Int) -> Bool {
        guard UTF8Sequence.length(in: bytes, at: position) > 0 else { return true }
        let code = UTF8Sequence.scalar(in: bytes, at: position).value
        if ruledOut.contains(code) { return false }
        guard Folding.startsLetter(code, strength), !Folding.holds(code, letters, strength) else { return true }
        ruledOut.insert(code)
        return false
    }
}

extension TextQuery {
    /// What passes over lines that the query can't be in; nil where only a look at the texts tells.
    package var linePrefilter: LinePrefilter? { LinePrefilter(letters, strength) }
}
