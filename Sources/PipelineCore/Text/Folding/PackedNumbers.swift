// Tables of small numbers inside a literal: they lie in the program's read-only part, and nothing is built at start.
//
//     literal:  "1 0 A 0 …"      six bits to a character, from `0` (0) to `o` (63), the least first

/// Numbers of equal width, written six bits to a character.
struct PackedNumbers {
    private let text: StaticString

    @inline(__always)
    init(_ text: StaticString) {
        precondition(text.hasPointerRepresentation)
        self.text = text
    }

    /// The number that is the one character at the place.
    @inline(__always)
    func one(at position: Int) -> UInt32 { digit(position) }

    /// The number whose first of two characters is at the place.
    @inline(__always)
    func two(at position: Int) -> UInt32 { digit(position) | digit(position + 1) << 6 }

    /// The number whose first of three characters is at the place.
    @inline(__always)
    func three(at position: Int) -> UInt32 { two(at: position) | digit(position + 2) << 12 }

    /// The number whose first of four characters is at the place.
    @inline(__always)
    func four(at position: Int) -> UInt32 { three(at: position) | digit(position + 3) << 18 }

    @inline(__always)
    private func digit(_ position: Int) -> UInt32 {
        precondition(position >= 0 && position < text.utf8CodeUnitCount)
        // SAFETY: the place is inside the literal, which lives as long as the program.
        return UInt32(unsafe text.utf8Start[position]) &- 0x30
    }
}
