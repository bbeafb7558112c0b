// The requests of a run that learns a description: one after another, few, and each told before it is sent.

import PipelineCore
import PipelineHTTP

/// Sends them.
struct LearnRequests: ~Copyable {
    /// Nobody who is asked for a list minds so few.
    static let usualLimit = 8
    /// Where header fields are to be cut, too.
    static let largeLimit = 12

    let limit: Int
    private var pool: RequestPool
    private let diagnostics: Diagnostics
    private(set) var sent = 0
    private var last: HTTPRequest?

    init(
        _ options: HTTPClient.Options, limit: Int, explanation: RequestExplanation?, _ diagnostics: Diagnostics
    ) throws(ToolFailure) {
        self.limit = limit
        self.diagnostics = diagnostics
        var options = options
        options.retry.retries = 0
        options.retry.retriesWhenAsked = 1
        options.cache.location = .none
        options.progress = diagnostics.progress
        pool = try RequestPool(options, jobs: 1, nil, explanation: explanation)
    }

    var left: Int { limit - sent }

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
            let response = try pool.response(to: ticket).result.get()
            count(redirects: response.redirectChain.count - 1)
            return response
        } catch {
            count(redirects: max(1, error.redirectChain.count) - 1)
            throw pool.naming(error, of: ticket)
        }
    }

    /// Counts what a request took besides itself: redirects, and a second try after a wait that the service asked for.
    private mutating func count(redirects: Int) { sent = max(sent + redirects, pool.requestCount) }

    /// A text without the keys that an answer may have repeated.
    func hiding(_ text: String) -> String { last?.hiding(text) ?? text }

    /// Whether a text has a key in it, as it is or percent-encoded.
    func hides(_ text: String) -> Bool {
        guard let last, !last.hiddenSecrets.isEmpty else { return false }
        return last.hiding(text) != text
    }

    /// Whether a text shows a key.
    func isKeyShown(in text: String) -> Bool { last?.isShown(in: text) ?? false }

    /// The figures of the run.
    var report: RunReport {
        var report = RunReport()
        report.bytesIn = pool.client.bytesReceived
        var figures = RunReport.Fetch()
        figures.requests = sent
        report.fetch = figures
        return report
    }
}

/// A page of a list that is being learnt.
struct LearntPage {
    let response: HTTPResponse
    /// Its URL after redirects.
    let url: HTTPURL
    let page: SourcePage
    let keys: RecordKeys

    /// Reads a response as the description says.
    /// - Parameter id: the path to the records' ids.
    /// - Returns: nil if it isn't a page of that list.
    init?(
        _ response: HTTPResponse, _ description: LearntDescription, id: [JSONLocation.PathStep]?
    ) throws(ToolFailure) {
        guard let url = response.redirectChain.last else { return nil }
        var reader = PageReader(try Self.source(description))
        // JSON that is cut short isn't a page either.
        guard let page = try? reader.read(response.body, response.headers, isList: true, lack: .laterPage) else {
            return nil
        }
        self.page = page
        self.response = response
        self.url = url
        let text = page.text ?? response.body
        keys = RecordKeys(page.records, in: text.span, id: id)
    }

    /// The source of a description in the making.
    static func source(_ description: LearntDescription) throws(ToolFailure) -> Source {
        do throws(DescriptionError) {
            return try description.source()
        } catch {
            throw .unlearnt("the response has names that a description can't have; write it by hand")
        }
    }

    /// The text that the records are in.
    var text: [UInt8] { page.text ?? response.body }

    var count: Int { page.listed }

    /// The whole answer, for what it says beside its records. JSON Lines say nothing.
    var answer: AnswerValue {
        (try? AnswerValue.read(response.body.span)) ?? .null
    }

    /// What stands beside the records.
    func envelope(_ place: RecordsPlace) -> [EnvelopeValue] {
        EnvelopeValue.all(in: answer, beside: place, response.headers)
    }

    /// The records, one after another.
    func addRecords(to figures: inout MemberFigures) {
        let text = text
        for record in page.records {
            if let value = try? AnswerValue.read(text.span.extracting(record.range)) { figures.add(value) }
        }
    }
}
