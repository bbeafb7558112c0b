// Asks a service for pages of a list, as descriptions in the making request them, and remembers what came.

import PipelineCore
import PipelineHTTP

/// Asks for pages. Nothing is asked for twice, but for what has to come twice to be believed.
struct ListProbe: ~Copyable {
    private(set) var requests: LearnRequests
    private let keys: [SentKey]
    /// Asked in place of the API's own address.
    private let mirror: String?
    /// The path to the records' ids, by which they are compared. Nil compares all of their text.
    private(set) var id: [JSONLocation.PathStep]?
    /// The first page of the list.
    private var first: LearntPage?
    /// Other places of records, which may turn out to be the list's.
    var otherPlaces: [RecordsPlace] = []
    /// One of them whose records change where those of the chosen place don't.
    private(set) var changingPlace: RecordsPlace?
    /// What a request was for that gave records which the first page doesn't have. A list with such isn't whole.
    private(set) var othersSeen: String?
    /// What the service refused, or answered with something else than a page: nothing is known of that.
    private(set) var refusals: [String] = []
    /// Responses by URL; nil for what was refused.
    private var answered: [String: HTTPResponse?] = [:]
    /// Responses that came twice with the same records, by URL.
    private var steady: [String: HTTPResponse] = [:]

    /// Larger responses are requested again where they are needed twice.
    private static let keptBytes = 1 << 20

    /// - Parameters:
    ///   - keys: sent with each request.
    ///   - mirror: asked in place of the API's own address.
    init(_ requests: consuming LearnRequests, keys: [SentKey], mirror: String?) {
        self.requests = requests
        self.keys = keys
        self.mirror = mirror
    }

    /// Where the list of this description is asked for.
    func base(of description: LearntDescription) -> String { mirror ?? description.address.baseURL }

    /// How many requests are left.
    var left: Int { requests.left }

    // MARK: Requests

    private func made(_ description: LearntDescription) throws(ToolFailure) -> SourceRequests {
        let source = try LearntPage.source(description)
        return try ToolFailure.onHTTPFailure { () throws(HTTPFailure) in
            try SourceRequests(source, base: mirror, keys: keys)
        }
    }

    /// The request for a page, nil for the first one.
    private func request(
        _ description: LearntDescription, _ position: PagePosition?
    ) throws(ToolFailure) -> HTTPRequest {
        let pagination = try LearntPage.source(description).pagination
        let first = pagination.first
        let made = try made(description)
        return try ToolFailure.onHTTPFailure { () throws(HTTPFailure) in
            try made.page(position ?? first, size: pagination.size?.value)
        }
    }

    /// The answer to the list's own URL.
    mutating func firstAnswer(_ description: LearntDescription) throws(ToolFailure) -> HTTPResponse {
        let request = try request(description, nil)
        do throws(HTTPFailure) {
            return try requests.response(to: request, for: "the list")
        } catch {
            guard keys.isEmpty, let status = error.httpStatus, status == 401 || status == 403 else {
                throw ToolFailure(error)
            }
            throw ToolFailure(
                .refused,
                "\(request.url.authority) answered \(status); if it wants a key, --learn-key header:NAME or query:NAME says "
                    + "where it goes, and --key-file has it (\(request.shownURL))")
        }
    }

    /// The response to any request, for proofs beside the list.
    mutating func response(
        to request: HTTPRequest, for purpose: String
    ) -> Result<HTTPResponse, HTTPFailure> {
        Result { () throws(HTTPFailure) in try requests.response(to: request, for: purpose) }
    }

    /// The request for one record.
    /// - Returns: nil if no such request can be made.
    func item(_ id: String, _ description: LearntDescription) -> HTTPRequest? {
        do throws(ToolFailure) {
            let made = try made(description)
            return try ToolFailure.onHTTPFailure { () throws(HTTPFailure) in try made.item(id) }
        } catch {
            return nil
        }
    }

    /// The response to a request of a page. Nil if the service refuses it, or if no request is left.
    /// - Throws: a failure that says nothing about the list: of the network, of the key, of the rate.
    mutating func response(
        _ description: LearntDescription, _ position: PagePosition?, for purpose: String
    ) throws(ToolFailure) -> (response: HTTPResponse?, status: Int?) {
        let request = try request(description, position)
        if let known = answered[request.url.text] { return (known, nil) }
        guard requests.left > 0 else { return (nil, nil) }
        do throws(HTTPFailure) {
            let response = try requests.response(to: request, for: purpose)
            if response.body.count <= Self.keptBytes { answered[request.url.text] = response }
            return (response, response.status)
        } catch {
            guard let status = error.httpStatus, status != 401, status != 403, status == 500 || !error.isRetryable
            else {
                throw ToolFailure(error, about: purpose)
            }
            refusals.append("\(purpose) is answered with \(status)")
            answered[request.url.text] = .some(nil)
            return (nil, status)
        }
    }

    // MARK: Pages

    /// Takes a response for the first page of the list, by whose records all others are compared.
    /// - Throws: status 76 if it has none.
    mutating func start(_ response: HTTPResponse, _ description: LearntDescription) throws(ToolFailure)
        -> LearntPage
    {
        guard let page = try LearntPage(response, description, id: nil), !page.keys.isEmpty else {
            throw ToolFailure(.protocolError, "the list has no records now; use the URL of one that has some")
        }
        var figures = MemberFigures(origin: page.url.origin)
        page.addRecords(to: &figures)
        id = MemberChoice(figures).path(of: .id)
        let start = try LearntPage(response, description, id: id) ?? page
        first = start
        return start
    }

    /// A page as the description requests it.
    /// - Parameter position: nil for the first page.
    /// - Returns: nil if the service refuses it, or answers something else than such a page.
    mutating func page(
        _ description: LearntDescription, _ position: PagePosition?, for purpose: String
    ) throws(ToolFailure) -> LearntPage? {
        guard let response = try response(description, position, for: purpose).response else { return nil }
        guard let page = try LearntPage(response, description, id: id) else {
            refusals.append("\(purpose) is answered with something else")
            return nil
        }
        guard let first else { return page }
        if page.keys.fresh(beside: first.keys) > 0 {
            othersSeen = othersSeen ?? purpose
        } else if changingPlace == nil {
            changingPlace = try place(besides: first, changingIn: response, description)
        }
        return page
    }

    /// The first page as the description requests it, which has to be the one that came before.
    /// - Throws: status 76 if it is another one.
    mutating func startAgain(
        _ description: LearntDescription, _ start: LearntPage
    ) throws(ToolFailure) -> LearntPage? {
        let url = try request(description, nil).url.text
        if let response = steady[url] { return try LearntPage(response, description, id: id) }
        answered[url] = nil
        guard let again = try page(description, nil, for: "the first page again") else { return nil }
        guard again.keys == start.keys else {
            throw ToolFailure(
                .protocolError,
                "the first page, requested again, has other records; run it again if the list changed meanwhile, and "
                    + "describe the source by hand if the service picks records at random")
        }
        if again.response.body.count <= Self.keptBytes { steady[url] = again.response }
        return again
    }

    /// Where a page leads.
    enum Lead {
        case position(PagePosition)
        /// To an origin whose links aren't followed.
        case elsewhere(String)
        case nowhere
    }

    /// The position after a page, as the page gives it.
    func lead(of page: LearntPage, _ description: LearntDescription) throws(ToolFailure) -> Lead {
        switch page.page.lead.next {
        case .cursor(let values)?: return .position(.cursor(values))
        case .link(let link)?:
            let made = try made(description)
            do throws(SourceRequests.LinkError) {
                return .position(.link(try made.link(link, from: page.url)))
            } catch {
                if case .elsewhere(let origin) = error { return .elsewhere(origin) }
                return .nowhere
            }
        case nil: return .nowhere
        }
    }

    /// Another place of records, which are others in this response than in that of the first page.
    private func place(
        besides first: LearntPage, changingIn response: HTTPResponse, _ description: LearntDescription
    ) throws(ToolFailure) -> RecordsPlace? {
        for other in otherPlaces where try Self.changes(other, from: first.response, to: response, description) {
            return other
        }
        return nil
    }

    /// Whether a place has other records in one response than in another.
    static func changes(
        _ place: RecordsPlace, from first: HTTPResponse, to second: HTTPResponse, _ description: LearntDescription
    ) throws(ToolFailure) -> Bool {
        var described = description
        described.records = place
        guard let before = try LearntPage(first, described, id: nil),
            let after = try LearntPage(second, described, id: nil)
        else { return false }
        return after.keys.fresh(beside: before.keys) > 0
    }
}

extension ListProbe.Lead {
    var position: PagePosition? { if case .position(let position) = self { position } else { nil } }
}
