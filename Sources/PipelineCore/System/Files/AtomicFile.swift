// A file that appears whole or not at all.
//
//     begin    .characters.plist.castline-1f0c9a77e2b4d853   0600, in the same directory
//     append   …
//     prepare  mode and owner, fsync, close
//     commit   rename to characters.plist, fsync the directory
//
// What isn't committed is removed: on failure, on discard, when the value is destroyed, and on signals. A FIFO, a
// device or stdout can't be replaced; it is written as a plain stream, without these guarantees.

import CLibrary

package struct AtomicFile: ~Copyable {
    private static let bufferSize = 262_144
    /// After this many bytes the disk starts to write them, so that little is left to wait for at the end.
    private static let writebackSize = 8 << 20

    /// Where the file is going to be; nil for a stream.
    private let location: FileLocation?
    private var temporary: TemporaryName?
    private let descriptor: Descriptor
    private var isPrivate = false
    /// The stream that gathered bytes are written to at the end.
    private var stream: Descriptor?
    private var bytes: [UInt8] = []
    /// Bytes that the disk has started to write.
    private var writtenBack = 0
    /// False once everything is on the disk, and only the name is missing.
    private var isOpen = true
    package private(set) var bytesAppended = 0

    /// Begins a file at a location that holds a regular file or nothing.
    /// - Parameter isPrivate: nobody else may read it, whoever may read the existing one.
    package static func begin(_ location: FileLocation, isPrivate: Bool = false) throws(SystemError) -> AtomicFile {
        let temporary = TemporaryName(beside: location)
        let file = try temporary.created(location.path)
        // Tells runs that clean up after killed ones that the file is in use.
        _ = flock(file.rawValue, LOCK_EX | LOCK_NB)
        return AtomicFile(location: location, temporary: temporary, descriptor: file, isPrivate: isPrivate)
    }

    /// Begins a file at a path. Symlinks are resolved; a FIFO or a device is written as a stream.
    package static func begin(_ path: String) throws(SystemError) -> AtomicFile {
        if let status = FileLocation.status(ofPath: path), !status.isRegular {
            guard !status.isDirectory else { throw SystemError(code: EISDIR, operation: "write", subject: path) }
            return stream(try .writing(path))
        }
        return try begin(try FileLocation(path))
    }

    /// Begins a stream whose bytes are gathered first, so that they can be read back.
    package static func gathered(for stream: Descriptor) throws(SystemError) -> AtomicFile {
        AtomicFile(location: nil, temporary: nil, descriptor: try SpillFile.nameless(beside: nil), stream: stream)
    }

    /// Begins another file for the same target; only one of the two can be committed.
    package func another() throws(SystemError) -> AtomicFile {
        if let location { return try .begin(location, isPrivate: isPrivate) }
        return try .gathered(for: stream ?? descriptor)
    }

    package mutating func restart() throws(SystemError) { self = try another() }

    /// The unfinished file, to be read back; nil for a stream.
    package mutating func readBack() throws(SystemError) -> Descriptor? {
        try flush()
        return location == nil && stream == nil ? nil : descriptor
    }

    package func read(into bytes: inout [UInt8], at offset: Int) throws(SystemError) -> Int {
        try descriptor.read(into: &bytes, at: offset)
    }

    /// Begins a plain stream, which can't be undone.
    package static func stream(_ descriptor: Descriptor) -> AtomicFile {
        AtomicFile(location: nil, temporary: nil, descriptor: descriptor)
    }

    deinit { closeIfOpen() }

    private func closeIfOpen() {
        if isOpen, descriptor.rawValue > 2 { descriptor.closeUnchecked() }
    }

    package mutating func append(_ more: Span<UInt8>) throws(SystemError) {
        bytesAppended += more.count
        if bytes.isEmpty, more.count >= Self.bufferSize {
            try descriptor.writeAll(more)
            return writeBack()
        }
        bytes.append(more)
        if bytes.count >= Self.bufferSize { try flush() }
    }

    /// Appends the bytes of a buffer that has at least so many, and empties it.
    mutating func take(_ buffer: inout ByteBuffer, ifAtLeast least: Int = 0) throws(SystemError) {
        guard buffer.count >= least else { return }
        try append(buffer.span)
        buffer.removeAll()
    }

    /// A hint: errors show when the file is synchronized.
    private mutating func writeBack() {
        let size = bytesAppended - bytes.count - writtenBack
        guard location != nil, size >= Self.writebackSize else { return }
        #if canImport(Glibc)
        // Linux starts to write dirty pages that aren't needed any more, and doesn't wait for them.
        _ = posix_fadvise(descriptor.rawValue, off_t(writtenBack), off_t(size), POSIX_FADV_DONTNEED)
        #endif
        writtenBack += size
    }

    package mutating func flush() throws(SystemError) {
        guard !bytes.isEmpty else { return }
        try descriptor.writeAll(bytes.span)
        bytes.removeAll(keepingCapacity: true)
        writeBack()
    }

    /// Whether the existing file holds the same bytes. False for a stream, and for a file that may not be read.
    package mutating func equalsExisting() throws(SystemError) -> Bool {
        guard let location, try location.status()?.bytes == bytesAppended else { return false }
        try flush()
        let existing: Descriptor?
        do throws(SystemError) { existing = try location.reading() } catch {
            guard error.isDenied else { throw error }
            return false
        }
        guard let existing else { return false }
        defer { existing.closeUnchecked() }
        var new = [UInt8](repeating: 0, count: Self.bufferSize)
        var old = new
        var offset = 0
        while true {
            let count = try descriptor.read(into: &new, at: offset)
            guard try existing.read(into: &old, at: offset) == count else { return false }
            guard count > 0 else { return true }
            guard new.span.extracting(..<count).equals(old.span.extracting(..<count)) else { return false }
            offset += count
        }
    }

    /// Brings the file to the disk, so that `commit` has little left that can fail. Nothing can be appended then.
    package mutating func prepare() throws(SystemError) {
        try flush()
        guard let location, isOpen else { return }
        try descriptor.takeOver(try location.status(), isPrivate: isPrivate)
        if !isPrivate { try location.giveAttributes(to: descriptor) }
        try descriptor.synchronize("write to", location.path)
        isOpen = false
        try descriptor.close()
    }

    /// Ends the file and gives it its name. From then on it survives a power loss, as far as the disk honours a flush.
    /// - Parameters:
    ///   - isUrgent: commits even if a signal has asked the run to end.
    ///   - mayMoveOld: where no file can have two names, moves the old one away first: for a moment nothing has the name.
    ///   - settling: marks the run's work as done, so that a signal no longer changes how it ends.
    ///   - announce: called when only the rename is left; if it throws, nothing is replaced.
    ///   - next: called when the file has its name; if it throws, the file that had it before has it again.
    package mutating func commit(
        isUrgent: Bool = false, mayMoveOld: Bool = false, settling: Bool = false,
        announcing announce: () throws(SystemError) -> Void = { () throws(SystemError) in },
        before next: () throws(SystemError) -> Void = { () throws(SystemError) in }
    ) throws(SystemError) {
        try prepare()
        guard let location else {
            try endStream()
            return try next()
        }
        defer { temporary = nil }
        guard isUrgent || !Signals.isRequested else {
            throw SystemError(code: EINTR, operation: "replace", subject: location.path)
        }
        // A run that is asked to end from here on has either not renamed or finished.
        try Signals.deferred { () throws(SystemError) in
            let old = TemporaryName(beside: location, isRemovedBySignals: false)
            let predecessor = location.keepPredecessor(as: old, mayMove: mayMoveOld)
            do throws(SystemError) {
                try announce()
                guard temporary?.rename(to: location.name) == true else {
                    throw .lastRename("replace", location.path)
                }
            } catch {
                // Without its name the existing file has only the temporary one.
                if case .moved = predecessor { location.restore(predecessor, from: old) }
                throw error
            }
            do throws(SystemError) {
                try location.directory.synchronize(for: location.path)
                try next()
            } catch {
                location.restore(predecessor, from: old)
                throw error
            }
            if settling { Signals.settle() }
        }
    }

    package mutating func discard() {
        temporary = nil
        closeIfOpen()
        isOpen = false
    }

    private mutating func endStream() throws(SystemError) {
        if let stream {
            descriptor.seek(to: 0)
            try descriptor.copy(to: stream)
            descriptor.closeUnchecked()
        }
        isOpen = false
        let end = stream ?? descriptor
        if end.rawValue > 2 { try end.close() }
    }
}
