// A hash of short byte strings, with a new seed in each process so that nobody can choose texts that collide. A
// process that continues where another left off takes over its seed.

/// Hashes bytes to 64 bits by folding full-width products, eight bytes at a time.
package struct ByteHash: Sendable {
    package let seed: UInt64

    /// - Parameter seed: a different seed gives different hashes.
    package init(seed: UInt64 = .random(in: 0 ... .max)) { self.seed = seed }

    package func hash(_ text: Span<UInt8>) -> UInt64 {
        var state = seed
        var index = 0
        while index &+ 8 <= text.count {
            let word = unsafe text.bytes.unsafeLoadUnaligned(fromByteOffset: index, as: UInt64.self)
            state = Self.folded(state ^ word, 0xA076_1D64_78BD_642F)
            index &+= 8
        }
        // The length comes after the part that depends on the seed: earlier, a first word could cancel it out.
        let folded = Self.folded(state ^ text.wordAtEnd(from: index), 0xE703_7ED1_A0B4_28DB)
        return last(folded ^ UInt64(truncatingIfNeeded: text.count))
    }

    func hash(_ number: UInt64) -> UInt64 {
        last(Self.folded(seed ^ number, 0xE703_7ED1_A0B4_28DB))
    }

    /// The seed isn't a factor: some seeds would fold all products to one number.
    @inline(__always)
    private func last(_ state: UInt64) -> UInt64 { Self.folded(state ^ seed, 0x5895_54D3_3C6D_8D2B) }

    /// A hash of long texts, different from `hash`: four independent products at a time.
    package func digest(_ text: Span<UInt8>) -> UInt64 {
        var states = (seed, seed ^ 0xE703_7ED1_A0B4_28DB, seed ^ 0x8EBC_6AF0_9C88_C6E3, ~seed)
        var index = 0
        while index &+ 32 <= text.count {
            states.0 = Self.folded(states.0 ^ text.word(at: index), 0xA076_1D64_78BD_642F)
            states.1 = Self.folded(states.1 ^ text.word(at: index &+ 8), 0xE703_7ED1_A0B4_28DB)
            states.2 = Self.folded(states.2 ^ text.word(at: index &+ 16), 0x8EBC_6AF0_9C88_C6E3)
            states.3 = Self.folded(states.3 ^ text.word(at: index &+ 24), 0x5895_54D3_3C6D_8D2B)
            index &+= 32
        }
        let state =
            Self.folded(states.0 ^ states.1, 0xA076_1D64_78BD_642F)
            ^ Self.folded(states.2 ^ states.3, 0xE703_7ED1_A0B4_28DB)
        return Self.folded(state ^ hash(text.extracting(index...)), 0x8EBC_6AF0_9C88_C6E3)
    }

    @inline(__always)
    private static func folded(_ left: UInt64, _ right: UInt64) -> UInt64 {
        let product = left.multipliedFullWidth(by: right)
        return product.high ^ product.low
    }
}

extension Span where Element == UInt8 {
    /// The last bytes, fewer than eight, which begin at `index`; 0 if there are none.
    @inline(__always)
    func wordAtEnd(from index: Int) -> UInt64 {
        guard index < count else { return 0 }
        guard count < 8 else {
            // SAFETY: these are the span's last eight bytes; those before the index are shifted out.
            let last = unsafe bytes.unsafeLoadUnaligned(fromByteOffset: count &- 8, as: UInt64.self).littleEndian
            return last &>> UInt64(truncatingIfNeeded: 8 &* (8 &- (count &- index)))
        }
        return unsafe withUnsafeBytes { buffer in
            guard let base = buffer.baseAddress else { return 0 }
            return unsafe ShortBytes.word(base, buffer.count).littleEndian
        }
    }
}
