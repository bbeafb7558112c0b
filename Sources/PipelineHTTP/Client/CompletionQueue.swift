// Completed requests that haven't been taken yet, first in, first out.

/// A queue that releases what it returns: whoever takes a completion holds the only copy of its body.
struct CompletionQueue {
    /// The queue is seldom empty if the cache has all responses, so taken ones are removed at this number.
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
