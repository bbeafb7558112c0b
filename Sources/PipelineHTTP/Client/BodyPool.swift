// Memory for the bodies of responses, reused: a run receives thousands of about the same size.

/// Unused buffers.
struct BodyPool {
    /// The memory of larger bodies goes back to the system.
    private static let limitBytes = 1 << 17

    /// The maximum number of buffers to keep. There are never more in use at once than there are connections.
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
