// Removing files that nothing uses, while no other run can begin to use one of them.

#if canImport(Darwin)
import Darwin
#else
import Glibc
#endif

extension AtomicDirectory {
    /// Whether a name in the directory is that of one of its directories, `00` to `ff`.
    package static func isFolder(_ name: String) -> Bool {
        name.utf8.count == 2 && Debris.isHexadecimal(name.utf8)
    }

    /// Runs `body` while no other run has the directory open. One that opens it meanwhile waits for the end of `body`,
    /// so keep it short.
    /// - Throws: `SystemError.isInUse` if another run has it open, others where the file system has no locks.
    package func alone<Result>(_ body: () -> Result) throws(SystemError) -> Result {
        guard let staging else { throw SystemError(code: EROFS, operation: "lock", subject: path) }
        guard flock(staging.descriptor, LOCK_EX | LOCK_NB) == 0 else { throw .last("lock", path) }
        defer { _ = flock(staging.descriptor, LOCK_SH | LOCK_NB) }
        return body()
    }

    /// Removes a file, if it exists.
    package func removeChecked(_ name: String) throws(SystemError) {
        let location = try directories.location(name, makes: false)
        guard unsafe unlinkat(location.folder, location.name.fileBytes, 0) == 0 || errno == ENOENT else {
            throw .last("remove", location.path)
        }
    }
}
