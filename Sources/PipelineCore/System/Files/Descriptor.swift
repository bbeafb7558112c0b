// Open files and streams of the operating system: every read and write of the tools goes through here.

import CLibrary

/// An open file descriptor with the name that messages use for it. It doesn't close itself: the three standard
/// streams live as long as the process, and files are closed where errors can be reported.
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

    /// Fills those of the three that are closed, so that no file opened later gets one of these numbers and the data
    /// meant for it. They stay unusable: the first write to stdout fails, as on a closed descriptor.
    static func occupyStandardStreams() {
        for number in Int32(0)...2 where fcntl(number, F_GETFD) < 0 && errno == EBADF {
            // The lowest free number is taken, which is this one.
            _ = unsafe open("/dev/null", number == 0 ? O_WRONLY : O_RDONLY)
        }
    }

    /// Opens a file for reading. A directory is refused here, since its first read would fail.
    package static func reading(_ path: String) throws(SystemError) -> Descriptor {
        let file = try opened(path, flags: O_RDONLY | O_CLOEXEC, mode: 0)
        if FileLocation.Status(ofOpen: file.rawValue)?.isDirectory == true {
            try file.close()
            throw SystemError(code: EISDIR, operation: "read", subject: path)
        }
        return file
    }

    /// Creates or empties a file, not atomically: use `AtomicFile` for files that others read.
    package static func writing(_ path: String) throws(SystemError) -> Descriptor {
        try opened(path, flags: O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, mode: 0o666)
    }

    private static func opened(_ path: String, flags: Int32, mode: mode_t) throws(SystemError) -> Descriptor {
        let number = uninterrupted(endsOnRequest: true) { unsafe open(path.fileBytes, flags, mode) }
        guard number >= 0 else { throw .last("open", path) }
        return Descriptor(rawValue: number, name: path)
    }

    /// Reads what is available into `bytes[range]`, waiting for the first byte.
    /// - Returns: the number of bytes read; 0 at the end of the input.
    /// - Throws: `EINTR` only if a signal asked the run to end.
    package func read(into bytes: inout [UInt8], _ range: Range<Int>) throws(SystemError) -> Int {
        precondition(range.lowerBound >= 0 && range.upperBound <= bytes.count)
        while true {
            if Signals.isRequested { throw .interrupted(name) }
            let count = unsafe bytes.withUnsafeMutableBytes { buffer in
                // SAFETY: the range was checked against the buffer above.
                let part = unsafe UnsafeMutableRawBufferPointer(rebasing: buffer[range])
                return unsafe CLibrary.read(rawValue, part.baseAddress, part.count)
            }
            if count >= 0 { return count }
            if errno == EAGAIN || errno == EWOULDBLOCK {
                _ = isReady(toRead: true, withinMilliseconds: 250)
            } else if errno != EINTR {
                throw .last("read", name)
            }
        }
    }

    /// Empties a regular file that was written from its beginning; leaves a stream alone.
    package func rewind() {
        guard let size = fileSize, size > 0 else { return }
        lseek(rawValue, 0, SEEK_SET)
        ftruncate(rawValue, 0)
    }

    /// Cuts off what a failed write left at the end of a regular file; leaves a stream alone.
    /// - Parameters:
    ///   - size: of the file before the write.
    ///   - limit: the number of bytes to be written. If the file grew by more, somebody else writes to it too.
    package func takeBack(to size: Int, limit: Int) {
        guard let now = fileSize, now > size, now - size <= limit else { return }
        guard ftruncate(rawValue, off_t(size)) == 0 else { return }
        lseek(rawValue, 0, SEEK_END)
    }

    /// Cuts a regular file off at a size, and has the next write go on at its end.
    package func cut(to size: Int) throws(SystemError) {
        guard ftruncate(rawValue, off_t(size)) == 0, lseek(rawValue, 0, SEEK_END) >= 0 else {
            throw .last("cut", name)
        }
    }

    /// Reports write errors that network file systems tell only on close, without closing the file.
    package func closeCopy() throws(SystemError) {
        let copy = fcntl(rawValue, F_DUPFD_CLOEXEC, 3)
        guard copy >= 0 else { throw .last("write to", name) }
        try Descriptor(rawValue: copy, name: name).close()
    }

    /// The size of a regular file in bytes; nil for anything else.
    package var fileSize: Int? { FileLocation.Status(ofOpen: rawValue)?.regularBytes }

    /// Which regular file it is; nil for anything else.
    package var fileIdentity: (device: UInt64, inode: UInt64)? {
        guard let status = FileLocation.Status(ofOpen: rawValue), status.isRegular else { return nil }
        return (status.device, status.inode)
    }

    /// The path of an open regular file, below the working directory without that; nil if it isn't known.
    package var openPath: String? {
        guard fileSize != nil, let path = resolvedPath, FileLocation.status(ofPath: path)?.isRegular == true
        else { return nil }
        let directory = (Self.absolute(".") ?? "") + "/"
        return path.hasPrefix(directory) ? String(path.dropFirst(directory.count)) : path
    }

    private var resolvedPath: String? {
        #if canImport(Darwin)
        var bytes = [UInt8](repeating: 0, count: Int(PATH_MAX))
        guard
            unsafe bytes.withUnsafeMutableBytes({
                unsafe $0.baseAddress.map { unsafe fcntl(rawValue, F_GETPATH, $0) }
            }) == 0
        else { return nil }
        return String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
        #else
        return Self.absolute("/proc/self/fd/\(rawValue)")
        #endif
    }

    /// The path without links, from the root; nil if there is nothing, or it can't be looked at.
    package static func absolute(_ path: String) -> String? {
        guard let path = unsafe realpath(path.fileBytes, nil) else { return nil }
        defer { unsafe free(path) }
        return unsafe String(fileName: path)
    }

    package static func pipe(_ name: String) throws(SystemError) -> (reading: Descriptor, writing: Descriptor) {
        var ends: [Int32] = [-1, -1]
        let result = unsafe ends.withUnsafeMutableBufferPointer { ends in
            unsafe ends.baseAddress.map { unsafe CLibrary.pipe($0) } ?? -1
        }
        guard result == 0 else { throw .last("make", name) }
        for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
        return (Descriptor(rawValue: ends[0], name: name), Descriptor(rawValue: ends[1], name: name))
    }

    /// Writes all bytes, however many calls that takes. A request to end doesn't stop it halfway: it finishes as
    /// long as the reader takes the bytes, and `Signals` bounds the wait if it doesn't. If SIGPIPE is ignored and a
    /// pipe's reader is gone, the run ends as that signal would end it.
    /// - Parameter offset: in a file; nil to go on where the last write ended.
    package func writeAll(_ bytes: Span<UInt8>, at offset: Int? = nil) throws(SystemError) {
        var rest = bytes
        while !rest.isEmpty {
            let count = unsafe rest.withUnsafeBytes { buffer in
                // SAFETY: the pointer and the count are of one buffer that outlives the call.
                guard let offset else { return unsafe write(rawValue, buffer.baseAddress, buffer.count) }
                let place = off_t(offset + bytes.count - rest.count)
                return unsafe pwrite(rawValue, buffer.baseAddress, buffer.count, place)
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

    /// Checks whether bytes would be accepted, without writing any. If a pipe's reader is gone, the run ends as
    /// SIGPIPE would end it, but by itself, so that it can clean up.
    package func probe() throws(SystemError) {
        var entry = pollfd(fd: rawValue, events: Int16(POLLOUT), revents: 0)
        if unsafe poll(&entry, 1, 0) > 0, Int32(entry.revents) & Int32(POLLERR) != 0 {
            Signals.requestAsBrokenPipe()
            throw SystemError(code: EPIPE, operation: "write to", subject: name)
        }
        let count = write(rawValue, nil, 0)
        guard count >= 0 || errno == EAGAIN || errno == EINTR else { throw .last("write to", name) }
    }

    /// Whether a read (or a write) would return at once, waiting up to the timeout for it. A closed or broken
    /// stream is ready: the next call reports what is wrong with it.
    package func isReady(toRead: Bool, withinMilliseconds timeout: Int32 = 0) -> Bool {
        var entry = pollfd(fd: rawValue, events: Int16(toRead ? POLLIN : POLLOUT), revents: 0)
        return unsafe poll(&entry, 1, timeout) != 0
    }

    /// Makes a pipe hold 1 MiB instead of 64 KiB, where the system allows it: the programs at its ends then wake
    /// each other a sixteenth as often.
    package func widenPipe() {
        #if canImport(Glibc)
        // F_SETPIPE_SZ, which the module map lacks: F_LINUX_SPECIFIC_BASE + 7, see fcntl(2).
        _ = fcntl(rawValue, 1031, Int32(1 << 20))
        #endif
    }

    package var isTerminal: Bool { isatty(rawValue) == 1 }

    package var isPipe: Bool { FileLocation.Status(ofOpen: rawValue)?.isPipe == true }

    /// The current offset in a file; 0 for anything else.
    package var offset: Int { max(0, Int(lseek(rawValue, 0, SEEK_CUR))) }

    /// The bytes left in a regular file, from the current offset to its end; nil for anything else.
    package var bytesLeft: Int? { fileSize.map { max(0, $0 - offset) } }

    /// Closes a file that was only read, or whose bytes aren't needed: nothing can be lost.
    package func closeUnchecked() { _ = CLibrary.close(rawValue) }

    /// Closes the descriptor. A failure means that written data may be lost. It isn't retried: on Linux the number
    /// is free after the first call, whatever it returned.
    package func close() throws(SystemError) {
        guard CLibrary.close(rawValue) == 0 || errno == EINTR else { throw .last("close", name) }
    }

    // MARK: At offsets of a file

    package func seek(to offset: Int) {
        if fileSize != nil { lseek(rawValue, off_t(offset), SEEK_SET) }
    }

    /// Reads at an offset until the range is full or the file ends.
    /// - Parameter range: nil for all bytes.
    /// - Returns: the number of bytes read.
    package func read(
        into bytes: inout [UInt8], _ range: Range<Int>? = nil, at offset: Int
    ) throws(SystemError) -> Int {
        let range = range ?? 0..<bytes.count
        var filled = 0
        while filled < range.count {
            let rest = range.lowerBound + filled..<range.upperBound
            let count = try readOnce(into: &bytes, rest, at: offset + filled)
            if count == 0 { break }
            filled += count
        }
        return filled
    }

    /// The bytes at an offset: `count` of them, or fewer where the file ends.
    package func bytes(_ count: Int, at offset: Int = 0) throws(SystemError) -> [UInt8] {
        var bytes = [UInt8](repeating: 0, count: count)
        let filled = try read(into: &bytes, at: offset)
        return Array(bytes[..<filled])
    }

    /// Reads at an offset with a single call, which returns 0 at the end.
    func readOnce(into bytes: inout [UInt8], _ range: Range<Int>, at offset: Int) throws(SystemError) -> Int {
        precondition(range.lowerBound >= 0 && range.upperBound <= bytes.count)
        let count = unsafe bytes.withUnsafeMutableBytes { buffer in
            // SAFETY: the range was checked against the buffer.
            let part = unsafe UnsafeMutableRawBufferPointer(rebasing: buffer[range])
            return uninterrupted { unsafe pread(rawValue, part.baseAddress, part.count, off_t(offset)) }
        }
        guard count >= 0 else { throw .last("read", name) }
        return count
    }

    /// Appends everything that is left to read to a file.
    package func copy(to file: Descriptor) throws(SystemError) {
        var block = [UInt8](repeating: 0, count: 262_144)
        while true {
            let count = try read(into: &block, 0..<block.count)
            if count == 0 { return }
            try file.writeAll(block.span.extracting(..<count))
        }
    }
}

extension Descriptor {
    /// The hash of a file's whole content.
    package func contentHash() throws(SystemError) -> String {
        var hash = ContentHash()
        var block = [UInt8](repeating: 0, count: 262_144)
        var offset = 0
        while true {
            let count = try read(into: &block, at: offset)
            if count == 0 { return hash.hexadecimal() }
            hash.add(block.span.extracting(..<count))
            offset += count
        }
    }
}

/// Repeats a call until no signal interrupts it.
/// - Parameter endsOnRequest: gives up with `EINTR` if a signal asks the run to end.
/// - Returns: what the call returned; −1 for a failure, whose cause is in `errno`.
func uninterrupted<Result: SignedInteger>(endsOnRequest: Bool = false, _ call: () -> Result) -> Result {
    while true {
        let result = call()
        if result >= 0 || errno != EINTR || endsOnRequest && Signals.isRequested { return result }
    }
}

/// How many files the process may have open (`ulimit -n`), and how they are shared out.
package enum OpenFiles {
    /// Streams, the run's files, the threads' pipes, and the certificates and configuration that libraries read.
    private static let reserve = 40
    /// What a connection takes while a name is resolved or two addresses are tried.
    private static let perConnection = 2

    private static var limit: Int {
        var limit = rlimit()
        #if canImport(Darwin)
        let result = unsafe getrlimit(RLIMIT_NOFILE, &limit)
        #else
        let result = unsafe getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit)
        #endif
        return result == 0 ? Int(clamping: limit.rlim_cur) : 256
    }

    /// The number of connections that there is room for, at most `wanted`: at least one, so that a failure says what is
    /// missing. A quarter of the files is left for those that are read and written meanwhile.
    package static func connections(_ wanted: Int) -> Int {
        let limit = limit
        return min(wanted, max(1, (limit - limit / 4 - reserve) / perConnection))
    }
}
