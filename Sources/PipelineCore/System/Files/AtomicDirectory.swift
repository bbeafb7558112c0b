// A directory of many small files, each of which appears whole or not at all, whenever a run is ended.
//
//     images/.castline/castline-7f03…     unfinished, in a directory of its own
//     images/ab/ab12….jpg                 renamed to here, in one atomic step
//
// A killed run leaves at most a few unfinished files. The next run that is alone here removes them, and the last
// run to end removes the directory. Files aren't synchronized one by one, which would take longer than fetching
// them. So a power loss may cut the last ones short, and readers must be able to tell from a file's content or
// length whether it is whole.

import CLibrary
import Synchronization

/// Files in a directory and in its directories `00` to `ff`, over which they are spread by the first two digits of their
/// names. Names are relative to the directory: `ab/ab12….jpg`. These directories are opened without following symlinks,
/// and their files are reached through the open directory, so a symlink in place of one leads nowhere.
package final class AtomicDirectory: Sendable {
    private let directory: Directory
    /// Nil if the directory is only read.
    private let staging: StagingDirectory?
    private let isPrivate: Bool
    private let isUnmarked = Atomic<Bool>(false)

    /// Opens a directory for writing; it and its parents are created if missing.
    /// - Parameter isPrivate: other users may read neither the directory, if it is new, nor its files.
    package init(_ path: String, isPrivate: Bool) throws(SystemError) {
        let mode: mode_t = isPrivate ? 0o700 : 0o777
        try Directory.make(path, mode: UInt32(mode))
        directory = try Directory(path, to: "open")
        staging = try StagingDirectory(in: directory, mode: mode)
        self.isPrivate = isPrivate
    }

    package init(reading path: String) throws(SystemError) {
        directory = try Directory(path, to: "open")
        staging = nil
        isPrivate = false
    }

    package var path: String { directory.path }
    package var isReadOnly: Bool { staging == nil }

    package static func isFolder(_ name: String) -> Bool {
        name.utf8.count == 2 && name.utf8.areHexadecimal
    }

    private struct Place {
        let folder: Directory
        let name: String

        var path: String { "\(folder.path)/\(name)" }
        var status: FileLocation.Status? { folder.status(of: name) }
    }

    /// The place of a name: `ab/ab12….jpg` is in the directory `ab`, `x.jpg` in the directory itself.
    /// - Parameter makes: creates a missing directory.
    /// - Throws: `ENOENT` if it is missing and `makes` is false, `SystemError.notOurs` if it isn't a directory.
    private func place(_ name: String, makes: Bool = false) throws(SystemError) -> Place {
        guard let slash = name.utf8.firstIndex(of: UInt8(ascii: "/")) else {
            return Place(folder: directory, name: name)
        }
        let folder = try folder(String(name[..<slash]), makes: makes)
        return Place(folder: folder, name: String(name[name.utf8.index(after: slash)...]))
    }

    private func folder(_ name: String, makes: Bool = false) throws(SystemError) -> Directory {
        guard Self.isFolder(name) else {
            throw SystemError(code: ENOENT, operation: "open", subject: "\(path)/\(name)")
        }
        do throws(SystemError) { return try Directory(own: name, in: directory) } catch {
            guard error.isNotFound, makes else { throw error }
        }
        guard directory.make(name, mode: isPrivate ? 0o700 : 0o777) else {
            throw .last("create", "\(path)/\(name)")
        }
        return try Directory(own: name, in: directory)
    }

    // MARK: Reading

    /// The status of the regular file of that name; nil if there is none.
    /// - Parameter followsLink: a symlink of that name stands for its target.
    package func status(of name: String, followsLink: Bool = true) -> FileLocation.Status? {
        guard let place = try? self.place(name) else { return nil }
        let found = FileLocation.Status(place.name, in: place.folder.number, followsLink: followsLink)
        return found?.isRegular == true ? found : nil
    }

    /// The bytes of a file, and when it was written, in seconds since 1970.
    /// - Throws: `ENOENT` if it doesn't exist, `SystemError.notRegular` if it isn't a regular file,
    ///   `SystemError.tooLarge` if it is too large.
    package func contents(
        _ name: String, limitBytes: Int
    ) throws(SystemError) -> (bytes: [UInt8], modifiedSeconds: Double) {
        let place = try place(name)
        let file = try Descriptor.regular(place.name, in: place.folder.number, path: place.path)
        defer { file.closeUnchecked() }
        return (try file.contents(limitBytes: limitBytes), try file.status().modifiedSeconds)
    }

    /// The names in the directory, or in one of its directories; hidden ones are left out.
    package func names(in folder: String? = nil) -> [String] {
        do throws(SystemError) { return try checkedNames(in: folder) } catch { return [] }
    }

    /// - Throws: `SystemError.notOurs` where the directory is a symlink or a file, others if it can't be read.
    package func checkedNames(in folder: String? = nil) throws(SystemError) -> [String] {
        let listed = if let folder { try self.folder(folder) } else { directory }
        return try listed.names().filter { !$0.hasPrefix(".") }
    }

    // MARK: Writing

    /// Writes a file, replacing one of that name. Its directory is created if missing.
    /// - Parameter ifChanged: only marks a file that already holds these bytes as used.
    /// - Returns: the status of the file that was replaced; nil if there was none.
    /// - Throws: `SystemError.notOurs` if something other than a regular file has that name; it is left alone.
    @discardableResult
    package func write(
        _ name: String, _ bytes: Span<UInt8>, ifChanged: Bool = false
    ) throws(SystemError) -> FileLocation.Status? {
        let place = try place(name, makes: true)
        let old = try Self.replaceable(place)
        if ifChanged, old?.bytes == bytes.count, Self.holds(bytes, place), touch(place) { return nil }
        guard let staging else { preconditionFailure("a directory that was opened to be read") }
        var temporary = staging.newName()
        let file = try temporary.created(mode: isPrivate ? 0o600 : 0o666, place.path)
        do throws(SystemError) { try file.writeAll(bytes) } catch {
            file.closeUnchecked()
            throw error
        }
        try file.close()
        guard temporary.move(to: place.name, in: place.folder) else { throw .last("create", place.path) }
        return old
    }

    private static func replaceable(_ place: Place) throws(SystemError) -> FileLocation.Status? {
        guard let found = place.status else {
            guard errno == ENOENT else { throw .last("look at", place.path) }
            return nil
        }
        guard found.isRegular else { throw .notOurs("replace", place.path) }
        return found
    }

    private static func holds(_ bytes: Span<UInt8>, _ place: Place) -> Bool {
        let flags = O_RDONLY | O_NOFOLLOW
        let file = try? Descriptor.regular(place.name, in: place.folder.number, flags, path: place.path)
        defer { file?.closeUnchecked() }
        guard let held = try? file?.contents(limitBytes: bytes.count) else { return false }
        return held.span.equals(bytes)
    }

    /// Removes a file, if it exists. Anything else of that name is left alone.
    package func remove(_ name: String) {
        do throws(SystemError) {
            let place = try place(name)
            if try Self.replaceable(place) != nil { place.folder.remove(place.name) }
        } catch {
            // It isn't castline's, or its directory doesn't exist.
        }
    }

    /// Sets a file's time to now, to mark it as used.
    /// - Returns: whether it exists.
    @discardableResult
    package func touch(_ name: String) -> Bool {
        do throws(SystemError) { return touch(try place(name)) } catch { return false }
    }

    private func touch(_ place: Place) -> Bool {
        guard unsafe utimensat(place.folder.number, place.name.fileBytes, nil, AT_SYMLINK_NOFOLLOW) != 0 else {
            return true
        }
        if errno == EACCES || errno == EPERM { isUnmarked.store(true, ordering: .relaxed) }
        return errno != ENOENT
    }

    /// Whether a file couldn't be marked as used, as it belongs to another user.
    package var hasUnmarkedFiles: Bool { isUnmarked.load(ordering: .relaxed) }

    // MARK: Removing files that nothing uses, while no other run can begin to use one of them

    /// Runs `body` while no other run has the directory open. One that opens it meanwhile waits for the end of `body`,
    /// so keep it short.
    /// - Throws: `SystemError.isInUse` if another run has it open, others where the file system has no locks.
    package func alone<Result>(_ body: () -> Result) throws(SystemError) -> Result {
        guard let staging else { throw SystemError(code: EROFS, operation: "lock", subject: path) }
        guard flock(staging.directory.number, LOCK_EX | LOCK_NB) == 0 else { throw .last("lock", path) }
        defer { _ = flock(staging.directory.number, LOCK_SH | LOCK_NB) }
        return body()
    }

    package func removeChecked(_ name: String) throws(SystemError) {
        let place = try place(name)
        guard place.folder.remove(place.name) else { throw .last("remove", place.path) }
    }
}

/// The directory `.castline` for unfinished files, inside the directory they are for. Only names that castline makes
/// are ever removed from it, and it is never reached through a symlink: anything else of that name is somebody
/// else's and is left alone.
final class StagingDirectory: Sendable {
    private static let name = ".castline"
    private static let prefix = "castline-"
    /// How often to create the directory again if other runs remove it; each of them does so once.
    private static let attempts = 100
    /// How often to ask for the lock, 10 ms apart.
    private static let lockAttempts = 1000

    let directory: Directory
    private let parent: Directory

    /// Opens or creates the directory. If no other run uses it, leftovers of killed runs are removed.
    /// - Throws: `SystemError.notOurs` for a symlink, a file, a foreign directory, or one with foreign entries.
    init(in parent: Directory, mode: mode_t) throws(SystemError) {
        directory = try Self.taken(in: parent, mode: mode)
        self.parent = parent
    }

    /// Removes the directory if no other run uses it; the system keeps one that isn't empty.
    deinit {
        if flock(directory.number, LOCK_EX | LOCK_NB) == 0 {
            unsafe unlinkat(parent.number, Self.name, AT_REMOVEDIR)
        }
    }

    func newName() -> TemporaryName { TemporaryName(Self.prefix + StaleTemporary.randomPart(), in: directory) }

    private static func taken(in parent: Directory, mode: mode_t) throws(SystemError) -> Directory {
        let path = "\(parent.path)/\(name)"
        for _ in 0..<attempts {
            guard parent.make(name, mode: mode) else { throw .last("create", path) }
            do throws(SystemError) {
                let directory = try Directory(own: name, in: parent)
                try take(directory, from: parent)
                let held = FileLocation.Status(ofOpen: directory.number)
                if let held, parent.status(of: name)?.isSameFile(as: held) == true { return directory }
            } catch {
                guard error.isNotFound else { throw error }
            }
        }
        throw SystemError(code: EBUSY, operation: "use", subject: path)
    }

    /// Takes the shared lock, and empties the directory if no other run has the lock. On a file system without
    /// locks nothing is removed.
    private static func take(_ directory: Directory, from parent: Directory) throws(SystemError) {
        let notOurs = SystemError.notOurs("use", directory.path)
        let owner = FileLocation.Status(ofOpen: directory.number)?.user
        // Some file systems give everything one owner, so the parent directory's owner is accepted too.
        guard let owner, owner == geteuid() || owner == FileLocation.Status(ofOpen: parent.number)?.user else {
            throw notOurs
        }
        let isAlone = flock(directory.number, LOCK_EX | LOCK_NB) == 0
        let names = try directory.names()
        // Files with names that `newName` makes. One that is gone by now was another run's.
        let areOurs = names.allSatisfy { name in
            guard StaleTemporary.isTemporary(name, prefix: prefix) else { return false }
            return directory.status(of: name)?.isRegular ?? (errno == ENOENT)
        }
        guard areOurs else { throw notOurs }
        if isAlone { for name in names { directory.remove(name) } }
        // The exclusive lock is only held while the directory is emptied, or one folder is pruned.
        for _ in 0..<Self.lockAttempts {
            guard flock(directory.number, LOCK_SH | LOCK_NB) != 0, errno == EWOULDBLOCK,
                MonotonicClock.wait(seconds: 0.01)
            else { return }
        }
        throw SystemError(code: EBUSY, operation: "use", subject: directory.path)
    }
}
