// Characters that have been seen, as a bit for each.

/// A set of the characters of the first two planes; others can't be put in.
struct CodePointSet: Sendable {
    private static let limit: UInt32 = 0x20000
    /// Bit `code & 63` of word `code >> 6`; none as long as the set is empty.
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
