// Finds a short run of bytes in long ones: compares two of its bytes at sixty-four offsets at once, and the rest
// only where both match.
//
//     needle  "name"      the one that is rarest in JSON, m, and the last one
//     bytes   {"_id":6,"name":"Mick"}
//                       ^ both match: compare the whole needle here

import CLibrary

package struct Needle: Equatable, Sendable {
    private typealias Lanes = SIMD16<UInt8>
    /// Offsets compared in one step.
    private static let stride = 64

    private let bytes: [UInt8]
    private let ignoresCase: Bool
    private let rarest: Lanes
    private let last: Lanes
    /// These two letters in the other case.
    private let otherRarest: Lanes
    private let otherLast: Lanes
    private let rarestOffset: Int

    /// - Parameters:
    ///   - bytes: not empty. Of a name the last one is a quote. Letters tend to follow certain others, a quote follows
    ///     any: the rarest byte and the last rule out more than the two rarest.
    ///   - ignoresCase: the letters A to Z equal a to z.
    package init(_ bytes: [UInt8], ignoresCase: Bool = false) {
        precondition(!bytes.isEmpty)
        self.bytes = bytes
        self.ignoresCase = ignoresCase
        rarestOffset = bytes.indices.min { ByteFrequency.of(bytes[$0]) < ByteFrequency.of(bytes[$1]) } ?? 0
        rarest = Lanes(repeating: bytes[rarestOffset])
        last = Lanes(repeating: bytes[bytes.count - 1])
        otherRarest = Lanes(repeating: Self.otherCase(bytes[rarestOffset]))
        otherLast = Lanes(repeating: Self.otherCase(bytes[bytes.count - 1]))
    }

    private static func otherCase(_ byte: UInt8) -> UInt8 {
        (0x61...0x7A).contains(byte | 0x20) ? byte ^ 0x20 : byte
    }

    package var count: Int { bytes.count }

    /// The first index of the needle at or after `start`; nil if there is none.
    /// - Parameter limit: where the needle has to end at the latest; nil for the end of the haystack.
    package func firstIndex(in haystack: Span<UInt8>, from start: Int = 0, to limit: Int? = nil) -> Int? {
        let end = limit ?? haystack.count
        precondition(start >= 0 && start <= end && end <= haystack.count)
        let lastStart = end - bytes.count
        guard start <= lastStart else { return nil }
        return unsafe haystack.withUnsafeBytes { (buffer: UnsafeRawBufferPointer) -> Int? in
            guard let base = buffer.baseAddress else { return nil }
            // SAFETY: every load is of 16 bytes at position + offset, with position at most lastStart - 63 and
            // offset less than the needle's length, so it ends inside the haystack.
            var position = start
            while position + Self.stride - 1 <= lastStart {
                if let found = unsafe match(base, position) { return found }
                position += Self.stride
            }
            guard position <= lastStart else { return nil }
            // Check the rest together with some offsets checked before, if there are enough of them.
            if lastStart - start >= Self.stride - 1 {
                return unsafe match(base, lastStart - Self.stride + 1)
            }
            while position <= lastStart {
                let isCandidate = ignoresCase || haystack[position + rarestOffset] == rarest[0]
                if isCandidate, unsafe stands(base, position) { return position }
                position += 1
            }
            return nil
        }
    }

    /// The first match at the 64 offsets from `position` on.
    @inline(__always)
    private func match(_ base: UnsafeRawPointer, _ position: Int) -> Int? {
        let left = unsafe base + position + rarestOffset
        let right = unsafe base + position + bytes.count - 1
        let hits0 = unsafe hits(left, right)
        let hits1 = unsafe hits(left + 16, right + 16)
        let hits2 = unsafe hits(left + 32, right + 32)
        let hits3 = unsafe hits(left + 48, right + 48)
        let any = Self.words((hits0 .| hits1) .| (hits2 .| hits3))
        guard any.x | any.y != 0 else { return nil }
        return unsafe verified(base, position, hits0) ?? verified(base, position + 16, hits1)
            ?? verified(base, position + 32, hits2) ?? verified(base, position + 48, hits3)
    }

    @inline(__always)
    private func hits(_ left: UnsafeRawPointer, _ right: UnsafeRawPointer) -> SIMDMask<SIMD16<Int8>> {
        let (left, right) = unsafe (left.loadUnaligned(as: Lanes.self), right.loadUnaligned(as: Lanes.self))
        guard ignoresCase else { return (left .== rarest) .& (right .== last) }
        return ((left .== rarest) .| (left .== otherRarest)) .& ((right .== last) .| (right .== otherLast))
    }

    /// The mask's lanes: a byte of ones for each hit.
    @inline(__always)
    private static func words(_ mask: SIMDMask<SIMD16<Int8>>) -> SIMD2<UInt64> {
        // SAFETY: both are sixteen bytes without padding.
        unsafe unsafeBitCast(mask, to: SIMD2<UInt64>.self)
    }

    @inline(__always)
    private func verified(_ base: UnsafeRawPointer, _ position: Int, _ mask: SIMDMask<SIMD16<Int8>>) -> Int? {
        let words = Self.words(mask)
        for half in 0..<2 {
            var word = UInt64(littleEndian: words[half])
            while word != 0 {
                let lane = word.trailingZeroBitCount / 8
                if unsafe stands(base, position + half * 8 + lane) { return position + half * 8 + lane }
                word &= ~(0xFF << UInt64(lane * 8))
            }
        }
        return nil
    }

    private func stands(_ base: UnsafeRawPointer, _ position: Int) -> Bool {
        guard ignoresCase else { return unsafe memcmp(base + position, bytes, bytes.count) == 0 }
        return bytes.indices.allSatisfy { index in
            let (one, two) = unsafe (base.load(fromByteOffset: position + index, as: UInt8.self), bytes[index])
            return one == two || one == Self.otherCase(two)
        }
    }
}

/// How common a byte is in the JSON of Western text, so that searches can look for the rarest first.
enum ByteFrequency {
    /// The higher, the more common; 0 for the rare ones.
    static func of(_ byte: UInt8) -> Int {
        let common: StaticString = "\" ,:esaitnorl/mdhcpug.0123456789[]_"
        let bytes = common.bytes
        return bytes.count - (bytes.firstIndex(of: byte) ?? bytes.count)
    }
}
