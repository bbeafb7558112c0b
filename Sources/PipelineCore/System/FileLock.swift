// The lock of a file that is replaced by renaming: flock on a sibling, since a lock on the file goes with the old one.
//
// Who lets go removes the sibling first. So who gets the lock must look whether its file is still the one by that
// name, and try again otherwise.

#if canImport(Darwin)
import Darwin
#else
import Glibc
#endif

/// A held lock; freed with the value.
package struct FileLock: ~Copyable {
    private let place: FilePlace
    private let name: String
    private let descriptor: Int32
    private let removal: Int?

    /// Takes the lock of the file at `place`, waiting so long for it.
    /// - Returns: nil where another run holds it still.
    package static func taken(_ place: FilePlace, waitSeconds: Double) throws(SystemError) -> FileLock? {
        let end = MonotonicClock.seconds + waitSeconds
        while true {
            if let lock = try tried(place) { return lock }
            let rest = end - MonotonicClock.seconds
            guard rest > 0 else { return nil }
            // Uneven, so that a crowd that waits doesn't march in step.
            let pause = min(rest, Double.random(in: 0.002...0.02))
            guard MonotonicClock.wait(seconds: pause) else {
                throw SystemError(code: EINTR, operation: "lock", subject: place.path)
            }
        }
    }

    /// The sibling's name: `.characters.plist.lock`. Names have at most 255 bytes, so a long one is cut.
    package static func name(for name: String) -> String {
        "." + String(decoding: Array(name.utf8).prefix(200), as: UTF8.self) + ".lock"
    }

    private static func tried(_ place: FilePlace) throws(SystemError) -> FileLock? {
        let name = name(for: place.name)
        guard let number = try opened(name, place) else { return nil }
        while flock(number, LOCK_EX | LOCK_NB) != 0 {
            if errno == EINTR { continue }
            let error = SystemError.last("lock", place.path)
            _ = close(number)
            if error.code == EWOULDBLOCK { return nil }
            throw error
        }
        var held = stat()
        var named = stat()
        guard unsafe fstat(number, &held) == 0 else {
            let error = SystemError.last("lock", place.path)
            _ = close(number)
            throw error
        }
        guard unsafe fstatat(place.directory, name, &named, 0) == 0,
            held.st_ino == named.st_ino, held.st_dev == named.st_dev
        else {
            _ = close(number)
            return try tried(place)
        }
        return FileLock(
            place: place, name: name, descriptor: number,
            removal: Interruption.removeIfEnded(place.directoryPath + name))
    }

    /// - Returns: nil where it is there and can't be opened: another user holds it, or did a moment ago.
    private static func opened(_ name: String, _ place: FilePlace) throws(SystemError) -> Int32? {
        let flags = O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK
        let created = unsafe openat(place.directory, name, O_RDWR | O_CREAT | flags, 0o666)
        if created >= 0 {
            // There is nothing in it; whoever stores here has to be able to open it, whatever this user's mask says.
            _ = fchmod(created, 0o666)
            return created
        }
        let error = SystemError.last("create the lock of", place.path)
        guard error.isDenied, let status = try place.status(of: name) else { throw error }
        guard status.isRegular else { throw error }
        // Another user's can't be written, and can be locked all the same.
        let number = unsafe openat(place.directory, name, O_RDONLY | flags)
        return number >= 0 ? number : nil
    }

    private init(place: FilePlace, name: String, descriptor: Int32, removal: Int?) {
        self.place = place
        self.name = name
        self.descriptor = descriptor
        self.removal = removal
    }

    deinit {
        place.remove(name)
        Interruption.forget(removal)
        _ = close(descriptor)
    }
}
