// Requests under way, a limited number at once, and their responses in the order in which they are needed.
//
//     ask ──► waiting ──► client (at most `jobs`) ──► ended ──► next(of:)

import PipelineCore
import PipelineHTTP

/// Identifies a request until its response is used.
typealias Ticket = Int

/// Sends requests, and keeps responses until they are needed. The caller limits their number.
final class RequestPool {
    private(set) var client: HTTPClient
    private let jobs: Int
    private let explanation: RequestExplanation?
    private var requests: [Ticket: HTTPRequest] = [:]
    private var waiting: [Ticket] = []
    private var ended: [Ticket: HTTPClient.Completion] = [:]
    private var nextTicket: Ticket = 0
    private let keys: APIKeys?
    /// The origins that the first response came by. What is requested later stays there, whatever it is redirected to.
    private var origins: [String] = []
    /// Requests that were sent again with another token.
    private var renewed: Set<Ticket> = []
    /// Where a refusal says that the service has no time now, by the description.
    var busy: JSONPath?
    /// A response was as described. What isn't even JSON after that is a fault of the service that may pass.
    private var hasUsableResponse = false
    /// Responses that stood in for a service that failed.
    private(set) var stale = StaleUse()

    init(
        _ options: HTTPClient.Options, jobs: Int, _ keys: APIKeys?, explanation: RequestExplanation?
    ) throws(ToolFailure) {
        client = try HTTPClient(options)
        self.jobs = jobs
        self.keys = keys
        self.explanation = explanation
    }

    var requestCount: Int { client.requestCount + (keys?.tokens?.requestCount ?? 0) }

    /// Sends a request, at once or when fewer are under way.
    func ask(_ request: HTTPRequest) -> Ticket {
        nextTicket += 1
        requests[nextTicket] = request
        waiting.append(nextTicket)
        explanation?.tell(request)
        submitWaiting()
        return nextTicket
    }

    /// Sends a request again if the fault of its response may pass. Its attempts count.
    /// - Throws: if it won't. What the response says is without the secrets that it repeats.
    func act(on fault: SourcePage.Fault, of completion: HTTPClient.Completion) throws(HTTPFailure) {
        guard let request = requests[completion.tag] else { return }
        let reason: HTTPFailure.Reason
        func retry(_ reason: HTTPFailure.Reason) { client.retry(request, after: completion, because: reason) }
        switch fault {
        case .cutShort:
            var finding = "JSON that is cut short"
            if case .success(let response) = completion.result, response.body.isEmpty {
                finding = "an empty response"
            }
            return retry(.foreign(finding, isUnusual: hasUsableResponse))
        case .foreign(let finding):
            return retry(.foreign(request.withoutSecrets(finding), isUnusual: hasUsableResponse))
        case .busy: return retry(.rateLimited(seconds: nil))
        case .broken(let finding): reason = .undescribed(request.withoutSecrets(finding))
        case .refused(let text): reason = .refusedRequest(request.withoutSecrets(text))
        }
        client.source.forget(completion)
        throw naming(completion.failure(reason), request)
    }

    /// Lets the cache have a response that is as described.
    func keep(_ completion: HTTPClient.Completion) {
        hasUsableResponse = true
        client.source.keep(completion)
    }

    /// Why a complete response can't be used, as a message names it.
    func failure(_ reason: HTTPFailure.Reason, of completion: HTTPClient.Completion) -> HTTPFailure {
        naming(completion.failure(reason), requests[completion.tag])
    }

    func withoutSecrets(_ text: String, of ticket: Ticket) -> String {
        requests[ticket]?.withoutSecrets(text) ?? ""
    }

    /// The next of the requests that has ended. Waits for it.
    func next(of tickets: [Ticket]) throws(HTTPFailure) -> HTTPClient.Completion {
        while true {
            for ticket in tickets { if let completion = ended.removeValue(forKey: ticket) { return completion } }
            try receive()
        }
    }

    func response(of completion: HTTPClient.Completion) throws(HTTPFailure) -> HTTPResponse {
        do throws(HTTPFailure) {
            let response = try completion.result.get()
            if completion.provenance == .stale { noteStale(completion) }
            return response
        } catch {
            throw naming(error, requests[completion.tag])
        }
    }

    /// Notes that a response of the cache is used because the service failed.
    func noteStale(_ completion: HTTPClient.Completion) {
        guard case .success(let response) = completion.result else { return }
        stale.add(response.url, since: completion.currentSeconds)
    }

    private func naming(_ failure: HTTPFailure, _ request: HTTPRequest?) -> HTTPFailure {
        var failure = failure
        switch failure.reason {
        // It has the URL already, or didn't come from a request.
        case .notRecorded, .interrupted, .unusable: break
        default:
            failure.shownURL = request?.shownURL
            failure.keyOrigin = keys?.origin
            // The body of another status may have records.
            guard (400..<600).contains(failure.httpStatus ?? 400) else { break }
            failure.refusal = Refusal.words(failure.body).flatMap { request?.withoutSecrets($0) }
        }
        return failure
    }

    /// Drops a request whose response was used or isn't needed.
    func drop(_ ticket: Ticket) {
        requests[ticket] = nil
        ended[ticket] = nil
        renewed.remove(ticket)
        if let location = waiting.firstIndex(of: ticket) { waiting.remove(at: location) }
    }

    private func receive() throws(HTTPFailure) {
        submitWaiting()
        switch client.next() {
        case .completed(let completion):
            // The response to a dropped request is dropped too.
            guard let request = requests[completion.tag] else { break }
            if try sendRenewed(request, after: completion) || sendWhenBusy(request, after: completion) { break }
            if origins.isEmpty, case .success(let response) = completion.result {
                origins = response.redirectChain.map(\.origin)
            }
            ended[completion.tag] = completion
        case .interrupted: throw HTTPFailure(.interrupted)
        case .idle, .inputReady: preconditionFailure("an answer is waited for that nobody was asked for")
        }
        submitWaiting()
    }

    /// Sends a request again, once, if its token was refused. The first of those that were under way gets a new one.
    private func sendRenewed(
        _ request: HTTPRequest, after completion: HTTPClient.Completion
    ) throws(HTTPFailure) -> Bool {
        guard case .failure(let failure) = completion.result, failure.reason == .status(401),
            let token = request.renewableSecret, completion.sentSecret != nil || client.source.isPlayed,
            renewed.insert(completion.tag).inserted
        else { return false }
        // A recording has the response to the second request too.
        if let number = completion.sentSecret { try token.prepare(after: number) }
        client.submit(request, tag: completion.tag)
        return true
    }

    /// Sends a request again later whose refusal has what the description calls busy.
    private func sendWhenBusy(_ request: HTTPRequest, after completion: HTTPClient.Completion) -> Bool {
        guard let busy, case .failure(let failure) = completion.result, case .status = failure.reason,
            JSONDocument.isValid(failure.body.span)
        else { return false }
        let body = failure.body.span
        do throws(SourcePage.Fault) {
            guard try busy.nodes(in: body).contains(where: { $0.isSomething(in: body) }) else { return false }
        } catch {
            // A path that can't be followed there finds nothing.
            return false
        }
        client.retry(request, after: completion, because: .rateLimited(seconds: nil))
        return true
    }

    private func submitWaiting() {
        var isNew = false
        // Until the first response shows where the service is, one request is enough.
        while client.count < (origins.isEmpty ? 1 : jobs), let ticket = waiting.first {
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
