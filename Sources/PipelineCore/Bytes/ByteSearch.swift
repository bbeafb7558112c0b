// Searches, compares and appends runs of bytes.

#if canImport(Darwin)
import Darwin
#else
import Glibc
#endif

extension Span where Element == UInt8 {
    /// The first index of the byte at or after `start`; nil if there is none.
    package func firstIndex(of byte: UInt8, from start: Int = 0) -> Int? {
        precondition(start >= 0 && start <= count)
        return unsafe withUnsafeBytes { buffer in
            guard let base = buffer.baseAddress else { return nil }
            // SAFETY: memchr reads count - start bytes, all inside the buffer.
            guard let found = unsafe memchr(base + start, Int32(byte), buffer.count - start) else { return nil }
            return unsafe found - UnsafeMutableRawPointer(mutating: base)
        }
    }

    /// Whether there are only spaces, tabs and carriage returns.
    package var isBlank: Bool {
        for index in indices where self[index] != 0x20 && self[index] != 0x09 && self[index] != 0x0D {
            return false
        }
        return true
    }

    /// Whether it begins with `{` and ends with `}`, apart from trailing spaces, tabs and carriage returns.
    package var isEnclosedInBraces: Bool {
        var end = count
        while end > 0, self[end - 1] == 0x20 || self[end - 1] == 0x09 || self[end - 1] == 0x0D { end -= 1 }
        return end >= 2 && self[0] == UInt8(ascii: "{") && self[end - 1] == UInt8(ascii: "}")
    }

    package func equals(_ other: Span<UInt8>) -> Bool {
        guard count == other.count else { return false }
        return unsafe withUnsafeBytes { left in
            unsafe other.withUnsafeBytes { right in
                guard let left = left.baseAddress, let right = right.baseAddress else { return true }
                return unsafe memcmp(left, right, count) == 0
            }
        }
    }

    /// Whether the piece's bytes are at the index. For short pieces this is faster than a call.
    @inline(__always)
    func holds(_ piece: Span<UInt8>, at index: Int) -> Bool {
        let size = piece.count
        guard index >= 0, index &+ size <= count else { return false }
        return unsafe withUnsafeBytes { buffer in
            unsafe piece.withUnsafeBytes { piece in
                guard let left = unsafe buffer.baseAddress?.advanced(by: index), let right = piece.baseAddress
                else {
                    return true
                }
                // SAFETY: both have `size` bytes from here on.
                guard size >= 8 else { return unsafe ShortBytes.word(left, size) == ShortBytes.word(right, size) }
                var position = 0
                while position &+ 8 < size {
                    let word = unsafe left.loadUnaligned(fromByteOffset: position, as: UInt64.self)
                    guard unsafe word == right.loadUnaligned(fromByteOffset: position, as: UInt64.self) else {
                        return false
                    }
                    position &+= 8
                }
                let last = unsafe left.loadUnaligned(fromByteOffset: size &- 8, as: UInt64.self)
                return unsafe last == right.loadUnaligned(fromByteOffset: size &- 8, as: UInt64.self)
            }
        }
    }

    /// Whether these are the text's bytes in UTF-8.
    package func equals(_ text: StaticString) -> Bool {
        guard count == text.utf8CodeUnitCount, text.hasPointerRepresentation else { return false }
        return unsafe withUnsafeBytes { buffer in
            guard let base = buffer.baseAddress else { return true }
            return unsafe memcmp(base, text.utf8Start, count) == 0
        }
    }

    /// Feeds the bytes to a hasher in one call.
    package func hash(into hasher: inout Hasher) {
        unsafe withUnsafeBytes { unsafe hasher.combine(bytes: $0) }
    }

    /// The bytes as text; U+FFFD replaces anything that isn't UTF-8.
    package var text: String {
        unsafe withUnsafeBytes { unsafe String(decoding: $0, as: UTF8.self) }
    }
}

extension Span where Element == UInt8 {
    /// Eight bytes as a number, the first one lowest.
    @inline(__always)
    func word(at index: Int) -> UInt64 {
        precondition(index >= 0 && index &+ 8 <= count)
        return unsafe bytes.unsafeLoadUnaligned(fromByteOffset: index, as: UInt64.self).littleEndian
    }

    /// Whether no byte has its top bit set.
    var isASCII: Bool {
        var index = 0
        while index &+ 8 <= count {
            let word = unsafe bytes.unsafeLoadUnaligned(fromByteOffset: index, as: UInt64.self)
            if word & 0x8080_8080_8080_8080 != 0 { return false }
            index &+= 8
        }
        while index < count {
            if self[index] >= 0x80 { return false }
            index &+= 1
        }
        return true
    }

    /// The size of the byte order mark (U+FEFF) at the start of the text; 0 if it has none.
    package var byteOrderMarkSize: Int {
        count >= 3 && self[0] == 0xEF && self[1] == 0xBB && self[2] == 0xBF ? 3 : 0
    }

    package var array: [UInt8] { unsafe withUnsafeBufferPointer { unsafe Array($0) } }
}

extension [UInt8] {
    /// Uninitialized bytes, which take no memory until they are written to.
    static func untouched(_ count: Int) -> [UInt8] {
        unsafe [UInt8](unsafeUninitializedCapacity: count) { _, filled in filled = count }
    }

    /// Appends the bytes in one copy.
    package mutating func append(_ bytes: Span<UInt8>) {
        unsafe bytes.withUnsafeBufferPointer { unsafe append(contentsOf: $0) }
    }

    /// Appends the text's bytes in one copy.
    @inline(__always)
    mutating func append(_ text: StaticString) {
        unsafe append(contentsOf: UnsafeBufferPointer(start: text.utf8Start, count: text.utf8CodeUnitCount))
    }

    /// Appends a number in decimal digits.
    package mutating func appendDecimal(_ value: UInt64) { append(contentsOf: String(value).utf8) }
}

/// Whether a text contains a string of bytes, optionally in any ASCII case. Checks thirty-two offsets together, and
/// compares the whole literal where its first and last byte match.
///
///     text     o l d . m i c k e y     first: m or M    last: y or Y, five bytes on
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

/// How common a byte is in the JSON of Western text, so that searches can look for the rarest first.
enum ByteFrequency {
    /// The higher, the more common; 0 for the rare ones.
    static func of(_ byte: UInt8) -> Int {
        let common: StaticString = "\" ,:esaitnorl/mdhcpug.0123456789[]_"
        let bytes = common.bytes
        var position = 0
        while position < bytes.count, bytes[position] != byte { position += 1 }
        return bytes.count - position
    }
}
