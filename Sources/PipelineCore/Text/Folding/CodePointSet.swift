// A set of characters seen, one bit for each.

/// Holds characters of the first two planes only; others can't be inserted.
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
