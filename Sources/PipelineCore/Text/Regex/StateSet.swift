// The states of an automaton visited so far. Counting rounds makes emptying it free (Briggs and Torczon, 1993).

struct StateSet: Sendable {
    private var rounds: [UInt32]
    private var round: UInt32 = 1

    init(capacity: Int) { rounds = [UInt32](repeating: 0, count: capacity) }

    mutating func removeAll() {
        round &+= 1
        guard round == 0 else { return }
        rounds = [UInt32](repeating: 0, count: rounds.count)
        round = 1
    }

    /// Whether the state is new to the set.
    mutating func insert(_ state: Int32) -> Bool {
        guard rounds[Int(state)] != round else { return false }
        rounds[Int(state)] = round
        return true
    }
}
