// A response with a successful status may be a refusal all the same, as services of GraphQL and many others send it:
//
//     {"errors":[{"message":"no such field","locations":[…]}],"data":null}          {"error":"too many requests"}

import PipelineCore
import PipelineHTTP

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
        "incomplete_results", "incompleteResults", "incompleteSearch", "timed_out", "timedOut", "terminated_early",
        "partial", "partial_results", "partialResults", "incomplete", "degraded", "failed_sources", "failedSources",
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
            hasOthers = hasOthers || !names.contains(name)
            if names.contains(name) { members[name] = try? JSONTree.read(body.extracting(value)) }
        }
        // Elasticsearch
        members["_shards.failed"] = members["_shards"]?["failed"]
    }

    /// A service that has had enough also sends a page with few records, or none.
    /// - Parameter first: the status of the first page; nil for itself, or where another run has read that.
    /// - Throws: `.refused`, or `.broken` if some records came.
    func check(
        _ source: Source, _ lead: PageLead, listed: Int, isLater: Bool = false, after first: PageStatus? = nil
    ) throws(SourcePage.Fault) {
        let isEmpty = listed == 0
        if isEmpty ? isLater && source.pagination.ends.contains(.emptyPage) : source.errors != nil { return }
        // The total will show whether records are missing, and what leads on is that of a page that is whole.
        let isBacked =
            lead.next != nil || lead.hasMore == true
            || lead.count != nil && source.pagination.count?.unit == .records
        if let refusal = refusal(after: first, hasRecords: !isEmpty, isBacked: !isEmpty && isBacked) {
            throw isEmpty ? .refused(refusal) : .broken("records and an error: \(refusal)")
        }
    }

    /// What a response says if it is nothing but a refusal, in the place of a record.
    var refusal: String? { hasOthers ? nil : refusal(after: nil, hasRecords: false) }

    /// Members that may be a sign, and of one that is: whether it counts, given whether it is on the first page (nil there),
    /// and what the service says with its value, if anything.
    private typealias Sign = (
        names: [String], isOne: (Self) -> (String) -> Bool, counts: (String, Bool?) -> Bool,
        words: (JSONTree) -> String?
    )

    /// What a page says if it is a refusal. With records an error may be about some of them, as on the first page.
    /// - Parameters:
    ///   - first: the status of the first page; nil for itself.
    ///   - isBacked: it has records, and says besides how many there are, or what follows them.
    func refusal(after first: PageStatus?, hasRecords: Bool, isBacked: Bool = false) -> String? {
        let isDenied = Self.flags.contains(where: denies)
        let message = members["message"]
        let signs: [Sign] = [
            (Self.gaps + ["_shards.failed"], Self.says, { _, _ in true }, { _ in nil }),
            (Self.codes, Self.isPartly, { $1 != true }, { _ in message?.string }),
            (Self.warnings, Self.says, { $1 == false || isOfGap($0) }, { $0.message }),
            (Self.errors, Self.says, { !isBacked || isDenied || $1 == false }, { $0.message ?? $0.json }),
            (Self.flags, Self.denies, { isBacked ? $1 == false : $1 != true }, { _ in message?.message }),
            (Self.codes + Self.texts, Self.isFailure, { !hasRecords && $1 != true }, { _ in message?.message }),
        ]
        for sign in signs {
            let name = sign.names.first { name in
                sign.isOne(self)(name) && sign.counts(name, first.map { sign.isOne($0)(name) })
            }
            if let name, let value = members[name] { return sign.words(value) ?? "\(name) is \(value.json)" }
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
