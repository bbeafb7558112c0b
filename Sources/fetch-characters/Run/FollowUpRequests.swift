// Sends the further requests for records, for several records at once, and returns the records in order:
//
//     record 1   ──object──visual──digital──►  written
//     record 2   ──object──visual────────────  under way
//     record 3   ──object────────────────────  under way
//
// A step that finds no URL, one that isn't allowed, or a 400, 404 or 410 is the last one of its record, which is written
// without what the others would have added.

import PipelineCore
import PipelineHTTP

struct FollowUpRequests: ~Copyable {
    private struct Chain {
        let record: Range<Int>
        /// Their bodies are checked JSON.
        var responses: [HTTPResponse] = []
        /// The request under way, nil once the chain has ended.
        var ticket: Ticket?
    }

    private let requests: SourceRequests
    private let body: [UInt8]
    /// The URL of the page. Relative URLs in its records are resolved against it.
    private let url: HTTPURL
    private let diagnostics: Diagnostics
    private var evaluators: [[TextEvaluator]]
    private var source: Source { requests.source }
    private var steps: [Source.Step] { source.expand }
    /// Those that were started and not yet taken.
    private var chains: [Chain] = []

    init(_ requests: SourceRequests, body: [UInt8], from url: HTTPURL, _ diagnostics: Diagnostics) {
        self.requests = requests
        self.body = body
        self.url = url
        self.diagnostics = diagnostics
        let values = requests.placeholderValues
        evaluators = requests.source.expand.map { $0.urls.map { TextEvaluator($0, isURL: true, filling: values) } }
    }

    var count: Int { chains.count }

    mutating func begin(_ record: Range<Int>, _ pool: RequestPool) throws(ToolFailure) {
        chains.append(Chain(record: record))
        try requestNextStep(chains.count - 1, pool)
    }

    /// The first record not yet taken, with the responses of its steps. Waits for them.
    mutating func takeFirst(_ pool: RequestPool) throws(ToolFailure) -> (
        record: HTTPResponse?, steps: [HTTPResponse]
    ) {
        while chains[0].ticket != nil { try receive(pool) }
        let chain = chains.removeFirst()
        let record = zip(steps, chain.responses).first { step, _ in step.isRecord }?.1
        return (record, chain.responses)
    }

    mutating func stop(_ pool: RequestPool) {
        for ticket in chains.compactMap(\.ticket) { pool.drop(ticket) }
    }

    private mutating func receive(_ pool: RequestPool) throws(ToolFailure) {
        let completion = try ToolFailure.onHTTPFailure(pool.next(of: chains.compactMap(\.ticket)))
        guard let index = chains.firstIndex(where: { $0.ticket == completion.tag }) else { return }
        var isMissing = false
        do throws(HTTPFailure) {
            guard let response = try response(completion, pool) else { return }
            chains[index].responses.append(response)
        } catch {
            // A record whose image or page is gone is written without it.
            isMissing = [400, 404, 410].contains(error.httpStatus)
            guard isMissing else {
                throw ToolFailure(error, about: "step \(steps[chains[index].responses.count].name)")
            }
        }
        pool.drop(completion.tag)
        chains[index].ticket = nil
        if !isMissing { try requestNextStep(index, pool) }
    }

    private mutating func response(
        _ completion: HTTPClient.Completion, _ pool: RequestPool
    ) throws(HTTPFailure) -> HTTPResponse? {
        let response = try pool.response(of: completion)
        do throws(SourcePage.Fault) {
            let whole = try JSONDocument.checked(response, source.records.format)
            try Refusal.check(whole.body.span, source)
            if let refusal = PageStatus(whole.body.span).refusal { throw .refused(refusal) }
            pool.client.source.keep(completion)
            return whole
        } catch {
            try pool.act(on: error, of: completion)
            return nil
        }
    }

    private mutating func requestNextStep(_ index: Int, _ pool: RequestPool) throws(ToolFailure) {
        let location = chains[index].responses.count
        guard location < steps.count, let text = try nextURL(index) else { return }
        do throws(HTTPFailure) {
            let base = chains[index].responses.last?.url ?? url
            guard let request = try requests.step(steps[location], text, from: base) else {
                return diagnostics.warning(
                    "step \(steps[location].name) leads to another origin, so a record lacks its members; "
                        + "the description can allow it by origins")
            }
            chains[index].ticket = pool.ask(request)
        } catch {
            warnNoURL(location)
        }
    }

    private func warnNoURL(_ location: Int) {
        diagnostics.warning("step \(steps[location].name) has no URL for a record, which lacks its members")
    }

    private mutating func nextURL(_ index: Int) throws(ToolFailure) -> String? {
        let location = chains[index].responses.count
        let document = location > 0 ? chains[index].responses[location - 1].body : body
        let range = location > 0 ? 0..<document.count : chains[index].record
        for place in evaluators[location].indices {
            let value = document.span.extracting(range)
            if let text = try evaluators[location][place].composed?.text(in: value) { return text.span.text }
            try evaluators[location][place].path?.find(in: value)
            if let text = evaluators[location][place].path?.firstText(in: value) { return text }
        }
        if evaluators[location].contains(where: { $0.composed?.isRefused == true }) { warnNoURL(location) }
        return nil
    }
}
