// Files opened before it is known what has the name. A FIFO would wait for a writer, a device might never end, and
// a size can be wrong. So a file must be regular where one is meant, and reading a whole file takes a limit.

import CLibrary

extension Descriptor {
    /// Opens a regular file without waiting for anything.
    /// - Parameters:
    ///   - name: in the open directory, or a path.
    ///   - flags: as for open(2); with `O_CREAT` a missing file is created, for this user only.
    ///   - path: for messages; nil if the name is one.
    /// - Throws: `SystemError.notRegular` for a FIFO, a device or a socket, `EISDIR` for a directory.
    static func regular(
        _ name: String, in directory: Int32 = AT_FDCWD, _ flags: Int32 = O_RDONLY, path: String? = nil
    ) throws(SystemError) -> Descriptor {
        let path = path ?? name
        // O_NONBLOCK has no effect on a regular file; without it a FIFO or a device might wait here.
        let number = unsafe openat(directory, name.fileBytes, flags | O_NONBLOCK | O_NOCTTY | O_CLOEXEC, 0o600)
        guard number >= 0 else {
            // A socket, or a FIFO that nobody reads.
            throw SystemError(
                code: errno == ENXIO ? SystemError.notRegular : errno, operation: "open", subject: path)
        }
        let file = Descriptor(rawValue: number, name: path)
        do throws(SystemError) {
            let status = try file.status()
            guard status.isRegular else {
                let code = status.isDirectory ? EISDIR : SystemError.notRegular
                throw SystemError(code: code, operation: "read", subject: path)
            }
            return file
        } catch {
            file.closeUnchecked()
            throw error
        }
    }

    package func status() throws(SystemError) -> FileLocation.Status {
        guard let status = FileLocation.Status(ofOpen: rawValue) else { throw .last("look at", name) }
        return status
    }

    // MARK: Whole files

    /// All bytes of a file.
    /// - Parameter mayBeStream: a pipe is read too; otherwise anything but a regular file is refused without waiting.
    /// - Throws: `SystemError.tooLarge` if there are more than `limitBytes`, of which at most one is read.
    package static func contents(
        of path: String, limitBytes: Int, mayBeStream: Bool = false
    ) throws(SystemError) -> [UInt8] {
        let file = mayBeStream ? try reading(path) : try regular(path)
        defer { file.closeUnchecked() }
        return try file.contents(limitBytes: limitBytes)
    }

    func contents(limitBytes: Int) throws(SystemError) -> [UInt8] {
        let limitBytes = min(limitBytes, .max - 1)
        // It only decides the size of reads.
        let size = fileSize
        guard size ?? 0 <= limitBytes else { throw tooLarge }
        try Memory.demand(min(limitBytes, size ?? 0), for: "the \(size ?? 0) bytes of \(name)")
        // One byte more than expected, so that the same read shows the end.
        var bytes = [UInt8].untouched(min(limitBytes, max(size ?? 0, Self.leastBlock)) + 1)
        var filled = 0
        while true {
            let room = filled..<bytes.count
            let count = size == nil ? try read(into: &bytes, room) : try readOnce(into: &bytes, room, at: filled)
            filled += count
            if count == 0 || filled == size { break }
            guard filled <= limitBytes else { throw tooLarge }
            guard filled == bytes.count else { continue }
            try Memory.demand(2 * filled, for: "\(name), of more than \(filled) bytes")
            bytes.append(contentsOf: repeatElement(0, count: min(filled, limitBytes - filled + 1)))
        }
        bytes.removeLast(bytes.count - filled)
        return bytes
    }

    /// In bytes, if the file's size isn't known.
    private static let leastBlock = 4096

    private var tooLarge: SystemError { SystemError(code: SystemError.tooLarge, operation: "read", subject: name) }

    // MARK: Before a file replaces another

    /// Waits until the file is on the disk. A failure isn't retried: by then the system has dropped the data.
    /// - Parameter path: the file as the user named it.
    package func synchronize(_ operation: String, _ path: String) throws(SystemError) {
        #if canImport(Darwin)
        if fcntl(rawValue, F_FULLFSYNC) == 0 { return }
        guard errno == ENOTSUP || errno == EINVAL else { throw .last(operation, path) }
        #endif
        guard uninterrupted({ fsync(rawValue) }) == 0 else { throw .last(operation, path) }
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
