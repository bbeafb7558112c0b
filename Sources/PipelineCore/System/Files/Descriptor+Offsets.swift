// Reads and writes at offsets of a file, and copies it.

#if canImport(Darwin)
import Darwin
#else
import Glibc
#endif

extension Descriptor {
    /// Moves the offset of a regular file; does nothing to anything else.
    package func seek(by bytes: Int) {
        if fileSize != nil { lseek(rawValue, off_t(bytes), SEEK_CUR) }
    }

    /// Moves the offset of a regular file to a place; does nothing to anything else.
    package func seek(to offset: Int) {
        if fileSize != nil { lseek(rawValue, off_t(offset), SEEK_SET) }
    }

    /// Reads at an offset until the bytes are full or the file ends.
    /// - Returns: the number of bytes read.
    package func read(into bytes: inout [UInt8], at offset: Int) throws(SystemError) -> Int {
        try read(into: &bytes, 0..<bytes.count, at: offset)
    }

    /// Reads at an offset until the range is full or the file ends.
    /// - Returns: the number of bytes read.
    package func read(into bytes: inout [UInt8], _ range: Range<Int>, at offset: Int) throws(SystemError) -> Int {
        var filled = 0
        while filled < range.count {
            let rest = range.lowerBound + filled..<range.upperBound
            let count = try readOnce(into: &bytes, rest, at: offset + filled)
            if count == 0 { break }
            filled += count
        }
        return filled
    }

    /// Reads at an offset with a single call.
    /// - Returns: the number of bytes read; 0 at the end.
    func readOnce(into bytes: inout [UInt8], _ range: Range<Int>, at offset: Int) throws(SystemError) -> Int {
        precondition(range.lowerBound >= 0 && range.upperBound <= bytes.count)
        let count = unsafe bytes.withUnsafeMutableBytes { buffer in
            // SAFETY: the range was checked against the buffer.
            let part = unsafe UnsafeMutableRawBufferPointer(rebasing: buffer[range])
            return uninterrupted { unsafe pread(rawValue, part.baseAddress, part.count, off_t(offset)) }
        }
        guard count >= 0 else { throw .last("read", name) }
        return count
    }

    /// Writes all bytes at an offset.
    func writeAll(_ bytes: Span<UInt8>, at offset: Int) throws(SystemError) {
        var rest = bytes
        while !rest.isEmpty {
            let count = unsafe rest.withUnsafeBytes { buffer in
                // SAFETY: the pointer and the count are of one buffer that outlives the call.
                uninterrupted {
                    unsafe pwrite(
                        rawValue, buffer.baseAddress, buffer.count, off_t(offset + bytes.count - rest.count))
                }
            }
            guard count > 0 else { throw .last("write to", name) }
            rest = rest.extracting(count...)
        }
    }

    /// Copies everything that is left to read, and appends it to a file.
    package func copy(to file: Descriptor) throws(CopyError) {
        var block = [UInt8](repeating: 0, count: 262_144)
        while true {
            let count: Int
            do throws(SystemError) { count = try read(into: &block, 0..<block.count) } catch {
                throw .source(error)
            }
            if count == 0 { return }
            do throws(SystemError) {
                try file.writeAll(block.span.extracting(..<count))
            } catch {
                throw .target(error)
            }
        }
    }

    /// Which of the two files failed.
    package enum CopyError: Error {
        case source(SystemError)
        case target(SystemError)
    }
}
