// The lock of a file that is replaced by renaming: flock on a sibling, as a lock on the file stays with the old
// one.
//
// The sibling is removed before the lock is released. So after locking, check that the name still refers to the
// locked file, and retry if not. A lock is an empty file: anything with a byte or a second name, or that isn't a
// regular file, is somebody else's and is left alone.

import CLibrary

package struct FileLock: ~Copyable {
    private let location: FileLocation
    private let name: String
    private let descriptor: Descriptor
    private let removal: Int?

    /// Takes the lock of the file at a location, waiting up to `waitSeconds` for it, and removes what killed runs have
    /// left.
    /// - Returns: nil if another run still holds it.
    package static func taken(_ location: FileLocation, waitSeconds: Double) throws(SystemError) -> FileLock? {
        let end = MonotonicClock.seconds + waitSeconds
        while true {
            if let lock = try tried(location) {
                location.removeStaleTemporaries()
                return lock
            }
            let rest = end - MonotonicClock.seconds
            guard rest > 0 else { return nil }
            // Random, so that waiting runs don't retry in lockstep.
            guard MonotonicClock.wait(seconds: min(rest, Double.random(in: 0.002...0.02))) else {
                throw SystemError(code: EINTR, operation: "lock", subject: location.path)
            }
        }
    }

    /// `.characters.plist.lock`. Names have at most 255 bytes, so a long one is cut.
    package static func name(for name: String) -> String { "." + name.prefix(fileBytes: 200) + ".lock" }

    private static func tried(_ location: FileLocation) throws(SystemError) -> FileLock? {
        let name = name(for: location.name)
        guard let lock = try opened(name, location) else { return nil }
        guard uninterrupted({ flock(lock.rawValue, LOCK_EX | LOCK_NB) }) == 0 else {
            let error = SystemError.last("lock", location.path)
            lock.closeUnchecked()
            if error.isInUse { return nil }
            throw error
        }
        guard let held = FileLocation.Status(ofOpen: lock.rawValue), isNamed(held, name, location) else {
            lock.closeUnchecked()
            return try tried(location)
        }
        return FileLock(
            location: location, name: name, descriptor: lock,
            removal: Signals.removeIfEnded(name, in: location.directory.number))
    }

    private static func isNamed(_ file: FileLocation.Status, _ name: String, _ location: FileLocation) -> Bool {
        location.directory.status(of: name)?.isSameFile(as: file) == true
    }

    /// - Returns: nil if it exists and can't be opened: another user holds it, or did a moment ago.
    /// - Throws: `SystemError.notOurs` for what can't be a lock.
    private static func opened(_ name: String, _ location: FileLocation) throws(SystemError) -> Descriptor? {
        let path = location.directoryPath + name
        let folder = location.directory.number
        let notOurs = SystemError.notOurs("lock with", path)
        let file: Descriptor
        do throws(SystemError) {
            file = try .regular(name, in: folder, O_RDWR | O_CREAT | O_NOFOLLOW, path: path)
        } catch {
            guard ![EISDIR, ELOOP, SystemError.notRegular].contains(error.code) else { throw notOurs }
            guard error.isDenied, let status = try location.status(of: name) else {
                throw SystemError(code: error.code, operation: "create the lock of", subject: location.path)
            }
            guard isLock(status) else { throw notOurs }
            // Another user's lock can't be written, but can still be locked.
            let readable = try? Descriptor.regular(name, in: folder, O_RDONLY | O_NOFOLLOW, path: path)
            guard let readable else { return nil }
            file = readable
        }
        guard let status = FileLocation.Status(ofOpen: file.rawValue), isLock(status) else {
            file.closeUnchecked()
            throw notOurs
        }
        // Everybody who stores here has to be able to open it, whatever this user's mask.
        _ = fchmod(file.rawValue, 0o666)
        return file
    }

    /// No names are fine too: another run may have removed it a moment ago.
    private static func isLock(_ status: FileLocation.Status) -> Bool {
        status.isRegular && status.bytes == 0 && status.links <= 1
    }

    deinit {
        // A run that is ended between the check and the removal would remove the next run's lock.
        Signals.deferred {
            let held = FileLocation.Status(ofOpen: descriptor.rawValue)
            if let held, Self.isLock(held), Self.isNamed(held, name, location) {
                location.directory.remove(name)
            }
            Signals.forget(removal)
        }
        descriptor.closeUnchecked()
    }
}

/// Numbers that the processes of a machine share: eight bytes in a file, read and changed under a lock that is held
/// only for that moment. A killed process leaves the old number or the new one, and no lock.
package enum SharedValueFile {
    private static func isNumber(_ status: FileLocation.Status) -> Bool {
        status.isRegular && (status.bytes == 0 || status.bytes == MemoryLayout<Int64>.size)
    }

    /// Changes the number in a file; a missing one is created, for this user only.
    /// - Parameter new: takes the number and returns the new one, or nil to leave it.
    /// - Returns: false if another process is changing it; nothing is done then.
    /// - Throws: `SystemError.notOurs` for a file that holds anything but a number.
    package static func change(_ path: String, _ new: (Int64) -> Int64?) throws(SystemError) -> Bool {
        let file = try Descriptor.regular(path, O_RDWR | O_CREAT | O_NOFOLLOW)
        // This ends the lock, too.
        defer { file.closeUnchecked() }
        guard uninterrupted(endsOnRequest: true, { flock(file.rawValue, LOCK_EX | LOCK_NB) }) == 0 else {
            if errno == EWOULDBLOCK { return false }
            throw .last("lock", path)
        }
        let status = try file.status()
        guard isNumber(status) else { throw .notOurs("use", path) }
        // If it has just been removed, the other processes use a new one.
        guard status.links > 0 else { return false }
        var bytes = [UInt8](repeating: 0, count: MemoryLayout<Int64>.size)
        let isWhole = try file.read(into: &bytes, at: 0) == bytes.count
        let number = isWhole ? Int64(bitPattern: bytes.span.word(at: 0)) : 0
        guard let changed = new(number) else { return true }
        for index in bytes.indices { bytes[index] = UInt8(truncatingIfNeeded: changed >> Int64(8 * index)) }
        try file.writeAll(bytes.span, at: 0)
        return true
    }

    /// Removes the numbers in a directory, with names that begin so, that haven't changed for `seconds`. A time that far
    /// in the future is from before the clock was set back. A symlink to a directory isn't followed.
    package static func removeUnused(in directory: String, prefix: String, seconds: Double) throws(SystemError) {
        let directory = try Directory(directory, flags: O_NOFOLLOW, to: "open")
        let now = WallClock.epochSeconds
        for name in try directory.names() where name.hasPrefix(prefix) {
            guard let found = directory.status(of: name) else { continue }
            if isNumber(found), abs(now - found.modifiedSeconds) > seconds { directory.remove(name) }
        }
    }
}
