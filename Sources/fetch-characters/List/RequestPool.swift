// Requests under way, a bounded number at once, and their responses in whatever order they are wanted.
//
//     ask ──► waiting ──► client (at most `jobs`) ──► ended ──► answer(to:), or next()

import PipelineCore
import PipelineHTTP

/// What a request is called from its asking to its response.
typealias Ticket = Int

/// Asks, and keeps answers until they are wanted. Who asks bounds how many that can be.
struct RequestPool: ~Copyable {
    private(set) var client: HTTPClient
    private let jobs: Int
    private let explanation: RequestExplanation?
    private var requests: [Ticket: HTTPRequest] = [:]
    private var waiting: [Ticket] = []
    private var ended: [Ticket: HTTPClient.Completion] = [:]
    private var nextTicket: Ticket = 0

    /// - Parameters:
    ///   - jobs: requests at once.
    ///   - explanation: tells each request as it is asked.
    init(_ options: HTTPClient.Options, jobs: Int, explanation: RequestExplanation?) throws(ToolFailure) {
        do throws(HTTPFailure) { client = try HTTPClient(options) } catch { throw ToolFailure(error) }
        self.jobs = jobs
        self.explanation = explanation
    }

    /// Asks, or will when fewer requests are under way.
    mutating func ask(_ request: HTTPRequest) -> Ticket {
        nextTicket += 1
        requests[nextTicket] = request
        waiting.append(nextTicket)
        explanation?.tell(request)
        submitWaiting()
        return nextTicket
    }

    /// Asks again, since the response couldn't be used; its tries count.
    mutating func askAgain(
        _ ticket: Ticket, after completion: HTTPClient.Completion, because reason: HTTPFailure.Reason
    ) {
        guard let request = requests[ticket] else { return }
        client.retry(request, after: completion, because: reason)
    }

    /// The cache answers nothing by itself: what it has doesn't add up.
    mutating func askAnew(_ isAnew: Bool) { client.revalidatesAll = isAnew }

    /// Keeps a response that was used for later runs.
    mutating func keep(_ completion: HTTPClient.Completion) { client.keep(completion) }

    /// Takes a response that can't be used out of the cache.
    mutating func forget(_ completion: HTTPClient.Completion) { client.forget(completion) }

    /// The response to a request; waits for it.
    mutating func response(to ticket: Ticket) throws(HTTPFailure) -> HTTPClient.Completion {
        while true {
            if let completion = ended.removeValue(forKey: ticket) { return completion }
            try receive()
        }
    }

    /// The next response to one of the tickets, in the order in which they come.
    mutating func next(of tickets: some Collection<Ticket>) throws(HTTPFailure) -> HTTPClient.Completion {
        while true {
            for ticket in tickets { if let completion = ended.removeValue(forKey: ticket) { return completion } }
            try receive()
        }
    }

    /// Forgets a request: its response has been used, or isn't wanted.
    mutating func drop(_ ticket: Ticket) {
        requests[ticket] = nil
        ended[ticket] = nil
        if let location = waiting.firstIndex(of: ticket) { waiting.remove(at: location) }
    }

    private mutating func receive() throws(HTTPFailure) {
        submitWaiting()
        switch client.next() {
        case .completed(let completion):
            // The response to a request that was dropped is dropped too.
            if requests[completion.tag] != nil { ended[completion.tag] = completion }
        case .interrupted: throw HTTPFailure(.interrupted)
        case .idle, .inputReady: preconditionFailure("an answer is waited for that nobody was asked for")
        }
        submitWaiting()
    }

    private mutating func submitWaiting() {
        var isNew = false
        while client.count < jobs, let ticket = waiting.first {
            waiting.removeFirst()
            guard let request = requests[ticket] else { continue }
            client.submit(request, tag: ticket)
            isNew = true
        }
        if isNew { client.progress() }
    }
}
