// Where a file is replaced: its directory, held open, and its name there, with symlinks resolved.
//
//     characters.plist -> data/disney.plist        directory: data (open), name: disney.plist
//
// Everything is relative to the open directory, so renaming the directory doesn't separate the steps.

import CLibrary

package final class FileLocation: Sendable {
    package let path: String
    /// The name in the directory, never that of a symlink that was resolved.
    package let name: String
    /// The directory as a prefix of paths, ending in a slash; empty for the working directory.
    package let directoryPath: String
    let directory: Directory

    package struct Status: Equatable, Sendable {
        private var status = stat()

        /// Nil for nothing of that name, and for what can't be looked at: `errno` says which.
        package init?(_ name: String, in directory: Int32 = AT_FDCWD, followsLink: Bool = true) {
            let flags = followsLink ? 0 : AT_SYMLINK_NOFOLLOW
            guard unsafe fstatat(directory, name.fileBytes, &status, flags) == 0 else { return nil }
        }

        init?(ofOpen number: Int32) {
            guard unsafe fstat(number, &status) == 0 else { return nil }
        }

        package var isRegular: Bool { status.st_mode & S_IFMT == S_IFREG }
        package var isDirectory: Bool { status.st_mode & S_IFMT == S_IFDIR }
        var isPipe: Bool { status.st_mode & S_IFMT == S_IFIFO }
        package var mode: UInt32 { UInt32(status.st_mode & 0o7777) }
        package var user: UInt32 { status.st_uid }
        package var group: UInt32 { status.st_gid }
        package var bytes: Int { Int(status.st_size) }
        package var device: UInt64 { UInt64(status.st_dev) }
        package var inode: UInt64 { UInt64(status.st_ino) }
        package var links: Int { Int(status.st_nlink) }
        /// Since 1970.
        package var modifiedSeconds: Double {
            #if canImport(Darwin)
            let time = status.st_mtimespec
            #else
            let time = status.st_mtim
            #endif
            return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
        }

        package var regularBytes: Int? { isRegular ? bytes : nil }

        package func isSameFile(as other: Status) -> Bool { device == other.device && inode == other.inode }

        package static func == (left: Status, right: Status) -> Bool {
            left.isSameFile(as: right) && left.bytes == right.bytes && left.modifiedSeconds == right.modifiedSeconds
        }
    }

    /// Resolves `path` if it is a symlink, and opens the directory.
    package init(_ path: String) throws(SystemError) {
        let (prefix, name) = Self.split(try Self.resolved(path))
        guard !name.isEmpty, name != ".", name != ".." else {
            let code = Status(path) == nil ? errno : EISDIR
            throw SystemError(code: code, operation: "create", subject: path)
        }
        directory = try Directory(prefix.isEmpty ? "." : prefix, to: "open the directory of", path)
        self.path = path
        self.name = name
        directoryPath = prefix
        // The lock and the temporary file have shorter names.
        if Status(name, in: directory.number) == nil, errno == ENAMETOOLONG { throw .last("create", path) }
    }

    /// What is there now; nil if nothing is.
    /// - Parameter sibling: another name in the directory; a symlink isn't followed.
    package func status(of sibling: String? = nil) throws(SystemError) -> Status? {
        if let status = Status(sibling ?? name, in: directory.number, followsLink: sibling == nil) { return status }
        guard errno == ENOENT else { throw .last("look at", path) }
        return nil
    }

    /// What is at a path; nil if there is nothing or it can't be read.
    package static func status(ofPath path: String) -> Status? { Status(path) }

    /// Opens the existing regular file for reading; nil if there is none.
    package func reading() throws(SystemError) -> Descriptor? {
        do throws(SystemError) {
            return try Descriptor.regular(name, in: directory.number, O_RDONLY | O_NOFOLLOW, path: path)
        } catch {
            guard error.isNotFound else { throw error }
            return nil
        }
    }

    /// Opens the existing file to append to it.
    /// - Parameters:
    ///   - known: its status when it was read or written; another file of that name is left alone.
    ///   - count: the number of bytes to keep; the rest of the file is cut off.
    package func appending(to known: Status, count: Int) throws(SystemError) -> Descriptor {
        let file = try Descriptor.regular(name, in: directory.number, O_WRONLY | O_APPEND | O_NOFOLLOW, path: path)
        do throws(SystemError) {
            let status = try file.status()
            guard status.isSameFile(as: known), status.bytes >= count else { throw .notOurs("append to", path) }
            guard ftruncate(file.rawValue, off_t(count)) == 0 else { throw .last("cut", path) }
            return file
        } catch {
            file.closeUnchecked()
            throw error
        }
    }

    /// Gives the existing file a second name, under which it stays when it is replaced.
    package func backUp(suffix: String) throws(SystemError) {
        let temporary = TemporaryName(beside: self)
        guard temporary.link(to: name, in: directory.number) else {
            if errno == ENOENT { return }
            throw .lastRename("back up", path)
        }
        guard temporary.rename(to: name + suffix) else { throw .last("back up to", path + suffix) }
    }

    /// What became of the file that had the name before.
    enum Predecessor {
        case none
        case linked
        case moved
        /// It exists, but can't have a second name on this file system.
        case unkept
    }

    /// Gives the existing file a temporary name, from which it can be restored.
    /// - Parameter mayMove: where it can't have a second name, it loses the first one, and for a moment nothing has it.
    func keepPredecessor(as temporary: borrowing TemporaryName, mayMove: Bool) -> Predecessor {
        if temporary.link(to: name, in: directory.number) { return .linked }
        if errno == ENOENT { return .none }
        return mayMove && temporary.take(from: name) ? .moved : .unkept
    }

    func restore(_ predecessor: Predecessor, from temporary: borrowing TemporaryName) {
        switch predecessor {
        case .none: directory.remove(name)
        case .linked, .moved: _ = temporary.rename(to: name)
        case .unkept: break
        }
    }

    package func remove(_ file: Status) throws(SystemError) {
        guard try status(of: name)?.isSameFile(as: file) == true else { return }
        guard directory.remove(name) else { throw .last("remove", path) }
    }

    /// Makes a name that another file has a hard link to the file at a path, in one step.
    package static func replace(_ name: String, byLinkTo path: String) throws(SystemError) {
        let location = try FileLocation(name)
        let temporary = TemporaryName(beside: location)
        guard temporary.link(to: path, in: AT_FDCWD), temporary.rename(to: location.name) else {
            throw .last("link", name)
        }
    }

    /// Gives the file another name, a hard link in the same file system, never replacing anything.
    /// - Returns: whether the file has the name now; false if another file has it.
    package static func makeLink(_ name: String, to path: String) throws(SystemError) -> Bool {
        guard unsafe CLibrary.link(path.fileBytes, name.fileBytes) != 0 else { return true }
        let error = SystemError.last("link", name)
        guard error.code == EEXIST else { throw error }
        guard let status = FileLocation.status(ofPath: path) else { return false }
        return Status(name, followsLink: false)?.isSameFile(as: status) == true
    }

    // MARK: Names

    /// The path with symlinks resolved, at most as many as the system itself would follow.
    private static func resolved(_ path: String) throws(SystemError) -> String {
        var path = path
        for _ in 0..<40 {
            guard let target = target(ofLink: path) else { return path }
            path = target.isAbsolutePath ? target : split(path).prefix + target
        }
        throw SystemError(code: ELOOP, operation: "open", subject: path)
    }

    private static func target(ofLink path: String) -> String? {
        var bytes = [UInt8](repeating: 0, count: Int(PATH_MAX))
        let count = unsafe bytes.withUnsafeMutableBytes { buffer in
            // SAFETY: readlink writes at most `count` bytes.
            guard let base = buffer.baseAddress else { return 0 }
            return unsafe readlink(path.fileBytes, base.assumingMemoryBound(to: CChar.self), buffer.count)
        }
        return count > 0 && count < bytes.count ? String(fileBytes: Array(bytes[..<count])) : nil
    }

    package static func split(_ path: String) -> (prefix: String, name: String) {
        guard let slash = path.utf8.lastIndex(of: UInt8(ascii: "/")) else { return ("", path) }
        return (String(path[...slash]), String(path[path.utf8.index(after: slash)...]))
    }

    // MARK: The temporary files that killed runs left

    /// A file that isn't locked and was last written this long ago isn't in use.
    private static let abandonedSeconds = 60.0

    /// None where the directory can't be read.
    private var temporaries: [String] {
        let prefix = StaleTemporary.prefix(for: name)
        return ((try? directory.names()) ?? []).filter { StaleTemporary.isTemporary($0, prefix: prefix) }
    }

    /// Removes them. Only who has the lock may do it, since another run's unfinished file looks the same.
    func removeStaleTemporaries() {
        for entry in temporaries where directory.status(of: entry)?.isRegular == true { directory.remove(entry) }
    }

    /// Removes those of a file that has no lock: a run that uses one keeps it locked and writes to it.
    package func removeAbandoned() {
        let latest = WallClock.epochSeconds - Self.abandonedSeconds
        for entry in temporaries {
            let path = directoryPath + entry
            let file = try? Descriptor.regular(entry, in: directory.number, O_RDONLY | O_NOFOLLOW, path: path)
            // It isn't castline's, or another run has removed it.
            guard let file else { continue }
            defer { file.closeUnchecked() }
            guard let status = try? file.status(), status.modifiedSeconds < latest else { continue }
            if flock(file.rawValue, LOCK_EX | LOCK_NB) == 0 { directory.remove(entry) }
        }
    }
}
