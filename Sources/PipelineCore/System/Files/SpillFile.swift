// A list of bytes that may grow too long for memory: its beginning goes to a nameless file.

import CLibrary

package struct SpillFile: ~Copyable {
    private static let memoryLimit = 1 << 20
    private static let blockSize = 1 << 18

    private let location: FileLocation?
    private var descriptor: Descriptor?
    private var written = 0
    private var bytes = ByteBuffer()

    /// - Parameter location: the file is created in its directory, which needs room for the result anyway; nil
    ///   means the system's directory for temporary files.
    package init(beside location: FileLocation?) { self.location = location }

    deinit { descriptor?.closeUnchecked() }

    package var count: Int { written + bytes.count }

    package mutating func append(_ more: Span<UInt8>) { bytes.append(more) }

    @inline(__always)
    mutating func append(number: UInt64) { bytes.append(number: number) }

    mutating func append(bigEndian number: UInt64) { bytes.append(bigEndian: number, size: 8) }

    /// Drops what was appended past `count`, all of which must still be in memory.
    mutating func truncate(to count: Int) { bytes.truncate(to: count - written) }

    /// Moves the bytes to the file if there are many. Until the next call, new bytes stay in memory.
    package mutating func settle() throws(SystemError) {
        guard bytes.count >= Self.memoryLimit else { return }
        let file = if let descriptor { descriptor } else { try Self.nameless(beside: location) }
        descriptor = file
        try file.writeAll(bytes.span)
        written += bytes.count
        bytes.removeAll()
    }

    /// Reads at an offset until the buffer is full or the list ends.
    /// - Parameter limit: the most bytes to read, if they are fewer than the buffer has.
    /// - Returns: the number of bytes read.
    package func read(
        into buffer: inout [UInt8], upTo limit: Int? = nil, at offset: Int
    ) throws(SystemError) -> Int {
        let limit = limit ?? buffer.count
        var filled = 0
        if offset < written, let descriptor {
            filled = try descriptor.read(into: &buffer, 0..<min(limit, written - offset), at: offset)
        }
        let start = max(0, offset + filled - written)
        let rest = min(limit - filled, bytes.count - start)
        if rest > 0 {
            buffer.replaceSubrange(
                filled..<filled + rest, with: bytes.span.extracting(start..<start + rest).array)
            filled += rest
        }
        return filled
    }

    /// Reads everything, in blocks of a power of two but for the last one.
    package func forEachBlock(_ body: (Span<UInt8>) throws(SystemError) -> Void) throws(SystemError) {
        var block = [UInt8](repeating: 0, count: min(count, Self.blockSize))
        var offset = 0
        while offset < count {
            let filled = try read(into: &block, at: offset)
            guard filled == min(block.count, count - offset) else { throw .shortRead("a spill file") }
            try body(block.span.extracting(..<filled))
            offset += filled
        }
    }

    /// Reads everything as varints.
    func forEachNumber(_ body: (UInt64) throws(SystemError) -> Void) throws(SystemError) {
        var (value, shift) = (UInt64(0), UInt64(0))
        try forEachBlock { (block) throws(SystemError) in
            for index in block.indices {
                value |= UInt64(block[index] & 0x7F) << shift
                shift += 7
                guard block[index] < 0x80 else { continue }
                try body(value)
                (value, shift) = (0, 0)
            }
        }
    }

    /// A new file without a name, open for reading and writing, that disappears when it is closed.
    package static func nameless(beside sibling: FileLocation?) throws(SystemError) -> Descriptor {
        if let sibling { return try TemporaryName(beside: sibling).created("a temporary file for \(sibling.path)") }
        let directory = try Directory(Environment.path("TMPDIR") ?? "/tmp", to: "create a temporary file in")
        return try TemporaryName(StaleTemporary.newName(for: "castline"), in: directory)
            .created("a temporary file in \(directory.path)")
    }
}

/// A file of pages that several processes read and change at once. Each page is read and written with one call, and
/// its content must show whether it is whole.
package final class PageFile: Sendable {
    /// A few times the page size of file systems and memory, in bytes.
    package static let pageBytes = 8192

    private let descriptor: Descriptor

    /// Opens the file; a missing one is created, for this user only.
    package init(_ path: String) throws(SystemError) {
        descriptor = try Descriptor.regular(path, O_RDWR | O_CREAT | O_NOFOLLOW)
    }

    deinit { descriptor.closeUnchecked() }

    package var pageCount: Int { (descriptor.fileSize ?? 0) / Self.pageBytes }

    /// Reads a page. One that doesn't exist or can't be read is zeros.
    package func read(at number: Int) -> [UInt8] {
        var page = [UInt8](repeating: 0, count: Self.pageBytes)
        // What was read before a failure must show whether it is whole.
        _ = try? descriptor.read(into: &page, at: number * Self.pageBytes)
        return page
    }

    @discardableResult
    package func write(_ page: [UInt8], at number: Int) -> Bool {
        (try? descriptor.writeAll(page.span, at: number * Self.pageBytes)) != nil
    }

    /// Does what only one process may do at a time, as far as the file system has locks.
    /// - Returns: nil if another process is doing it now.
    package func alone<Result>(_ body: () -> Result) -> Result? {
        guard flock(descriptor.rawValue, LOCK_EX | LOCK_NB) == 0 || errno != EWOULDBLOCK else { return nil }
        defer { _ = flock(descriptor.rawValue, LOCK_UN) }
        return body()
    }
}
