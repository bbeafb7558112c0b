// Whether a text contains a string of bytes, optionally in any ASCII case. Checks thirty-two offsets together, and
// compares the whole literal where its first and last byte match.
//
//     text     o l d . m i c k e y     first: m or M    last: y or Y, five bytes on

extension Span where Element == UInt8 {
    /// Whether these bytes contain the literal. The empty one is always contained.
    /// - Parameter ignoringASCIICase: the letters A to Z equal a to z.
    package func contains(_ literal: Span<UInt8>, ignoringASCIICase: Bool) -> Bool {
        guard let first = literal.isEmpty ? nil : literal[0] else { return true }
        guard count >= literal.count else { return false }
        let distance = literal.count - 1
        let heads = BytePair(first, ignoringASCIICase)
        let tails = BytePair(literal[distance], ignoringASCIICase)
        var index = 0
        while index + distance + 32 <= count {
            let candidates = heads.matches(block(at: index)) .& tails.matches(block(at: index + distance))
            if BytePair.hasAny(candidates) {
                for position in index..<index + 32 where equals(literal, at: position, ignoringASCIICase) {
                    return true
                }
            }
            index += 32
        }
        while index + distance < count {
            if equals(literal, at: index, ignoringASCIICase) { return true }
            index += 1
        }
        return false
    }

    private func block(at index: Int) -> SIMD32<UInt8> {
        // The load checks its bounds itself.
        unsafe bytes.unsafeLoadUnaligned(fromByteOffset: index, as: SIMD32<UInt8>.self)
    }

    private func equals(_ literal: Span<UInt8>, at position: Int, _ ignoringASCIICase: Bool) -> Bool {
        for index in literal.indices {
            let (one, two) = (self[position + index], literal[index])
            guard one == two || (ignoringASCIICase && one ^ two == 0x20 && BytePair.isLetter(one)) else {
                return false
            }
        }
        return true
    }
}

/// A byte and, for a letter in any case, its other form.
private struct BytePair {
    private let one: SIMD32<UInt8>
    private let other: SIMD32<UInt8>

    init(_ byte: UInt8, _ ignoringASCIICase: Bool) {
        one = SIMD32(repeating: byte)
        other = SIMD32(repeating: ignoringASCIICase && Self.isLetter(byte) ? byte ^ 0x20 : byte)
    }

    static func isLetter(_ byte: UInt8) -> Bool { byte | 0x20 >= 0x61 && byte | 0x20 <= 0x7A }

    @inline(__always)
    func matches(_ block: SIMD32<UInt8>) -> SIMDMask<SIMD32<Int8>> { (block .== one) .| (block .== other) }

    @inline(__always)
    static func hasAny(_ mask: SIMDMask<SIMD32<Int8>>) -> Bool {
        // SAFETY: both are thirty-two bytes. Testing the mask itself takes one lane at a time.
        let words = unsafe unsafeBitCast(mask, to: SIMD4<UInt64>.self)
        return (words[0] | words[1] | words[2] | words[3]) != 0
    }
}
