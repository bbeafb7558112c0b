// Open directories. A name is looked up in the open directory, whatever the directory's own path is by now.

import CLibrary

package final class Directory: Sendable {
    let number: Int32
    /// For messages.
    let path: String

    /// - Parameter operation: what it is opened for, and of what, for messages.
    init(_ path: String, flags: Int32 = 0, to operation: String, _ subject: String? = nil) throws(SystemError) {
        number = unsafe openat(AT_FDCWD, path.fileBytes, O_RDONLY | O_DIRECTORY | O_CLOEXEC | flags)
        self.path = path
        guard number >= 0 else { throw .last(operation, subject ?? path) }
    }

    /// Opens one of castline's own directories in another directory.
    /// - Throws: `SystemError.notOurs` for a symlink, or anything else that isn't a directory.
    init(own name: String, in parent: Directory) throws(SystemError) {
        path = "\(parent.path)/\(name)"
        number = unsafe openat(parent.number, name, O_RDONLY | O_DIRECTORY | O_CLOEXEC | O_NOFOLLOW)
        guard number >= 0 else {
            let code = errno == ENOTDIR || errno == ELOOP ? SystemError.notOurs : errno
            throw SystemError(code: code, operation: "use", subject: path)
        }
    }

    deinit { close(number) }

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

    /// - Returns: whether it exists now.
    func make(_ name: String, mode: mode_t) -> Bool {
        unsafe mkdirat(number, name, mode) == 0 || errno == EEXIST
    }

    package static func names(_ path: String) throws(SystemError) -> [String] {
        try Directory(path, to: "read").names()
    }

    /// The names in the directory, unordered, without `.` and `..`.
    func names() throws(SystemError) -> [String] {
        // Copies of a descriptor share the place where reading goes on.
        let copy = unsafe openat(number, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        guard copy >= 0, let stream = unsafe fdopendir(copy) else {
            let error = SystemError.last("read", path)
            close(copy)
            throw error
        }
        defer { unsafe closedir(stream) }
        var names: [String] = []
        while let entry = unsafe readdir(stream) {
            let name = unsafe withUnsafeBytes(of: &entry.pointee.d_name) { buffer in
                // SAFETY: the system ends the name with a zero inside the field.
                unsafe String(fileBytes: Array(buffer.prefix { $0 != 0 }))
            }
            if name != ".", name != ".." { names.append(name) }
        }
        return names
    }

    /// What has the name, without following a symlink; nil for nothing, and for what can't be looked at: `errno` says
    /// which.
    func status(of name: String) -> FileLocation.Status? {
        FileLocation.Status(name, in: number, followsLink: false)
    }

    /// - Returns: whether nothing has the name now.
    @discardableResult
    func remove(_ name: String) -> Bool { unsafe unlinkat(number, name.fileBytes, 0) == 0 || errno == ENOENT }

    /// Waits until its names are on the disk.
    /// - Parameter path: the file whose name matters.
    func synchronize(for path: String) throws(SystemError) {
        do throws(SystemError) {
            try Descriptor(rawValue: number, name: path).synchronize("synchronize the directory of", path)
        } catch {
            // Some file systems don't support this for directories, and don't need it.
            guard error.code == EINVAL || error.code == ENOTSUP || error.code == EBADF else { throw error }
        }
    }
}

/// The name of a temporary file, which is removed with this value.
struct TemporaryName: ~Copyable {
    private let name: String
    private let directory: Directory
    private let removal: Int?
    private var isGone = false

    /// - Parameter isRemovedBySignals: also removes the file where a signal ends the run by force.
    init(_ name: String, in directory: Directory, isRemovedBySignals: Bool = true) {
        self.name = name
        self.directory = directory
        // Registered before the file exists, so that a signal can't leave it behind.
        removal = isRemovedBySignals ? Signals.removeIfEnded(name, in: directory.number) : nil
    }

    /// A new name beside a file, by which a later run knows what a killed one left.
    init(beside location: FileLocation, isRemovedBySignals: Bool = true) {
        self.init(
            StaleTemporary.newName(for: location.name), in: location.directory,
            isRemovedBySignals: isRemovedBySignals)
    }

    deinit {
        if !isGone { directory.remove(name) }
        Signals.forget(removal)
    }

    /// - Parameter path: the file as the user knows it.
    func created(mode: mode_t = 0o600, _ path: String) throws(SystemError) -> Descriptor {
        let flags = O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW
        let number = unsafe openat(directory.number, name.fileBytes, flags, mode)
        guard number >= 0 else { throw .last("create", path) }
        return Descriptor(rawValue: number, name: path)
    }

    /// Gives an existing file this name too.
    /// - Returns: false if it can't be done, as `errno` says.
    func link(to other: String, in folder: Int32) -> Bool {
        unsafe linkat(folder, other.fileBytes, directory.number, name.fileBytes, 0) == 0
    }

    /// Gives an existing file of the directory this name instead.
    func take(from other: String) -> Bool {
        unsafe renameat(directory.number, other.fileBytes, directory.number, name.fileBytes) == 0
    }

    /// Gives the file another name, which it takes from any other file.
    /// - Parameter folder: nil for the same directory.
    func rename(to other: String, in folder: Directory? = nil) -> Bool {
        unsafe renameat(directory.number, name.fileBytes, (folder ?? directory).number, other.fileBytes) == 0
    }

    /// Gives a file that has no further name another one, and so loses it: nothing is left to be removed. Of a file with two
    /// names the system may leave both.
    mutating func move(to other: String, in folder: Directory) -> Bool {
        isGone = rename(to: other, in: folder)
        return isGone
    }
}

/// Names of temporary files.
///
///     characters.plist  ->  .characters.plist.castline-1f0c9a77e2b4d853
enum StaleTemporary {
    private static let randomDigits = 16

    static func newName(for name: String) -> String { prefix(for: name) + randomPart() }

    /// What nobody can guess.
    static func randomPart() -> String {
        String(UInt64.random(in: 0 ... .max), radix: 16).padded(to: randomDigits)
    }

    /// File names have at most 255 bytes, so a long one is cut.
    static func prefix(for name: String) -> String { ".\(name.prefix(fileBytes: 200)).castline-" }

    static func isTemporary(_ candidate: String, prefix: String) -> Bool {
        let prefix = prefix.utf8
        let rest = candidate.utf8.dropFirst(prefix.count)
        return candidate.utf8.starts(with: prefix) && rest.count == randomDigits && rest.areHexadecimal
    }
}

extension Sequence<UInt8> {
    /// Whether these are hexadecimal digits in lower case, as names of files have them.
    package var areHexadecimal: Bool {
        allSatisfy { $0 &- UInt8(ascii: "0") < 10 || $0 &- UInt8(ascii: "a") < 6 }
    }
}
