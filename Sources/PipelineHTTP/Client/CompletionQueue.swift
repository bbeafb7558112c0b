// Completed requests that haven't been taken yet, first in, first out.

/// A queue that releases what it returns: whoever takes a completion holds the only copy of its body.
struct CompletionQueue {
    /// If the cache has all responses, the queue is seldom empty, so completions already taken are removed once
    /// there are this many.
    private static let takenLimit = 256

    /// Those before `next` were taken, and are nil.
    private var completions: [HTTPClient.Completion?] = []
    private var next = 0

    var count: Int { completions.count - next }

    mutating func append(_ completion: HTTPClient.Completion) { completions.append(completion) }

    mutating func takeFirst() -> HTTPClient.Completion? {
        guard next < completions.count else { return nil }
        let completion = completions[next].take()
        next += 1
        if next == completions.count || next >= Self.takenLimit {
            completions.removeFirst(next)
            next = 0
        }
        return completion
    }
}
