// Skips the lines that can't match a query without looking for fields. For a rare query, that is most lines.
//
//     query     maleficent          its rarest pair of letters: f and, two bytes on, c
//     bytes     …,"name":"Mulan"}LF{"name":"Pacific"}LF
//                                            ^ both are there: this line must be searched
//
// A letter may also be spelt as a character above U+007F that folds to it, or as an escape. A line with either
// must be searched too, so that no match is lost, and so must a line that isn't enclosed in braces. Whether a line is
// skipped depends on its bytes alone, so that every way to read a file says the same of its bad lines.
//
// Benchmarks/filter-search, a rare ASCII query: 1.6 times as fast as searching the field's text alone, 2.5 times as
// fast as line by line. With the first two letters instead of the rarest: 0.7 times.

package struct LinePrefilter: Sendable {
    private typealias Block = SIMD16<UInt8>
    /// Bytes scanned in one step: four blocks.
    private static let stride = 64
    /// The most characters to check one by one: this number in each line, and one in this number of bytes.
    private static let mostStops = 16
    private static let bytesPerStop = 32
    /// A line with more escapes is searched: in Japanese as `\u30df` this takes a sixth less time.
    private static let mostEscapes = 16
    /// In bytes.
    private static let longLine = 4096

    private var letters: LetterPairs
    private let lineEnds = Block(repeating: 0x0A)
    private let backslashes = Block(repeating: UInt8(ascii: "\\"))

    init(_ letters: LetterPairs) { self.letters = letters }

    /// The first lines of the bytes, as far as they can't match.
    package struct Passed {
        /// The lines skipped, and the offset of the next one, which must be searched or is incomplete.
        package fileprivate(set) var lines = 0
        package fileprivate(set) var end: Int
        fileprivate var isClear = false
        fileprivate var stops = 0
        /// Escapes such as `\u30df` in the line at `end`.
        fileprivate var escapes = 0

        fileprivate let start: Int

        /// Whether this was faster than looking for the fields. It isn't for text where nearly every character stops
        /// it. A long line is mostly one text, which would have to be searched anyway.
        package var wasQuick: Bool {
            let bytes = end - start
            return lines > 0
                && (stops <= LinePrefilter.mostStops * lines + bytes / LinePrefilter.bytesPerStop
                    || bytes > LinePrefilter.longLine * lines)
        }
    }

    /// Skips lines from `start` on that can't match the query.
    /// - Parameters:
    ///   - start: where a line begins.
    ///   - limitBytes: a longer line must be searched.
    package mutating func pass(_ bytes: Span<UInt8>, from start: Int, limitBytes: Int) -> Passed {
        var passed = Passed(end: start, start: start)
        guard Self.opensRecord(bytes, start) else { return passed }
        // The masks are chosen here, once, so that each loop has in registers what it compares with.
        switch letters.masks {
        case .text(let pair): pass(bytes, limitBytes, &passed, pair)
        case .loose(let pair): pass(bytes, limitBytes, &passed, pair)
        case .words(let pairs): pass(bytes, limitBytes, &passed, pairs)
        }
        return passed
    }

    private mutating func pass(
        _ bytes: Span<UInt8>, _ limitBytes: Int, _ passed: inout Passed, _ pairs: some PairMasks
    ) {
        var position = passed.start
        while position + Self.stride + LetterPairs.mostDistance <= bytes.count {
            let marks = marks(bytes, position, pairs)
            let isPassed =
                marks.hasStops
                ? check(bytes, position, limitBytes, &passed, pairs)
                : !marks.hasEnds || endLines(bytes, position, marks.ends, limitBytes, &passed, pairs)
            guard isPassed else { return }
            position &+= Self.stride
        }
        while position < bytes.count {
            guard pass(bytes, at: position, limitBytes, &passed) else { return }
            position += 1
        }
        passed.isClear = true
    }

    package mutating func passes(_ line: Span<UInt8>) -> Bool {
        let passed = pass(line, from: 0, limitBytes: .max)
        return passed.isClear && passed.lines == 0 && Self.closesRecord(line, line.count)
    }

    // MARK: A stride

    private struct StrideMarks {
        let hasStops: Bool
        let hasEnds: Bool
        /// A bit for each block in the bytes that are line ends.
        let ends: SIMD2<UInt64>
    }

    @inline(__always)
    private func marks(_ bytes: Span<UInt8>, _ position: Int, _ pairs: some PairMasks) -> StrideMarks {
        precondition(position >= 0 && position + Self.stride + LetterPairs.mostDistance <= bytes.count)
        return unsafe bytes.withUnsafeBytes { buffer in
            guard let base = buffer.baseAddress else { preconditionFailure("there are bytes") }
            // SAFETY: these bytes exist (checked above), and the second letter is less than `mostDistance` away.
            let start = unsafe base + position
            let (first, firstEnds) = unsafe marks(start, pairs)
            let (second, secondEnds) = unsafe marks(start + 16, pairs)
            let (third, thirdEnds) = unsafe marks(start + 32, pairs)
            let (fourth, fourthEnds) = unsafe marks(start + 48, pairs)
            let stops = Self.words((first | second) | (third | fourth)) & SIMD2(repeating: 0x8080_8080_8080_8080)
            let low = (firstEnds & Block(repeating: 1)) | (secondEnds & Block(repeating: 2))
            let high = (thirdEnds & Block(repeating: 4)) | (fourthEnds & Block(repeating: 8))
            let ends = Self.words(low | high)
            return StrideMarks(hasStops: stops[0] | stops[1] != 0, hasEnds: ends[0] | ends[1] != 0, ends: ends)
        }
    }

    /// The highest bit of each byte that may be part of a match, and all bits of each that is a line end.
    @inline(__always)
    private func marks(_ start: UnsafeRawPointer, _ pairs: some PairMasks) -> (Block, Block) {
        let block = unsafe start.loadUnaligned(as: Block.self)
        let mask = unsafe (block .== backslashes) .| pairs.marks(block, start)
        // A byte above U+007F has the highest bit itself.
        return unsafe (
            unsafeBitCast(mask, to: Block.self) | block, unsafeBitCast(block .== lineEnds, to: Block.self)
        )
    }

    @inline(__always)
    private static func words(_ block: Block) -> SIMD2<UInt64> {
        // SAFETY: both are sixteen bytes without padding.
        unsafe unsafeBitCast(block, to: SIMD2<UInt64>.self)
    }

    /// Ends the lines of a stride where nothing else is marked.
    /// - Returns: false if the line must be searched.
    @inline(__always)
    private mutating func endLines(
        _ bytes: Span<UInt8>, _ position: Int, _ ends: SIMD2<UInt64>, _ limitBytes: Int, _ passed: inout Passed,
        _ pairs: some PairMasks
    ) -> Bool {
        var lines = 0
        var end = passed.end
        var isFramed = position &+ Self.stride &- end <= limitBytes
        for half in 0..<2 as Range<Int> {
            var word = (half == 0 ? ends.x : ends.y).littleEndian
            while word != 0 {
                let bit = word.trailingZeroBitCount
                let found = position &+ (bit & 7) &* 16 &+ half &* 8 &+ bit &>> 3
                isFramed = isFramed && Self.isBetweenRecords(bytes, found)
                lines &+= 1
                end = max(end, found &+ 1)
                word &= word &- 1
            }
        }
        guard isFramed else { return check(bytes, position, limitBytes, &passed, pairs) }
        passed.lines &+= lines
        passed.end = end
        if lines > 0 { passed.escapes = 0 }
        return true
    }

    /// Whether a record of the plainest form ends at the line end, and another begins after it. Five bytes follow it.
    @inline(__always)
    private static func isBetweenRecords(_ bytes: Span<UInt8>, _ end: Int) -> Bool {
        // }LF{" with a byte before and three after.
        let word = bytes.word(at: end &- 2)
        guard word & 0xFF_FFFF_FF00 == 0x22_7B0A_7D00 else { return false }
        let last = UInt8(truncatingIfNeeded: word)
        let first = UInt8(truncatingIfNeeded: word &>> 40)
        return last != UInt8(ascii: ",") && last != UInt8(ascii: ":") && first != UInt8(ascii: "$")
            && first != UInt8(ascii: "\\")
    }

    // MARK: Marked bytes

    /// Checks the marked bytes of a stride in their order. Kept out of line, so that the loop over strides is small.
    /// - Returns: false if the line must be searched.
    @inline(never)
    private mutating func check(
        _ bytes: Span<UInt8>, _ position: Int, _ limitBytes: Int, _ passed: inout Passed, _ pairs: some PairMasks
    ) -> Bool {
        let blocks = (
            stops(bytes, position, pairs), stops(bytes, position &+ 16, pairs), stops(bytes, position &+ 32, pairs),
            stops(bytes, position &+ 48, pairs)
        )
        let any = (blocks.0 | blocks.1) | (blocks.2 | blocks.3)
        guard any.x | any.y != 0 else { return true }
        return check(bytes, position, blocks.0, limitBytes, &passed)
            && check(bytes, position &+ 16, blocks.1, limitBytes, &passed)
            && check(bytes, position &+ 32, blocks.2, limitBytes, &passed)
            && check(bytes, position &+ 48, blocks.3, limitBytes, &passed)
            && (passed.lines == 0 || passed.wasQuick)
    }

    @inline(never)
    private mutating func check(
        _ bytes: Span<UInt8>, _ position: Int, _ stops: SIMD2<UInt64>, _ limitBytes: Int, _ passed: inout Passed
    ) -> Bool {
        guard stops.x | stops.y != 0 else { return true }
        for half in 0..<2 as Range<Int> {
            var word = (half == 0 ? stops.x : stops.y).littleEndian
            while word != 0 {
                let shift = word.trailingZeroBitCount
                guard pass(bytes, at: position &+ half &* 8 &+ shift &>> 3, limitBytes, &passed) else {
                    return false
                }
                word &= ~(0xFF &<< UInt64(truncatingIfNeeded: shift))
            }
        }
        return true
    }

    /// All bits of each byte of a block that has to be checked: a line end, one where a pair may begin, and the first of
    /// a character above U+007F or of an escape that may be one.
    @inline(__always)
    private func stops(_ bytes: Span<UInt8>, _ position: Int, _ pairs: some PairMasks) -> SIMD2<UInt64> {
        precondition(position >= 0 && position + 16 + LetterPairs.mostDistance <= bytes.count)
        return unsafe bytes.withUnsafeBytes { buffer in
            guard let base = buffer.baseAddress else { preconditionFailure("there are bytes") }
            // SAFETY: a block exists here, and `mostDistance` bytes after it.
            let start = unsafe base + position
            let block = unsafe start.loadUnaligned(as: Block.self)
            let next = unsafe start.loadUnaligned(fromByteOffset: 1, as: Block.self)
            let escapes = (block .== backslashes) .& (next .== Block(repeating: UInt8(ascii: "u")))
            let characters = block .>= Block(repeating: 0xC0)
            let marks = unsafe (block .== lineEnds) .| pairs.marks(block, start) .| escapes .| characters
            return unsafe Self.words(unsafeBitCast(marks, to: Block.self))
        }
    }

    /// - Returns: false if the line must be searched.
    @inline(__always)
    private mutating func pass(
        _ bytes: Span<UInt8>, at position: Int, _ limitBytes: Int, _ passed: inout Passed
    ) -> Bool {
        guard bytes[position] == 0x0A else {
            passed.stops &+= 1
            if bytes[position] == UInt8(ascii: "\\"), position + 1 < bytes.count,
                bytes[position + 1] == UInt8(ascii: "u")
            {
                passed.escapes &+= 1
            }
            return passed.escapes <= Self.mostEscapes && !letters.isWanted(bytes, position)
        }
        guard position - passed.end <= limitBytes, Self.closesRecord(bytes, position) else { return false }
        passed.lines += 1
        passed.end = position + 1
        passed.escapes = 0
        return Self.opensRecord(bytes, passed.end)
    }

    /// Whether a record with a member begins here: not a seal, nor a first name that begins with an escape.
    @inline(__always)
    static func opensRecord(_ bytes: Span<UInt8>, _ start: Int) -> Bool {
        guard start + 3 < bytes.count else { return false }
        return bytes[start] == UInt8(ascii: "{") && bytes[start + 1] == UInt8(ascii: "\"")
            && bytes[start + 2] != UInt8(ascii: "$") && bytes[start + 2] != UInt8(ascii: "\\")
    }

    /// Whether a record ends here, optionally with a CR, and not in the middle of a member. At least three bytes of
    /// the line precede `end`.
    @inline(__always)
    private static func closesRecord(_ bytes: Span<UInt8>, _ end: Int) -> Bool {
        let brace = bytes[end - 1] == 0x0D ? end - 2 : end - 1
        let last = bytes[brace - 1]
        return bytes[brace] == UInt8(ascii: "}") && last != UInt8(ascii: ",") && last != UInt8(ascii: ":")
    }
}

extension TextMatcher {
    /// Skips the lines that have no match; nil if only searching the texts can decide.
    package var linePrefilter: LinePrefilter? {
        let letters: LetterPairs?
        switch self {
        case let query as TextQuery: letters = LetterPairs(text: query.letters, query.strength)
        case let query as LooseQuery: letters = LetterPairs(loose: query.letters, query.strength)
        case let query as FuzzyQuery where query.isPlainText: return query.exact.linePrefilter
        case let query as FuzzyQuery:
            // A line needs all words, so the one whose letters are rarest is looked for.
            let (words, strength) = (query.boundedWords, query.strength)
            letters = words.compactMap { LetterPairs(word: $0.letters, errors: $0.errors, strength) }
                .min { $0.frequency < $1.frequency }
        default: letters = nil
        }
        return letters.map { LinePrefilter($0) }
    }
}

/// The name of a member that is searched for in a record's bytes.
package struct FieldName: Sendable {
    package let name: [UInt8]
    /// The name in quotes, as it is usually spelt.
    let quoted: Needle
    /// Whether only an escape of the form `\u0041` can spell one of its characters differently.
    private let isPlainASCII: Bool

    /// - Parameter name: in UTF-8.
    /// - Returns: nil if it needs escapes.
    package init?(_ name: [UInt8]) {
        var quoted: [UInt8] = []
        JSONWriter.appendString(name.span, to: &quoted)
        guard quoted.count == name.count + 2 else { return nil }
        self.name = name
        self.quoted = Needle(quoted)
        isPlainASCII = name.allSatisfy { $0 < 0x80 && $0 != UInt8(ascii: "/") }
    }

    /// Whether an escape in the line may spell one of the name's characters.
    package func mayBeHidden(in line: Span<UInt8>) -> Bool {
        guard var index = line.firstIndex(of: UInt8(ascii: "\\")) else { return false }
        guard isPlainASCII else { return true }
        guard line.mayHaveASCIIEscape(from: index) else { return false }
        while let backslash = line.firstIndex(of: UInt8(ascii: "\\"), from: index) {
            guard backslash + 1 < line.count else { return true }
            index = backslash + 2
            guard line[backslash + 1] == UInt8(ascii: "u") else { continue }
            guard let value = JSONStringScanner.codeUnit(line, at: index) else { return true }
            if name.contains(where: { UInt32($0) == value }) { return true }
        }
        return false
    }
}
