// Creates and lists directories.

import Synchronization

#if canImport(Darwin)
import Darwin
#else
import Glibc
#endif

package enum Directory {
    /// Creates the directory and its parents; existing ones are left as they are.
    /// - Parameter mode: the permissions of new ones, before the process's mask is applied.
    package static func make(_ path: String, mode: UInt32 = 0o777) throws(SystemError) {
        if FileLocation.status(ofPath: path)?.isDirectory == true { return }
        let parent = FileLocation.split(path.hasSuffix("/") ? String(path.dropLast()) : path).prefix
        if !parent.isEmpty, parent != "/", parent != path { try make(parent, mode: mode) }
        guard unsafe mkdir(path.fileBytes, mode_t(mode)) != 0 else { return }
        let error = SystemError.last("create", path)
        // Another run may have created it in the meantime.
        guard error.code == EEXIST, FileLocation.status(ofPath: path)?.isDirectory == true else { throw error }
    }

    /// - Parameters:
    ///   - directory: open, in which the name is looked up.
    ///   - operation: what it is opened for, and of what, for messages.
    static func opened(
        _ name: String, in directory: Int32 = AT_FDCWD, flags: Int32 = 0, to operation: String, _ subject: String
    ) throws(SystemError) -> Int32 {
        let number = unsafe openat(directory, name.fileBytes, O_RDONLY | O_DIRECTORY | O_CLOEXEC | flags)
        guard number >= 0 else { throw .last(operation, subject) }
        return number
    }

    /// Opens one of castline's own directories.
    /// - Throws: `SystemError.notOurs` for a symlink, or anything else that isn't a directory.
    static func openedOwn(_ name: String, in directory: Int32, _ path: String) throws(SystemError) -> Int32 {
        do throws(SystemError) {
            return try opened(name, in: directory, flags: O_NOFOLLOW, to: "use", path)
        } catch {
            guard error.code == ENOTDIR || error.code == ELOOP else { throw error }
            throw SystemError(code: SystemError.notOurs, operation: "use", subject: path)
        }
    }

    /// The names in the directory, unordered, with `.` and `..`.
    package static func names(_ path: String) throws(SystemError) -> [String] {
        try names(path, in: AT_FDCWD, path)
    }

    /// The names in a directory that is looked up in an open one; `.` is that one.
    static func names(_ name: String, in directory: Int32, _ path: String) throws(SystemError) -> [String] {
        let number = try opened(name, in: directory, to: "read", path)
        guard let stream = unsafe fdopendir(number) else {
            let error = SystemError.last("read", path)
            _ = close(number)
            throw error
        }
        var names: [String] = []
        while let entry = unsafe readdir(stream) {
            let name = unsafe withUnsafeBytes(of: &entry.pointee.d_name) { buffer in
                // SAFETY: the system ends the name with a zero inside the field.
                unsafe String(fileBytes: Array(buffer.prefix { $0 != 0 }))
            }
            names.append(name)
        }
        unsafe closedir(stream)
        return names
    }
}

/// The directories `00` to `ff` of a directory, over which files are spread by the first two digits of their names.
///
///     images/ab/ab12….jpg
///
/// They are opened without following symlinks, and their files are reached through the open directory, so a symlink
/// in place of one leads nowhere.
final class DigestDirectories: Sendable {
    private let directory: Int32
    private let path: String
    private let mode: mode_t
    private struct Held {
        /// Descriptors; -1 for a directory that isn't held open.
        var numbers = [Int32](repeating: -1, count: 256)
        /// How many more may be held open.
        var room = OpenFiles.directories
    }
    private let held = Mutex(Held())

    init(in directory: Int32, _ path: String, mode: mode_t) {
        self.directory = directory
        self.path = path
        self.mode = mode
    }

    deinit {
        for number in held.withLock({ $0.numbers }) where number >= 0 { _ = close(number) }
    }

    /// Where a file is: its open directory, and its name there.
    struct Location: ~Copyable {
        let folder: Int32
        let name: String
        let path: String
        fileprivate let isHeld: Bool

        deinit { if !isHeld { _ = close(folder) } }
    }

    /// The location of a name: `ab/ab12….jpg` is in the directory `ab`, `x.jpg` in the directory itself.
    /// - Parameter makes: creates a missing directory.
    /// - Throws: `ENOENT` if it is missing and `makes` is false, `SystemError.notOurs` if it isn't a directory.
    func location(_ name: String, makes: Bool) throws(SystemError) -> Location {
        guard let slash = name.utf8.firstIndex(of: UInt8(ascii: "/")) else {
            return Location(folder: directory, name: name, path: "\(path)/\(name)", isHeld: true)
        }
        let folder = String(name[..<slash])
        let rest = String(name[name.utf8.index(after: slash)...])
        guard let index = Self.index(folder) else {
            throw SystemError(code: ENOENT, operation: "open", subject: "\(path)/\(folder)")
        }
        let path = "\(path)/\(name)"
        let known = held.withLock { $0.numbers[index] }
        if known >= 0 { return Location(folder: known, name: rest, path: path, isHeld: true) }
        let number = try opened(folder, makes: makes)
        return Location(folder: number, name: rest, path: path, isHeld: hold(number, index))
    }

    /// The index of a directory whose name is two hexadecimal digits.
    static func index(_ folder: String) -> Int? {
        guard folder.utf8.count == 2, StaleTemporary.isHexadecimal(folder.utf8) else { return nil }
        return Int(folder, radix: 16)
    }

    private func opened(_ folder: String, makes: Bool) throws(SystemError) -> Int32 {
        let path = "\(path)/\(folder)"
        do throws(SystemError) { return try Directory.openedOwn(folder, in: directory, path) } catch {
            guard error.isNotFound, makes else { throw error }
        }
        guard unsafe mkdirat(directory, folder, mode) == 0 || errno == EEXIST else { throw .last("create", path) }
        return try Directory.openedOwn(folder, in: directory, path)
    }

    /// - Returns: whether it is now held open.
    private func hold(_ number: Int32, _ index: Int) -> Bool {
        held.withLock { held in
            guard held.room > 0, held.numbers[index] < 0 else { return false }
            held.room -= 1
            held.numbers[index] = number
            return true
        }
    }
}

/// The directory `.castline` for unfinished files, inside the directory they are for. Only names that castline makes
/// are ever removed from it, and it is never reached through a symlink: anything else of that name is somebody
/// else's and is left alone.
///
///     .castline/castline-00c41f7e52b9d803      renamed to its final name once it is whole
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
            let number: Int32
            do throws(SystemError) { number = try Directory.openedOwn(Self.name, in: directory, path) } catch {
                guard error.isNotFound else { throw error }
                continue
            }
            do throws(SystemError) { try Self.take(number, from: directory, path) } catch {
                _ = close(number)
                throw error
            }
            if Self.isNamed(number, in: directory) {
                descriptor = number
                return
            }
            _ = close(number)
        }
        throw SystemError(code: EBUSY, operation: "use", subject: path)
    }

    /// Takes the shared lock, and empties the directory if no other run has the lock. On a file system without
    /// locks nothing is removed.
    private static func take(_ number: Int32, from directory: Int32, _ path: String) throws(SystemError) {
        let notOurs = SystemError(code: SystemError.notOurs, operation: "use", subject: path)
        guard try hasOurOwner(number, directory, path) else { throw notOurs }
        let isAlone = flock(number, LOCK_EX | LOCK_NB) == 0
        let names = try Directory.names(".", in: number, path).filter { $0 != "." && $0 != ".." }
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
        guard name.hasPrefix(prefix), StaleTemporary.isRandomPart(name.utf8.dropFirst(prefix.utf8.count)) else {
            return false
        }
        guard let status = FileLocation.Status(name, in: folder, followsLink: false) else { return errno == ENOENT }
        return status.isRegular
    }

    private static func isNamed(_ number: Int32, in directory: Int32) -> Bool {
        guard let held = FileLocation.Status(ofOpen: number) else { return false }
        return FileLocation.Status(name, in: directory, followsLink: false)?.isSameFile(as: held) == true
    }

    static func newName(_ number: UInt64) -> String { prefix + StaleTemporary.randomPart(number) }

    /// Closes the directory, and removes it if no other run uses it; the system keeps one that isn't empty.
    func end(in directory: Int32) {
        if flock(descriptor, LOCK_EX | LOCK_NB) == 0 { unsafe unlinkat(directory, Self.name, AT_REMOVEDIR) }
        Descriptor(rawValue: descriptor, name: Self.name).closeUnchecked()
    }
}
