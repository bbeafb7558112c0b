// A file of pages that several processes read and change at once: each page is read and written with one call, and what
// a page holds must tell whether it is whole.

#if canImport(Darwin)
import Darwin
#else
import Glibc
#endif

/// An open file of pages of equal size.
package final class PageFile: Sendable {
    /// Bytes of a page: what file systems and memory deal in.
    package static let pageBytes = 4096

    private let path: String
    private let descriptor: Int32

    /// Opens the file; it is made where it is missing, for this user only.
    package init(_ path: String) throws(SystemError) {
        self.path = path
        let flags = O_RDWR | O_CREAT | O_NOFOLLOW
        descriptor = try Descriptor.regular(path, in: AT_FDCWD, flags, path: path).descriptor.rawValue
    }

    deinit { _ = close(descriptor) }

    /// Whole pages in the file.
    package var pageCount: Int {
        var status = stat()
        return unsafe fstat(descriptor, &status) == 0 ? Int(status.st_size) / Self.pageBytes : 0
    }

    /// Reads pages. Those that aren't there, or can't be read, come as zeros.
    /// - Parameter pages: a whole number of pages, all of which are filled.
    package func read(_ pages: inout [UInt8], at number: Int) {
        var filled = 0
        while filled < pages.count {
            let count = unsafe pages.withUnsafeMutableBytes { buffer in
                // SAFETY: the buffer has that many bytes after `filled`.
                unsafe pread(
                    descriptor, buffer.baseAddress?.advanced(by: filled), buffer.count - filled,
                    off_t(number * Self.pageBytes + filled))
            }
            if count < 0, errno == EINTR { continue }
            guard count > 0 else { break }
            filled += count
        }
        for index in filled..<pages.count { pages[index] = 0 }
    }

    /// Writes pages.
    package func write(_ pages: [UInt8], at number: Int) throws(SystemError) {
        var written = 0
        while written < pages.count {
            let count = unsafe pages.withUnsafeBytes { buffer in
                // SAFETY: the buffer has that many bytes after `written`.
                unsafe pwrite(
                    descriptor, buffer.baseAddress?.advanced(by: written), buffer.count - written,
                    off_t(number * Self.pageBytes + written))
            }
            if count < 0, errno == EINTR { continue }
            guard count > 0 else { throw .last("write to", path) }
            written += count
        }
    }

    /// Does what only one process may do at a time, as far as the file system has locks.
    /// - Returns: nil where another process does it just now.
    package func alone<Result>(_ body: () throws(SystemError) -> Result) throws(SystemError) -> Result? {
        guard flock(descriptor, LOCK_EX | LOCK_NB) == 0 || errno != EWOULDBLOCK else { return nil }
        defer { _ = flock(descriptor, LOCK_UN) }
        return try body()
    }
}
