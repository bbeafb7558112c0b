// The directory `.castline` for unfinished files, inside the directory they are for. Only names that castline makes
// are ever removed from it, and it is never reached through a symlink: anything else of that name is somebody
// else's and is left alone.
//
//     .castline/castline-00c41f7e52b9d803      renamed to its final name once it is whole

#if canImport(Darwin)
import Darwin
#else
import Glibc
#endif

/// An open directory for unfinished files, whose shared lock says that it is in use. `end` closes it.
struct StagingDirectory: Sendable {
    static let name = ".castline"
    /// The prefix of unfinished files; 16 hexadecimal digits follow.
    private static let prefix = "castline-"
    /// How often to create the directory again if other runs remove it; each of them does so once.
    private static let attempts = 100
    /// How often to ask for the lock, 10 ms apart.
    private static let lockAttempts = 1000

    let descriptor: Int32

    /// Opens or creates the directory. If no other run uses it, leftovers of killed runs are removed.
    /// - Parameters:
    ///   - directory: open; the directory is looked up in it and nowhere else.
    ///   - path: of the directory, for messages.
    /// - Throws: `SystemError.notOurs` for a symlink, a file, a foreign directory, or one with foreign entries.
    init(in directory: Int32, _ path: String, mode: mode_t) throws(SystemError) {
        let path = "\(path)/\(Self.name)"
        for _ in 0..<Self.attempts {
            guard unsafe mkdirat(directory, Self.name, mode) == 0 || errno == EEXIST else {
                throw .last("create", path)
            }
            let number = unsafe openat(directory, Self.name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC)
            if number >= 0 {
                do throws(SystemError) {
                    try Self.take(number, from: directory, path)
                } catch {
                    _ = close(number)
                    throw error
                }
                if Self.isNamed(number, in: directory) {
                    descriptor = number
                    return
                }
                _ = close(number)
            } else if errno != ENOENT {
                let isOther = errno == ENOTDIR || errno == ELOOP
                throw SystemError(code: isOther ? SystemError.notOurs : errno, operation: "use", subject: path)
            }
        }
        throw SystemError(code: EBUSY, operation: "use", subject: path)
    }

    /// Takes the shared lock, and empties the directory if no other run has the lock. On a file system without
    /// locks nothing is removed.
    private static func take(_ number: Int32, from directory: Int32, _ path: String) throws(SystemError) {
        let notOurs = SystemError(code: SystemError.notOurs, operation: "use", subject: path)
        guard try hasOurOwner(number, directory, path) else { throw notOurs }
        let isAlone = flock(number, LOCK_EX | LOCK_NB) == 0
        let listed = unsafe openat(number, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        guard listed >= 0 else { throw .last("read", path) }
        let names = Directory.names(takingOver: listed).filter { $0 != "." && $0 != ".." }
        guard names.allSatisfy({ isOurs($0, in: number) }) else { throw notOurs }
        if isAlone { for name in names { unsafe unlinkat(number, name.fileBytes, 0) } }
        // The exclusive lock is only held while the directory is emptied, or one folder is pruned.
        for _ in 0..<Self.lockAttempts {
            guard flock(number, LOCK_SH | LOCK_NB) != 0, errno == EWOULDBLOCK, MonotonicClock.wait(seconds: 0.01)
            else { return }
        }
        throw SystemError(code: EBUSY, operation: "use", subject: path)
    }

    /// Some file systems give everything one owner, so the parent directory's owner is accepted too.
    private static func hasOurOwner(
        _ number: Int32, _ directory: Int32, _ path: String
    ) throws(SystemError) -> Bool {
        let owner = try Descriptor(rawValue: number, name: path).status().user
        if owner == geteuid() { return true }
        return try owner == Descriptor(rawValue: directory, name: path).status().user
    }

    /// Whether it is a file with a name that `newName` makes. One that is gone by now was another run's.
    private static func isOurs(_ name: String, in folder: Int32) -> Bool {
        guard name.hasPrefix(prefix), Debris.isRandomPart(name.utf8.dropFirst(prefix.utf8.count)) else {
            return false
        }
        var status = stat()
        guard unsafe fstatat(folder, name.fileBytes, &status, AT_SYMLINK_NOFOLLOW) == 0 else {
            return errno == ENOENT
        }
        return status.st_mode & S_IFMT == S_IFREG
    }

    private static func isNamed(_ number: Int32, in directory: Int32) -> Bool {
        var held = stat()
        var named = stat()
        return unsafe fstat(number, &held) == 0 && fstatat(directory, name, &named, AT_SYMLINK_NOFOLLOW) == 0
            && held.st_ino == named.st_ino && held.st_dev == named.st_dev
    }

    /// A name for an unfinished file.
    static func newName(_ number: UInt64) -> String { prefix + Debris.randomPart(number) }

    /// Closes the directory, and removes it if no other run uses it; the system keeps one that isn't empty.
    func end(in directory: Int32) {
        if flock(descriptor, LOCK_EX | LOCK_NB) == 0 { unsafe unlinkat(directory, Self.name, AT_REMOVEDIR) }
        Descriptor(rawValue: descriptor, name: Self.name).closeUnchecked()
    }
}
