// The lock of a file that is replaced by renaming: flock on a sibling, since a lock on the file goes with the old one.
//
// Who lets go removes the sibling first. So who gets the lock must look whether its file is still the one by that
// name, and try again otherwise. A lock is an empty file: what has a byte, a second name or isn't a file is somebody
// else's, and stays.

#if canImport(Darwin)
import Darwin
#else
import Glibc
#endif

/// A held lock; freed with the value.
package struct FileLock: ~Copyable {
    private let location: FileLocation
    private let name: String
    private let descriptor: Int32
    private let removal: Int?

    /// Takes the lock of the file at a location, waiting up to `waitSeconds` for it.
    /// - Returns: nil where another run holds it still.
    package static func taken(_ location: FileLocation, waitSeconds: Double) throws(SystemError) -> FileLock? {
        let end = MonotonicClock.seconds + waitSeconds
        while true {
            if let lock = try tried(location) { return lock }
            let rest = end - MonotonicClock.seconds
            guard rest > 0 else { return nil }
            // Uneven, so that runs that wait don't retry in lockstep.
            let pause = min(rest, Double.random(in: 0.002...0.02))
            guard MonotonicClock.wait(seconds: pause) else {
                throw SystemError(code: EINTR, operation: "lock", subject: location.path)
            }
        }
    }

    /// The sibling's name: `.characters.plist.lock`. Names have at most 255 bytes, so a long one is cut.
    package static func name(for name: String) -> String {
        "." + String(decoding: Array(name.utf8).prefix(200), as: UTF8.self) + ".lock"
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

    /// - Returns: nil where it is there and can't be opened: another user holds it, or did a moment ago.
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
            // There is nothing in it; whoever stores here has to be able to open it, whatever this user's mask says.
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
            // Another user's can't be written, and can be locked all the same.
            let flags = O_RDONLY | O_NOFOLLOW
            return try Descriptor.regular(name, in: location.directory, flags, path: path).descriptor.rawValue
        } catch {
            return nil
        }
    }

    /// Another run may have removed it a moment ago.
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
        // A run that is ended in between would take the next one's lock away.
        Signals.deferred {
            do throws(SystemError) {
                let held = try lock.status()
                if Self.isLock(held), Self.isNamed(held, name, location) { location.remove(name) }
            } catch {
                // An empty file is no lock of anybody's.
            }
            Signals.forget(removal)
        }
        lock.closeUnchecked()
    }
}
