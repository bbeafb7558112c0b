// Parses one response of an API: its records, the link to the next page, and the total.
//
//     {"info":{"count":2,"totalPages":149,…},"data":[{…},{…}]}
//                                    ^count          ^^^ ^^^ records
//
// The whole response is parsed before any record is used, so a broken one yields none.

import PipelineCore
import PipelineHTTP

struct SourcePage: Sendable {
    let outline: RecordOutline
    /// The text that these are in. Nil for the body.
    var text: [UInt8]?
    let listed: Int
    var lead = PageLead()

    var records: RecordOutline.Records { outline.records }

    enum Fault: Error, Equatable, Sendable {
        /// The text ends early: part of the transfer is missing, and a retry may help.
        case cutShort
        /// Not what the description promises. The text says what it is instead.
        case broken(String)
        /// A refusal with a successful status, and what the service says about it.
        case refused(String)
        /// The service has no time for the request now, and a retry may help.
        case busy
    }
}

extension SourcePage.Fault {
    static func nothing(_ words: String, _ path: JSONPath) -> SourcePage.Fault {
        .broken("\(words) '\(path.text)'")
    }

    /// The same, with what is there in their place.
    static func missing(_ path: JSONPath, in body: Span<UInt8>) -> SourcePage.Fault {
        let names = JSONDocument.memberNames(of: body)
        guard let last = names.last else { return nothing("a response without", path) }
        let others = names.dropLast().joined(separator: ", ")
        let words = PageStatus(body).refusal(after: nil, hasRecords: false)
        let text = words.flatMap { $0.contains(where: \.isLetter) ? " that says '\($0.prefix(200))'," : nil }
        return nothing(
            "a response\(text ?? "") with \(others.isEmpty ? "" : "\(others) and ")\(last), but no", path)
    }

    static func longLine(_ number: Int) -> SourcePage.Fault {
        .broken("line \(number): more than \(RecordStream.limitBytes >> 20) MiB in one line")
    }
}

/// Reuses its buffers.
struct PageReader: Sendable {
    private let source: Source
    private var hasEnvelope: Bool { source.records.format.hasEnvelope }
    private let idPath: JSONPath?
    private(set) var finder: RecordFinder
    private(set) var promise: ListPromise
    /// Of the first page of the list. Nil if another run has read it.
    private var firstStatus: PageStatus?

    init(_ source: Source) {
        self.source = source
        finder = RecordFinder(source)
        let member = source.members.first { $0.name == .id }
        let place = member?.locations.first { $0.step == nil }?.place
        idPath = if case .path(let path)? = place { path } else { nil }
        promise = ListPromise(source.records.path, hasIDs: idPath != nil && member?.isOptional == false)
    }

    /// - Parameters:
    ///   - url: the response's own; links within it may lead on.
    ///   - isList: it is a page as the description promises. A response for one record may be that record alone.
    ///   - mayLack: what leads to the records may be missing, as services leave out what is empty.
    ///   - isLater: it isn't the first page of its list; nil to leave out what the page says of itself.
    mutating func read(
        _ response: [UInt8], _ headers: HTTPHeaders, at url: HTTPURL? = nil, isList: Bool, mayLack: Bool = false,
        isLater: Bool? = false
    ) throws(SourcePage.Fault) -> SourcePage {
        let converted = try JSONDocument.converted(response, source.records.format)
        let json = converted ?? response
        let body = json.span
        if isList {
            do throws(SourcePage.Fault) { try readList(body, mayLack, isFirst: isLater == false) } catch {
                guard !mayLack, source.pagination.countsNone(in: body, headers) else { throw error }
                try readList(body, true, isFirst: isLater == false)
            }
        } else {
            try readItem(body)
        }
        let lead =
            isList
            ? try PageLead(source, body, headers, at: url, records: finder.listed, isFirst: isLater == false)
            : PageLead()
        if isList, hasEnvelope, let isLater {
            if finder.listed == 0, !isLater, let other = otherList(in: body) { throw other }
            let status = PageStatus(body)
            try status.check(
                source, lead, listed: finder.listed, isLater: isLater, after: isLater ? firstStatus : nil)
            if !isLater { firstStatus = status }
        }
        return SourcePage(
            outline: finder.outline, text: finder.text ?? converted, listed: finder.listed, lead: lead)
    }

    private mutating func readList(_ body: Span<UInt8>, _ mayLack: Bool, isFirst: Bool) throws(SourcePage.Fault) {
        guard hasEnvelope else { return try finder.findLines(of: body) }
        let isOutlined = try check(body)
        if !isOutlined { try finder.find(in: body, mayLack: mayLack, mayBeNull: mayLack || !isFirst) }
        try promise.enter(body, isLacking: !isOutlined && finder.isLacking)
        if let object = finder.object {
            let record = body.extracting(object)
            let isRecord = finder.isOpen ? false : try hasID(record)
            if !isRecord { try promise.enter(record, isAlone: true) }
        } else if promise.ofRecord == nil, let first = finder.outline.records.first {
            let text = finder.text ?? body.array
            try promise.enter(text.span.extracting(first.range), isAlone: false)
        }
    }

    /// A service that renames its list may leave an empty one under the old name.
    private func otherList(in body: Span<UInt8>) -> SourcePage.Fault? {
        guard source.records.path.names?.count == 1, let answer = try? AnswerValue.read(body) else { return nil }
        for member in answer.members where WellKnownNames.is(member.name, .records) {
            if case .array(let elements, let count, _) = member.value, elements.first?.isObject ?? false {
                return .broken("no records in '\(source.records.path.text)', and \(count) in '$.\(member.name)'")
            }
        }
        return nil
    }

    /// A record may stand alone where lists have a wrapping, and is then recognized by its id.
    private mutating func readItem(_ body: Span<UInt8>) throws(SourcePage.Fault) {
        if !hasEnvelope, !JSONDocument.isValid(body) { return try finder.findLines(of: body) }
        guard try !check(body) else { return }
        let record = try hasID(body) ? JSONDocument.object(in: body) : nil
        if let record, !hasEnvelope || source.records.key != nil { return finder.take(record, of: body) }
        guard hasEnvelope else { return try finder.findLines(of: body) }
        do throws(SourcePage.Fault) {
            try finder.find(in: body)
            guard let record, finder.isOpen, finder.outline.records.isEmpty else { return }
            finder.take(record, of: body)
        } catch {
            guard case .broken = error, let record else { throw error }
            finder.take(record, of: body)
        }
    }

    /// - Returns: whether its records were found on the way.
    private mutating func check(_ body: Span<UInt8>) throws(SourcePage.Fault) -> Bool {
        let isOutlined = finder.outline(body)
        if !isOutlined { try JSONDocument.check(body) }
        try Refusal.check(body, source)
        return isOutlined
    }

    private func hasID(_ record: Span<UInt8>) throws(SourcePage.Fault) -> Bool {
        let node = try idPath?.first(in: record)
        return node?.kind == .string || node?.kind == .number
    }
}

extension JSONPath {
    /// The nodes of the path in a checked text.
    func nodes(in text: Span<UInt8>, limit: Int = .max) throws(SourcePage.Fault) -> [JSONNode] {
        var evaluator = JSONPathEvaluator(self)
        do throws(JSONError) { try evaluator.evaluate(text, isChecked: true, limit: limit) } catch {
            throw .broken("a response that takes too much work for '\(self.text)'")
        }
        return evaluator.nodes
    }

    func first(in text: Span<UInt8>) throws(SourcePage.Fault) -> JSONNode? { try nodes(in: text, limit: 1).first }
}
