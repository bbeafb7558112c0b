// Lines from a descriptor, read in large blocks into one reused buffer.
//
//     bytes:  [ passed | line, LF | read, not looked at … | free ]
//                       ^lower   ^next                 ^filled
//
// The buffer doubles for a line that doesn't fit, up to the limit. A longer one is passed over without being kept.

/// Reads lines. It owns the input's bytes and lends one line at a time, until the next `advance`.
package struct LineReader: ~Copyable {
    /// A first buffer of four pipes' capacity; in bytes.
    private static let initialCapacity = 262_144
    /// The default limit of a line's length: 64 MiB.
    package static let defaultLimitBytes = 64 << 20

    /// What `advance` found.
    package enum Event: Equatable, Sendable {
        /// `line` is a line.
        case line
        /// A line longer than the limit went by; it can't be had.
        case tooLong
        case end
    }

    private let descriptor: Descriptor
    private let limitBytes: Int
    private var bytes: [UInt8]
    /// The line lent now is `bytes[lower..<upper]`, its line end left out.
    private var lower = 0
    private var upper = 0
    /// Where the next line begins.
    private var next = 0
    /// `bytes[next..<filled]` has been read and not yet been lent.
    private var filled = 0
    private var isAtEnd = false

    /// The number of the line lent now, from 1.
    package private(set) var lineNumber = 0
    /// All bytes read so far.
    package private(set) var bytesRead = 0

    /// - Parameter limitBytes: a line may have so many bytes, its end left out.
    package init(_ descriptor: Descriptor, limitBytes: Int = LineReader.defaultLimitBytes) {
        precondition(limitBytes > 0)
        self.descriptor = descriptor
        self.limitBytes = limitBytes
        bytes = [UInt8](repeating: 0, count: Self.initialCapacity)
    }

    /// The name of the input for messages.
    package var name: String { descriptor.name }

    /// The line that `advance` found, without its LF; a CR before that stays. Lent until the next `advance`.
    package var line: Span<UInt8> {
        @_lifetime(borrow self)
        borrowing get { bytes.span.extracting(lower..<upper) }
    }

    /// Goes to the next line. Where it has to wait for input, all that is buffered for output goes out first.
    /// - Parameter rejects: gets a line that is too long.
    package mutating func advance(
        flushing output: inout OutputBuffer, rejects: inout Rejects
    ) throws(SystemError) -> Event {
        var searched = next
        while true {
            if let end = bytes.span.extracting(..<filled).firstIndex(of: 0x0A, from: searched) {
                return try lend(next..<end, thenFrom: end + 1, rejects: &rejects)
            }
            guard !isAtEnd else {
                guard next < filled else { return .end }
                return try lend(next..<filled, thenFrom: filled, rejects: &rejects)
            }
            guard filled - next <= limitBytes else { return try passOver(flushing: &output, rejects: &rejects) }
            makeRoom()
            searched = filled
            try fill(flushing: &output)
        }
    }

    private mutating func lend(
        _ range: Range<Int>, thenFrom start: Int, rejects: inout Rejects
    ) throws(SystemError) -> Event {
        lower = range.lowerBound
        upper = range.upperBound
        next = start
        lineNumber += 1
        if lineNumber == 1, line.count >= 3, line[0] == 0xEF, line[1] == 0xBB, line[2] == 0xBF { lower += 3 }
        guard upper - lower > limitBytes else { return .line }
        try rejects.append(line: line)
        return .tooLong
    }

    /// Moves what is left to the front, and doubles the buffer where that isn't enough.
    private mutating func makeRoom() {
        guard filled == bytes.count else { return }
        if next > bytes.count / 2 {
            let rest = Array(bytes[next..<filled])
            bytes.replaceSubrange(0..<rest.count, with: rest)
            filled -= next
            next = 0
        } else {
            bytes.append(contentsOf: repeatElement(0, count: bytes.count))
        }
    }

    private mutating func fill(flushing output: inout OutputBuffer) throws(SystemError) {
        if !output.isEmpty, !descriptor.isReady(toRead: true) { try output.flush() }
        let count = try descriptor.read(into: &bytes, filled..<bytes.count)
        isAtEnd = count == 0
        filled += count
        bytesRead += count
    }

    /// Goes past a line that is too long, in the space that it has taken already.
    private mutating func passOver(
        flushing output: inout OutputBuffer, rejects: inout Rejects
    ) throws(SystemError) -> Event {
        lineNumber += 1
        lower = 0
        upper = 0
        try rejects.append(part: bytes.span.extracting(next..<filled))
        while true {
            filled = 0
            try fill(flushing: &output)
            let end = bytes.span.extracting(..<filled).firstIndex(of: 0x0A)
            try rejects.append(part: bytes.span.extracting(..<(end ?? filled)))
            if end != nil || isAtEnd {
                next = end.map { $0 + 1 } ?? filled
                try rejects.endLine()
                return .tooLong
            }
        }
    }
}
