// What a response says of itself in words that many services use.

import PipelineCore
import PipelineHTTP

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

    /// - Parameter body: checked JSON.
    init(_ body: Span<UInt8>) {
        let names = Set(
            Self.errors + Self.gaps + Self.warnings + Self.flags + Self.codes + Self.texts + ["_shards"])
        let found = RecordElements(membersOf: body)
        for (range, value) in zip(found.names, found.ranges) {
            let name = JSONStringDecoder.decoded(body.extracting(range)).span.text
            if names.contains(name) { members[name] = try? JSONTree.read(body.extracting(value)) }
        }
        // Elasticsearch
        members["_shards.failed"] = members["_shards"]?["failed"]
    }

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
