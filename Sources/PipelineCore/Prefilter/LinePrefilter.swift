// Skips the lines that can't match a query without looking for fields. For a rare query, that is most lines.
//
//     query     maleficent          its rarest pair of letters: f and, two bytes on, c
//     bytes     …,"name":"Mulan"}LF{"name":"Pacific"}LF
//                                            ^ both are there: this line must be searched
//
// A letter may also be spelt as a character above U+007F that folds to it, or as an escape. A line with either
// must be searched too, so that no match is lost, and so must a line that isn't enclosed in braces.
//
// Benchmarks/filter-search, a rare ASCII query: 1.6 times as fast as searching the field's text alone, 2.5 times as
// fast as line by line. With the first two letters instead of the rarest: 0.7 times.

/// Finds such lines for a query of ASCII letters.
package struct LinePrefilter: Sendable {
    private typealias Block = SIMD16<UInt8>
    private typealias Marks = SIMDMask<SIMD16<Int8>>
    /// Bytes scanned in one step: four blocks.
    private static let stride = 64
    /// The most characters per line that may be checked one by one.
    private static let mostStops = 16
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
        /// Whether the bytes past those lines can't match either.
        fileprivate var isClear = false
        /// Characters checked one by one.
        fileprivate var stops = 0

        fileprivate let start: Int

        /// Whether this was faster than looking for the fields. It isn't for text with little ASCII, where every
        /// character stops it (Benchmarks/filter-search, Japanese names and lists: 6 times as slow). A long line is
        /// mostly one text, which would have to be searched anyway.
        package var wasQuick: Bool {
            lines > 0 && (stops <= LinePrefilter.mostStops * lines || end - start > LinePrefilter.longLine * lines)
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
        case .text(let pair): unsafe pass(bytes, limitBytes, &passed) { unsafe pair.marks($0, $1) }
        case .loose(let pair): unsafe pass(bytes, limitBytes, &passed) { unsafe pair.marks($0, $1) }
        case .words(let pairs): unsafe pass(bytes, limitBytes, &passed) { unsafe pairs.marks($0, $1) }
        }
        return passed
    }

    /// Skips lines from the start of `passed` on.
    @inline(__always)
    private mutating func pass(
        _ bytes: Span<UInt8>, _ limitBytes: Int, _ passed: inout Passed, _ pairs: (Block, UnsafeRawPointer) -> Marks
    ) {
        var position = passed.start
        while position + Self.stride + LetterPairs.mostDistance <= bytes.count {
            let marks = unsafe marks(bytes, position, pairs)
            if Self.marked((marks.0 | marks.1) | (marks.2 | marks.3)) != .zero {
                guard pass(bytes, at: position, marks.0, limitBytes, &passed),
                    pass(bytes, at: position + 16, marks.1, limitBytes, &passed),
                    pass(bytes, at: position + 32, marks.2, limitBytes, &passed),
                    pass(bytes, at: position + 48, marks.3, limitBytes, &passed)
                else { return }
            }
            position &+= Self.stride
        }
        while position < bytes.count {
            guard pass(bytes, at: position, limitBytes, &passed) else { return }
            position += 1
        }
        passed.isClear = true
    }

    /// Whether the query can't be in the line.
    package mutating func passes(_ line: Span<UInt8>) -> Bool {
        let passed = pass(line, from: 0, limitBytes: .max)
        return passed.isClear && passed.lines == 0 && Self.closesRecord(line, line.count)
    }

    /// Checks the marked bytes of a block.
    /// - Returns: false if the line must be searched.
    @inline(__always)
    private mutating func pass(
        _ bytes: Span<UInt8>, at position: Int, _ marks: Block, _ limitBytes: Int, _ passed: inout Passed
    ) -> Bool {
        let words = Self.marked(marks)
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

    /// - Returns: false if the line must be searched.
    @inline(__always)
    private mutating func pass(
        _ bytes: Span<UInt8>, at position: Int, _ limitBytes: Int, _ passed: inout Passed
    ) -> Bool {
        let byte = bytes[position]
        guard byte == 0x0A else {
            // The rest of a character is marked too.
            guard byte < 0x80 || byte >= 0xC0 else { return true }
            passed.stops &+= 1
            return !isWanted(bytes, position)
        }
        guard position - passed.end <= limitBytes, Self.closesRecord(bytes, position) else { return false }
        passed.lines += 1
        passed.end = position + 1
        return passed.wasQuick && Self.opensRecord(bytes, passed.end)
    }

    /// Whether a record with a member begins here: not a seal, nor a first name that begins with an escape.
    @inline(__always)
    private static func opensRecord(_ bytes: Span<UInt8>, _ start: Int) -> Bool {
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

    /// Marks in 64 bytes from `position` on: the highest bit of each that may be a line end or part of a match.
    @inline(__always)
    private func marks(
        _ bytes: Span<UInt8>, _ position: Int, _ pairs: (Block, UnsafeRawPointer) -> Marks
    ) -> (Block, Block, Block, Block) {
        precondition(position >= 0 && position + Self.stride + LetterPairs.mostDistance <= bytes.count)
        return unsafe bytes.withUnsafeBytes { buffer in
            guard let base = buffer.baseAddress else { preconditionFailure("there are bytes") }
            // SAFETY: these bytes exist (checked above), and the second letter is less than `mostDistance` away.
            let start = unsafe base + position
            return unsafe (
                marks(start, pairs), marks(start + 16, pairs), marks(start + 32, pairs), marks(start + 48, pairs)
            )
        }
    }

    @inline(__always)
    private func marks(_ start: UnsafeRawPointer, _ pairs: (Block, UnsafeRawPointer) -> Marks) -> Block {
        let block = unsafe start.loadUnaligned(as: Block.self)
        let mask = unsafe (block .== lineEnds) .| (block .== backslashes) .| pairs(block, start)
        // A byte above U+007F has the highest bit itself.
        return unsafe unsafeBitCast(mask, to: Block.self) | block
    }

    /// The marks alone, as two words.
    @inline(__always)
    private static func marked(_ marks: Block) -> SIMD2<UInt64> {
        // SAFETY: both are sixteen bytes without padding.
        unsafe unsafeBitCast(marks, to: SIMD2<UInt64>.self) & SIMD2(repeating: 0x8080_8080_8080_8080)
    }

    /// Whether a match may begin at or include this byte, which isn't a line end.
    @inline(__always)
    private mutating func isWanted(_ bytes: Span<UInt8>, _ position: Int) -> Bool {
        let byte = bytes[position]
        if byte == UInt8(ascii: "\\") {
            return position + 1 >= bytes.count || bytes[position + 1] == UInt8(ascii: "u")
        }
        return byte >= 0xC0 ? letters.mayBeLetter(bytes, position) : letters.isWanted(bytes, position)
    }
}

/// The prefilter of each kind of query; nil if only searching the texts can decide.
extension TextQuery {
    package var linePrefilter: LinePrefilter? { LetterPairs(letters, strength, .text).map { LinePrefilter($0) } }
}

extension LooseQuery {
    /// Skips the lines that can't have the query, loosely or as it is.
    package var linePrefilter: LinePrefilter? { LetterPairs(letters, strength, .loose).map { LinePrefilter($0) } }
}

extension FuzzyQuery {
    /// Skips the lines that can't have one of the words: the one whose letters are rarest.
    package var linePrefilter: LinePrefilter? {
        guard !isPlainText else { return exact.linePrefilter }
        let candidates = boundedWords.compactMap { LetterPairs($0.letters, strength, .words(errors: $0.errors)) }
        return candidates.min { $0.frequency < $1.frequency }.map { LinePrefilter($0) }
    }
}

/// The name of a member that is searched for in a record's bytes.
package struct FieldName: Sendable {
    package let name: [UInt8]
    /// The name in quotes, as it is usually spelt; nil if it needs escapes.
    let quoted: Needle?
    /// Whether only an escape of the form `\u0041` can spell one of its characters differently.
    private let isPlainASCII: Bool

    /// - Parameter name: in UTF-8.
    package init(_ name: [UInt8]) {
        self.name = name
        isPlainASCII = name.allSatisfy { $0 < 0x80 && $0 != UInt8(ascii: "/") }
        var quoted: [UInt8] = []
        JSONWriter.appendString(name.span, to: &quoted)
        self.quoted = quoted.count == name.count + 2 ? Needle(quoted, isQuoted: true) : nil
    }

    /// Whether it can be searched for by its bytes.
    package var isSearchable: Bool { quoted != nil }

    /// Whether an escape in the line may spell one of the name's characters.
    package func mayBeHidden(in line: Span<UInt8>) -> Bool {
        guard isSearchable else { return true }
        guard let first = line.firstIndex(of: UInt8(ascii: "\\")) else { return false }
        if isPlainASCII, !line.mayHaveASCIIEscape(from: first) { return false }
        var index = first
        while let backslash = line.firstIndex(of: UInt8(ascii: "\\"), from: index) {
            guard backslash + 1 < line.count else { return true }
            index = backslash + 2
            if line[backslash + 1] == UInt8(ascii: "u"), mayBelongToName(line, backslash + 2) { return true }
            if line[backslash + 1] == UInt8(ascii: "/"), name.contains(UInt8(ascii: "/")) { return true }
        }
        return false
    }

    /// Whether four hexadecimal digits may spell a character of the name. Above ASCII, any may.
    private func mayBelongToName(_ line: Span<UInt8>, _ index: Int) -> Bool {
        guard index + 4 <= line.count else { return true }
        var value: UInt32 = 0
        for offset in 0..<4 {
            guard let digit = JSONStringScanner.hexValue(line[index + offset]) else { return true }
            value = value << 4 | digit
        }
        return name.contains { $0 >= 0x80 ? value >= 0x80 : UInt32($0) == value }
    }
}
