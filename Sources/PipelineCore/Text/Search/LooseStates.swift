// How much of a query may have been read before a letter of the text, and before the next few.

/// For each number of letters of the query, the start of the earliest match that has read that number.
struct LooseStates: Sendable {
    /// A key's letters are read at once, so what comes after it is known before what comes after its first.
    private static let slots = LatinSpellings.longestKey + 1

    private let width: Int
    /// The slots, `width` numbers each; -1 where no match has read that number of letters.
    private var starts: [Int]
    private var counts = [Int](repeating: 0, count: slots)
    private var current = 0

    /// - Parameter letters: of the query.
    init(letters: Int) {
        width = letters + 1
        starts = [Int](repeating: -1, count: Self.slots * width)
    }

    mutating func removeAll() {
        for slot in 0..<Self.slots where counts[slot] > 0 { clear(slot) }
    }

    private mutating func clear(_ slot: Int) {
        for index in slot * width..<(slot + 1) * width { starts[index] = -1 }
        counts[slot] = 0
    }

    /// A match may begin before this letter.
    mutating func begin(at start: Int) { set(0, in: current, start) }

    /// Whether a match may have read this number of letters of the query before this letter of the text.
    func isActive(_ count: Int) -> Bool { starts[current * width + count] >= 0 }

    /// A match that has read `count` letters has read `newCount` after `length` letters of the text.
    mutating func move(_ count: Int, to newCount: Int, after length: Int) {
        set(newCount, in: (current + length) % Self.slots, starts[current * width + count])
    }

    /// Where the match began that is complete after `length` letters of the text; nil if none is.
    func matchStart(after length: Int) -> Int? {
        let start = starts[(current + length) % Self.slots * width + width - 1]
        return start >= 0 ? start : nil
    }

    /// Goes on to the next letter.
    mutating func advance() {
        if counts[current] > 0 { clear(current) }
        current = (current + 1) % Self.slots
    }

    private mutating func set(_ count: Int, in slot: Int, _ start: Int) {
        let index = slot * width + count
        guard starts[index] < 0 || start < starts[index] else { return }
        if starts[index] < 0 { counts[slot] += 1 }
        starts[index] = start
    }
}
