// Sends the further requests for records, for several records at once, and returns the records in order:
//
//     record 1   ──object──visual──digital──►  written
//     record 2   ──object──visual────────────  under way
//     record 3   ──object────────────────────  under way
//
// A step that finds no URL, one that isn't allowed, or a 400, 404 or 410 is the last one of its record, which is written
// without what the others would have added. A step whose response is the record itself is another matter: where it
// answers 404 or 410 the record isn't there, and whatever else keeps it from its response is a failure. What the list has
// of such a record isn't a record. What `item` answers may be the record already, and leads to no other then.

import PipelineCore
import PipelineHTTP

/// A record with what its steps found.
struct ExpandedRecord {
    /// The response that takes its place, if a step has that.
    var record: HTTPResponse?
    /// Of the steps that have one, in their order. Their bodies are checked JSON.
    var steps: [HTTPResponse] = []
    var outcome: Outcome

    /// How the steps of a record end.
    enum Outcome {
        /// All have a response, or need none.
        case whole
        /// The step after those with a response has none, for this reason.
        case lacking(Lack)
        /// The record itself isn't there.
        case absent(HTTPFailure)
        /// Nobody knows what the step would have found.
        case failed(ToolFailure)
    }

    enum Lack: Hashable, CustomStringConvertible {
        case status(Int)
        case noURL
        case invalidURL
        case otherOrigin

        var description: String {
            switch self {
            case .status(let status): "answered \(status)"
            case .noURL: "without a URL"
            case .invalidURL: "with a URL that can't be requested"
            case .otherOrigin: "at another origin, which origins can allow"
            }
        }
    }
}

struct FollowUpRequests: ~Copyable {
    private struct Chain {
        let record: Range<Int>
        var responses: [HTTPResponse] = []
        /// Nil until the chain ends before its last step.
        var outcome: ExpandedRecord.Outcome?
        /// The request under way, nil once the chain has ended.
        var ticket: Ticket?
    }

    private let requests: SourceRequests
    private let body: [UInt8]
    /// The URL of the page. Relative URLs in its records are resolved against it.
    private let url: HTTPURL
    /// Whether `--id` asked for the records, rather than a list.
    private let areItems: Bool
    private var evaluators: [[TextEvaluator]]
    private var source: Source { requests.source }
    private var steps: [Source.Step] { source.expand }
    /// Those that were started and not yet taken.
    private var chains: [Chain] = []

    init(_ requests: SourceRequests, body: [UInt8], from url: HTTPURL, areItems: Bool) {
        self.requests = requests
        self.body = body
        self.url = url
        self.areItems = areItems
        let values = requests.placeholderValues
        evaluators = requests.source.expand.map { $0.urls.map { TextEvaluator($0, isURL: true, filling: values) } }
    }

    var count: Int { chains.count }

    mutating func begin(_ record: Range<Int>, _ pool: RequestPool) throws(ToolFailure) {
        chains.append(Chain(record: record))
        try requestNextStep(chains.count - 1, pool)
    }

    /// The first record not yet taken. Waits for the responses of its steps.
    mutating func takeFirst(_ pool: RequestPool) throws(ToolFailure) -> ExpandedRecord {
        while chains[0].ticket != nil { try receive(pool) }
        let chain = chains.removeFirst()
        let record = zip(steps, chain.responses).first { step, _ in step.isRecord }?.1
        return ExpandedRecord(record: record, steps: chain.responses, outcome: chain.outcome ?? .whole)
    }

    mutating func stop(_ pool: RequestPool) {
        for ticket in chains.compactMap(\.ticket) { pool.drop(ticket) }
    }

    private mutating func receive(_ pool: RequestPool) throws(ToolFailure) {
        let completion = try ToolFailure.onHTTPFailure(pool.next(of: chains.compactMap(\.ticket)))
        guard let index = chains.firstIndex(where: { $0.ticket == completion.tag }) else { return }
        do throws(HTTPFailure) {
            guard let response = try response(completion, pool) else { return }
            chains[index].responses.append(response)
        } catch {
            chains[index].outcome = outcome(of: error, atStep: chains[index].responses.count)
        }
        pool.drop(completion.tag)
        chains[index].ticket = nil
        if chains[index].outcome == nil { try requestNextStep(index, pool) }
    }

    private func outcome(of failure: HTTPFailure, atStep location: Int) -> ExpandedRecord.Outcome {
        let step = steps[location]
        let isAbsent = source.isAbsent(failure) || [.status(404), .status(410)].contains(failure.reason)
        if step.isRecord {
            if isAbsent { return .absent(failure) }
        } else if isAbsent || failure.reason == .status(400), let status = failure.httpStatus {
            // A record whose image or page is gone is written without it.
            return .lacking(.status(status))
        }
        return .failed(ToolFailure(failure, about: "step \(step.name)"))
    }

    private mutating func response(
        _ completion: HTTPClient.Completion, _ pool: RequestPool
    ) throws(HTTPFailure) -> HTTPResponse? {
        let response = try pool.response(of: completion)
        do throws(SourcePage.Fault) {
            let whole = try JSONDocument.checked(response)
            try Refusal.check(whole.body.span, source)
            pool.keep(completion)
            return whole
        } catch {
            try pool.act(on: error, of: completion)
            return nil
        }
    }

    private mutating func requestNextStep(_ index: Int, _ pool: RequestPool) throws(ToolFailure) {
        let location = chains[index].responses.count
        guard location < steps.count else { return }
        guard let text = try nextURL(index) else {
            if areItems, steps[location].isRecord { return }
            return end(index, at: location, for: .noURL)
        }
        let request: HTTPRequest?
        do throws(HTTPFailure) {
            request = try requests.step(steps[location], text, from: chains[index].responses.last?.url ?? url)
        } catch {
            return end(index, at: location, for: .invalidURL)
        }
        guard let request else { return end(index, at: location, for: .otherOrigin) }
        chains[index].ticket = pool.ask(request)
    }

    private mutating func end(_ index: Int, at location: Int, for lack: ExpandedRecord.Lack) {
        guard steps[location].isRecord else { return chains[index].outcome = .lacking(lack) }
        let failure = ToolFailure(
            .protocolError,
            "step \(steps[location].name): a record is \(lack); compare the step's url in the description with the "
                + "list, as the API may have changed")
        chains[index].outcome = .failed(failure)
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
        return nil
    }
}
