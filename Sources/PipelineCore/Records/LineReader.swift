// Lines from a descriptor, read in large blocks into one reused buffer.
//
//     bytes:  [ passed | line, LF | read, not searched … | free ]
//                        ^lower     ^next                  ^filled
//
// The buffer grows for a line that doesn't fit, up to the limit. A longer line is skipped without being kept.

/// Reads lines. It owns the input's bytes and lends one line at a time, until the next `advance`.
package struct LineReader: ~Copyable {
    /// In bytes: the capacity of four pipes.
    private static let initialCapacity = 262_144
    /// A part is read in pieces that stay in the processor's cache from the read to the search.
    private static let pieceBytes = 65_536
    /// What is read at once to find where the last line of a part ends, a little beyond it.
    private static let endBytes = 4096
    /// The default limit on the length of a line: 64 MiB.
    package static let defaultLimitBytes = 64 << 20

    package enum Event: Equatable, Sendable {
        case line
        /// A line longer than the limit was skipped; its bytes are not available.
        case tooLong
        case end
    }

    private var descriptor: Descriptor
    private let limitBytes: Int
    private let progress: Progress?
    private let failure: (SystemError) -> ToolFailure
    /// The lines already reported to `progress`.
    private var linesShown = 0
    /// Only the lines that begin in this part of a file are read; nil for the whole input.
    private var part: Range<Int>?
    private var bytes: [UInt8]
    /// The line on loan is `bytes[lower..<upper]`, without its line end.
    private var lower = 0
    private var upper = 0
    /// The index where the next line begins.
    private var next = 0
    /// `bytes[next..<filled]` has been read but not lent.
    private var filled = 0
    /// `bytes[next..<searched]` has no line end.
    private var searched = 0
    private var isAtEnd = false
    /// The end of a line that is too long hasn't been read yet.
    private var isPassingOver = false

    /// The number of the line on loan, from 1.
    package private(set) var lineNumber = 0
    package private(set) var bytesRead = 0
    /// The offset of the next read in a part.
    private var position = 0
    /// Where the input begins in the file that a part belongs to: stdin may have been read from before.
    private var origin = 0
    /// The first bytes of the input; empty in a part that begins later.
    private(set) var head = InputHead()

    /// - Parameters:
    ///   - limitBytes: the longest line, in bytes, without its LF or CR LF.
    ///   - progress: updated after each block.
    ///   - failure: turns a failed read into the failure that ends the run.
    package init(
        _ descriptor: Descriptor, limitBytes: Int = LineReader.defaultLimitBytes, progress: Progress? = nil,
        failure: @escaping (SystemError) -> ToolFailure = { ToolFailure($0) }
    ) {
        self.failure = failure
        precondition(limitBytes > 0)
        self.progress = progress
        self.descriptor = descriptor
        self.limitBytes = limitBytes
        // To touch the pages, which the system allocates on first use, would take longer than a short input does.
        bytes = .untouched(Self.initialCapacity)
    }

    /// Starts on another input with the same buffer.
    /// - Parameter part: read only the lines that begin in these bytes of a regular file, wherever the last one
    ///   ends; nil for the whole input.
    ///   - origin: the offset in the file that the part counts from.
    package mutating func begin(
        _ descriptor: Descriptor, part: Range<Int>? = nil, origin: Int = 0
    ) throws(ToolFailure) {
        self.descriptor = descriptor
        self.part = part
        self.origin = origin
        dropRead()
        isAtEnd = false
        isPassingOver = false
        lineNumber = 0
        linesShown = 0
        bytesRead = 0
        position = 0
        head.removeAll()
        guard let part, part.lowerBound > 0 else { return }
        position = part.lowerBound - 1
        try skipLine()
    }

    /// Whether a byte order mark is possible: only a file's first line has one.
    private var mayHaveMark: Bool { lineNumber == 0 && (part?.lowerBound ?? 0) == 0 }

    /// Skips the rest of a line that begins before the part.
    private mutating func skipLine() throws(ToolFailure) {
        guard let part else { return }
        while !isAtEnd {
            filled = 0
            try fill()
            if let end = bytes.span.extracting(..<filled).firstIndex(of: 0x0A) {
                next = end + 1
                searched = next
                return
            }
            if position >= part.upperBound { isAtEnd = true }
        }
        dropRead()
    }

    package var name: String { descriptor.name }

    /// The line that `advance` found, without its LF but with a CR before it. Lent until the next `advance`.
    package var line: Span<UInt8> {
        @_lifetime(borrow self)
        borrowing get { bytes.span.extracting(lower..<upper) }
    }

    /// The bytes already read after the line on loan: lines with their LF, the last of which may be cut off.
    package var ahead: Span<UInt8> {
        @_lifetime(borrow self)
        borrowing get { bytes.span.extracting(next..<filled) }
    }

    /// Skips lines of `ahead`, of `count` bytes with their LFs. No line is on loan afterwards.
    package mutating func pass(lines: Int, bytes count: Int) {
        precondition(count >= 0 && next + count <= filled)
        next += count
        searched = max(searched, next)
        lower = next
        upper = next
        lineNumber += lines
    }

    /// Leaves a regular file at the end of the last line, for whoever reads on from there (POSIX, "Utility
    /// Description Defaults": INPUT FILES).
    func giveBack() {
        guard part == nil, next < filled else { return }
        descriptor.seek(by: next - filled)
    }

    /// Moves to the next line. Flushes the buffered output before it waits for input.
    /// - Parameter rejects: receives a line that is too long.
    package mutating func advance(
        flushing output: inout OutputBuffer, rejects: inout Rejects
    ) throws(ToolFailure) -> Event {
        while true {
            if let event = try nextInBuffer(&rejects) { return event }
            if !output.isEmpty, !descriptor.isReady(toRead: true) { try output.flush() }
            try fill()
        }
    }

    /// Moves to the next line if it can do so without waiting.
    /// - Returns: nil when more input is needed first.
    package mutating func advanceWithoutWaiting(rejects: inout Rejects) throws(ToolFailure) -> Event? {
        while true {
            if let event = try nextInBuffer(&rejects) { return event }
            guard descriptor.isReady(toRead: true) else { return nil }
            try fill()
        }
    }

    /// The next line in the bytes already read. When there is none, makes room to read more.
    private mutating func nextInBuffer(_ rejects: inout Rejects) throws(ToolFailure) -> Event? {
        let end = bytes.span.extracting(..<filled).firstIndex(of: 0x0A, from: searched)
        if isPassingOver {
            try rejects.append(part: bytes.span.extracting(..<(end ?? filled)))
            guard end != nil || isAtEnd else {
                dropRead()
                return nil
            }
            isPassingOver = false
            next = end.map { $0 + 1 } ?? filled
            searched = next
            try rejects.endLine()
            return .tooLong
        }
        if let end { return try lend(next..<end, thenFrom: end + 1, &rejects) }
        searched = filled
        guard !isAtEnd else {
            guard next < filled else { return .end }
            // A line cut off by a signal, here or in the tool upstream, isn't a bad line.
            guard !Signals.isRequested else { throw failure(.interrupted(name)) }
            return try lend(next..<filled, thenFrom: filled, &rejects)
        }
        // Neither the first line's byte order mark, which may be complete before the line end arrives, nor a CR
        // before the LF counts.
        if filled - next - 1 - (mayHaveMark ? 3 : 0) <= limitBytes {
            try makeRoom()
        } else {
            lineNumber += 1
            isPassingOver = true
            try rejects.append(part: bytes.span.extracting(next..<filled))
            dropRead()
        }
        return nil
    }

    /// Drops the bytes read of a line that is too long.
    private mutating func dropRead() {
        lower = 0
        upper = 0
        next = 0
        filled = 0
        searched = 0
    }

    private mutating func lend(
        _ range: Range<Int>, thenFrom start: Int, _ rejects: inout Rejects
    ) throws(ToolFailure) -> Event {
        lower = range.lowerBound
        upper = range.upperBound
        next = start
        searched = start
        let markSize = mayHaveMark ? line.byteOrderMarkSize : 0
        lower += markSize
        lineNumber += 1
        let excess = upper - lower - limitBytes
        if excess <= 0 || excess == 1 && line[line.count - 1] == 0x0D { return .line }
        try rejects.append(line: line)
        return .tooLong
    }

    /// Moves the remaining bytes to the front, or enlarges the buffer if most of it is one line.
    private mutating func makeRoom() throws(ToolFailure) {
        guard filled == bytes.count else { return }
        let doubled = 2 * bytes.count
        // The last step ends just above the limit, so that the old buffer and the new one have less than twice the limit.
        let capacity = doubled < limitBytes ? doubled : limitBytes + Self.initialCapacity
        if next > bytes.count / 2 || capacity <= bytes.count {
            let rest = Array(bytes[next..<filled])
            bytes.replaceSubrange(0..<rest.count, with: rest)
            filled -= next
            searched -= next
            next = 0
        } else {
            do throws(SystemError) {
                try Memory.demand(
                    capacity, for: "line \(lineNumber + 1) of \(name), of more than \(filled - next) bytes")
            } catch {
                throw failure(error)
            }
            bytes.append(contentsOf: repeatElement(0, count: capacity - bytes.count))
        }
    }

    /// Whether a read wouldn't wait longer than this.
    func isReady(withinMilliseconds timeout: Int32) -> Bool {
        descriptor.isReady(toRead: true, withinMilliseconds: timeout)
    }

    /// - Parameter offset: in the file; nil for what comes next.
    private mutating func read(_ range: Range<Int>, at offset: Int? = nil) throws(ToolFailure) -> Int {
        do throws(SystemError) {
            guard let offset else { return try descriptor.read(into: &bytes, range) }
            return try descriptor.read(into: &bytes, range, at: offset)
        } catch {
            throw failure(error)
        }
    }

    private mutating func fill() throws(ToolFailure) {
        guard let part else {
            let count = try read(filled..<bytes.count)
            isAtEnd = count == 0
            if head.hasRoom { head.add(bytes, filled..<filled + count) }
            filled += count
            bytesRead += count
            if progress != nil { show(bytes: count) }
            return
        }
        let isBehind = position >= part.upperBound
        // The farther the last line's end is, the more is read at once.
        let wanted = min(
            Self.pieceBytes,
            isBehind ? max(Self.endBytes, position - part.upperBound) : part.upperBound - position)
        let room = min(bytes.count - filled, wanted)
        let count = try read(filled..<filled + room, at: origin + position)
        let end = isBehind ? bytes.span.extracting(..<(filled + count)).firstIndex(of: 0x0A, from: filled) : nil
        if part.lowerBound == 0, head.hasRoom { head.add(bytes, filled..<filled + count) }
        filled = end.map { $0 + 1 } ?? filled + count
        position += count
        bytesRead += count
        // The last line ends at the end of the part or past it.
        isAtEnd = count == 0 || end != nil || position == part.upperBound && bytes[filled - 1] == 0x0A
    }

    /// Reports the new lines and one more block. At the end another tool may draw.
    private mutating func show(bytes count: Int) {
        let lines = lineNumber - linesShown
        linesShown = lineNumber
        progress?.update { figures in
            figures.records += lines
            figures.bytes += count
        }
        if count == 0 { TerminalLine.end() }
    }
}
