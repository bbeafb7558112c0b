// Open files and streams of the operating system: every read and write of the tools goes through here.

#if canImport(Darwin)
import Darwin
#else
import Glibc
#endif

/// An open file descriptor with the name that messages use for it. It doesn't close itself: the three standard
/// streams live as long as the process, and files are closed where their errors can be reported.
package struct Descriptor: Sendable {
    package let rawValue: Int32
    /// `<stdin>`, `<stdout>`, or the path as the user gave it.
    package let name: String

    package init(rawValue: Int32, name: String) {
        self.rawValue = rawValue
        self.name = name
    }

    package static let standardInput = Descriptor(rawValue: 0, name: "<stdin>")
    package static let standardOutput = Descriptor(rawValue: 1, name: "<stdout>")
    package static let standardError = Descriptor(rawValue: 2, name: "<stderr>")

    /// Opens a file to be read from its beginning. A directory is refused here: its first read would fail.
    package static func reading(_ path: String) throws(SystemError) -> Descriptor {
        let file = try opened(path, flags: O_RDONLY | O_CLOEXEC, mode: 0)
        var status = stat()
        if unsafe fstat(file.rawValue, &status) == 0, status.st_mode & S_IFMT == S_IFDIR {
            try file.close()
            throw SystemError(code: EISDIR, operation: "read", subject: path)
        }
        return file
    }

    /// Opens a file to be written from its beginning, made or emptied first. It isn't replaced as a whole: use
    /// `AtomicFile` for what others read.
    package static func writing(_ path: String) throws(SystemError) -> Descriptor {
        try opened(path, flags: O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, mode: 0o666)
    }

    private static func opened(_ path: String, flags: Int32, mode: mode_t) throws(SystemError) -> Descriptor {
        let number = uninterrupted(endsOnRequest: true) { unsafe open(path, flags, mode) }
        guard number >= 0 else { throw .last("open", path) }
        return Descriptor(rawValue: number, name: path)
    }

    /// Reads what is there, at most to the end of `bytes[range]`, waiting for the first byte.
    /// - Returns: the number of bytes read; 0 at the end of the input.
    /// - Throws: `EINTR` only where a signal asked the run to end.
    package func read(into bytes: inout [UInt8], _ range: Range<Int>) throws(SystemError) -> Int {
        precondition(range.lowerBound >= 0 && range.upperBound <= bytes.count)
        while true {
            if Signals.isRequested { throw .interrupted(name) }
            let count = unsafe bytes.withUnsafeMutableBytes { buffer in
                // SAFETY: the range was checked against the buffer above.
                unsafe systemRead(rawValue, UnsafeMutableRawBufferPointer(rebasing: buffer[range]))
            }
            if count >= 0 { return count }
            if errno == EAGAIN || errno == EWOULDBLOCK {
                _ = isReady(toRead: true, withinMilliseconds: 250)
            } else if errno != EINTR {
                throw .last("read", name)
            }
        }
    }

    /// Empties a regular file that was written from its beginning; a stream stays as it is.
    package func rewind() {
        guard let size = fileSize, size > 0 else { return }
        lseek(rawValue, 0, SEEK_SET)
        ftruncate(rawValue, 0)
    }

    /// Takes back the part of a write that failed from the end of a regular file; a stream stays as it is.
    /// - Parameters:
    ///   - size: of the file before the write.
    ///   - limit: bytes that were to be written. Where there are more now somebody else writes there too.
    package func takeBack(to size: Int, limit: Int) {
        guard let now = fileSize, now > size, now - size <= limit else { return }
        guard ftruncate(rawValue, off_t(size)) == 0 else { return }
        lseek(rawValue, 0, SEEK_END)
    }

    /// Lets the system report what it reports of a write only at the end (network file systems), and keeps the file open.
    package func closeCopy() throws(SystemError) {
        let copy = fcntl(rawValue, F_DUPFD_CLOEXEC, 3)
        guard copy >= 0 else { throw .last("write to", name) }
        try Descriptor(rawValue: copy, name: name).close()
    }

    /// How many bytes a regular file has; nil for anything else.
    package var fileSize: Int? {
        var status = stat()
        guard unsafe fstat(rawValue, &status) == 0 else { return nil }
        return FileLocation.Status(status).regularBytes
    }

    /// How many bytes the regular file at a path has; nil where there is none or it is something else.
    package static func fileSize(_ path: String) -> Int? {
        var status = stat()
        guard unsafe stat(path, &status) == 0 else { return nil }
        return FileLocation.Status(status).regularBytes
    }

    /// A pipe of the process's own, which no child inherits.
    package static func pipe(_ name: String) throws(SystemError) -> (reading: Descriptor, writing: Descriptor) {
        var ends: [Int32] = [-1, -1]
        let result = unsafe ends.withUnsafeMutableBufferPointer { ends in
            unsafe ends.baseAddress.map { unsafe systemPipe($0) } ?? -1
        }
        guard result == 0 else { throw .last("make", name) }
        for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
        return (Descriptor(rawValue: ends[0], name: name), Descriptor(rawValue: ends[1], name: name))
    }

    /// Writes all the bytes, however many calls that takes. A request to end doesn't stop it in the middle: what is
    /// begun is ended while the reader takes it, and `Signals` bounds the wait where it doesn't. Where SIGPIPE is
    /// ignored and a pipe's reader has gone, the run ends as that signal would end it.
    package func writeAll(_ bytes: Span<UInt8>) throws(SystemError) {
        var rest = bytes
        while !rest.isEmpty {
            let count = unsafe rest.withUnsafeBytes { buffer in
                // SAFETY: the pointer and the count are of one buffer that outlives the call.
                unsafe systemWrite(rawValue, buffer)
            }
            if count >= 0 {
                rest = rest.extracting(count...)
            } else if errno == EAGAIN || errno == EWOULDBLOCK {
                _ = isReady(toRead: false, withinMilliseconds: 250)
            } else if errno != EINTR {
                if errno == EPIPE { Signals.requestAsBrokenPipe() }
                throw .last("write to", name)
            }
        }
    }

    /// Asks whether bytes would be taken, without writing one. Where a pipe's reader has gone the run ends as one that
    /// SIGPIPE has ended does, but by itself, so that it can tidy up.
    package func probe() throws(SystemError) {
        var entry = pollfd(fd: rawValue, events: Int16(POLLOUT), revents: 0)
        if unsafe poll(&entry, 1, 0) > 0, Int32(entry.revents) & Int32(POLLERR) != 0 {
            Signals.requestAsBrokenPipe()
            throw SystemError(code: EPIPE, operation: "write to", subject: name)
        }
        let count = unsafe systemWrite(rawValue, UnsafeRawBufferPointer(start: nil, count: 0))
        guard count >= 0 || errno == EAGAIN || errno == EINTR else { throw .last("write to", name) }
    }

    /// Whether a read (or a write) would return at once, waiting at most so long for it. A closed or broken stream is
    /// ready: the call that follows reports what is wrong with it.
    package func isReady(toRead: Bool, withinMilliseconds timeout: Int32 = 0) -> Bool {
        var entry = pollfd(fd: rawValue, events: Int16(toRead ? POLLIN : POLLOUT), revents: 0)
        return unsafe poll(&entry, 1, timeout) != 0
    }

    /// Lets a pipe hold 1 MiB instead of 64 KiB, where the system allows it: the programs at its ends then wake each
    /// other sixteen times less often. Anything else stays as it is.
    package func widenPipe() {
        #if canImport(Glibc)
        // F_SETPIPE_SZ, which the module map lacks: F_LINUX_SPECIFIC_BASE + 7, see fcntl(2).
        _ = fcntl(rawValue, 1031, Int32(1 << 20))
        #endif
    }

    /// Whether a person is at the other end.
    package var isTerminal: Bool { isatty(rawValue) == 1 }

    /// Whether another program is at the other end.
    package var isPipe: Bool {
        var status = stat()
        return unsafe fstat(rawValue, &status) == 0 && status.st_mode & S_IFMT == S_IFIFO
    }

    /// What a regular file holds from here to its end, in bytes; nil for anything else.
    package var bytesLeft: Int? {
        guard let fileSize else { return nil }
        return max(0, fileSize - max(0, Int(lseek(rawValue, 0, SEEK_CUR))))
    }

    /// Closes a file from which bytes were only read, or whose bytes nobody wants: nothing can be lost.
    package func closeUnchecked() { _ = systemClose(rawValue) }

    /// Closes the descriptor. A failure means that data written before may be lost. It isn't tried again: on Linux
    /// the number is free after the first call, whatever it returned.
    package func close() throws(SystemError) {
        guard systemClose(rawValue) == 0 || errno == EINTR else { throw .last("close", name) }
    }
}
