// Finds places in UTF-8 where one of a few characters may begin, 32 bytes at a time.
//
//     wanted: b or B, then r, R or a byte above 0x7F; or any character above U+007F that has not been ruled out
//     bytes:  O l e   B j ö r k …
//                     ^ may be
//
// It may say yes wrongly, and never no wrongly.

/// What is looked for: a pair of ASCII characters, or any other character. It learns which of those are not wanted.
struct CharacterScan: Sendable {
    private typealias Block = SIMD32<UInt8>

    /// The two forms of the first character, and of the second.
    private let first: (lower: Block, upper: Block)
    private let second: (lower: Block, upper: Block)
    /// A second byte from here on may stand for anything.
    private let anySecond: Block
    /// The characters of the first two planes that have been ruled out: bit `code & 63` of word `code >> 6`.
    private var ruledOut: [UInt64] = []

    /// A byte that no text has.
    static let never: UInt8 = 0xFF
    private static let size = 32
    private static let knownCodes = 0x20000
    /// The least byte that begins a character above U+007F.
    private static let leads = Block(repeating: 0xC0)

    /// - Parameters:
    ///   - first: the ASCII character's small and large form; `never` where the first character isn't ASCII.
    ///   - second: the same of the next one; nil where there is none, and any byte may follow.
    init(first: (UInt8, UInt8), second: (UInt8, UInt8)?) {
        self.first = (Block(repeating: first.0), Block(repeating: first.1))
        let next = second ?? (Self.never, Self.never)
        self.second = (Block(repeating: next.0), Block(repeating: next.1))
        anySecond = Block(repeating: second == nil ? 0 : 0x80)
    }

    /// From now on the character, which isn't ASCII, is passed over.
    mutating func ruleOut(_ code: UInt32) {
        guard code < Self.knownCodes else { return }
        if ruledOut.isEmpty { ruledOut = [UInt64](repeating: 0, count: Self.knownCodes / 64) }
        ruledOut[Int(code >> 6)] |= 1 << UInt64(code & 63)
    }

    /// The next place from `start` on where a wanted character may begin.
    func next(in text: Span<UInt8>, from start: Int) -> Int? {
        precondition(start >= 0 && start <= text.count)
        let ruledOut = ruledOut.span
        var place = start
        while place + Self.size < text.count {
            let marks = marks(in: text, at: place)
            for lane in 0..<4 {
                var word = marks[lane].littleEndian
                while word != 0 {
                    let shift = word.trailingZeroBitCount & ~7
                    let found = place + lane * 8 + shift / 8
                    if Self.isWanted(text, found, ruledOut) { return found }
                    word &= ~(0xFF << UInt64(truncatingIfNeeded: shift))
                }
            }
            place += Self.size
        }
        while place < text.count {
            if isMarked(text, place), Self.isWanted(text, place, ruledOut) { return place }
            place += 1
        }
        return nil
    }

    /// All ones in each byte of the 32 from the place on where a character may begin.
    @inline(__always)
    private func marks(in text: Span<UInt8>, at place: Int) -> SIMD4<UInt64> {
        precondition(place >= 0 && place + Self.size < text.count)
        // SAFETY: both blocks lie inside the text, which has a byte behind the first of them.
        let (block, after) = unsafe text.withUnsafeBytes { bytes in
            (
                unsafe bytes.loadUnaligned(fromByteOffset: place, as: Block.self),
                unsafe bytes.loadUnaligned(fromByteOffset: place + 1, as: Block.self)
            )
        }
        var mask = (block .== first.lower) .| (block .== first.upper)
        mask = mask .& ((after .== second.lower) .| (after .== second.upper) .| (after .>= anySecond))
        return unsafe unsafeBitCast(mask .| (block .>= Self.leads), to: SIMD4<UInt64>.self)
    }

    /// The same for one byte; at the end of the text a second one is not asked for.
    @inline(__always)
    private func isMarked(_ text: Span<UInt8>, _ place: Int) -> Bool {
        let byte = text[place]
        if byte >= 0xC0 { return true }
        guard byte == first.lower[0] || byte == first.upper[0], place + 1 < text.count else {
            return byte == first.lower[0] || byte == first.upper[0]
        }
        let after = text[place + 1]
        return after == second.lower[0] || after == second.upper[0] || after >= anySecond[0]
    }

    /// Whether the character at a marked place hasn't been ruled out.
    @inline(__always)
    private static func isWanted(_ text: Span<UInt8>, _ place: Int, _ ruledOut: Span<UInt64>) -> Bool {
        guard text[place] >= 0x80, !ruledOut.isEmpty else { return true }
        let code = Int(text.codePoint(at: place).code)
        return code >= knownCodes || ruledOut[code >> 6] >> UInt64(code & 63) & 1 == 0
    }
}
