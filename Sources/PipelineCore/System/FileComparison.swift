// Whether two files hold the same bytes, a block at a time.

#if canImport(Darwin)
import Darwin
#else
import Glibc
#endif

/// Compares files of any size in constant memory.
enum FileComparison {
    private static let blockSize = 262_144

    /// Compares two open files from their beginnings; their places for reading and writing stay where they are.
    static func areEqual(_ left: Descriptor, _ right: Descriptor) throws(SystemError) -> Bool {
        var first = [UInt8](repeating: 0, count: blockSize)
        var second = first
        var offset = 0
        while true {
            let count = try left.read(into: &first, at: offset)
            guard try right.read(into: &second, at: offset) == count else { return false }
            guard count > 0 else { return true }
            guard first.span.extracting(..<count).equals(second.span.extracting(..<count)) else { return false }
            offset += count
        }
    }
}

extension Descriptor {
    /// Reads from a place of a file until the bytes are full or the file ends.
    /// - Returns: the number of bytes read.
    package func read(into bytes: inout [UInt8], at offset: Int) throws(SystemError) -> Int {
        var filled = 0
        while filled < bytes.count {
            let count = unsafe bytes.withUnsafeMutableBytes { buffer in
                // SAFETY: the rest of the buffer, which outlives the call.
                let rest = unsafe UnsafeMutableRawBufferPointer(rebasing: buffer[filled...])
                return unsafe pread(rawValue, rest.baseAddress, rest.count, off_t(offset + filled))
            }
            if count == 0 { break }
            if count > 0 { filled += count } else if errno != EINTR { throw .last("read", name) }
        }
        return filled
    }
}
