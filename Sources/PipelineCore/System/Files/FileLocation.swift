// Where a file is replaced: its directory, held open, and its name there, with symlinks resolved.
//
//     characters.plist -> data/disney.plist        directory: data (open), name: disney.plist
//
// Everything is relative to the open directory, so renaming the directory doesn't separate the steps.

#if canImport(Darwin)
import Darwin
#else
import Glibc
#endif

package final class FileLocation: Sendable {
    package let path: String
    /// The name in the directory, never that of a symlink that was resolved.
    package let name: String
    /// The directory as a prefix of paths, ending in a slash; empty for the working directory.
    package let directoryPath: String
    let directory: Int32

    package struct Status: Equatable, Sendable {
        private var status = stat()

        /// Nil for nothing of that name, and for what can't be looked at: `errno` says which.
        init?(_ name: String, in directory: Int32 = AT_FDCWD, followsLink: Bool = true) {
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

        var regularBytes: Int? { isRegular ? bytes : nil }

        package func isSameFile(as other: Status) -> Bool { device == other.device && inode == other.inode }

        package static func == (left: Status, right: Status) -> Bool {
            left.isSameFile(as: right) && left.bytes == right.bytes && left.modifiedSeconds == right.modifiedSeconds
        }
    }

    /// Resolves `path` if it is a symlink, and opens the directory.
    package init(_ path: String) throws(SystemError) {
        let resolved = try Self.resolved(path)
        let (prefix, name) = Self.split(resolved)
        guard !name.isEmpty, name != ".", name != ".." else {
            let code = Status(path) == nil ? errno : EISDIR
            throw SystemError(code: code, operation: "create", subject: path)
        }
        directory = try Directory.opened(prefix.isEmpty ? "." : prefix, to: "open the directory of", path)
        self.path = path
        self.name = name
        directoryPath = prefix
        // The lock and the temporary file have shorter names.
        if Status(name, in: directory) == nil, errno == ENAMETOOLONG { throw .last("create", path) }
    }

    deinit { _ = close(directory) }

    static func temporary() throws(SystemError) -> FileLocation {
        let path = Environment.path("TMPDIR") ?? "/tmp"
        return try FileLocation(temporary: path)
    }

    private init(temporary path: String) throws(SystemError) {
        directory = try Directory.opened(path, to: "create a temporary file in", path)
        self.path = path
        name = "castline"
        directoryPath = path + "/"
    }

    /// What is there now; nil if nothing is.
    /// - Parameter sibling: another name in the directory; a symlink isn't followed.
    package func status(of sibling: String? = nil) throws(SystemError) -> Status? {
        if let status = Status(sibling ?? name, in: directory, followsLink: sibling == nil) { return status }
        guard errno == ENOENT else { throw .last("look at", path) }
        return nil
    }

    /// What is at a path, following symlinks; nil if there is nothing or it can't be read.
    package static func status(ofPath path: String) -> Status? { Status(path) }

    /// What is at a path, without following a symlink; nil if there is nothing or it can't be read.
    package static func status(ofName path: String) -> Status? { Status(path, followsLink: false) }

    /// Opens the existing regular file for reading; nil if there is none.
    package func reading() throws(SystemError) -> Descriptor? {
        do throws(SystemError) {
            return try Descriptor.regular(name, in: directory, O_RDONLY | O_NOFOLLOW, path: path)
        } catch {
            guard error.isNotFound else { throw error }
            return nil
        }
    }

    /// Gives the existing file a second name, under which it stays when it is replaced.
    /// - Parameter suffix: appended to its name.
    package func backUp(suffix: String) throws(SystemError) {
        let temporary = StaleTemporary.newName(for: name)
        guard unsafe linkat(directory, name.fileBytes, directory, temporary.fileBytes, 0) == 0 else {
            if errno == ENOENT { return }
            throw .last("back up", path)
        }
        guard unsafe renameat(directory, temporary.fileBytes, directory, (name + suffix).fileBytes) == 0 else {
            let error = SystemError.last("back up to", path + suffix)
            remove(temporary)
            throw error
        }
        // Renaming a name to another name of the same file does nothing and leaves both.
        remove(temporary)
    }

    enum Predecessor {
        case none
        case kept(String)
        case moved(String)
        /// It exists, but can't have a second name on this file system.
        case unkept
    }

    /// Gives the existing file a second, temporary name, from which it can be restored.
    /// - Parameter mayMove: where it can't have a second name, it loses the first one, and for a moment nothing has it.
    func keepPredecessor(mayMove: Bool) -> Predecessor {
        let temporary = StaleTemporary.newName(for: name)
        if unsafe linkat(directory, name.fileBytes, directory, temporary.fileBytes, 0) == 0 {
            return .kept(temporary)
        }
        if errno == ENOENT { return .none }
        let isMoved = unsafe mayMove && renameat(directory, name.fileBytes, directory, temporary.fileBytes) == 0
        return isMoved ? .moved(temporary) : .unkept
    }

    func restore(_ predecessor: Predecessor) {
        switch predecessor {
        case .none: remove(name)
        case .kept(let temporary), .moved(let temporary):
            unsafe renameat(directory, temporary.fileBytes, directory, name.fileBytes)
        case .unkept: break
        }
    }

    func forget(_ predecessor: Predecessor) {
        switch predecessor {
        case .kept(let temporary), .moved(let temporary): remove(temporary)
        case .none, .unkept: break
        }
    }

    package func remove(_ file: Status) throws(SystemError) {
        guard try status(of: name)?.isSameFile(as: file) == true else { return }
        guard unsafe unlinkat(directory, name.fileBytes, 0) == 0 || errno == ENOENT else {
            throw .last("remove", path)
        }
    }

    func remove(_ sibling: String) { unsafe unlinkat(directory, sibling.fileBytes, 0) }

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

    /// The target of a symlink; nil if it isn't one.
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
}

/// Names of temporary files, and the removal of those that killed runs left.
///
///     characters.plist  ->  .characters.plist.castline-1f0c9a77e2b4d853
enum StaleTemporary {
    /// A file that isn't locked and was last written this long ago isn't in use.
    static let abandonedSeconds = 60.0
    private static let randomDigits = 16

    /// A new name beside the file, which nobody can guess.
    static func newName(for name: String) -> String { prefix(for: name) + randomPart(.random(in: 0 ... .max)) }

    /// A number as the unique part of a name.
    static func randomPart(_ number: UInt64) -> String {
        let digits = String(number, radix: 16)
        return String(repeating: "0", count: randomDigits - digits.count) + digits
    }

    static func isRandomPart(_ text: some Collection<UInt8>) -> Bool {
        text.count == randomDigits && isHexadecimal(text)
    }

    /// File names have at most 255 bytes, so a long one is cut.
    private static func prefix(for name: String) -> String {
        ".\(name.prefix(fileBytes: 200)).castline-"
    }

    static func isTemporary(_ candidate: String, for name: String) -> Bool {
        let prefix = prefix(for: name).utf8
        return candidate.utf8.starts(with: prefix) && isRandomPart(candidate.utf8.dropFirst(prefix.count))
    }

    /// Whether these are hexadecimal digits as `randomPart` writes them, in lower case.
    static func isHexadecimal(_ text: some Sequence<UInt8>) -> Bool {
        text.allSatisfy {
            (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0)
                || (UInt8(ascii: "a")...UInt8(ascii: "f")).contains($0)
        }
    }
}

extension FileLocation {
    /// The names of temporary files for this file; none where the directory can't be read.
    private var temporaries: [String] {
        do throws(SystemError) {
            return try Directory.names(".", in: directory, path).filter {
                StaleTemporary.isTemporary($0, for: name)
            }
        } catch {
            return []
        }
    }

    /// Removes the temporary files that killed runs left for this file. Only who has the lock may do it, since another
    /// run's unfinished file looks the same.
    func removeStaleTemporaries() {
        for entry in temporaries {
            if Status(entry, in: directory, followsLink: false)?.isRegular == true { remove(entry) }
        }
    }

    /// Removes the temporary files that killed runs left for this file, which has no lock: a run that uses one
    /// keeps it locked and writes to it.
    package func removeAbandoned() {
        let latest = WallClock.epochSeconds - StaleTemporary.abandonedSeconds
        for entry in temporaries {
            do throws(SystemError) {
                let file = try Descriptor.regular(
                    entry, in: directory, O_RDONLY | O_NOFOLLOW, path: directoryPath + entry)
                defer { file.closeUnchecked() }
                guard try file.status().modifiedSeconds < latest else { continue }
                if flock(file.rawValue, LOCK_EX | LOCK_NB) == 0 { remove(entry) }
            } catch {
                // It isn't castline's, or another run has removed it.
            }
        }
    }
}

/// Hard links: further names of a file, which take no space.
package enum FileLink {
    /// Makes a name that another file has a name of this file, in one step.
    package static func replace(_ name: String, by path: String) throws(SystemError) {
        let (directory, last) = FileLocation.split(name)
        let temporary = directory + StaleTemporary.newName(for: last)
        guard unsafe link(path.fileBytes, temporary.fileBytes) == 0 else { throw .last("link", name) }
        guard unsafe rename(temporary.fileBytes, name.fileBytes) == 0 else {
            let error = SystemError.last("link", name)
            unsafe unlink(temporary.fileBytes)
            throw error
        }
    }

    /// Gives the file another name in the same file system, never replacing anything.
    /// - Returns: whether the file has the name now; false if another file has it.
    package static func make(_ name: String, to path: String) throws(SystemError) -> Bool {
        guard unsafe link(path.fileBytes, name.fileBytes) != 0 else { return true }
        let error = SystemError.last("link", name)
        guard error.code == EEXIST else { throw error }
        guard let status = FileLocation.status(ofPath: path) else { return false }
        return FileLocation.status(ofName: name)?.isSameFile(as: status) == true
    }
}
