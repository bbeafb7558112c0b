// The bytes of a text that comes in pieces: those that have come and aren't used up yet.
//
//     bytes:  [ used up | text | free ]
//                        ^lower ^filled

/// Keeps what is left of a text until more of it comes.
package struct PieceBuffer: ~Copyable {
    /// In bytes: a piece stays in the processor's cache from the read to the last look at it.
    package static let pieceBytes = 65_536
    /// The most bytes that are moved before each read, so that all pieces are read to the same place.
    private static let shortRestBytes = 4096
    /// A buffer that would be larger than this gets room for the longest record, of which the system gives only what is
    /// used: growing by steps would keep a long text twice.
    private static let stepBytes = 8 << 20
    private static let longBytes = LineReader.defaultLimitBytes + 2 * pieceBytes

    private var bytes: [UInt8] = []
    private var lower = 0
    private var filled = 0
    /// The number of bytes that came before `text`.
    package private(set) var offset = 0

    package init() {}

    /// What has come and isn't used up.
    package var text: Span<UInt8> {
        @_lifetime(borrow self)
        borrowing get { bytes.span.extracting(lower..<filled) }
    }

    /// The number of bytes that have come.
    package var bytesRead: Int { offset + filled - lower }

    package mutating func drop(_ count: Int) {
        precondition(count >= 0 && lower + count <= filled)
        lower += count
        offset += count
    }

    package mutating func append(_ piece: Span<UInt8>) {
        makeRoom(piece.count)
        unsafe bytes.withUnsafeMutableBytes { target in
            // SAFETY: there is room for them.
            unsafe piece.withUnsafeBytes { source in
                unsafe UnsafeMutableRawBufferPointer(rebasing: target[filled...]).copyMemory(from: source)
            }
        }
        filled += piece.count
    }

    /// Reads a piece, waiting for its first byte.
    /// - Returns: its size; 0 at the end of the input.
    package mutating func read(_ descriptor: Descriptor) throws(SystemError) -> Int {
        makeRoom(Self.pieceBytes)
        let count = try descriptor.read(into: &bytes, filled..<min(bytes.count, filled + Self.pieceBytes))
        filled += count
        return count
    }

    /// Moves the text to the front, and lets the buffer grow if that isn't enough.
    private mutating func makeRoom(_ count: Int) {
        if lower > 0, filled - lower <= Self.shortRestBytes || filled + count > bytes.count { moveToFront() }
        guard filled + count > bytes.count else { return }
        let size = filled + max(count, Self.pieceBytes, min(bytes.count, Self.stepBytes))
        var larger = [UInt8].untouched(size > Self.stepBytes ? max(size, Self.longBytes) : size)
        unsafe larger.withUnsafeMutableBytes { target in
            // SAFETY: it is larger.
            unsafe bytes.withUnsafeBytes {
                unsafe target.copyMemory(from: UnsafeRawBufferPointer(rebasing: $0[..<filled]))
            }
        }
        bytes = larger
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
