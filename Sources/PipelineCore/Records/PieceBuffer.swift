// The bytes of a text that comes in pieces: those that have come and aren't used up yet.
//
//     bytes:  [ used up | text | free ]
//                        ^lower ^filled

/// Keeps what is left of a text until more of it comes.
package struct PieceBuffer: ~Copyable {
    /// In bytes: the capacity of four pipes.
    package static let pieceBytes = 262_144
    /// A buffer that is larger than this grows by as much, so that it is never far larger than what it keeps.
    private static let stepBytes = 8 << 20

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

    /// Gives up the first bytes of the text.
    package mutating func drop(_ count: Int) {
        precondition(count >= 0 && lower + count <= filled)
        lower += count
        offset += count
    }

    /// Adds a piece.
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
        makeRoom(filled == lower ? Self.pieceBytes : 1)
        let count = try descriptor.read(into: &bytes, filled..<min(bytes.count, filled + Self.pieceBytes))
        filled += count
        return count
    }

    /// Moves the text to the front, and lets the buffer grow if that isn't enough.
    private mutating func makeRoom(_ count: Int) {
        if lower == filled { (lower, filled) = (0, 0) }
        guard filled + count > bytes.count else { return }
        if lower > 0 {
            let rest = Array(bytes[lower..<filled])
            bytes.replaceSubrange(0..<rest.count, with: rest)
            (lower, filled) = (0, rest.count)
        }
        guard filled + max(count, Self.pieceBytes) > bytes.count else { return }
        let size = filled + max(count, Self.pieceBytes, min(bytes.count, Self.stepBytes))
        bytes.reserveCapacity(size)
        bytes.append(contentsOf: repeatElement(0, count: size - bytes.count))
    }
}
