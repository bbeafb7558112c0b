// Finds the bytes of a text that need a closer look: compares sixteen at a time, and copies them meanwhile.

/// A set of bytes that stop copying. It must contain 0, which marks the end of a short text.
protocol ByteScan {
    /// A mask with all ones for each byte in the set.
    func marks(_ block: SIMD16<UInt8>) -> SIMDMask<SIMD16<Int8>>
}

extension ByteScan {
    private typealias Block = SIMD16<UInt8>

    /// Copies bytes up to the first one in the set.
    /// - Parameter target: has room for all of them and a block past them.
    /// - Returns: the number of bytes before that one. Anything may have been stored after them.
    @inline(__always)
    func copy(_ source: UnsafeRawBufferPointer, to target: UnsafeMutableRawPointer) -> Int {
        let count = source.count
        guard let from = source.baseAddress else { return 0 }
        var index = 0
        while index &+ 16 <= count {
            // SAFETY: the block is inside the source, and the target has as much room.
            let block = unsafe from.loadUnaligned(fromByteOffset: index, as: Block.self)
            unsafe target.storeBytes(of: block, toByteOffset: index, as: Block.self)
            if let position = position(block) { return index &+ position }
            index &+= 16
        }
        guard index < count else { return count }
        // SAFETY: for a longer text this is its last block, whose start has no byte of the set; a shorter one is
        // padded with zeros, which end it.
        let start = max(count &- 16, 0)
        let block = unsafe count >= 16 ? from.loadUnaligned(fromByteOffset: start, as: Block.self) : padded(source)
        unsafe target.storeBytes(of: block, toByteOffset: start, as: Block.self)
        return min(start &+ (position(block) ?? 16), count)
    }

    /// The index of the first byte of the set at or after `start`; the count if there is none.
    @inline(__always)
    func first(in text: Span<UInt8>, from start: Int) -> Int {
        precondition(start >= 0 && start <= text.count)
        return unsafe text.withUnsafeBytes { source in
            guard let from = source.baseAddress else { return 0 }
            var index = start
            while index &+ 16 <= source.count {
                // SAFETY: the block is inside the source.
                let block = unsafe from.loadUnaligned(fromByteOffset: index, as: Block.self)
                if let position = position(block) { return index &+ position }
                index &+= 16
            }
            let rest = unsafe UnsafeRawBufferPointer(rebasing: source[index...])
            return index &+ min(unsafe position(padded(rest)) ?? 16, rest.count)
        }
    }

    @inline(__always)
    private func position(_ block: Block) -> Int? {
        let words = unsafe unsafeBitCast(marks(block), to: SIMD2<UInt64>.self)
        if words[0] != 0 { return words[0].littleEndian.trailingZeroBitCount &>> 3 }
        return words[1] != 0 ? 8 &+ words[1].littleEndian.trailingZeroBitCount &>> 3 : nil
    }

    /// Fewer than sixteen bytes, padded with zeros.
    @inline(__always)
    private func padded(_ source: UnsafeRawBufferPointer) -> Block {
        guard let from = source.baseAddress else { return Block() }
        let count = source.count
        var words = SIMD2<UInt64>()
        if count >= 8 {
            words[0] = unsafe from.loadUnaligned(as: UInt64.self)
            // The last eight bytes, without those already in the first word.
            let last = unsafe from.loadUnaligned(fromByteOffset: count &- 8, as: UInt64.self).littleEndian
            words[1] = (last >> UInt64(truncatingIfNeeded: 8 &* (16 &- count))).littleEndian
        } else {
            words[0] = unsafe ShortBytes.word(from, count)
        }
        return unsafe unsafeBitCast(words, to: Block.self)
    }
}

/// Well-formed UTF-8 (Unicode standard, table 3-7): no overlong forms, no surrogates, nothing above U+10FFFF.
package enum UTF8Sequence {
    /// The length in bytes of the sequence that begins at `index`; 0 if it isn't well-formed.
    @inline(__always)
    package static func length(in bytes: Span<UInt8>, at index: Int) -> Int {
        let first = bytes[index]
        if first < 0x80 { return 1 }
        let length: Int
        var second: ClosedRange<UInt8> = 0x80...0xBF
        switch first {
        case 0xC2...0xDF: length = 2
        case 0xE0: (length, second) = (3, 0xA0...0xBF)
        case 0xED: (length, second) = (3, 0x80...0x9F)
        case 0xE1...0xEF: length = 3
        case 0xF0: (length, second) = (4, 0x90...0xBF)
        case 0xF1...0xF3: length = 4
        case 0xF4: (length, second) = (4, 0x80...0x8F)
        default: return 0
        }
        guard index + length <= bytes.count, second.contains(bytes[index + 1]) else { return 0 }
        for offset in 2..<max(length, 2) where bytes[index + offset] & 0xC0 != 0x80 { return 0 }
        return length
    }

    /// The index of the first byte that doesn't begin a well-formed sequence; nil if all is UTF-8.
    package static func firstFault(in bytes: Span<UInt8>) -> Int? {
        var index = 0
        while index < bytes.count {
            let length = length(in: bytes, at: index)
            guard length > 0 else { return index }
            index += length
        }
        return nil
    }

    /// Appends the scalar's bytes; U+FFFD for a surrogate.
    @inline(__always)
    package static func append(_ value: UInt32, to bytes: inout [UInt8]) {
        bytes.append(
            contentsOf: UTF8.encode(Unicode.Scalar(value) ?? "\u{FFFD}") ?? UTF8.encodedReplacementCharacter)
    }
}

extension Span where Element == UInt8 {
    /// The code point at the position, and the position after it. Bytes that aren't UTF-8 yield some code point,
    /// and the position always advances.
    @inline(__always)
    func codePoint(at position: Int) -> (code: UInt32, next: Int) {
        let first = UInt32(self[position])
        if first < 0x80 { return (first, position + 1) }
        if first < 0xE0 {
            guard position + 1 < count else { return (0xFFFD, count) }
            return ((first & 0x1F) << 6 | tail(position + 1), position + 2)
        }
        if first < 0xF0 {
            guard position + 2 < count else { return (0xFFFD, count) }
            return ((first & 0x0F) << 12 | tail(position + 1) << 6 | tail(position + 2), position + 3)
        }
        guard position + 3 < count else { return (0xFFFD, count) }
        let code = (first & 0x07) << 18 | tail(position + 1) << 12 | tail(position + 2) << 6 | tail(position + 3)
        return (code, position + 4)
    }

    @inline(__always)
    private func tail(_ position: Int) -> UInt32 { UInt32(self[position]) & 0x3F }
}

extension UInt8 {
    /// Whether it is a letter or a digit of ASCII.
    @inline(__always) package var isLetterOrDigit: Bool { self &- 0x30 < 10 || (self | 0x20) &- 0x61 < 26 }

    /// The letters A to Z of ASCII as a to z.
    package var lowercased: UInt8 { (0x41...0x5A).contains(self) ? self | 0x20 : self }

    /// White space of JSON (RFC 8259, section 2) and of XML (1.0, production 3), which have the same.
    package var isJSONSpace: Bool { self == 0x20 || self == 0x09 || self == 0x0A || self == 0x0D }
}
