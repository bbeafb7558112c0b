// Searches, compares and appends runs of bytes.

import CLibrary

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

    @inline(__always)
    func holds(_ piece: Span<UInt8>, at index: Int) -> Bool {
        let size = piece.count
        guard index >= 0, index &+ size <= count else { return false }
        return extracting(index..<index &+ size).equals(piece)
    }

    package func equals(_ text: StaticString) -> Bool { equals(text.bytes) }

    /// The bytes as text; U+FFFD replaces anything that isn't UTF-8.
    package var text: String {
        unsafe withUnsafeBytes { unsafe String(decoding: $0, as: UTF8.self) }
    }

    /// Eight bytes as a number, the first one lowest.
    @inline(__always)
    func word(at index: Int) -> UInt64 {
        precondition(index >= 0 && index &+ 8 <= count)
        return unsafe bytes.unsafeLoadUnaligned(fromByteOffset: index, as: UInt64.self).littleEndian
    }

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

extension BidirectionalCollection {
    /// The elements without those at both ends that are to go.
    package func trimmed(_ isDropped: (Element) -> Bool) -> SubSequence {
        let rest = drop(while: isDropped)
        return rest[..<(rest.lastIndex { !isDropped($0) }.map(rest.index(after:)) ?? rest.endIndex)]
    }
}

extension String {
    package func padded(to width: Int) -> String {
        String(repeating: "0", count: max(0, width - utf8.count)) + self
    }
}

extension [UInt8] {
    /// Uninitialized bytes, which take no memory until they are written to.
    static func untouched(_ count: Int) -> [UInt8] {
        unsafe [UInt8](unsafeUninitializedCapacity: count) { _, filled in filled = count }
    }

    package mutating func append(_ bytes: Span<UInt8>) {
        unsafe bytes.withUnsafeBufferPointer { unsafe append(contentsOf: $0) }
    }

    @inline(__always)
    mutating func append(_ text: StaticString) {
        unsafe append(contentsOf: UnsafeBufferPointer(start: text.utf8Start, count: text.utf8CodeUnitCount))
    }
}
