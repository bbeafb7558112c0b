// A failed call to the C library: which one, on what, and why.

import CLibrary

package struct SystemError: Error, Equatable, Sendable {
    package let code: Int32
    /// What was being done, as it reads in a message: "open", "write to".
    package let operation: String
    /// The file or stream, as the user named it.
    package let subject: String

    package init(code: Int32, operation: String, subject: String) {
        self.code = code
        self.operation = operation
        self.subject = subject
    }

    /// The failure in `errno`. Call it before anything else can change `errno`.
    package static func last(_ operation: String, _ subject: String) -> SystemError {
        SystemError(code: errno, operation: operation, subject: subject)
    }

    // Not values of `errno`:

    package static let notRegular: Int32 = -1
    /// Somebody else made what has a name that castline uses. It is left alone.
    package static let notOurs: Int32 = -2
    package static func notOurs(_ operation: String, _ subject: String) -> SystemError {
        SystemError(code: notOurs, operation: operation, subject: subject)
    }

    /// A file that is read whole has more bytes than allowed.
    static let tooLarge: Int32 = -3

    /// A file that is mounted on its own has no place in a directory where another could stand.
    static let mounted: Int32 = -4

    /// The failure in `errno` of a call that gives the file at a path another name, or its name to another file.
    static func lastRename(_ operation: String, _ subject: String) -> SystemError {
        // Both names are in one directory, so only a mount of the file itself can be in the way.
        let isMounted = errno == EBUSY || errno == EXDEV
        return SystemError(code: isMounted ? mounted : errno, operation: operation, subject: subject)
    }

    static func interrupted(_ subject: String) -> SystemError {
        SystemError(code: EINTR, operation: "read", subject: subject)
    }

    static func shortRead(_ subject: String) -> SystemError {
        SystemError(code: EIO, operation: "read", subject: subject)
    }

    /// The system's message, such as "No space left on device", beginning in lower case like our messages.
    package var reason: String {
        switch code {
        case Self.notRegular: return "not a regular file"
        case Self.notOurs: return "something that castline didn't make has that name"
        case Self.tooLarge: return "too large"
        case Self.mounted: return "it is a mount of its own, as docker -v FILE makes it"
        default: break
        }
        guard let text = unsafe strerror(code) else { return "error \(code)" }
        let words = unsafe String(cString: text)
        return words.prefix(1).lowercased() + words.dropFirst()
    }

    /// What to do about it, if the cause alone says it.
    package var cure: String? {
        switch code {
        case ENOSPC, EDQUOT: "make room and run it again"
        case ENOENT, ENOTDIR: "check the path"
        case EACCES, EPERM: "check who may read and write it"
        case EISDIR, Self.notRegular: "name a file"
        case Self.notOurs: "move it away"
        case Self.mounted: "mount its directory"
        case EIO: "check the disk"
        case EBUSY: "another run is at work there; run it again"
        case EROFS: "choose a place that can be written"
        case EFBIG: "raise the limit of a file's size (ulimit -f)"
        case EMFILE, ENFILE: "raise the limit of open files (ulimit -n)"
        case EBADF: "give it a file or a pipe"
        // Locks and streams that would wait never get here; a thread that can't start does.
        case EAGAIN: "allow more threads or memory (ulimit -u, ulimit -v)"
        case ENOMEM: "allow more memory (ulimit -v), or split large records"
        default: nil
        }
    }

    package var isShortage: Bool { [EMFILE, ENFILE, ENOMEM, ENOSPC, EDQUOT, EBUSY].contains(code) }
    package var isInUse: Bool { code == EWOULDBLOCK }
    package var isBusy: Bool { code == EBUSY }
    package var isNotFound: Bool { code == ENOENT }
    package var isDenied: Bool { code == EACCES }
    package var isForeign: Bool { code == Self.notOurs }
    package var isTooLarge: Bool { code == Self.tooLarge }
    package var isTooManyLinks: Bool { code == EMLINK }

    /// True if no file can be created at that location, however much space there is.
    package var isUnusablePlace: Bool {
        [EISDIR, ENOTDIR, ENOENT, EACCES, EPERM, EROFS, ELOOP, ENAMETOOLONG, Self.notRegular, Self.notOurs]
            .contains(code)
    }
}

/// What a failed call of the C library means to whoever opened the file: the end of a run with a certain status.
package protocol SystemFailure: Error {
    init(_ error: SystemError)
}

extension SystemFailure {
    @discardableResult @inline(__always)
    package static func of<Result: ~Copyable>(
        _ call: @autoclosure () throws(SystemError) -> Result
    ) throws(Self) -> Result {
        do throws(SystemError) { return try call() } catch { throw Self(error) }
    }
}

extension SystemError: CustomStringConvertible {
    package var description: String { "cannot \(operation) \(subject): \(reason)" }
}
