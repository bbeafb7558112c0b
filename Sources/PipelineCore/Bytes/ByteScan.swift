// Which bytes of a text have to be looked at one by one: sixteen are compared at a time, and copied meanwhile.

/// A set of bytes at which copying stops. It contains 0, which means the end of a short text.
protocol ByteScan {
    /// All ones at each byte of the set.
    func marks(_ block: SIMD16<UInt8>) -> SIMDMask<SIMD16<Int8>>
}

extension ByteScan {
    private typealias Block = SIMD16<UInt8>

    /// Copies bytes up to the first of the set.
    /// - Parameter target: has room for all of them and a block after.
    /// - Returns: the number of bytes before that one; after them, anything may have been stored.
    @inline(__always)
    func copy(_ source: UnsafeRawBufferPointer, to target: UnsafeMutableRawPointer) -> Int {
        let count = source.count
        guard let from = source.baseAddress else { return 0 }
        var index = 0
        while index &+ 16 <= count {
            // SAFETY: the block lies inside the source, and the target has room for as much.
            let block = unsafe from.loadUnaligned(fromByteOffset: index, as: Block.self)
            unsafe target.storeBytes(of: block, toByteOffset: index, as: Block.self)
            if let position = position(block) { return index &+ position }
            index &+= 16
        }
        guard index < count else { return count }
        // SAFETY: of a longer text the last block is looked at, whose beginning holds none of the set; a shorter one is
        // filled up with zeros, which end it.
        let start = max(count &- 16, 0)
        let block = unsafe count >= 16 ? from.loadUnaligned(fromByteOffset: start, as: Block.self) : padded(source)
        unsafe target.storeBytes(of: block, toByteOffset: start, as: Block.self)
        return min(start &+ (position(block) ?? 16), count)
    }

    /// The index of the first byte of the set at `start` or after it; the count where there is none.
    @inline(__always)
    func first(in text: Span<UInt8>, from start: Int) -> Int {
        precondition(start >= 0 && start <= text.count)
        return unsafe text.withUnsafeBytes { source in
            guard let from = source.baseAddress else { return 0 }
            var index = start
            while index &+ 16 <= source.count {
                // SAFETY: the block lies inside the source.
                let block = unsafe from.loadUnaligned(fromByteOffset: index, as: Block.self)
                if let position = position(block) { return index &+ position }
                index &+= 16
            }
            let rest = unsafe UnsafeRawBufferPointer(rebasing: source[index...])
            return index &+ min(unsafe position(padded(rest)) ?? 16, rest.count)
        }
    }

    /// The first of the marked bytes.
    @inline(__always)
    private func position(_ block: Block) -> Int? {
        let words = unsafe unsafeBitCast(marks(block), to: SIMD2<UInt64>.self)
        if words[0] != 0 { return words[0].littleEndian.trailingZeroBitCount &>> 3 }
        return words[1] != 0 ? 8 &+ words[1].littleEndian.trailingZeroBitCount &>> 3 : nil
    }

    /// Fewer than sixteen bytes and zeros after them.
    @inline(__always)
    private func padded(_ source: UnsafeRawBufferPointer) -> Block {
        guard let from = source.baseAddress else { return Block() }
        let count = source.count
        var words = SIMD2<UInt64>()
        if count >= 8 {
            words[0] = unsafe from.loadUnaligned(as: UInt64.self)
            // The last eight bytes, those that the first word has shifted out.
            let last = unsafe from.loadUnaligned(fromByteOffset: count &- 8, as: UInt64.self).littleEndian
            words[1] = (last >> UInt64(truncatingIfNeeded: 8 &* (16 &- count))).littleEndian
        } else {
            words[0] = unsafe ShortBytes.word(from, count)
        }
        return unsafe unsafeBitCast(words, to: Block.self)
    }
}
