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
    /// The size of an open file in bytes.
    func size() throws(SystemError) -> Int {
        var status = stat()
        guard unsafe fstat(rawValue, &status) == 0 else { throw .last("look at", name) }
        return Int(status.st_size)
    }

    /// Whether it can be read at any place, as a pipe can't.
    package func isSeekable() throws(SystemError) -> Bool {
        var status = stat()
        guard unsafe fstat(rawValue, &status) == 0 else { throw .last("look at", name) }
        return status.st_mode & S_IFMT == S_IFREG
    }

    /// Copies what can be read to the end of a file.
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

    /// Which of two files has failed.
    package enum CopyError: Error {
        case source(SystemError)
        case target(SystemError)
    }

    /// Reads from a place of a file until the bytes are full or the file ends.
    /// - Returns: the number of bytes read.
    package func read(into bytes: inout [UInt8], at offset: Int) throws(SystemError) -> Int {
        try read(into: &bytes, 0..<bytes.count, at: offset)
    }

    /// Reads from a place of a file until the range is full or the file ends.
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

    /// Reads from a place of a file what one call gives.
    /// - Returns: the number of bytes read; 0 at the end.
    func readOnce(into bytes: inout [UInt8], _ range: Range<Int>, at offset: Int) throws(SystemError) -> Int {
        precondition(range.lowerBound >= 0 && range.upperBound <= bytes.count)
        while true {
            let count = unsafe bytes.withUnsafeMutableBytes { buffer in
                // SAFETY: the range was checked against the buffer.
                let part = unsafe UnsafeMutableRawBufferPointer(rebasing: buffer[range])
                return unsafe pread(rawValue, part.baseAddress, part.count, off_t(offset))
            }
            if count >= 0 { return count }
            guard errno == EINTR else { throw .last("read", name) }
        }
    }
}
