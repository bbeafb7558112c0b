// Parses one response of an API: its records, the link to the next page, and the total.
//
//     {"info":{"count":2,"totalPages":149,…},"data":[{…},{…}]}
//                                    ^count          ^^^ ^^^ records
//
// The whole response is parsed before any record is used, so a broken one yields none.

import PipelineCore
import PipelineHTTP

struct SourcePage: Sendable {
    /// Its records, each an object, and their members.
    let outline: RecordOutline
    /// The text that these are in. Nil for the body.
    var text: [UInt8]?
    /// The number of elements that the API lists, before a filter in the path to the records is applied.
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
    /// There are no records at the path.
    static func nothing(_ words: String, _ path: JSONPath) -> SourcePage.Fault {
        .broken("\(words) '\(path.text)'")
    }

    /// The same, with what is there in their place.
    static func missing(_ path: JSONPath, in body: Span<UInt8>) -> SourcePage.Fault {
        let names = JSONDocument.memberNames(of: body)
        guard let last = names.last else { return nothing("a response without", path) }
        let others = names.dropLast().joined(separator: ", ")
        return nothing("\(others.isEmpty ? "" : "\(others) and ")\(last), but no", path)
    }
}

/// Parses the responses of a source. Reuses its buffers.
struct PageReader: Sendable {
    private let format: Source.Records.Format
    private let hasKey: Bool
    private let endsWithEmptyPage: Bool
    private var finder: RecordFinder
    private var refusals: RefusalCheck
    private var pagination: PaginationReader
    private var id: JSONPathEvaluator?
    private var promise: ListPromise

    init(_ source: Source) {
        format = source.records.format
        hasKey = source.records.key != nil
        endsWithEmptyPage = source.pagination.ends.contains(.emptyPage)
        finder = RecordFinder(source.records)
        refusals = RefusalCheck(source)
        pagination = PaginationReader(source.pagination, source.merge)
        let member = source.members.first { $0.name == .id }
        let location = member?.locations.first { $0.step == nil }
        if case .path(let path)? = location?.place { id = JSONPathEvaluator(path) }
        promise = ListPromise(source.records.path, hasIDs: id != nil && member?.isOptional == false)
    }

    /// Whether the path may find nothing in a response that is as promised.
    var isOpen: Bool { finder.isOpen }

    /// Whether the last response has an object in place of an array of records.
    var hasObject: Bool { finder.object != nil }

    /// Whether lists were read, and none of them had what leads to the records.
    var hasFoundNoList: Bool { promise.isUnkept }

    /// Parses a response.
    /// - Parameters:
    ///   - isList: it is a page of a list, and must contain what the description promises for one. A response for a
    ///     single record may also be that record alone.
    ///   - mayLack: what leads to the records may be missing, as services leave out what is empty.
    ///   - isLater: it isn't the first page of its list.
    mutating func read(
        _ response: [UInt8], _ headers: HTTPHeaders, isList: Bool, mayLack: Bool = false, isLater: Bool = false
    ) throws(SourcePage.Fault) -> SourcePage {
        let start = response.span.byteOrderMarkSize
        let body = response.span.extracting(start...)
        if isList { try readList(body, mayLack) } else { try readItem(body) }
        // A service that has had enough also sends no records.
        if isLater, finder.listed == 0, !endsWithEmptyPage, format == .json { try RefusalCheck.checkEnd(body) }
        return SourcePage(
            outline: finder.outline, text: finder.text ?? (start > 0 ? body.array : nil), listed: finder.listed,
            lead: isList ? try pagination.read(body, headers) : PageLead())
    }

    private mutating func readList(_ body: Span<UInt8>, _ mayLack: Bool) throws(SourcePage.Fault) {
        guard format == .json else { return try finder.findLines(of: body, &refusals) }
        let isOutlined = try check(body)
        if !isOutlined { try finder.find(in: body, mayLack: mayLack) }
        try promise.enter(body, isLacking: !isOutlined && finder.isLacking)
        if let object = finder.object {
            let record = body.extracting(object)
            let isRecord = finder.isOpen ? false : try hasID(record)
            if !isRecord { try promise.enter(object: record) }
        } else if !promise.knowsRecords, let first = finder.outline.records.first {
            let text = finder.text ?? body.array
            try promise.enter(record: text.span.extracting(first.range))
        }
    }

    /// A record may stand alone where lists have a wrapping. Where any object is taken for a list, or each line for a
    /// record, it is recognized by its id.
    private mutating func readItem(_ body: Span<UInt8>) throws(SourcePage.Fault) {
        if format == .lines, !JSONDocument.isValid(body) { return try finder.findLines(of: body, &refusals) }
        guard try !check(body) else { return }
        let record = try bareRecord(in: body)
        if let record, format == .lines || hasKey { return finder.take(record, of: body) }
        guard format == .json else { return try finder.findLines(of: body, &refusals) }
        do throws(SourcePage.Fault) {
            try finder.find(in: body)
            guard let record, finder.isOpen, finder.outline.records.isEmpty else { return }
            finder.take(record, of: body)
        } catch {
            guard case .broken = error, let record else { throw error }
            finder.take(record, of: body)
        }
    }

    /// Checks that the body is JSON and no refusal.
    /// - Returns: whether its records were found on the way.
    private mutating func check(_ body: Span<UInt8>) throws(SourcePage.Fault) -> Bool {
        let isOutlined = finder.outline(body)
        if !isOutlined { try JSONDocument.check(body) }
        try refusals.check(body)
        return isOutlined
    }

    /// The range of a checked body that is an object with an id, nil for anything else.
    private mutating func bareRecord(in body: Span<UInt8>) throws(SourcePage.Fault) -> Range<Int>? {
        guard let object = JSONDocument.object(in: body), try hasID(body) else { return nil }
        return object
    }

    private mutating func hasID(_ record: Span<UInt8>) throws(SourcePage.Fault) -> Bool {
        let node = try id.nodes(in: record, limit: 1).first
        return node?.kind == .string || node?.kind == .number
    }

    static func evaluate(
        _ evaluator: inout JSONPathEvaluator, _ body: Span<UInt8>, limit: Int = .max
    ) throws(SourcePage.Fault) {
        do throws(JSONError) {
            try evaluator.evaluate(body, isChecked: true, limit: limit)
        } catch {
            throw .broken("a response that takes too much work for '\(evaluator.path.text)'")
        }
    }
}

extension JSONPathEvaluator? {
    /// The nodes of the path in a checked text; none where there is no path.
    mutating func nodes(in text: Span<UInt8>, limit: Int = .max) throws(SourcePage.Fault) -> [JSONNode] {
        guard var used = take() else { return [] }
        defer { self = used }
        try PageReader.evaluate(&used, text, limit: limit)
        return used.nodes
    }
}

/// Looks whether an answer with a successful status is a refusal all the same, as services of GraphQL and many others
/// send it:
///
///     {"errors":[{"message":"no such field","locations":[…]}],"data":null}          {"error":"too many requests"}
struct RefusalCheck: Sendable {
    private var errors: JSONPathEvaluator?
    private var busy: JSONPathEvaluator?

    init(_ source: Source) {
        errors = source.errors.map { JSONPathEvaluator($0) }
        busy = source.busy.map { JSONPathEvaluator($0) }
    }

    /// - Parameter text: checked JSON.
    /// - Throws: `.busy` or `.refused`.
    mutating func check(_ text: Span<UInt8>) throws(SourcePage.Fault) {
        if try busy.nodes(in: text).contains(where: { $0.isSomething(in: text) }) { throw .busy }
        guard let found = try errors.nodes(in: text).first(where: { $0.isSomething(in: text) }) else { return }
        throw .refused(Self.message(in: text.extracting(found.range)))
    }

    /// Looks whether a page without records has an error in a member that services use for it. With records it may be about
    /// some of them.
    /// - Parameter text: checked JSON.
    /// - Throws: `.refused`.
    static func checkEnd(_ text: Span<UInt8>) throws(SourcePage.Fault) {
        for path in usual {
            var evaluator = JSONPathEvaluator(path)
            try PageReader.evaluate(&evaluator, text)
            guard let node = evaluator.nodes.first, node.isSomething(in: text) else { continue }
            throw .refused(message(in: text.extracting(node.range)))
        }
    }

    private static let usual = ["$.error", "$.errors"].compactMap { try? JSONPath($0) }

    /// What the service says: the first `message`, or else the first text, or else all of it.
    private static func message(in json: Span<UInt8>) -> String {
        var reader = JSONReader(json)
        var first: String?
        var isMessage = false
        // The text has been checked.
        do throws(JSONError) {
            while let token = try reader.next() {
                if case .string(let text) = token, !text.range.isEmpty {
                    if isMessage { return text.text(in: json) }
                    first = first ?? text.text(in: json)
                }
                if case .name(let name) = token {
                    isMessage = json.extracting(name.range).equals("message")
                } else {
                    isMessage = false
                }
            }
        } catch {}
        return first ?? json.text
    }
}

extension JSONNode {
    /// Whether the value says something: it isn't null, false, 0, empty, nor the text `false`.
    /// - Parameter text: the checked JSON that has it.
    func isSomething(in text: Span<UInt8>) -> Bool {
        let value = text.extracting(range)
        switch kind {
        case .null: return false
        case .boolean: return value.equals("true")
        case .object, .array: return !value.isEmptyContainer
        case .string:
            return value.count > 2 && !JSONStringDecoder.equals(text.extracting(content), Array("false".utf8).span)
        case .number:
            // 0, -0, 0.00 and 0e5: only the digits before an exponent count.
            for index in 0..<value.count {
                if value[index] | 0x20 == UInt8(ascii: "e") { return false }
                if (UInt8(ascii: "1")...UInt8(ascii: "9")).contains(value[index]) { return true }
            }
            return false
        }
    }
}
