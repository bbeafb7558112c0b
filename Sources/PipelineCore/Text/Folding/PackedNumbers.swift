// Tables of small numbers in a literal: they are in the program's read-only part, and nothing is built at startup.
//
//     literal:  "1 0 A 0 …"      six bits per character, from `0` (0) to `o` (63), the least significant first

struct PackedNumbers {
    private let text: StaticString

    @inline(__always)
    init(_ text: StaticString) {
        precondition(text.hasPointerRepresentation)
        self.text = text
    }

    @inline(__always)
    func two(at position: Int) -> UInt32 { one(at: position) | one(at: position + 1) << 6 }

    @inline(__always)
    func three(at position: Int) -> UInt32 { two(at: position) | one(at: position + 2) << 12 }

    @inline(__always)
    func four(at position: Int) -> UInt32 { three(at: position) | one(at: position + 3) << 18 }

    @inline(__always)
    func one(at position: Int) -> UInt32 {
        precondition(position >= 0 && position < text.utf8CodeUnitCount)
        // SAFETY: the position is inside the literal, which lives as long as the program.
        return UInt32(unsafe text.utf8Start[position]) &- 0x30
    }
}

struct CodePointSet: Sendable {
    private static let limit: UInt32 = 0x20000
    /// Bit `code & 63` of word `code >> 6`. No words while the set is empty.
    private var words: [UInt64] = []

    @inline(__always)
    func contains(_ code: UInt32) -> Bool {
        guard code < Self.limit, !words.isEmpty else { return false }
        return words[Int(code &>> 6)] &>> UInt64(code & 63) & 1 != 0
    }

    mutating func insert(_ code: UInt32) {
        guard code < Self.limit else { return }
        if words.isEmpty { words = [UInt64](repeating: 0, count: Int(Self.limit) / 64) }
        words[Int(code >> 6)] |= 1 << UInt64(code & 63)
    }
}
