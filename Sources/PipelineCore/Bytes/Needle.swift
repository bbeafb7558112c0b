// Finds a short run of bytes in long ones: compares two of its bytes at sixty-four offsets at once, and the rest
// only where both match.
//
//     needle  "name"      the two that are rarest in JSON: m and a, three and two bytes from its start
//     bytes   {"_id":6,"name":"Mick"}
//                       ^ both match: compare the whole needle here
//
// Benchmarks/filter-search, words with typing errors: with the rarest byte 1.04 times as fast as with the first.

#if canImport(Darwin)
import Darwin
#else
import Glibc
#endif

/// The bytes to look for, prepared for a fast search.
package struct Needle: Sendable {
    private typealias Lanes = SIMD16<UInt8>
    /// Offsets compared in one step.
    private static let stride = 64

    private let bytes: [UInt8]
    private let first: Lanes
    private let second: Lanes
    private let firstOffset: Int
    private let secondOffset: Int
    /// The first bytes, at most eight, the first one lowest, and a mask of ones over them.
    private let head: UInt64
    private let headMask: UInt64

    /// - Parameters:
    ///   - bytes: at least one.
    ///   - isQuoted: whether the last byte is a quote. Letters tend to follow certain others, a quote follows any:
    ///     the rarest byte and the last rule out more than the two rarest.
    package init(_ bytes: [UInt8], isQuoted: Bool = false) {
        precondition(!bytes.isEmpty)
        self.bytes = bytes
        let rarest = bytes.indices.sorted { ByteFrequency.of(bytes[$0]) < ByteFrequency.of(bytes[$1]) }
        firstOffset = rarest[0]
        let other = rarest.first { bytes[$0] != bytes[rarest[0]] } ?? rarest[0]
        secondOffset = isQuoted ? bytes.count - 1 : other
        let headCount = min(bytes.count, 8)
        head = bytes[..<headCount].reversed().reduce(0) { $0 << 8 | UInt64($1) }
        headMask = .max >> UInt64(64 - 8 * headCount)
        first = Lanes(repeating: bytes[firstOffset])
        second = Lanes(repeating: bytes[secondOffset])
    }

    package var count: Int { bytes.count }

    /// The first index of the needle at or after `start`; nil if there is none.
    package func firstIndex(in haystack: Span<UInt8>, from start: Int = 0) -> Int? {
        firstIndex(in: haystack, from: start, to: haystack.count)
    }

    /// The same for a needle that ends at or before `end`.
    func firstIndex(in haystack: Span<UInt8>, from start: Int, to end: Int) -> Int? {
        precondition(start >= 0 && start <= end && end <= haystack.count)
        let lastStart = end - bytes.count
        guard start <= lastStart else { return nil }
        return unsafe haystack.withUnsafeBytes { (buffer: UnsafeRawBufferPointer) -> Int? in
            guard let base = buffer.baseAddress else { return nil }
            // SAFETY: every load is of 16 bytes at position + offset, with position at most lastStart - 63 and
            // offset less than the needle's length, so it ends inside the haystack.
            let limit = buffer.count
            var position = start
            while position + Self.stride - 1 <= lastStart {
                if let found = unsafe match(base, position, limit) { return found }
                position += Self.stride
            }
            guard position <= lastStart else { return nil }
            // Check the rest together with some offsets checked before, if there are enough of them.
            if lastStart - start >= Self.stride - 1 {
                return unsafe match(base, lastStart - Self.stride + 1, limit)
            }
            while position <= lastStart {
                if haystack[position + firstOffset] == first[0], unsafe stands(base, position, limit) {
                    return position
                }
                position += 1
            }
            return nil
        }
    }

    /// The first match at the 64 offsets from `position` on.
    @inline(__always)
    private func match(_ base: UnsafeRawPointer, _ position: Int, _ limit: Int) -> Int? {
        let left = unsafe base + position + firstOffset
        let right = unsafe base + position + secondOffset
        let hits0 = unsafe hits(left, right)
        let hits1 = unsafe hits(left + 16, right + 16)
        let hits2 = unsafe hits(left + 32, right + 32)
        let hits3 = unsafe hits(left + 48, right + 48)
        let any = Self.words((hits0 .| hits1) .| (hits2 .| hits3))
        guard any.x | any.y != 0 else { return nil }
        return unsafe verified(base, position, limit, hits0) ?? verified(base, position + 16, limit, hits1)
            ?? verified(base, position + 32, limit, hits2) ?? verified(base, position + 48, limit, hits3)
    }

    @inline(__always)
    private func hits(_ left: UnsafeRawPointer, _ right: UnsafeRawPointer) -> SIMDMask<SIMD16<Int8>> {
        unsafe (left.loadUnaligned(as: Lanes.self) .== first) .& (right.loadUnaligned(as: Lanes.self) .== second)
    }

    /// The mask's lanes: a byte of ones for each hit.
    @inline(__always)
    private static func words(_ mask: SIMDMask<SIMD16<Int8>>) -> SIMD2<UInt64> {
        // SAFETY: both are sixteen bytes without padding.
        unsafe unsafeBitCast(mask, to: SIMD2<UInt64>.self)
    }

    @inline(__always)
    private func verified(
        _ base: UnsafeRawPointer, _ position: Int, _ limit: Int, _ mask: SIMDMask<SIMD16<Int8>>
    ) -> Int? {
        let words = Self.words(mask)
        for half in 0..<2 {
            var word = UInt64(littleEndian: words[half])
            while word != 0 {
                let lane = word.trailingZeroBitCount / 8
                if unsafe stands(base, position + half * 8 + lane, limit) { return position + half * 8 + lane }
                word &= ~(0xFF << UInt64(lane * 8))
            }
        }
        return nil
    }

    /// - Parameter limit: the number of bytes at `base`; the needle ends within it.
    @inline(__always)
    private func stands(_ base: UnsafeRawPointer, _ position: Int, _ limit: Int) -> Bool {
        guard position + 8 <= limit else { return unsafe memcmp(base + position, bytes, bytes.count) == 0 }
        // SAFETY: eight bytes are left.
        let word = unsafe UInt64(littleEndian: (base + position).loadUnaligned(as: UInt64.self))
        guard word & headMask == head else { return false }
        return unsafe bytes.count <= 8 || memcmp(base + position, bytes, bytes.count) == 0
    }
}
