// Decides which requests are left, and what it means that all are refused. Sends a service the few requests that show how it
// pages a list, one after another, announces each, and remembers the responses.

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
    private var refused = RefusedRequests.none
    /// The service itself has answered with a response, or it was asked for what a recording has.
    private var isConfirmed = false

    init(
        _ settings: FetchSettings, limit: Int, keys: [SentKey], explanation: RequestExplanation?,
        _ diagnostics: Diagnostics
    ) throws(ToolFailure) {
        (self.limit, self.diagnostics, self.keys, mirror) = (limit, diagnostics, keys, settings.baseURL)
        var options = settings.client
        (options.retry.retries, options.retry.retriesWhenAsked) = (0, 1)
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
        guard description.request.isCopied else { return request }
        request.keepsFieldsHome = true
        // Nobody knows what the body holds.
        if request.body != nil { request.redirectOrigins = [] }
        return request
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
        let chain: [HTTPURL]
        let result = Result { () throws(HTTPFailure) in try pool.response(of: pool.next(of: [ticket])) }
        switch result {
        case .success(let response):
            chain = response.redirectChain
            refused.note(response.status)
            isConfirmed = true
        case .failure(let failure):
            chain = failure.redirectChain
            refused.note(failure.httpStatus)
        }
        // A request takes redirects besides itself, and a second try after a wait that the service asked for.
        sent = max(sent + max(1, chain.count) - 1, pool.requestCount)
        return try result.get()
    }

    mutating func firstAnswer(_ description: LearntDescription) throws(ToolFailure) -> HTTPResponse {
        let request = try request(description)
        if case .success(let response)? = answered[request.known] { return response }
        do throws(HTTPFailure) { return try keptResponse(to: request, for: "the list") } catch {
            guard keys.isEmpty, let status = error.httpStatus, [401, 403].contains(status), !error.isRetryable
            else { throw ToolFailure(error) }
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
        if response.body.count <= Self.keptBytes { answered[request.known] = .success(response) }
        return response
    }

    /// The response to a page's request, or how the service refuses it. Nil if no request is left.
    /// - Throws: a failure that says nothing about the list: of the network, of the key, of the rate.
    mutating func result(
        of description: LearntDescription, _ position: PagePosition?, for purpose: String,
        mayBeRefused: Bool = false
    ) throws(ToolFailure) -> Result<HTTPResponse, HTTPFailure>? {
        let request = try request(description, position)
        if let known = answered[request.known] { return known }
        guard left > 0 else { return nil }
        do throws(HTTPFailure) { return .success(try keptResponse(to: request, for: purpose)) } catch {
            guard let status = error.httpStatus, mayBeRefused || !isOfKey(status),
                status == 500 || !error.isRetryable
            else { throw ToolFailure(error, about: purpose) }
            answered[request.known] = .failure(error)
            return .failure(error)
        }
    }

    /// Whether a status says that the key isn't taken, by a service that has answered. Some refuse parameters that they don't
    /// know with 403.
    private func isOfKey(_ status: Int) -> Bool {
        guard isConfirmed else { return false }
        return status == 401 || status == 403 && !keys.isEmpty
    }

    // MARK: What a recording has

    /// Takes a response that is known already.
    /// - Parameter recorded: the request for it, where that isn't the description's own.
    mutating func know(
        _ response: HTTPResponse, _ description: LearntDescription, to recorded: ListRequest? = nil
    ) throws(ToolFailure) {
        var description = description
        if var recorded {
            (recorded.keys, recorded.headers) = (description.request.keys, [])
            description.request = recorded
            self.recorded.append(recorded)
        }
        answered[try request(description).known] = .success(response)
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
}

extension HTTPRequest {
    /// By which its answer is known.
    fileprivate var known: String { url.text + "\n" + String(decoding: body?.bytes ?? [], as: UTF8.self) }
}

/// The answers of a service that refuses all requests for a list, whatever they ask for: their login or their address is
/// wrong, and nothing can be learnt of the list.
enum RefusedRequests: Sendable {
    case none
    case notAllowed(Int)
    case notFound(Int)
    /// Something else came, too.
    case others

    /// - Parameter status: of an answer of the service; nil where none came.
    mutating func note(_ status: Int?) {
        switch (self, status) {
        case (.none, 401?), (.none, 403?), (.none, 407?): self = .notAllowed(status ?? 0)
        case (.none, 404?), (.none, 410?): self = .notFound(status ?? 0)
        case (.notAllowed, 401?), (.notAllowed, 403?), (.notAllowed, 407?): break
        case (.notFound, 404?), (.notFound, 410?): break
        default: self = .others
        }
    }

    /// - Parameter isRecorded: the request is from a HAR.
    func failure(at authority: String?, isRecorded: Bool) -> ToolFailure? {
        let service = authority ?? "the service, as the HAR has it,"
        switch self {
        case .none, .others: return nil
        case .notAllowed(let status):
            var cure: Message = "add the key or the cookies that the request needs"
            if isRecorded {
                cure =
                    "a HAR has no cookies or keys unless it is saved with sensitive data; save it so, or copy the request as cURL"
            }
            return ToolFailure(.refused, "\(service) answered \(status) to all requests; \(cure)")
        case .notFound(let status):
            return ToolFailure(
                .protocolError, "\(service) answered \(status) to all requests; check the address of the list")
        }
    }
}
