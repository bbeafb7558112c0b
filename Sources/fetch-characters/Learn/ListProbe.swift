// Asks a service for pages of a list, as descriptions in the making request them, and remembers the answers. It sends few
// requests, one after another, and announces each.

import PipelineCore
import PipelineHTTP

/// What came for a page.
enum Answer {
    case page(LearntPage)
    /// The service refuses it with that status. Nothing follows from that but for 404.
    case refused(Int)
    /// Something else than such a page.
    case other(HTTPResponse)

    var page: LearntPage? { if case .page(let page) = self { page } else { nil } }

    /// Nothing is there, as past the end of a list.
    var isNothing: Bool {
        switch self {
        case .page(let page): page.keys.isEmpty
        case .refused(let status): status == 404
        case .other: false
        }
    }
}

/// Asks for pages. Nothing is asked for twice, but for what has to come twice to be believed.
struct ListProbe: ~Copyable {
    /// Nobody who is asked for a list minds so few.
    static let usualLimit = 8
    /// Where header fields are to be cut, too.
    static let largeLimit = 12

    private let limit: Int
    private var pool: RequestPool
    private let diagnostics: Diagnostics
    private var sent = 0
    /// The latest request with a secret, or the first one without.
    private var last: HTTPRequest?
    private let keys: [SentKey]
    /// Asked in place of the API's own address.
    let mirror: String?
    /// The path to the records' ids, by which they are compared. Nil compares all of their text.
    private(set) var id: [JSONLocation.PathStep]?
    private var first: LearntPage?
    /// Other places of records, which may turn out to be the list's.
    var otherPlaces: [RecordsPlace] = []
    /// One of them whose records change where those of the chosen place don't.
    private(set) var changingPlace: RecordsPlace?
    /// What a request was for that gave records which the first page doesn't have. A list with such isn't whole.
    private(set) var othersSeen: String?
    /// What the service refused, or answered with something else than a page: nothing is known of that.
    private(set) var refusals: [String] = []
    /// A parameter was refused with 400 or the like: some services refuse all that they don't know.
    private(set) var refusesParameters = false
    /// What came, by request.
    private var answered: [String: Result<HTTPResponse, HTTPFailure>] = [:]
    /// Requests whose responses came twice with the same records.
    private var steady: Set<String> = []

    /// Larger responses are requested again where they are needed twice.
    private static let keptBytes = 1 << 20

    /// - Parameter keys: sent with each request.
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

    /// A text without the keys that an answer may have repeated.
    func hiding(_ text: String) -> String { last?.hiding(text) ?? text }

    /// Whether a text has a key in it, as it is or percent-encoded.
    func hides(_ text: String) -> Bool {
        hiding(text) != text
    }

    func isKeyShown(in text: String) -> Bool { last?.isShown(in: text) ?? false }

    var report: RunReport {
        var report = RunReport()
        report.bytesIn = pool.client.bytesReceived
        var figures = RunReport.Fetch()
        figures.requests = sent
        report.fetch = figures
        return report
    }

    // MARK: Requests

    /// Sends a request and waits for the response. There must be one left.
    /// - Parameter purpose: what it is for, as messages call it.
    mutating func response(to request: HTTPRequest, for purpose: String) throws(HTTPFailure) -> HTTPResponse {
        var request = request
        // Redirects count: the service gets a request for each of them.
        request.redirectLimit = left - 1
        sent += 1
        if !request.hiddenSecrets.isEmpty || last == nil { last = request }
        diagnostics.note(
            "\(diagnostics.tool): request \(sent) of at most \(limit), for \(purpose): \(request.method) \(request.shownURL)"
        )
        let ticket = pool.ask(request)
        defer { pool.drop(ticket) }
        do throws(HTTPFailure) {
            let response = try pool.response(of: pool.next(of: [ticket]))
            count(redirects: response.redirectChain.count - 1)
            return response
        } catch {
            count(redirects: max(1, error.redirectChain.count) - 1)
            throw error
        }
    }

    /// Counts what a request took besides itself: redirects, and a second try after a wait that the service asked for.
    private mutating func count(redirects: Int) { sent = max(sent + redirects, pool.requestCount) }

    private func made(_ description: LearntDescription) throws(ToolFailure) -> SourceRequests {
        let source = try LearntPage.source(description)
        // Header fields that are being cut may be keys.
        let keys = keys.filter { key in source.keys.contains { $0.placement == key.placement } }
        return try ToolFailure.onHTTPFailure(SourceRequests(source, base: mirror, keys: keys))
    }

    private func request(
        _ description: LearntDescription, _ position: PagePosition?
    ) throws(ToolFailure) -> HTTPRequest {
        let made = try made(description)
        let pagination = made.source.pagination
        return try ToolFailure.onHTTPFailure(
            made.page(position ?? pagination.first, size: pagination.size?.value))
    }

    private static func key(_ request: HTTPRequest) -> String {
        request.url.text + "\n" + String(decoding: request.body?.bytes ?? [], as: UTF8.self)
    }

    /// Takes a response that is known already.
    /// - Parameter url: that it is of, where that isn't the description's own.
    mutating func know(
        _ response: HTTPResponse, _ description: LearntDescription, at url: HTTPURL? = nil
    ) throws(ToolFailure) {
        var description = description
        if let url {
            description.request.move(to: url)
            let keys = description.request.keys.compactMap(\.placement)
            description.request = description.request.removing(keys)
        }
        answered[Self.key(try request(description, nil))] = .success(response)
    }

    /// The answer to the list's own request.
    mutating func firstAnswer(_ description: LearntDescription) throws(ToolFailure) -> HTTPResponse {
        let request = try request(description, nil)
        if case .success(let response)? = answered[Self.key(request)] { return response }
        do throws(HTTPFailure) {
            let response = try self.response(to: request, for: "the list")
            if response.body.count <= Self.keptBytes { answered[Self.key(request)] = .success(response) }
            return response
        } catch {
            guard keys.isEmpty, let status = error.httpStatus, status == 401 || status == 403 else {
                throw ToolFailure(error)
            }
            throw ToolFailure(
                .refused,
                "\(request.url.authority) answered \(status); if it needs a key, add --learn-key header:NAME or "
                    + "query:NAME, and --key-file FILE (\(request.shownURL))")
        }
    }

    /// Whether a request has the same records as a page that came before. The answer is then known.
    mutating func isSame(
        _ description: LearntDescription, _ page: LearntPage, for purpose: String
    ) throws(ToolFailure) -> Bool {
        let request = try request(description, nil)
        guard let response = try? self.response(to: request, for: purpose),
            let other = try LearntPage(response, description, id: nil), other.keys == page.keys
        else { return false }
        try know(response, description)
        return true
    }

    /// - Returns: nil if no such request can be made.
    func item(_ id: String, _ description: LearntDescription) -> HTTPRequest? {
        guard let made = try? made(description) else { return nil }
        return try? made.item(id)
    }

    /// Asks for a page as the description requests it.
    /// - Parameters:
    ///   - position: nil for the first page.
    ///   - purpose: what it is for, as messages call it.
    /// - Returns: nil if no request is left.
    /// - Throws: a failure that says nothing about the list: of the network, of the key, of the rate.
    mutating func ask(
        _ description: LearntDescription, _ position: PagePosition? = nil, for purpose: String
    ) throws(ToolFailure) -> Answer? {
        let request = try request(description, position)
        let key = Self.key(request)
        guard answered[key] != nil || left > 0 else { return nil }
        let result = if let known = answered[key] { known } else { try send(request, for: purpose) }
        answered[key] = result
        switch result {
        case .failure(let failure): return .refused(failure.httpStatus ?? 0)
        case .success(let response):
            if response.body.count > Self.keptBytes { answered[key] = nil }
            return try answer(response, description, for: purpose)
        }
    }

    /// - Throws: a failure that says nothing about the list.
    private mutating func send(
        _ request: HTTPRequest, for purpose: String
    ) throws(ToolFailure) -> Result<HTTPResponse, HTTPFailure> {
        do throws(HTTPFailure) {
            return .success(try response(to: request, for: purpose))
        } catch {
            guard let status = error.httpStatus, ![401, 403, 429].contains(status),
                status == 500 || !error.isRetryable
            else { throw ToolFailure(error, about: purpose) }
            refusals.append("\(purpose) is answered with \(status)")
            if [400, 405, 406, 409, 422].contains(status) { refusesParameters = true }
            return .failure(error)
        }
    }

    private mutating func answer(
        _ response: HTTPResponse, _ description: LearntDescription, for purpose: String
    ) throws(ToolFailure) -> Answer {
        guard let page = try LearntPage(response, description, id: id) else {
            refusals.append("\(purpose) is answered with something else")
            return .other(response)
        }
        guard let first else { return .page(page) }
        if page.keys.fresh(beside: first.keys) > 0 {
            othersSeen = othersSeen ?? purpose
        } else if changingPlace == nil {
            for place in otherPlaces where changingPlace == nil {
                if try first.changes(in: response, at: place, description) { changingPlace = place }
            }
        }
        return .page(page)
    }

    // MARK: The first page

    /// Takes a response for the first page of the list, by whose records all others are compared.
    /// - Throws: status 76 if it has none.
    mutating func start(_ response: HTTPResponse, _ description: LearntDescription) throws(ToolFailure)
        -> LearntPage
    {
        guard let page = try LearntPage(response, description, id: nil), !page.keys.isEmpty else {
            throw .unlearnt("the list is empty; use the URL of a list with records")
        }
        id = MemberChoice([page]).path(of: .id)
        let start = try LearntPage(response, description, id: id) ?? page
        first = start
        return start
    }

    /// The first page as the description requests it, which has to be the one that came before.
    /// - Throws: status 76 if it is another one.
    mutating func startAgain(_ description: LearntDescription) throws(ToolFailure) -> LearntPage? {
        let key = Self.key(try request(description, nil))
        if !steady.contains(key) { answered[key] = nil }
        guard let again = try ask(description, for: "the first page again")?.page else { return nil }
        guard again.keys == first?.keys else {
            throw .unlearnt(
                "the first page, requested again, has other records; run it again if the list changed in between, and "
                    + "describe the source by hand if the service picks records at random")
        }
        steady.insert(key)
        return again
    }

    /// Where a page leads, as a run of the description would go on.
    func lead(
        of page: LearntPage, _ description: LearntDescription
    ) throws(ToolFailure) -> Result<PagePosition?, SourceRequests.LinkError> {
        let made = try made(description)
        return Result { () throws(SourceRequests.LinkError) in
            try made.next(page.page.lead, from: page.url, size: made.source.pagination.size?.value)
        }
    }

    /// The position after a page; nil if it leads to none that a run would request.
    func position(after page: LearntPage, _ description: LearntDescription) throws(ToolFailure) -> PagePosition? {
        let lead = try lead(of: page, description)
        return try? lead.get()
    }
}
