// Requests under way, a limited number at once, and their responses in the order in which they are needed.
//
//     ask ──► waiting ──► client (at most `jobs`) ──► ended ──► response(to:), or next(of:)

import PipelineCore
import PipelineHTTP

/// Identifies a request until its response is used.
typealias Ticket = Int

/// Sends requests, and keeps responses until they are needed. The caller limits their number.
struct RequestPool: ~Copyable {
    private(set) var client: HTTPClient
    private let jobs: Int
    private let explanation: RequestExplanation?
    private var requests: [Ticket: HTTPRequest] = [:]
    private var waiting: [Ticket] = []
    private var ended: [Ticket: HTTPClient.Completion] = [:]
    private var nextTicket: Ticket = 0
    private let tokens: TokenSource?
    private let isReplayed: Bool
    /// The origins that the first answer came by. What is requested later stays there, whatever it is redirected to.
    private var origins: [String] = []
    /// Requests that were sent again with another token.
    private var renewed: Set<Ticket> = []

    /// - Parameters:
    ///   - jobs: requests at once.
    ///   - tokens: where the requests' token is from, if they have one.
    ///   - explanation: prints each request when it is made.
    init(
        _ options: HTTPClient.Options, jobs: Int, _ tokens: TokenSource?, explanation: RequestExplanation?
    ) throws(ToolFailure) {
        do throws(HTTPFailure) { client = try HTTPClient(options) } catch { throw ToolFailure(error) }
        self.jobs = jobs
        self.tokens = tokens
        isReplayed = options.replayPath != nil
        self.explanation = explanation
    }

    /// Requests sent, those for a token included.
    var requestCount: Int { client.requestCount + (tokens?.requestCount ?? 0) }

    /// Sends a request, at once or when fewer are under way.
    mutating func ask(_ request: HTTPRequest) -> Ticket {
        nextTicket += 1
        requests[nextTicket] = request
        waiting.append(nextTicket)
        explanation?.tell(request)
        submitWaiting()
        return nextTicket
    }

    /// Sends a request again because its response was unusable. Its attempts count.
    mutating func retry(
        _ ticket: Ticket, after completion: HTTPClient.Completion, because reason: HTTPFailure.Reason
    ) {
        guard let request = requests[ticket] else { return }
        client.retry(request, after: completion, because: reason)
    }

    /// Sends a request again if the fault of its response may pass.
    /// - Throws: if it won't.
    mutating func act(
        on fault: SourcePage.Fault, of ticket: Ticket, _ completion: HTTPClient.Completion
    ) throws(HTTPFailure) {
        switch fault {
        case .cutShort: retry(ticket, after: completion, because: .truncated)
        case .busy: retry(ticket, after: completion, because: .rateLimited(seconds: nil))
        case .broken(let finding):
            forget(completion)
            throw completion.failure(.undescribed(shown(finding, ticket)))
        case .refused(let text):
            forget(completion)
            throw completion.failure(.refusedRequest(shown(text, ticket)))
        }
    }

    /// What a fault in part of an answer means for its request.
    func failure(_ fault: SourcePage.Fault, of ticket: Ticket, _ url: HTTPURL?) -> HTTPFailure {
        let reason: HTTPFailure.Reason =
            switch fault {
            case .cutShort: .truncated
            case .busy: .rateLimited(seconds: nil)
            case .broken(let finding): .undescribed(shown(finding, ticket))
            case .refused(let text): .refusedRequest(shown(text, ticket))
            }
        return HTTPFailure(reason, at: url)
    }

    /// What an answer says, without the secrets that it repeats.
    private func shown(_ text: String, _ ticket: Ticket) -> String {
        requests[ticket]?.withoutSecrets(text) ?? text
    }

    /// Sets whether to revalidate all cached responses, as needed when they are inconsistent.
    mutating func revalidateAll(_ isNeeded: Bool) { client.revalidatesAll = isNeeded }

    /// Stores a usable response for later runs.
    mutating func keep(_ completion: HTTPClient.Completion) { client.keep(completion) }

    /// Removes an unusable response from the cache.
    mutating func forget(_ completion: HTTPClient.Completion) { client.forget(completion) }

    /// The response to a request. Waits for it.
    mutating func response(to ticket: Ticket) throws(HTTPFailure) -> HTTPClient.Completion {
        while true {
            if let completion = ended.removeValue(forKey: ticket) { return completion }
            try receive()
        }
    }

    /// The response to a request whose answer may be handed on. Waits for it, or for a part of it.
    /// - Returns: nil if there is a part, for `takePart`.
    mutating func arrival(of ticket: Ticket) throws(HTTPFailure) -> HTTPClient.Completion? {
        while true {
            if let completion = ended.removeValue(forKey: ticket) { return completion }
            guard try !receive(partOf: ticket) else { return nil }
        }
    }

    /// Takes what has come of an answer that is handed on, and its URL after redirects.
    mutating func takePart(of ticket: Ticket) -> (bytes: [UInt8], url: HTTPURL?) {
        let url = client.head(of: ticket)?.redirectChain.last
        return (client.takePart(of: ticket), url)
    }

    /// The next response to one of the tickets, in order of arrival. Waits for it.
    mutating func next(of tickets: some Collection<Ticket>) throws(HTTPFailure) -> HTTPClient.Completion {
        while true {
            for ticket in tickets { if let completion = ended.removeValue(forKey: ticket) { return completion } }
            try receive()
        }
    }

    /// The failure of a request, with its URL.
    func naming(_ failure: HTTPFailure, of ticket: Ticket) -> HTTPFailure {
        var failure = failure
        switch failure.reason {
        // It has the URL already, or didn't come from a request.
        case .notRecorded, .interrupted, .unusable: break
        default: failure.shownURL = requests[ticket]?.shownURL
        }
        return failure
    }

    /// Drops a request whose response was used or isn't needed.
    mutating func drop(_ ticket: Ticket) {
        if requests[ticket]?.isStreamed == true { client.stop(ticket) }
        requests[ticket] = nil
        ended[ticket] = nil
        renewed.remove(ticket)
        if let location = waiting.firstIndex(of: ticket) { waiting.remove(at: location) }
    }

    /// - Returns: whether there is a part of the answer to this ticket.
    @discardableResult
    private mutating func receive(partOf ticket: Ticket? = nil) throws(HTTPFailure) -> Bool {
        submitWaiting()
        switch client.next(partOf: ticket) {
        case .part: return true
        case .paused: break
        case .completed(let completion):
            // The response to a dropped request is dropped too.
            guard let request = requests[completion.tag] else { break }
            if try sendRenewed(request, after: completion) { break }
            if origins.isEmpty, case .success(let response) = completion.result {
                origins = response.redirectChain.map(\.origin)
            }
            ended[completion.tag] = completion
        case .interrupted: throw HTTPFailure(.interrupted)
        case .idle, .inputReady: preconditionFailure("an answer is waited for that nobody was asked for")
        }
        submitWaiting()
        return false
    }

    /// Sends a request again, once, if its token was refused. The first of those that were under way gets a new one.
    /// - Returns: whether it is under way again.
    private mutating func sendRenewed(
        _ request: HTTPRequest, after completion: HTTPClient.Completion
    ) throws(HTTPFailure) -> Bool {
        guard case .failure(let failure) = completion.result, failure.reason == .status(401),
            let token = request.renewableSecret, completion.sentSecret != nil || isReplayed,
            renewed.insert(completion.tag).inserted
        else { return false }
        // A recording has the response to the second request too.
        if let number = completion.sentSecret { try token.renew(after: number) }
        client.submit(request, tag: completion.tag)
        return true
    }

    private mutating func submitWaiting() {
        var isNew = false
        // One that waits to be taken may wait for the one that is asked for here. Until the first answer shows where
        // the service is, one request is enough.
        while client.count - client.pausedCount < (origins.isEmpty ? 1 : jobs), let ticket = waiting.first {
            waiting.removeFirst()
            guard var request = requests[ticket] else { continue }
            if !origins.isEmpty { request.redirectOrigins = (request.redirectOrigins ?? []) + origins }
            requests[ticket] = request
            client.submit(request, tag: ticket)
            isNew = true
        }
        if isNew { client.progress() }
    }
}
