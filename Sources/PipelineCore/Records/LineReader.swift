// Lines from a descriptor, read in large blocks into one reused buffer.
//
//     text:  [ line, LF | read, not searched … ]
//                        ^next
//
// The buffer grows for a line that doesn't fit, up to the limit. A longer line is skipped without being kept.

/// Reads lines. It owns the input's bytes and lends one line at a time, until the next `advance`.
package struct LineReader: ~Copyable {
    /// In bytes: the capacity of four pipes.
    private static let blockBytes = 262_144
    /// The least that is read at once to find where the last line of a part ends, a little beyond it.
    private static let endBytes = 4096
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
    private var linesShown = 0
    /// Only the lines that begin in this part of a file are read; nil for the whole input.
    private var part: Range<Int>?
    /// Where the input begins in the file that a part belongs to: stdin may have been read from before.
    private var origin = 0
    private var buffer: PieceBuffer
    /// The line on loan in the buffer's text, without its line end and a byte order mark.
    private var loan = 0..<0
    private var next = 0
    /// The bytes from `next` to here have no line end.
    private var searched = 0
    private var isAtEnd = false
    /// The end of a line that is too long hasn't been read yet.
    private var isPassingOver = false

    /// The number of the line on loan, from 1.
    package private(set) var lineNumber = 0
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
        precondition(limitBytes > 0)
        self.failure = failure
        self.progress = progress
        self.descriptor = descriptor
        self.limitBytes = limitBytes
        buffer = PieceBuffer(limitBytes: limitBytes)
    }

    /// Starts on another input with the same buffer.
    /// - Parameters:
    ///   - part: read only the lines that begin in these bytes of a regular file, wherever the last one ends; nil for the
    ///     whole input.
    ///   - origin: the offset in the file that the part counts from.
    package mutating func begin(
        _ descriptor: Descriptor, part: Range<Int>? = nil, origin: Int = 0
    ) throws(ToolFailure) {
        self.descriptor = descriptor
        self.part = part
        self.origin = origin
        buffer.removeAll()
        loan = 0..<0
        next = 0
        searched = 0
        isAtEnd = false
        isPassingOver = false
        lineNumber = 0
        linesShown = 0
        head = InputHead()
        guard let part, part.lowerBound > 0 else { return }
        // The byte before the part shows whether a line ends there.
        while !isAtEnd {
            try fill()
            let end = buffer.text.firstIndex(of: 0x0A)
            buffer.drop(end.map { $0 + 1 } ?? buffer.text.count)
            if end != nil { return }
            if position(in: part) >= part.upperBound { isAtEnd = true }
        }
    }

    package var bytesRead: Int { buffer.bytesRead }

    /// The offset of the next read.
    private func position(in part: Range<Int>) -> Int { max(0, part.lowerBound - 1) + buffer.bytesRead }

    /// Whether a byte order mark is possible: only a file's first line has one.
    private var mayHaveMark: Bool { lineNumber == 0 && (part?.lowerBound ?? 0) == 0 }

    package var name: String { descriptor.name }

    /// The line that `advance` found, without its LF but with a CR before it. Lent until the next `advance`.
    package var line: Span<UInt8> {
        @_lifetime(borrow self)
        borrowing get { buffer.text.extracting(loan) }
    }

    /// The bytes already read after the line on loan: lines with their LF, the last of which may be cut off.
    package var ahead: Span<UInt8> {
        @_lifetime(borrow self)
        borrowing get { buffer.text.extracting(next...) }
    }

    /// Skips lines of `ahead`, of `count` bytes with their LFs. No line is on loan afterwards.
    package mutating func pass(lines: Int, bytes count: Int) {
        precondition(count >= 0 && next + count <= buffer.text.count)
        next += count
        searched = max(searched, next)
        loan = 0..<0
        lineNumber += lines
    }

    /// Leaves a regular file at the end of the last line, for whoever reads on from there (POSIX, "Utility
    /// Description Defaults": INPUT FILES).
    func giveBack() {
        guard part == nil, next < buffer.text.count else { return }
        descriptor.seek(to: descriptor.offset + next - buffer.text.count)
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

    /// Moves to the next line, where no output has to be flushed before a wait.
    package mutating func advance(rejects: inout Rejects) throws(ToolFailure) -> Event {
        while true {
            if let event = try nextInBuffer(&rejects) { return event }
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

    private mutating func nextInBuffer(_ rejects: inout Rejects) throws(ToolFailure) -> Event? {
        buffer.drop(next)
        searched -= next
        next = 0
        loan = 0..<0
        let end = buffer.text.firstIndex(of: 0x0A, from: searched)
        let count = buffer.text.count
        if isPassingOver {
            try rejects.append(part: buffer.text.extracting(..<(end ?? count)))
            buffer.drop(end.map { $0 + 1 } ?? count)
            searched = 0
            guard end != nil || isAtEnd else { return nil }
            isPassingOver = false
            try rejects.endLine()
            return .tooLong
        }
        if let end { return try lend(end, thenFrom: end + 1, &rejects) }
        searched = count
        guard !isAtEnd else {
            guard count > 0 else { return .end }
            // A line cut off by a signal, here or in the tool upstream, isn't a bad line.
            guard !Signals.isRequested else { throw failure(.interrupted(name)) }
            return try lend(count, thenFrom: count, &rejects)
        }
        // Neither the first line's byte order mark, which may be complete before the line end arrives, nor a CR
        // before the LF counts.
        guard count - 1 - (mayHaveMark ? 3 : 0) > limitBytes else { return nil }
        lineNumber += 1
        isPassingOver = true
        try rejects.append(part: buffer.text)
        buffer.drop(count)
        searched = 0
        return nil
    }

    private mutating func lend(
        _ end: Int, thenFrom start: Int, _ rejects: inout Rejects
    ) throws(ToolFailure) -> Event {
        let markSize = mayHaveMark ? buffer.text.extracting(..<end).byteOrderMarkSize : 0
        loan = markSize..<end
        next = start
        searched = start
        lineNumber += 1
        let excess = loan.count - limitBytes
        if excess <= 0 || excess == 1 && line[line.count - 1] == 0x0D { return .line }
        try rejects.append(line: line)
        return .tooLong
    }

    private mutating func fill() throws(ToolFailure) {
        guard let part else {
            let count = try read(upTo: Self.blockBytes)
            isAtEnd = count == 0
            if progress != nil { show(bytes: count) }
            return
        }
        let position = position(in: part)
        let before = buffer.text.count
        // The farther the last line's end is, the more is read at once.
        let wanted = min(PieceBuffer.pieceBytes, max(Self.endBytes, abs(part.upperBound - position)))
        let count = try read(upTo: wanted, at: origin + position)
        // The last line has the last byte of the part, and may end after it.
        let last = before + max(0, part.upperBound - 1 - position)
        let end = last < before + count ? buffer.text.firstIndex(of: 0x0A, from: last) : nil
        if let end { buffer.truncate(to: end + 1) }
        isAtEnd = count == 0 || end != nil
    }

    /// - Parameter offset: in the file; nil for what comes next.
    private mutating func read(upTo size: Int, at offset: Int? = nil) throws(ToolFailure) -> Int {
        let before = buffer.text.count
        let count = try ToolFailure.of(
            buffer.read(descriptor, upTo: size, at: offset, line: lineNumber + 1), as: failure)
        if head.hasRoom, part?.lowerBound ?? 0 == 0 {
            var known = head
            known.add(buffer.text.extracting(before...))
            head = known
        }
        return count
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
