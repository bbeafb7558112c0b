// A file of pages that several processes read and change at once. Each page is read and written with one call, and
// its content must show whether it is whole.

#if canImport(Darwin)
import Darwin
#else
import Glibc
#endif

/// An open file of pages of equal size.
package final class PageFile: Sendable {
    /// The page size of file systems and memory, in bytes.
    package static let pageBytes = 4096

    private let descriptor: Descriptor

    /// Opens the file; a missing one is created, for this user only.
    package init(_ path: String) throws(SystemError) {
        let flags = O_RDWR | O_CREAT | O_NOFOLLOW
        descriptor = try Descriptor.regular(path, in: AT_FDCWD, flags, path: path).descriptor
    }

    deinit { descriptor.closeUnchecked() }

    /// The number of whole pages in the file.
    package var pageCount: Int { (descriptor.fileSize ?? 0) / Self.pageBytes }

    /// Reads pages. Those that don't exist or can't be read become zeros.
    /// - Parameter pages: a whole number of pages, all of which are filled.
    package func read(_ pages: inout [UInt8], at number: Int) {
        var filled = 0
        do throws(SystemError) { filled = try descriptor.read(into: &pages, at: number * Self.pageBytes) } catch {
            // A page of zeros counts as missing.
        }
        for index in filled..<pages.count { pages[index] = 0 }
    }

    package func write(_ pages: [UInt8], at number: Int) throws(SystemError) {
        try descriptor.writeAll(pages.span, at: number * Self.pageBytes)
    }

    /// Does what only one process may do at a time, as far as the file system has locks.
    /// - Returns: nil if another process is doing it now.
    package func alone<Result>(_ body: () throws(SystemError) -> Result) throws(SystemError) -> Result? {
        guard flock(descriptor.rawValue, LOCK_EX | LOCK_NB) == 0 || errno != EWOULDBLOCK else { return nil }
        defer { _ = flock(descriptor.rawValue, LOCK_UN) }
        return try body()
    }
}
