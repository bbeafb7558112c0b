// A directory of many small files, each of which appears whole or not at all, whenever a run is ended.
//
//     images/.castline/castline-7f03…     unfinished, in a directory of its own
//     images/ab/ab12….jpg                 renamed to here, in one atomic step
//
// A killed run leaves at most a few unfinished files. The next run that is alone here removes them, and the last
// run to end removes the directory. Files aren't synchronized one by one, which would take longer than fetching
// them. So a power loss may cut the last ones short, and readers must be able to tell from a file's content or
// length whether it is whole.

import Synchronization

#if canImport(Darwin)
import Darwin
#else
import Glibc
#endif

/// Files in a directory and in its directories `00` to `ff`. Names are relative to the directory: `ab/ab12….jpg`.
package final class AtomicDirectory: Sendable {
    package let path: String
    private let directory: Int32
    let directories: DigestDirectories
    /// Nil if the directory is only read.
    let staging: StagingDirectory?
    private let mode: mode_t
    /// Numbers for unfinished files, starting at a random one.
    private let nextNumber: Atomic<UInt64>
    private let isUnmarked = Atomic<Bool>(false)

    /// Opens a directory for writing; it and its parents are created if missing.
    /// - Parameter isPrivate: other users may read neither the directory, if it is new, nor its files.
    package init(_ path: String, isPrivate: Bool) throws(SystemError) {
        let folderMode: mode_t = isPrivate ? 0o700 : 0o777
        try Directory.make(path, mode: UInt32(folderMode))
        let directory = try Directory.opened(path, to: "open", path)
        let staging: StagingDirectory
        do throws(SystemError) {
            staging = try StagingDirectory(in: directory, path, mode: folderMode)
        } catch {
            _ = close(directory)
            throw error
        }
        self.path = path
        self.directory = directory
        self.staging = staging
        directories = DigestDirectories(in: directory, path, mode: folderMode)
        mode = isPrivate ? 0o600 : 0o666
        nextNumber = Atomic(UInt64.random(in: 0 ... .max))
    }

    package init(reading path: String) throws(SystemError) {
        directory = try Directory.opened(path, to: "open", path)
        self.path = path
        mode = 0
        nextNumber = Atomic(0)
        directories = DigestDirectories(in: directory, path, mode: 0)
        staging = nil
    }

    deinit {
        if let staging { staging.end(in: directory) }
        _ = close(directory)
    }

    // MARK: Reading

    package struct Content {
        package let bytes: [UInt8]
        /// Since 1970.
        package let modifiedSeconds: Double
    }

    /// The status of the regular file of that name; nil if there is none.
    /// - Parameter followsLink: a symlink of that name stands for its target.
    package func status(of name: String, followsLink: Bool = true) -> FileLocation.Status? {
        do throws(SystemError) {
            let location = try directories.location(name, makes: false)
            let found = FileLocation.Status(location.name, in: location.folder, followsLink: followsLink)
            return found?.isRegular == true ? found : nil
        } catch {
            return nil
        }
    }

    /// The bytes and the time of a file.
    /// - Throws: `ENOENT` if it doesn't exist, `SystemError.notRegular` if it isn't a regular file,
    ///   `SystemError.tooLarge` if it is too large.
    package func contents(
        _ name: String, limitBytes: Int
    ) throws(SystemError) -> Content {
        let location = try directories.location(name, makes: false)
        let file = try Descriptor.regular(location.name, in: location.folder, O_RDONLY, path: location.path)
        defer { file.closeUnchecked() }
        return Content(
            bytes: try file.contents(limitBytes: limitBytes), modifiedSeconds: try file.status().modifiedSeconds)
    }

    /// The names in the directory, or in one of its directories; hidden ones are left out.
    package func names(in folder: String? = nil) -> [String] {
        do throws(SystemError) { return try checkedNames(in: folder) } catch { return [] }
    }

    /// The same names.
    /// - Throws: `SystemError.notOurs` where the directory is a symlink or a file, others if it can't be read.
    package func checkedNames(in folder: String? = nil) throws(SystemError) -> [String] {
        let location = try directories.location(folder.map { "\($0)/." } ?? ".", makes: false)
        return try Directory.names(location.name, in: location.folder, location.path)
            .filter { !$0.hasPrefix(".") }
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
        let location = try directories.location(name, makes: true)
        let old = try Self.replaceable(location)
        if ifChanged, old?.bytes == bytes.count, Self.holds(bytes, location), touch(location) { return nil }
        try put(bytes, at: location)
        return old
    }

    private func put(_ bytes: Span<UInt8>, at location: borrowing DigestDirectories.Location) throws(SystemError) {
        guard let staging else { preconditionFailure("a directory that was opened to be read") }
        let temporary = StagingDirectory.newName(nextNumber.wrappingAdd(1, ordering: .relaxed).newValue)
        let removal = Signals.removeIfEnded(temporary, in: staging.descriptor)
        defer { Signals.forget(removal) }
        let flags = O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW
        let number = unsafe openat(staging.descriptor, temporary.fileBytes, flags, mode)
        guard number >= 0 else { throw .last("create", location.path) }
        do throws(SystemError) {
            try Self.finish(Descriptor(rawValue: number, name: location.path), bytes)
            guard unsafe renameat(staging.descriptor, temporary, location.folder, location.name.fileBytes) == 0
            else {
                throw .last("create", location.path)
            }
        } catch {
            unsafe unlinkat(staging.descriptor, temporary, 0)
            throw error
        }
    }

    /// The status of the regular file of that name; nil if there is nothing.
    private static func replaceable(
        _ location: borrowing DigestDirectories.Location
    ) throws(SystemError) -> FileLocation.Status? {
        guard let found = FileLocation.Status(location.name, in: location.folder, followsLink: false) else {
            guard errno == ENOENT else { throw .last("look at", location.path) }
            return nil
        }
        guard found.isRegular else {
            throw SystemError(code: SystemError.notOurs, operation: "replace", subject: location.path)
        }
        return found
    }

    private static func holds(_ bytes: Span<UInt8>, _ location: borrowing DigestDirectories.Location) -> Bool {
        do throws(SystemError) {
            let file = try Descriptor.regular(
                location.name, in: location.folder, O_RDONLY | O_NOFOLLOW, path: location.path)
            defer { file.closeUnchecked() }
            let held = try file.contents(limitBytes: bytes.count)
            return held.span.equals(bytes)
        } catch {
            return false
        }
    }

    private static func finish(_ file: Descriptor, _ bytes: Span<UInt8>) throws(SystemError) {
        do throws(SystemError) {
            try file.writeAll(bytes)
        } catch {
            file.closeUnchecked()
            throw error
        }
        try file.close()
    }

    /// Removes a file, if it exists. Anything else of that name is left alone.
    package func remove(_ name: String) {
        do throws(SystemError) {
            let location = try directories.location(name, makes: false)
            guard try Self.replaceable(location) != nil else { return }
            unsafe unlinkat(location.folder, location.name.fileBytes, 0)
        } catch {
            // It isn't castline's, or its directory doesn't exist.
        }
    }

    /// Sets a file's time to now, to mark it as used.
    /// - Returns: whether it exists.
    @discardableResult
    package func touch(_ name: String) -> Bool {
        do throws(SystemError) { return touch(try directories.location(name, makes: false)) } catch { return false }
    }

    private func touch(_ location: borrowing DigestDirectories.Location) -> Bool {
        guard unsafe utimensat(location.folder, location.name.fileBytes, nil, AT_SYMLINK_NOFOLLOW) != 0 else {
            return true
        }
        if errno == EACCES || errno == EPERM { isUnmarked.store(true, ordering: .relaxed) }
        return errno != ENOENT
    }

    /// Whether a file couldn't be marked as used, as it belongs to another user.
    package var hasUnmarkedFiles: Bool { isUnmarked.load(ordering: .relaxed) }
}

/// Removing files that nothing uses, while no other run can begin to use one of them.
extension AtomicDirectory {
    /// Whether a name in the directory is that of one of its directories, `00` to `ff`.
    package static func isFolder(_ name: String) -> Bool { DigestDirectories.index(name) != nil }

    /// Runs `body` while no other run has the directory open. One that opens it meanwhile waits for the end of `body`,
    /// so keep it short.
    /// - Throws: `SystemError.isInUse` if another run has it open, others where the file system has no locks.
    package func alone<Result>(_ body: () -> Result) throws(SystemError) -> Result {
        guard let staging else { throw SystemError(code: EROFS, operation: "lock", subject: path) }
        guard flock(staging.descriptor, LOCK_EX | LOCK_NB) == 0 else { throw .last("lock", path) }
        defer { _ = flock(staging.descriptor, LOCK_SH | LOCK_NB) }
        return body()
    }

    package func removeChecked(_ name: String) throws(SystemError) {
        let location = try directories.location(name, makes: false)
        guard unsafe unlinkat(location.folder, location.name.fileBytes, 0) == 0 || errno == ENOENT else {
            throw .last("remove", location.path)
        }
    }
}

/// A directory that several threads use. It is opened once: for the first file that is written to it or looked for.
package final class LazyDirectory: Sendable {
    package let path: String
    /// To be read only, where it can't be written to.
    private let opened = Mutex<AtomicDirectory?>(nil)

    package init(_ path: String) { self.path = path }

    /// The open directory, created if missing; other users may read its files.
    package func directory() throws(SystemError) -> AtomicDirectory {
        try opened.withLock { (opened) throws(SystemError) in
            if let opened, opened.staging != nil { return opened }
            let directory = try AtomicDirectory(path, isPrivate: false)
            opened = directory
            return directory
        }
    }

    /// The directory, if it exists: open to be written where that is possible, as other runs then see that it is used.
    package var existing: AtomicDirectory? {
        if let directory = opened.withLock({ $0 }) { return directory }
        guard FileLocation.status(ofPath: path)?.isDirectory == true else { return nil }
        do throws(SystemError) { return try directory() } catch {
            // A run that prunes has it: looking without the lock would be too soon.
            return error.isBusy ? nil : readable()
        }
    }

    private func readable() -> AtomicDirectory? {
        opened.withLock { opened in
            do throws(SystemError) { opened = try AtomicDirectory(reading: path) } catch {}
            return opened
        }
    }

    /// Whether files in it couldn't be marked as used, as they belong to another user.
    package var hasUnmarkedFiles: Bool { opened.withLock { $0?.hasUnmarkedFiles == true } }
}
