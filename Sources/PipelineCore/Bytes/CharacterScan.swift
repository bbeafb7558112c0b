// Finds places where one of a few characters may begin, 32 bytes at a time.
//
//     wanted: b or B, then r, R or a byte above 0x7F; or a pair of bytes in one of some ranges
//     bytes:  O l e   B j ö r k …
//                     ^ may be
//
// It may say yes wrongly, and never no wrongly.

/// Two bytes that a character can begin with, each in a range.
struct BytePairRange: Equatable, Sendable {
    var first: ClosedRange<UInt8>
    var second: ClosedRange<UInt8>
}

/// What is looked for: a pair of ASCII letters, or one of some other characters. Before those are set, each byte above
/// 0x7F is a place: most texts have none, and need no others.
struct CharacterScan: Sendable {
    private typealias Block = SIMD32<UInt8>

    /// The two forms of the first letter, and of the second.
    private let first: (lower: Block, upper: Block)
    private let second: (lower: Block, upper: Block)
    /// A second byte from here on may stand for anything.
    private let anySecond: Block
    /// The bounds of the other characters' bytes, four blocks each.
    private var bounds: [Block] = []
    /// The low twelve bits of the other characters' code points, as a set: bit `code & 63` of word `code >> 6 & 63`.
    private var others: [UInt64] = []

    /// A byte that no text has.
    static let never: UInt8 = 0xFF
    private static let size = 32

    /// - Parameters:
    ///   - first: the ASCII letter's small and large form; `never` where the first character isn't ASCII.
    ///   - second: the same of the next one; nil where there is none, and any byte may follow.
    init(first: (UInt8, UInt8), second: (UInt8, UInt8)?) {
        self.first = (Block(repeating: first.0), Block(repeating: first.1))
        let next = second ?? (Self.never, Self.never)
        self.second = (Block(repeating: next.0), Block(repeating: next.1))
        anySecond = Block(repeating: second == nil ? 0 : 0x80)
    }

    var hasOthers: Bool { !others.isEmpty }

    /// Sets the other characters, by the pairs that they begin with and by the low bits of their code points.
    mutating func setOthers(_ ranges: [BytePairRange], lowBits: [UInt64]) {
        precondition(lowBits.count == 64)
        others = lowBits
        bounds = ranges.flatMap { range in
            [range.first.lowerBound, range.first.upperBound, range.second.lowerBound, range.second.upperBound]
                .map { Block(repeating: $0) }
        }
    }

    /// The next place from `start` on where a wanted character may begin.
    func next(in text: Span<UInt8>, from start: Int) -> Int? {
        precondition(start >= 0 && start <= text.count)
        return unsafe text.withUnsafeBytes { buffer in
            var place = start
            while place + Self.size < buffer.count {
                // SAFETY: both blocks lie inside the buffer, which has a byte behind the first of them.
                let block = unsafe buffer.loadUnaligned(fromByteOffset: place, as: Block.self)
                let after = unsafe buffer.loadUnaligned(fromByteOffset: place + 1, as: Block.self)
                let marks = marks(block, after)
                if marks.isAnySet, let found = first(of: marks, text, place) { return found }
                place += Self.size
            }
            guard place < buffer.count else { return nil }
            var block = Block(repeating: 0)
            var after = Block(repeating: 0)
            for index in 0..<buffer.count - place {
                block[index] = unsafe buffer[place + index]
                if index > 0 { after[index - 1] = block[index] }
            }
            return first(of: marks(block, after), text, place)
        }
    }

    /// All ones in each byte of a block, whose bytes one further on are in `after`, where a character may begin.
    @inline(__always)
    private func marks(_ block: Block, _ after: Block) -> SIMD4<UInt64> {
        var mask = ((block .== first.lower) .| (block .== first.upper))
        mask = mask .& ((after .== second.lower) .| (after .== second.upper) .| (after .>= anySecond))
        if Self.words(of: block).hasHighBit {
            if others.isEmpty { mask = mask .| (block .>= Block(repeating: 0x80)) }
            for index in stride(from: 0, to: bounds.count, by: 4) {
                let isFirst = (block .>= bounds[index]) .& (block .<= bounds[index + 1])
                mask = mask .| (isFirst .& (after .>= bounds[index + 2]) .& (after .<= bounds[index + 3]))
            }
        }
        return Self.words(of: mask)
    }

    /// The first of the marked places behind `place` where what begins is an ASCII letter or may be one of the others.
    private func first(of marks: SIMD4<UInt64>, _ text: Span<UInt8>, _ place: Int) -> Int? {
        for lane in 0..<4 {
            var word = marks[lane].littleEndian
            while word != 0 {
                let shift = word.trailingZeroBitCount & ~7
                let found = place + lane * 8 + shift / 8
                guard found < text.count else { return nil }
                if text[found] < 0x80 || others.isEmpty { return found }
                let code = Int(text.codePoint(at: found).code)
                if others[code >> 6 & 63] >> UInt64(code & 63) & 1 != 0 { return found }
                word &= ~(0xFF << UInt64(shift))
            }
        }
        return nil
    }

    private static func words(of block: Block) -> SIMD4<UInt64> {
        unsafe unsafeBitCast(block, to: SIMD4<UInt64>.self)
    }

    private static func words(of mask: SIMDMask<SIMD32<Int8>>) -> SIMD4<UInt64> {
        unsafe unsafeBitCast(mask, to: SIMD4<UInt64>.self)
    }
}

extension SIMD4<UInt64> {
    fileprivate var hasHighBit: Bool {
        (self[0] | self[1] | self[2] | self[3]) & 0x8080_8080_8080_8080 != 0
    }

    fileprivate var isAnySet: Bool { self[0] | self[1] | self[2] | self[3] != 0 }
}
