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
        return nothing("a response with \(others.isEmpty ? "" : "\(others) and ")\(last), but no", path)
    }
}

/// Reuses its buffers.
struct PageReader: Sendable {
    private let source: Source
    private var hasEnvelope: Bool { source.records.format.hasEnvelope }
    private let idPath: JSONPath?
    private var finder: RecordFinder
    private var promise: ListPromise
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

    var isOpen: Bool { finder.isOpen }

    var hasObject: Bool { finder.object != nil }

    /// Whether lists were read, and none of them had what leads to the records.
    var hasFoundNoList: Bool { promise.isUnkept }

    /// - Parameters:
    ///   - isList: it is a page as the description promises. A response for one record may be that record alone.
    ///   - mayLack: what leads to the records may be missing, as services leave out what is empty.
    ///   - isLater: it isn't the first page of its list; nil to leave out what the page says of itself.
    mutating func read(
        _ response: [UInt8], _ headers: HTTPHeaders, isList: Bool, mayLack: Bool = false, isLater: Bool? = false
    ) throws(SourcePage.Fault) -> SourcePage {
        let converted = try JSONDocument.converted(response, source.records.format)
        let json = converted ?? response
        let body = json.span
        if isList { try readList(body, mayLack, isFirst: isLater == false) } else { try readItem(body) }
        let lead =
            isList
            ? try PageLead(source, body, headers, records: finder.listed, isFirst: isLater == false) : PageLead()
        if isList, hasEnvelope, let isLater { try checkStatus(body, lead, isLater: isLater) }
        return SourcePage(
            outline: finder.outline, text: finder.text ?? converted, listed: finder.listed, lead: lead)
    }

    /// A service that has had enough also sends a page with few records, or none.
    private mutating func checkStatus(
        _ body: Span<UInt8>, _ lead: PageLead, isLater: Bool
    ) throws(SourcePage.Fault) {
        let status = PageStatus(body)
        let isEmpty = finder.listed == 0
        if isEmpty ? isLater && source.pagination.ends.contains(.emptyPage) : source.errors != nil { return }
        // The total will show whether records are missing, and what leads on is that of a page that is whole.
        let isBacked =
            lead.next != nil || lead.hasMore == true
            || lead.count != nil && source.pagination.count?.unit == .records
        let first = isLater ? firstStatus : nil
        if let refusal = status.refusal(after: first, hasRecords: !isEmpty, isBacked: !isEmpty && isBacked) {
            throw isEmpty ? .refused(refusal) : .broken("records and an error: \(refusal)")
        }
        if !isLater { firstStatus = status }
    }

    private mutating func readList(
        _ body: Span<UInt8>, _ mayLack: Bool, isFirst: Bool
    ) throws(SourcePage.Fault) {
        guard hasEnvelope else { return try finder.findLines(of: body) }
        let isOutlined = try check(body)
        if !isOutlined { try finder.find(in: body, mayLack: mayLack, mayBeNull: mayLack || !isFirst) }
        try promise.enter(body, isLacking: !isOutlined && finder.isLacking)
        if let object = finder.object {
            let record = body.extracting(object)
            let isRecord = finder.isOpen ? false : try hasID(record)
            if !isRecord { try promise.enter(record, isAlone: true) }
        } else if !promise.knowsRecords, let first = finder.outline.records.first {
            let text = finder.text ?? body.array
            try promise.enter(text.span.extracting(first.range), isAlone: false)
        }
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

/// An answer with a successful status may be a refusal all the same, as services of GraphQL and many others send it:
///
///     {"errors":[{"message":"no such field","locations":[…]}],"data":null}          {"error":"too many requests"}
enum Refusal {
    /// What the body of a failure says. Nil for pages for people.
    static func words(_ body: [UInt8]) -> String? {
        guard let text = (try? JSONTree.read(body.span))?.message else { return nil }
        return text.hasSuffix(".") ? String(text.dropLast()) : text
    }

    /// - Throws: `.busy` or `.refused`.
    static func check(_ text: Span<UInt8>, _ source: Source) throws(SourcePage.Fault) {
        if let busy = source.busy, try busy.nodes(in: text).contains(where: { $0.isSomething(in: text) }) {
            throw .busy
        }
        guard let found = try source.errors?.nodes(in: text).first(where: { $0.isSomething(in: text) }) else {
            return
        }
        let error = text.extracting(found.range)
        throw .refused((try? JSONTree.read(error))?.message ?? error.text)
    }
}

/// What a page says of itself in members that services use for that, beside its records.
///
///     {"success":true,"data":[{…},{…}]}      {"success":false,"data":[],"message":"too many requests"}
struct PageStatus: Sendable {
    private static let errors = [
        "error", "errors", "err", "errorMessage", "errorMessages", "error_message", "exception", "exceptions",
        "fault", "failures", "isError", "hasErrors", "failed",
    ]
    /// Records are missing whether or not some came.
    private static let gaps = [
        "incomplete_results", "incompleteSearch", "timed_out", "timedOut", "terminated_early", "partial",
        "incomplete",
        "degraded",
    ]
    /// Records are missing if the first page doesn't say the same.
    private static let warnings = ["truncated", "isTruncated", "warning", "warnings", "unavailable"]
    private static let flags = ["success", "ok", "complete"]
    private static let codes = [
        "status", "stat", "code", "statusCode", "status_code", "errorCode", "error_code", "result",
    ]
    /// What these are beside records that aren't all.
    private static let partly = [
        "partial", "incomplete", "degraded", "error", "failed", "failure", "timeout", "206",
    ]
    /// Of services that say here what they lack, and why.
    private static let texts = ["message", "Message", "Error"]
    private static let failures = [
        "error", "fail", "limit", "denied", "exceed", "timeout", "forbidden", "throttle", "unavailable", "quota",
    ]

    private var members: [String: JSONTree] = [:]
    private var hasOthers = false

    /// - Parameter body: checked JSON.
    init(_ body: Span<UInt8>) {
        let names = Set(
            Self.errors + Self.gaps + Self.warnings + Self.flags + Self.codes + Self.texts + ["_shards"])
        let found = RecordElements(membersOf: body)
        for (range, value) in zip(found.names, found.ranges) {
            let name = JSONStringDecoder.decoded(body.extracting(range)).span.text
            if names.contains(name) {
                members[name] = try? JSONTree.read(body.extracting(value))
            } else {
                hasOthers = true
            }
        }
    }

    /// What a response says if it is nothing but a refusal, in the place of a record.
    var refusal: String? { hasOthers ? nil : refusal(after: nil, hasRecords: false) }

    /// What a page says if it is a refusal. With records an error may be about some of them, as on the first page.
    /// - Parameters:
    ///   - first: the status of the first page; nil for itself.
    ///   - isBacked: it has records, and says besides how many there are, or what follows them.
    func refusal(after first: PageStatus?, hasRecords: Bool, isBacked: Bool = false) -> String? {
        if let name = Self.gaps.first(where: says) { return "\(name) is \(members[name]?.json ?? "")" }
        // Elasticsearch
        if let failed = members["_shards"]?["failed"], failed.isSomething {
            return "_shards.failed is \(failed.json)"
        }
        for name in Self.codes where isPartly(name) && first?.isPartly(name) != true {
            return members["message"]?.string ?? "\(name) is \(members[name]?.json ?? "")"
        }
        for name in Self.warnings where says(name) && (first?.says(name) == false || isOfGap(name)) {
            return members[name]?.message ?? "\(name) is \(members[name]?.json ?? "")"
        }
        let isDenied = Self.flags.contains(where: denies)
        for name in Self.errors where says(name) && (!isBacked || isDenied || first?.says(name) == false) {
            return members[name]?.message ?? members[name]?.json
        }
        for name in Self.flags where denies(name) {
            guard isBacked ? first?.denies(name) == false : first?.denies(name) != true else { continue }
            return members["message"]?.message ?? "\(name) is \(members[name]?.json ?? "")"
        }
        guard !hasRecords else { return nil }
        for name in Self.codes + Self.texts where isFailure(name) && first?.isFailure(name) != true {
            return members["message"]?.message ?? members[name].map { "\(name) is \($0.json)" }
        }
        return nil
    }

    private func says(_ name: String) -> Bool { members[name]?.isSomething ?? false }

    private func denies(_ name: String) -> Bool { members[name].map { !$0.isSomething } ?? false }

    private func isOfGap(_ name: String) -> Bool {
        let text = members[name]?.message?.lowercased() ?? ""
        return ["truncated", "incomplete", "partial"].contains(where: text.contains)
    }

    private func isPartly(_ name: String) -> Bool {
        members[name].map { Self.partly.contains(($0.string ?? $0.json).lowercased()) } ?? false
    }

    private func isFailure(_ name: String) -> Bool {
        switch members[name] {
        case .string(let text): Self.failures.contains(where: text.lowercased().contains)
        // A page past the end is often one that isn't found.
        case .integer(let number): (400..<600).contains(number) && number != 404
        case .number, .boolean, .null, .object, .array, nil: false
        }
    }
}

extension JSONTree {
    /// What it says: the first `message`, `detail` or `title` (RFC 9457), or else the first text. Nil without a text.
    fileprivate var message: String? {
        let texts = Self.texts(in: self, nil)
        let named = ["message", "detail", "title"].compactMap { name in texts.first { $0.name == name } }
        return (named.first ?? texts.first)?.text
    }

    private static func texts(in tree: JSONTree, _ name: String?) -> [(name: String?, text: String)] {
        switch tree {
        case .string(let text): text.isEmpty ? [] : [(name, text)]
        case .array(let elements): elements.flatMap { texts(in: $0, nil) }
        case .object(let members): members.flatMap { texts(in: $0.value, $0.name) }
        case .integer, .number, .boolean, .null: []
        }
    }

    /// Whether it isn't null, false, 0, empty, nor the text `false`.
    fileprivate var isSomething: Bool {
        switch self {
        case .null, .boolean(false), .string(""), .string("false"), .integer(0): false
        case .number(let digits): Double(digits) != 0
        case .array(let elements): !elements.isEmpty
        case .object(let members): !members.isEmpty
        default: true
        }
    }
}

extension JSONNode {
    /// - Parameter text: the checked JSON that has it.
    func isSomething(in text: Span<UInt8>) -> Bool {
        let value = text.extracting(range)
        if kind == .object || kind == .array { return !value.isEmptyContainer }
        return (try? JSONTree.read(value))?.isSomething ?? false
    }
}
