// What a file needs before it replaces another: the other's owner and mode, and its bytes on the disk.

#if canImport(Darwin)
import Darwin
#else
import Glibc
#endif

extension Descriptor {
    /// Waits until the file is on the disk. A failure isn't retried: by then the system has dropped the data.
    /// - Parameters:
    ///   - operation: what failed, for the message.
    ///   - path: the file as the user named it.
    func synchronize(_ operation: String, _ path: String) throws(SystemError) {
        #if canImport(Darwin)
        if fcntl(rawValue, F_FULLFSYNC) == 0 { return }
        guard errno == ENOTSUP || errno == EINVAL else { throw .last(operation, path) }
        #endif
        guard uninterrupted({ fsync(rawValue) }) == 0 else { throw .last(operation, path) }
    }

    /// Waits until the names in a directory are on the disk.
    /// - Parameter path: the file whose name matters.
    func synchronizeDirectory(of path: String) throws(SystemError) {
        do throws(SystemError) {
            try synchronize("synchronize the directory of", path)
        } catch {
            // Some file systems don't support this for directories, and don't need it.
            guard error.code == EINVAL || error.code == ENOTSUP || error.code == EBADF else { throw error }
        }
    }

    /// Gives the new file the mode and the owner of the old one, or the default mode of a new file.
    /// - Parameter isPrivate: its mode lets nobody else read it.
    func takeOver(_ old: FileLocation.Status?, isPrivate: Bool) throws(SystemError) {
        if let old, old.user != geteuid() || old.group != getegid() {
            guard fchown(rawValue, old.user, old.group) == 0 else { throw .last("keep the owner of", name) }
        }
        let mode = isPrivate ? 0o600 : mode_t(old?.mode ?? UInt32(0o666 & ~Self.creationMask))
        guard fchmod(rawValue, mode) == 0 else {
            throw .last("keep the mode of", name)
        }
    }

    /// The mask of the process, which can only be read by setting it.
    private static let creationMask: mode_t = {
        let mask = umask(0o077)
        _ = umask(mask)
        return mask
    }()
}
