// The lock of a file that is replaced by renaming: flock on a sibling, as a lock on the file stays with the old
// one.
//
// The sibling is removed before the lock is released. So after locking, check that the name still refers to the
// locked file, and retry if not. A lock is an empty file: anything with a byte or a second name, or that isn't a
// regular file, is somebody else's and is left alone.

#if canImport(Darwin)
import Darwin
#else
import Glibc
#endif

package struct FileLock: ~Copyable {
    private let location: FileLocation
    private let name: String
    private let descriptor: Int32
    private let removal: Int?

    /// Takes the lock of the file at a location, waiting up to `waitSeconds` for it.
    /// - Returns: nil if another run still holds it.
    package static func taken(_ location: FileLocation, waitSeconds: Double) throws(SystemError) -> FileLock? {
        let end = MonotonicClock.seconds + waitSeconds
        while true {
            if let lock = try tried(location) { return lock }
            let rest = end - MonotonicClock.seconds
            guard rest > 0 else { return nil }
            // Random, so that waiting runs don't retry in lockstep.
            let pause = min(rest, Double.random(in: 0.002...0.02))
            guard MonotonicClock.wait(seconds: pause) else {
                throw SystemError(code: EINTR, operation: "lock", subject: location.path)
            }
        }
    }

    /// The sibling's name: `.characters.plist.lock`. Names have at most 255 bytes, so a long one is cut.
    package static func name(for name: String) -> String {
        "." + name.prefix(fileBytes: 200) + ".lock"
    }

    private static func tried(_ location: FileLocation) throws(SystemError) -> FileLock? {
        let name = name(for: location.name)
        guard let number = try opened(name, location) else { return nil }
        guard uninterrupted({ flock(number, LOCK_EX | LOCK_NB) }) == 0 else {
            let error = SystemError.last("lock", location.path)
            _ = close(number)
            if error.code == EWOULDBLOCK { return nil }
            throw error
        }
        let lock = Descriptor(rawValue: number, name: location.path)
        let held: FileLocation.Status
        do throws(SystemError) { held = try lock.status() } catch {
            lock.closeUnchecked()
            throw error
        }
        guard isNamed(held, name, location) else {
            lock.closeUnchecked()
            return try tried(location)
        }
        return FileLock(
            location: location, name: name, descriptor: number,
            removal: Signals.removeIfEnded(name, in: location.directory))
    }

    private static func isNamed(_ file: FileLocation.Status, _ name: String, _ location: FileLocation) -> Bool {
        do throws(SystemError) { return try location.status(of: name)?.isSameFile(as: file) == true } catch {
            return false
        }
    }

    /// - Returns: nil if it exists and can't be opened: another user holds it, or did a moment ago.
    /// - Throws: `SystemError.notOurs` for what can't be a lock.
    private static func opened(_ name: String, _ location: FileLocation) throws(SystemError) -> Int32? {
        let path = location.directoryPath + name
        let notOurs = SystemError(code: SystemError.notOurs, operation: "lock with", subject: path)
        do throws(SystemError) {
            let flags = O_RDWR | O_CREAT | O_NOFOLLOW
            let opened = try Descriptor.regular(name, in: location.directory, flags, path: path)
            guard isLock(opened.status) else {
                opened.close()
                throw notOurs
            }
            // It is empty, and everybody who stores here has to be able to open it, whatever this user's mask.
            _ = fchmod(opened.descriptor.rawValue, 0o666)
            return opened.descriptor.rawValue
        } catch {
            guard ![EISDIR, ELOOP, SystemError.notRegular, SystemError.notOurs].contains(error.code) else {
                throw notOurs
            }
            guard error.isDenied, let status = try location.status(of: name) else {
                throw SystemError(code: error.code, operation: "create the lock of", subject: location.path)
            }
            guard isLock(status) else { throw notOurs }
        }
        do throws(SystemError) {
            // Another user's lock can't be written, but can still be locked.
            let flags = O_RDONLY | O_NOFOLLOW
            return try Descriptor.regular(name, in: location.directory, flags, path: path).descriptor.rawValue
        } catch {
            return nil
        }
    }

    /// No names are fine too: another run may have removed it a moment ago.
    private static func isLock(_ status: FileLocation.Status) -> Bool {
        status.isRegular && status.bytes == 0 && status.links <= 1
    }

    private init(location: FileLocation, name: String, descriptor: Int32, removal: Int?) {
        self.location = location
        self.name = name
        self.descriptor = descriptor
        self.removal = removal
    }

    deinit {
        let lock = Descriptor(rawValue: descriptor, name: location.path)
        // A run that is ended between the check and the removal would remove the next run's lock.
        Signals.deferred {
            do throws(SystemError) {
                let held = try lock.status()
                if Self.isLock(held), Self.isNamed(held, name, location) { location.remove(name) }
            } catch {
                // An empty file that nobody has locked does no harm.
            }
            Signals.forget(removal)
        }
        lock.closeUnchecked()
    }
}

/// A number that the processes of a machine share: eight bytes in a file, read and changed under a lock that is held
/// only for that moment. A killed process leaves the old number or the new one, and no lock.
package final class SharedValueFile {
    private let path: String
    private var descriptor: Int32

    /// Opens the file; a missing one is created, for this user only.
    package init(_ path: String) throws(SystemError) {
        self.path = path
        descriptor = try Self.opened(path)
    }

    deinit { _ = close(descriptor) }

    /// - Throws: `SystemError.notOurs` for a file that holds anything but a number.
    private static func opened(_ path: String) throws(SystemError) -> Int32 {
        let flags = O_RDWR | O_CREAT | O_NOFOLLOW
        let opened = try Descriptor.regular(path, in: AT_FDCWD, flags, path: path)
        guard isNumber(opened.status) else {
            opened.close()
            throw SystemError(code: SystemError.notOurs, operation: "use", subject: path)
        }
        return opened.descriptor.rawValue
    }

    private static func isNumber(_ status: FileLocation.Status) -> Bool {
        status.isRegular && (status.bytes == 0 || status.bytes == MemoryLayout<Int64>.size)
    }

    /// Changes the number.
    /// - Parameter new: takes the number and returns the new one, or nil to leave it.
    /// - Returns: false if another process is changing it; nothing is done then.
    package func change(_ new: (Int64) -> Int64?) throws(SystemError) -> Bool {
        guard uninterrupted(endsOnRequest: true, { flock(descriptor, LOCK_EX | LOCK_NB) }) == 0 else {
            if errno == EWOULDBLOCK { return false }
            throw .last("lock", path)
        }
        defer { _ = flock(descriptor, LOCK_UN) }
        guard let status = FileLocation.Status(ofOpen: descriptor), status.links > 0 else {
            // The file has been removed since; the other processes use a new one.
            _ = close(descriptor)
            descriptor = try Self.opened(path)
            return false
        }
        var number: Int64 = 0
        let count = unsafe withUnsafeMutableBytes(of: &number) {
            // SAFETY: the buffer is the number.
            unsafe pread(descriptor, $0.baseAddress, $0.count, 0)
        }
        guard count >= 0 else { throw .last("read", path) }
        guard var changed = new(count == MemoryLayout<Int64>.size ? number : 0) else { return true }
        let written = unsafe withUnsafeBytes(of: &changed) {
            // SAFETY: the buffer is the number.
            unsafe pwrite(descriptor, $0.baseAddress, $0.count, 0)
        }
        guard written == MemoryLayout<Int64>.size else { throw .last("write to", path) }
        return true
    }

    /// Removes the numbers in a directory that haven't changed for `seconds`, and nothing else. A time that far in
    /// the future is from before the clock was set back. A symlink to a directory isn't followed.
    /// - Parameter prefix: of the names of numbers.
    package static func removeUnused(in directory: String, prefix: String, seconds: Double) throws(SystemError) {
        let number = unsafe open(directory.fileBytes, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC)
        guard number >= 0 else { throw .last("open", directory) }
        defer { _ = close(number) }
        let now = WallClock.epochSeconds
        for name in Directory.names(ofOpen: number) where name.hasPrefix(prefix) {
            guard let found = FileLocation.Status(name, in: number, followsLink: false) else { continue }
            if isNumber(found), abs(now - found.modifiedSeconds) > seconds {
                unsafe unlinkat(number, name.fileBytes, 0)
            }
        }
    }
}
