// The only fast scans over raw bytes: pointers stay inside this folder and System.

#if canImport(Darwin)
import Darwin
#else
import Glibc
#endif

extension Span where Element == UInt8 {
    /// The index of the first such byte at `start` or after it, nil where there is none.
    package func firstIndex(of byte: UInt8, from start: Int = 0) -> Int? {
        precondition(start >= 0 && start <= count)
        return unsafe withUnsafeBytes { buffer in
            guard let base = buffer.baseAddress else { return nil }
            // SAFETY: memchr looks at count - start bytes, all inside the buffer.
            guard let found = unsafe memchr(base + start, Int32(byte), buffer.count - start) else { return nil }
            return unsafe found - UnsafeMutableRawPointer(mutating: base)
        }
    }

    /// Whether both hold the same bytes.
    package func equals(_ other: Span<UInt8>) -> Bool {
        guard count == other.count else { return false }
        return unsafe withUnsafeBytes { left in
            unsafe other.withUnsafeBytes { right in
                guard let left = left.baseAddress, let right = right.baseAddress else { return true }
                return unsafe memcmp(left, right, count) == 0
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

    /// The bytes as text; where they aren't UTF-8, U+FFFD stands for what is wrong.
    package var text: String {
        unsafe withUnsafeBytes { unsafe String(decoding: $0, as: UTF8.self) }
    }
}

extension [UInt8] {
    /// Appends the bytes in one copy.
    package mutating func append(_ bytes: Span<UInt8>) {
        unsafe bytes.withUnsafeBufferPointer { unsafe append(contentsOf: $0) }
    }
}
