// A number that the processes of a machine share: eight bytes in a file, read and changed under a lock that is held for
// that moment only. A process that is killed leaves the old number or the new one, and no lock.

#if canImport(Darwin)
import Darwin
#else
import Glibc
#endif

/// A number in a file; 0 at first. Not for several threads.
package final class SharedNumber {
    private let path: String
    private var descriptor: Int32

    /// Opens the file; it is made where it is missing, for this user only.
    package init(_ path: String) throws(SystemError) {
        self.path = path
        descriptor = try Self.opened(path)
    }

    deinit { _ = close(descriptor) }

    private static func opened(_ path: String) throws(SystemError) -> Int32 {
        let number = unsafe open(path, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0o600)
        guard number >= 0 else { throw .last("open", path) }
        return number
    }

    /// Changes the number.
    /// - Parameter new: takes the number and gives the new one, or nil to leave it.
    /// - Returns: false where another process changes it just now; nothing has been done then.
    package func change(_ new: (Int64) -> Int64?) throws(SystemError) -> Bool {
        while flock(descriptor, LOCK_EX | LOCK_NB) != 0 {
            if errno == EWOULDBLOCK { return false }
            guard errno == EINTR, !Interruption.isRequested else { throw .last("lock", path) }
        }
        defer { _ = flock(descriptor, LOCK_UN) }
        var status = stat()
        guard unsafe fstat(descriptor, &status) == 0, status.st_nlink > 0 else {
            // Somebody has removed the file since: the others meet at a new one.
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

    /// Removes the numbers in a directory that nobody has changed for so long. One that was changed as far in the future is from
    /// before the clock was set back.
    package static func removeUnused(in directory: String, seconds: Double) throws(SystemError) {
        let folder = try WholeFileFolder(reading: directory)
        let now = WallClock.epochSeconds
        for name in folder.names() where abs(now - (folder.status(of: name)?.modifiedSeconds ?? now)) > seconds {
            folder.remove(name)
        }
    }
}
