// The vocabulary of faults: the parser and `--help` are both functions of these two tables.

import Foundation

/// One word of a fault's spec.
struct FaultPart: Sendable {
    let name: String
    /// What the value is called in the help; nil where there is none.
    let placeholder: String?
    let meaning: String
    let isEffect: Bool
    let apply: @Sendable (inout Fault, [UInt8]) throws(FaultValueError) -> Void

    var help: String {
        let word = "  " + name + (placeholder.map { "=" + $0 } ?? "")
        return word.padding(toLength: max(24, word.count + 2), withPad: " ", startingAt: 0) + meaning
    }

    static let all = conditions + effects

    private static func when(
        _ name: String, _ placeholder: String, _ meaning: String,
        apply: @escaping @Sendable (inout Fault, [UInt8]) throws(FaultValueError) -> Void
    ) -> FaultPart {
        FaultPart(name: name, placeholder: placeholder, meaning: meaning, isEffect: false, apply: apply)
    }

    private static func number(
        _ name: String, _ place: any WritableKeyPath<Fault, Int?> & Sendable, _ meaning: String, least: Int = 1
    ) -> FaultPart {
        when(name, "N", meaning) { fault, value throws(FaultValueError) in
            fault[keyPath: place] = try FaultSpec.number(value, atLeast: least)
        }
    }

    private static func then(
        _ name: String, _ placeholder: String?, _ meaning: String,
        apply: @escaping @Sendable (inout Fault, [UInt8]) throws(FaultValueError) -> Void
    ) -> FaultPart {
        FaultPart(name: name, placeholder: placeholder, meaning: meaning, isEffect: true, apply: apply)
    }

    /// An effect on one side of the answer.
    private static func sets<Value: Sendable>(
        _ name: String, _ side: any WritableKeyPath<Fault, Value> & Sendable, _ value: Value, _ meaning: String
    ) -> FaultPart {
        then(name, nil, meaning) { fault, _ throws(FaultValueError) in
            try fault.set(side, to: value, part: name)
        }
    }

    /// The same, by a value that is read.
    private static func reads<Value>(
        _ name: String, _ placeholder: String?, _ side: any WritableKeyPath<Fault, Value> & Sendable,
        _ meaning: String, _ read: @escaping @Sendable ([UInt8]) throws(FaultValueError) -> Value
    ) -> FaultPart {
        then(name, placeholder, meaning) { fault, value throws(FaultValueError) in
            try fault.set(side, to: try read(value), part: name)
        }
    }

    static let conditions: [FaultPart] = [
        when("path", "PREFIX", "the path starts with it") { $0.condition.path = FaultSpec.string($1) },
        when("query", "TEXT", "the query, as it was sent, contains it") {
            $0.condition.query = FaultSpec.string($1)
        },
        when("without", "HEADER", "the request has no such header") {
            $0.condition.missingHeader = FaultSpec.string($1)
        },
        number("page", \.condition.page, "page N, from 1, of a list is asked for", least: 0),
        number("every", \.condition.every, "each Nth request to which the others apply"),
        number("times", \.condition.times, "only the first N of them; default all"),
    ]

    static let effects: [FaultPart] = [
        then("status", "CODE", "this status; from 300 on with an error page for a body") {
            fault, value throws(FaultValueError) in
            fault.status = try FaultSpec.number(value, atLeast: 200)
        },
        then("body", "TEXT", "this body") { fault, value throws(FaultValueError) in
            let isJSON = value.first == UInt8(ascii: "{") || value.first == UInt8(ascii: "[")
            let type = isJSON ? "application/json; charset=utf-8" : "text/plain; charset=utf-8"
            try fault.set(\.content, to: .fixed(value, type: type), part: "body")
        },
        then("body-file", "FILE", "this file's bytes") { fault, value throws(FaultValueError) in
            let path = FaultSpec.string(value)
            guard let data = FileManager.default.contents(atPath: path) else {
                throw FaultValueError(reason: "\(path) can't be read")
            }
            try fault.set(\.content, to: .fixed([UInt8](data), type: MediaType.ofSuffix(path)), part: "body-file")
        },
        sets(
            "html", \.content,
            .fixed(
                Response.page(title: "Sign in", text: "Please sign in to go on."),
                type: "text/html; charset=utf-8"), "200 and a login page"),
        sets("empty", \.content, .empty, "200 and no body"),
        sets("garbage", \.content, .cut, "half of the body, with the length of that"),
        reads("redirect", "URL", \.content, "302 to it") { value throws(FaultValueError) in .redirect(value) },
        sets("loop", \.content, .loop, "302 to the same address"),
        reads("repeat-page", "N", \.content, "page N in place of the one asked for") {
            value throws(FaultValueError) in .page(try FaultSpec.number(value, atLeast: 1))
        },
        reads("shift", "N", \.content, "as if N records had been put in front") { value throws(FaultValueError) in
            .shifted(try FaultSpec.number(value))
        },
        then("retry-after", "TEXT", "a Retry-After header; with status=") { $0.retryAfter = $1 },
        then("header", "NAME: VALUE", "this header in place of the usual one; repeatable") {
            fault, value throws(FaultValueError) in
            fault.headers.append(try FaultSpec.header(value))
        },
        then("content-type", "TEXT", "this Content-Type") { $0.contentType = $1 },
        then("bom", nil, "a byte order mark before the body") { fault, _ in fault.startsWithMark = true },
        sets(
            "truncate", \.framing, .truncated, "half of the body with the length of the whole, then a clean close"),
        sets("truncate-chunked", \.framing, .truncatedChunked, "chunks with no last one, then a clean close"),
        sets("chunked", \.framing, .chunked, "chunks, with a trailer"),
        sets("double-length", \.framing, .doubleLength, "two different Content-Length headers"),
        sets("http10", \.framing, .close, "HTTP/1.0 with no length, ended by closing"),
        sets("endless", \.framing, .endless, "a body that goes on until the client goes, or for 256 MiB"),
        sets("gzip", \.coding, .whole, "the body compressed, though nobody may have asked for that"),
        sets("gzip-members", \.coding, .members, "the same in two members, half of the body in each"),
        sets("gzip-twice", \.coding, .twice, "the same compressed once more, and told as gzip, gzip"),
        sets("gzip-bomb", \.coding, .bomb, "the same with 256 MiB of spaces after the body"),
        sets("gzip-checksum", \.coding, .wrongChecksum, "the same with a wrong checksum"),
        sets("gzip-length", \.coding, .wrongLength, "the same with a wrong length at its end"),
        sets("gzip-padded", \.coding, .padded, "the same with 512 bytes of zeros after its end"),
        sets("truncate-gzip", \.coding, .cut, "half of the compressed stream, as a whole body"),
        then("lf-only", nil, "header lines end with LF alone") { fault, _ in fault.endsLinesWithLF = true },
        then("no-reason", nil, "a status line without its words") { fault, _ in fault.hasNoReason = true },
        then("early-hints", nil, "an answer 103 first") { fault, _ in fault.hasEarlyHints = true },
        then("delay", "DURATION", "wait before the answer") { fault, value throws(FaultValueError) in
            fault.delaySeconds = try FaultSpec.seconds(value)
        },
        reads("drip", "DURATION", \.sending, "the body byte by byte, one each so often") {
            value throws(FaultValueError) in .drip(seconds: try FaultSpec.seconds(value))
        },
        reads(
            "speed", "SPEED", \.sending,
            "no faster than this, all connections together, as 10Mbit or 64kbit a second"
        ) { value throws(FaultValueError) in .slowly(Link(bytesPerSecond: try Link.speed(value))) },
        sets("close", \.sending, .close, "no answer but a clean close"),
        sets("reset", \.sending, .reset, "no answer but a TCP reset"),
        sets(
            "endless-head", \.sending, .endlessHead, "header fields that go on until the client goes, or for 16 MiB"
        ),
        sets(
            "endless-hints", \.sending, .endlessHints, "answers 103 that go on until the client goes, or for 16 MiB"
        ),
        reads("again", "DURATION", \.unasked, "so long after the answer the same once more, unasked") {
            value throws(FaultValueError) in (.sameAnswer, try FaultSpec.seconds(value))
        },
        reads("idle-408", "DURATION", \.unasked, "so long after the answer 408, unasked, and a clean close") {
            value throws(FaultValueError) in (.timeout, try FaultSpec.seconds(value))
        },
        reads("reset-after", "N", \.sending, "a TCP reset after N bytes of the body") {
            value throws(FaultValueError) in .resetAfter(bodyBytes: try FaultSpec.number(value))
        },
        sets("hang", \.sending, .hang, "no answer; closed when the client goes, or after 120 s"),
        then(
            "in-turn", "SET",
            "another fault each time: of those a retry mends (mended), of odd answers (odd), of all"
        ) {
            fault, value throws(FaultValueError) in
            guard let turn = FaultTurn(rawValue: FaultSpec.string(value)) else {
                let sets = FaultTurn.allCases.map(\.rawValue).joined(separator: ", ")
                throw FaultValueError(reason: "\(FaultSpec.string(value)) is none of \(sets)")
            }
            try fault.set(turn: turn)
        },
    ]
}
