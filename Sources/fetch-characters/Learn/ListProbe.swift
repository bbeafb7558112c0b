// Sends a service the few requests that show how it pages a list, one after another, announces each, and remembers the
// responses.

import PipelineCore
import PipelineHTTP

struct ListProbe: ~Copyable {
    /// Few enough not to bother any service.
    static let usualLimit = 8
    /// The limit where header fields are to be cut as well.
    static let largeLimit = 12
    /// Larger responses are requested again where they are needed twice.
    private static let keptBytes = 1 << 20

    private let limit: Int
    private let pool: RequestPool
    private let diagnostics: Diagnostics
    private let keys: [SentKey]
    /// Asked in place of the API's own address.
    let mirror: String?
    private(set) var sent = 0
    /// The latest request with a secret, or the first one without.
    private(set) var last: HTTPRequest?
    /// The requests of a recording, whose answers are known.
    private(set) var recorded: [ListRequest] = []
    private var answered: [String: Result<HTTPResponse, HTTPFailure>] = [:]
    private var refused = RefusedRequests()
    /// The service itself has answered with a response, or it was asked for what a recording has.
    private var isConfirmed = false

    init(
        _ settings: FetchSettings, limit: Int, keys: [SentKey], explanation: RequestExplanation?,
        _ diagnostics: Diagnostics
    ) throws(ToolFailure) {
        self.limit = limit
        self.diagnostics = diagnostics
        self.keys = keys
        mirror = settings.baseURL
        var options = settings.client
        options.retry.retries = 0
        options.retry.retriesWhenAsked = 1
        options.cache.location = .none
        options.progress = diagnostics.progress
        pool = try RequestPool(options, jobs: 1, nil, explanation: explanation)
    }

    var left: Int { limit - sent }

    func hiding(_ text: String) -> String { last?.hiding(text) ?? text }

    func hiding(_ message: Message) -> Message {
        last.map { Message($0.hiding(message.what), cure: message.cure.map($0.hiding)) } ?? message
    }

    func hides(_ text: String) -> Bool { hiding(text) != text }

    var bytesReceived: Int { pool.client.bytesReceived }

    // MARK: Requests

    func requests(_ description: LearntDescription) throws(ToolFailure) -> SourceRequests {
        let source = try description.readable()
        // Header fields that are being cut may be keys.
        let keys = keys.filter { key in source.keys.contains { $0.placement == key.placement } }
        return try ToolFailure.onHTTPFailure(SourceRequests(source, base: mirror, keys: keys))
    }

    func request(
        _ description: LearntDescription, _ position: PagePosition? = nil
    ) throws(ToolFailure) -> HTTPRequest {
        let requests = try requests(description)
        let pagination = requests.source.pagination
        var request = try ToolFailure.onHTTPFailure(
            requests.page(position ?? pagination.first, size: pagination.size?.value))
        if description.request.isCopied {
            request.keepsFieldsHome = true
            // Nobody knows what the body holds.
            if request.body != nil { request.redirectOrigins = [] }
        }
        return request
    }

    private static func key(_ request: HTTPRequest) -> String {
        request.url.text + "\n" + String(decoding: request.body?.bytes ?? [], as: UTF8.self)
    }

    mutating func response(to request: HTTPRequest, for purpose: String) throws(HTTPFailure) -> HTTPResponse {
        var request = request
        // Redirects count: the service gets a request for each of them.
        request.redirectLimit = left - 1
        sent += 1
        if !request.hiddenSecrets.isEmpty || last == nil { last = request }
        diagnostics.note(
            "request \(sent) of at most \(limit), for \(hiding(purpose)): \(request.method) \(request.shownURL)")
        let ticket = pool.ask(request)
        defer { pool.drop(ticket) }
        let result = Result { () throws(HTTPFailure) in try pool.response(of: pool.next(of: [ticket])) }
        let chain =
            switch result {
            case .success(let response): response.redirectChain
            case .failure(let failure): failure.redirectChain
            }
        // A request takes redirects besides itself, and a second try after a wait that the service asked for.
        sent = max(sent + max(1, chain.count) - 1, pool.requestCount)
        switch result {
        case .success(let response):
            refused.note(response.status)
            isConfirmed = true
        case .failure(let failure): refused.note(failure.httpStatus)
        }
        return try result.get()
    }

    /// Asks once for what a recording has, where the service has refused all that it was asked for.
    /// - Throws: where it refuses that as well.
    mutating func confirmRecording(_ description: LearntDescription) throws(ToolFailure) {
        guard !recorded.isEmpty, !isConfirmed, left > 0 else { return }
        isConfirmed = true
        let request = try request(description)
        do throws(HTTPFailure) { _ = try response(to: request, for: "the list, as it was recorded") } catch {
            if let failure = refused.failure(at: request.url.authority, isRecorded: true) { throw failure }
        }
    }

    /// Takes a response that is known already.
    /// - Parameter recorded: the request for it, where that isn't the description's own.
    mutating func know(
        _ response: HTTPResponse, _ description: LearntDescription, to recorded: ListRequest? = nil
    ) throws(ToolFailure) {
        var description = description
        if var recorded {
            recorded.keys = description.request.keys
            recorded.headers = []
            description.request = recorded
            self.recorded.append(recorded)
        }
        answered[Self.key(try request(description))] = .success(response)
    }

    mutating func firstAnswer(_ description: LearntDescription) throws(ToolFailure) -> HTTPResponse {
        let request = try request(description)
        if case .success(let response)? = answered[Self.key(request)] { return response }
        do throws(HTTPFailure) { return try keptResponse(to: request, for: "the list") } catch {
            guard keys.isEmpty, let status = error.httpStatus, [401, 403].contains(status), !error.isRetryable
            else {
                throw ToolFailure(error)
            }
            throw ToolFailure(
                .refused,
                "\(request.url.authority) answered \(status); if it needs a key, give --learn - a curl command that has it, "
                    + "on stdin (\(request.shownURL))")
        }
    }

    private mutating func keptResponse(
        to request: HTTPRequest, for purpose: String
    ) throws(HTTPFailure) -> HTTPResponse {
        let response = try response(to: request, for: purpose)
        if response.body.count <= Self.keptBytes { answered[Self.key(request)] = .success(response) }
        return response
    }

    /// The response to a page's request, or how the service refuses it. Nil if no request is left.
    /// - Throws: a failure that says nothing about the list: of the network, of the key, of the rate.
    mutating func result(
        of description: LearntDescription, _ position: PagePosition?, for purpose: String,
        mayBeRefused: Bool = false
    ) throws(ToolFailure) -> Result<HTTPResponse, HTTPFailure>? {
        let request = try request(description, position)
        if let known = answered[Self.key(request)] { return known }
        guard left > 0 else { return nil }
        do throws(HTTPFailure) { return .success(try keptResponse(to: request, for: purpose)) } catch {
            // Some services refuse parameters that they don't know with 403.
            let isKey =
                !mayBeRefused && isConfirmed
                && (error.httpStatus == 401 || error.httpStatus == 403 && !keys.isEmpty)
            guard let status = error.httpStatus, !isKey, status == 500 || !error.isRetryable
            else { throw ToolFailure(error, about: purpose) }
            answered[Self.key(request)] = .failure(error)
            return .failure(error)
        }
    }
}
