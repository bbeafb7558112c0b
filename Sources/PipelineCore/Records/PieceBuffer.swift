// The bytes of a text that comes in pieces: those that have come and aren't used up yet.
//
//     bytes:  [ used up | text | free ]
//                        ^lower ^filled

package struct PieceBuffer: ~Copyable {
    /// In bytes: a piece stays in the processor's cache from the read to the last look at it.
    package static let pieceBytes = 65_536
    /// The most bytes that are moved before each read, so that all pieces are read to the same place.
    private static let shortRestBytes = 4096

    /// From here on the buffer gets all the room that it may need at once. What isn't written to takes no memory, while a
    /// buffer that grows step by step stands twice in memory at each.
    private static let wholeFromBytes = 1 << 20

    private let limitBytes: Int
    private var bytes: [UInt8] = []
    private var lower = 0
    private var filled = 0
    /// The number of bytes that came before `text`.
    package private(set) var offset = 0

    /// - Parameter limitBytes: the most that is kept, but for a few pieces.
    package init(limitBytes: Int = LineReader.defaultLimitBytes) { self.limitBytes = limitBytes }

    package var text: Span<UInt8> {
        @_lifetime(borrow self)
        borrowing get { bytes.span.extracting(lower..<filled) }
    }

    package var bytesRead: Int { offset + filled - lower }

    package mutating func drop(_ count: Int) {
        precondition(count >= 0 && lower + count <= filled)
        lower += count
        offset += count
    }

    /// Takes back what came after the first `count` bytes of the text.
    mutating func truncate(to count: Int) {
        precondition(count >= 0 && lower + count <= filled)
        filled = lower + count
    }

    mutating func removeAll() { (lower, filled, offset) = (0, 0, 0) }

    package mutating func append(_ piece: Span<UInt8>) throws(SystemError) {
        try makeRoom(piece.count, for: "the text")
        unsafe bytes.withUnsafeMutableBytes { target in
            // SAFETY: there is room for them.
            unsafe piece.withUnsafeBytes { source in
                unsafe UnsafeMutableRawBufferPointer(rebasing: target[filled...]).copyMemory(from: source)
            }
        }
        filled += piece.count
    }

    /// Reads a piece, waiting for its first byte.
    /// - Parameters:
    ///   - position: in the file; nil for what comes next.
    ///   - line: its number, for the error where there is no memory for the text.
    /// - Returns: its size; 0 at the end of the input.
    package mutating func read(
        _ descriptor: Descriptor, upTo count: Int = Self.pieceBytes, at position: Int? = nil, line: Int? = nil
    ) throws(SystemError) -> Int {
        try makeRoom(count, for: line.map { "line \($0) of \(descriptor.name)" } ?? descriptor.name)
        let room = filled..<filled + count
        let count =
            if let position {
                try descriptor.read(into: &bytes, room, at: position)
            } else {
                try descriptor.read(into: &bytes, room)
            }
        filled += count
        return count
    }

    /// Moves the text to the front, and lets the buffer grow if that isn't enough. To touch new pages, which the system
    /// allocates on first use, would take longer than a short input does.
    private mutating func makeRoom(_ count: Int, for what: @autoclosure () -> String) throws(SystemError) {
        if lower > 0, filled - lower <= Self.shortRestBytes || filled + count > bytes.count { moveToFront() }
        guard filled + count > bytes.count else { return }
        let size = max(filled + count, nextSize(for: count))
        try Memory.demand(size, for: "\(what()), of more than \(filled) bytes")
        var larger = [UInt8].untouched(size)
        unsafe larger.withUnsafeMutableBytes { target in
            // SAFETY: it is larger.
            unsafe bytes.withUnsafeBytes {
                unsafe target.copyMemory(from: UnsafeRawBufferPointer(rebasing: $0[..<filled]))
            }
        }
        bytes = larger
    }

    private func nextSize(for count: Int) -> Int {
        let whole = limitBytes + 2 * max(count, Self.pieceBytes)
        // Others need memory too.
        if bytes.count >= Self.wholeFromBytes, bytes.count < whole, Memory.has(2 * whole) { return whole }
        // Where there is less, the last step ends just above the limit all the same.
        let doubled = 2 * bytes.count
        return bytes.count <= limitBytes && doubled >= limitBytes ? whole : doubled
    }

    private mutating func moveToFront() {
        let range = lower..<filled
        unsafe bytes.withUnsafeMutableBytes { bytes in
            // SAFETY: both are within the buffer; they may overlap.
            unsafe bytes.copyMemory(from: UnsafeRawBufferPointer(rebasing: bytes[range]))
        }
        (lower, filled) = (0, range.count)
    }
}
