// Memory for the bodies of responses, used again: a run receives thousands of about the same size.

/// Buffers that hold nothing.
struct BodyPool {
    /// The memory of larger bodies goes back to the system.
    private static let limitBytes = 1 << 17

    /// The most buffers to keep: more than there are connections are never in use at once.
    let limit: Int
    private var spare: [[UInt8]] = []

    init(limit: Int) { self.limit = limit }

    mutating func take() -> [UInt8] { spare.popLast() ?? [] }

    mutating func recycle(_ body: consuming [UInt8]) {
        guard spare.count < limit, body.capacity <= Self.limitBytes else { return }
        body.removeAll(keepingCapacity: true)
        spare.append(body)
    }
}
