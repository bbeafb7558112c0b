// A body may be larger than its limit if the caller takes it while it comes. libcurl waits with the rest
// meanwhile, and the service with it.
//
//     body:   …… limit ─► begun: all that has come is taken ─► at most `waitingBytes` more ─► paused until it is taken

/// What a piece of a body means for its transfer.
enum Reception {
    case proceed
    case stop
    /// libcurl keeps the piece, and hands it over again.
    case pause
}

/// How far a body has been handed on.
struct StreamedBody {
    /// The most that waits to be taken, but for what one step inflates.
    static let waitingBytes = 1 << 20

    /// The body is larger than the limit, or is said to be.
    private(set) var hasBegun = false
    private(set) var isPaused = false
    /// Bytes that were used of what libcurl hands over again.
    private var used = 0

    mutating func clear() { self = StreamedBody() }

    mutating func begin() { hasBegun = true }

    /// The bytes of a piece that were used before. libcurl may cut it smaller the second time.
    mutating func takeUsed(of count: Int) -> Int {
        defer { used -= min(used, count) }
        return min(used, count)
    }

    mutating func pause(used count: Int) {
        isPaused = true
        used += count
    }

    mutating func resume() { isPaused = false }
}
