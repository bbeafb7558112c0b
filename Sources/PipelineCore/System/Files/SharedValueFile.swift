// A number that the processes of a machine share: eight bytes in a file, read and changed under a lock that is held
// only for that moment. A killed process leaves the old number or the new one, and no lock.

#if canImport(Darwin)
import Darwin
#else
import Glibc
#endif

/// A number in a file, initially 0. Not thread-safe.
package final class SharedValueFile {
    private let path: String
    private var descriptor: Int32

    /// Opens the file; a missing one is created, for this user only.
    package init(_ path: String) throws(SystemError) {
        self.path = path
        descriptor = try Self.opened(path)
    }

    deinit { _ = close(descriptor) }

    /// - Throws: `SystemError.notOurs` for a file that holds anything but a number.
    private static func opened(_ path: String) throws(SystemError) -> Int32 {
        let flags = O_RDWR | O_CREAT | O_NOFOLLOW
        let opened = try Descriptor.regular(path, in: AT_FDCWD, flags, path: path)
        guard isNumber(opened.status) else {
            opened.close()
            throw SystemError(code: SystemError.notOurs, operation: "use", subject: path)
        }
        return opened.descriptor.rawValue
    }

    private static func isNumber(_ status: FileLocation.Status) -> Bool {
        status.isRegular && (status.bytes == 0 || status.bytes == MemoryLayout<Int64>.size)
    }

    /// Changes the number.
    /// - Parameter new: takes the number and returns the new one, or nil to leave it.
    /// - Returns: false if another process is changing it; nothing is done then.
    package func change(_ new: (Int64) -> Int64?) throws(SystemError) -> Bool {
        guard uninterrupted(endsOnRequest: true, { flock(descriptor, LOCK_EX | LOCK_NB) }) == 0 else {
            if errno == EWOULDBLOCK { return false }
            throw .last("lock", path)
        }
        defer { _ = flock(descriptor, LOCK_UN) }
        var status = stat()
        guard unsafe fstat(descriptor, &status) == 0, status.st_nlink > 0 else {
            // The file has been removed since; the other processes use a new one.
            _ = close(descriptor)
            descriptor = try Self.opened(path)
            return false
        }
        var number: Int64 = 0
        let count = unsafe withUnsafeMutableBytes(of: &number) {
            // SAFETY: the buffer is the number.
            unsafe pread(descriptor, $0.baseAddress, $0.count, 0)
        }
        guard count >= 0 else { throw .last("read", path) }
        guard var changed = new(count == MemoryLayout<Int64>.size ? number : 0) else { return true }
        let written = unsafe withUnsafeBytes(of: &changed) {
            // SAFETY: the buffer is the number.
            unsafe pwrite(descriptor, $0.baseAddress, $0.count, 0)
        }
        guard written == MemoryLayout<Int64>.size else { throw .last("write to", path) }
        return true
    }

    /// Removes the numbers in a directory that haven't changed for `seconds`, and nothing else. A time that far in
    /// the future is from before the clock was set back. A symlink to a directory isn't followed.
    /// - Parameter prefix: of the names of numbers.
    package static func removeUnused(in directory: String, prefix: String, seconds: Double) throws(SystemError) {
        let number = unsafe open(directory.fileBytes, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC)
        guard number >= 0 else { throw .last("open", directory) }
        defer { _ = close(number) }
        let listed = unsafe openat(number, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        guard listed >= 0 else { throw .last("read", directory) }
        let now = WallClock.epochSeconds
        for name in Directory.names(takingOver: listed) where name.hasPrefix(prefix) {
            var status = stat()
            guard unsafe fstatat(number, name.fileBytes, &status, AT_SYMLINK_NOFOLLOW) == 0 else { continue }
            let found = FileLocation.Status(status)
            if isNumber(found), abs(now - found.modifiedSeconds) > seconds {
                unsafe unlinkat(number, name.fileBytes, 0)
            }
        }
    }
}
