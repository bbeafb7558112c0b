// Which states of an automaton have been seen; emptied at no cost by counting the rounds (Briggs and Torczon, 1993).

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

    /// Whether the state wasn't inside before.
    mutating func insert(_ state: Int32) -> Bool {
        guard rounds[Int(state)] != round else { return false }
        rounds[Int(state)] = round
        return true
    }
}
