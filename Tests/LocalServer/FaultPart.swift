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

    private static func then(
        _ name: String, _ placeholder: String?, _ meaning: String,
        apply: @escaping @Sendable (inout Fault, [UInt8]) throws(FaultValueError) -> Void
    ) -> FaultPart {
        FaultPart(name: name, placeholder: placeholder, meaning: meaning, isEffect: true, apply: apply)
    }

    private static func framed(_ name: String, _ framing: Fault.Framing, _ meaning: String) -> FaultPart {
        then(name, nil, meaning) { fault, _ throws(FaultValueError) in try fault.set(framing: framing, part: name) }
    }

    private static func coded(_ name: String, _ coding: Gzip.Form, _ meaning: String) -> FaultPart {
        then(name, nil, meaning) { fault, _ throws(FaultValueError) in try fault.set(coding: coding, part: name) }
    }

    static let conditions: [FaultPart] = [
        when("path", "PREFIX", "the path starts with it") { $0.condition.path = FaultSpec.string($1) },
        when("query", "TEXT", "the query, as it was sent, contains it") {
            $0.condition.query = FaultSpec.string($1)
        },
        when("without", "HEADER", "the request has no such header") {
            $0.condition.missingHeader = FaultSpec.string($1)
        },
        when("page", "N", "page N, from 1, of a list is asked for") { fault, value throws(FaultValueError) in
            fault.condition.page = try FaultSpec.number(value)
        },
        when("every", "N", "each Nth request to which the others apply") { fault, value throws(FaultValueError) in
            fault.condition.every = try FaultSpec.number(value, atLeast: 1)
        },
        when("one-in", "N", "by chance one in N of them, the same in each run with the same --seed") {
            fault, value throws(FaultValueError) in
            fault.condition.oneIn = try FaultSpec.number(value, atLeast: 1)
        },
        when("times", "N", "only the first N of them; default all") { fault, value throws(FaultValueError) in
            fault.condition.times = try FaultSpec.number(value, atLeast: 1)
        },
    ]

    static let effects: [FaultPart] = [
        then("status", "CODE", "this status; from 300 on with an error page for a body") {
            fault, value throws(FaultValueError) in
            fault.status = try FaultSpec.number(value, atLeast: 200)
        },
        then("body", "TEXT", "this body") { fault, value throws(FaultValueError) in
            let isJSON = value.first == UInt8(ascii: "{") || value.first == UInt8(ascii: "[")
            let type = isJSON ? "application/json; charset=utf-8" : "text/plain; charset=utf-8"
            try fault.set(content: .fixed(value, type: type), part: "body")
        },
        then("body-file", "FILE", "this file's bytes") { fault, value throws(FaultValueError) in
            let path = FaultSpec.string(value)
            guard let data = FileManager.default.contents(atPath: path) else {
                throw FaultValueError(reason: "\(path) can't be read")
            }
            try fault.set(content: .fixed([UInt8](data), type: MediaType.ofSuffix(path)), part: "body-file")
        },
        then("html", nil, "200 and a login page") { fault, _ throws(FaultValueError) in
            let page = Response.page(title: "Sign in", text: "Please sign in to go on.")
            try fault.set(content: .fixed(page, type: "text/html; charset=utf-8"), part: "html")
        },
        then("empty", nil, "200 and no body") { fault, _ throws(FaultValueError) in
            try fault.set(content: .empty, part: "empty")
        },
        then("garbage", nil, "half of the body, with the length of that") { fault, _ throws(FaultValueError) in
            try fault.set(content: .cut, part: "garbage")
        },
        then("redirect", "URL", "302 to it") { fault, value throws(FaultValueError) in
            try fault.set(content: .redirect(value), part: "redirect")
        },
        then("loop", nil, "302 to the same address") { fault, _ throws(FaultValueError) in
            try fault.set(content: .loop, part: "loop")
        },
        then("repeat-page", "N", "page N in place of the one asked for") { fault, value throws(FaultValueError) in
            try fault.set(content: .page(try FaultSpec.number(value, atLeast: 1)), part: "repeat-page")
        },
        then("shift", "N", "as if N records had been put in front") { fault, value throws(FaultValueError) in
            try fault.set(content: .shifted(try FaultSpec.number(value)), part: "shift")
        },
        then("retry-after", "TEXT", "a Retry-After header; with status=") { $0.retryAfter = $1 },
        then("header", "NAME: VALUE", "this header in place of the usual one; repeatable") {
            fault, value throws(FaultValueError) in
            fault.headers.append(try FaultSpec.header(value))
        },
        then("content-type", "TEXT", "this Content-Type") { $0.contentType = $1 },
        then("bom", nil, "a byte order mark before the body") { fault, _ in fault.startsWithMark = true },
        framed("truncate", .truncated, "half of the body with the length of the whole, then a clean close"),
        framed("truncate-chunked", .truncatedChunked, "chunks with no last one, then a clean close"),
        framed("chunked", .chunked, "chunks, with a trailer"),
        framed("double-length", .doubleLength, "two different Content-Length headers"),
        framed("http10", .close, "HTTP/1.0 with no length, ended by closing"),
        framed("endless", .endless, "a body that goes on until the client goes, or for 256 MiB"),
        coded("gzip", .whole, "the body compressed, though nobody may have asked for that"),
        coded("gzip-members", .members, "the same in two members, half of the body in each"),
        coded("gzip-twice", .twice, "the same compressed once more, and told as gzip, gzip"),
        coded("gzip-bomb", .bomb, "the same with 256 MiB of spaces after the body"),
        coded("gzip-checksum", .wrongChecksum, "the same with a wrong checksum"),
        coded("gzip-length", .wrongLength, "the same with a wrong length at its end"),
        coded("gzip-padded", .padded, "the same with 512 bytes of zeros after its end"),
        coded("truncate-gzip", .cut, "half of the compressed stream, as a whole body"),
        then("lf-only", nil, "header lines end with LF alone") { fault, _ in fault.endsLinesWithLF = true },
        then("no-reason", nil, "a status line without its words") { fault, _ in fault.hasNoReason = true },
        then("early-hints", nil, "an answer 103 first") { fault, _ in fault.hasEarlyHints = true },
        then("delay", "DURATION", "wait before the answer") { fault, value throws(FaultValueError) in
            fault.delaySeconds = try FaultSpec.seconds(value)
        },
        then("drip", "DURATION", "the body byte by byte, one each so often") {
            fault, value throws(FaultValueError) in
            try fault.set(sending: .drip(seconds: try FaultSpec.seconds(value)), part: "drip")
        },
        then("speed", "SPEED", "no faster than this, all connections together, as 10Mbit or 64kbit a second") {
            fault, value throws(FaultValueError) in
            try fault.set(sending: .slowly(Link(bytesPerSecond: try Link.speed(value))), part: "speed")
        },
        then("close", nil, "no answer but a clean close") { fault, _ throws(FaultValueError) in
            try fault.set(sending: .close, part: "close")
        },
        then("reset", nil, "no answer but a TCP reset") { fault, _ throws(FaultValueError) in
            try fault.set(sending: .reset, part: "reset")
        },
        then("endless-head", nil, "header fields that go on until the client goes, or for 16 MiB") {
            fault, _ throws(FaultValueError) in
            try fault.set(sending: .endlessHead, part: "endless-head")
        },
        then("endless-hints", nil, "answers 103 that go on until the client goes, or for 16 MiB") {
            fault, _ throws(FaultValueError) in
            try fault.set(sending: .endlessHints, part: "endless-hints")
        },
        then("again", "DURATION", "so long after the answer the same once more, unasked") {
            fault, value throws(FaultValueError) in
            try fault.set(unasked: .sameAnswer, afterSeconds: try FaultSpec.seconds(value), part: "again")
        },
        then("idle-408", "DURATION", "so long after the answer 408, unasked, and a clean close") {
            fault, value throws(FaultValueError) in
            try fault.set(unasked: .timeout, afterSeconds: try FaultSpec.seconds(value), part: "idle-408")
        },
        then("reset-after", "N", "a TCP reset after N bytes of the body") { fault, value throws(FaultValueError) in
            try fault.set(sending: .resetAfter(bodyBytes: try FaultSpec.number(value)), part: "reset-after")
        },
        then("hang", nil, "no answer; closed when the client goes, or after 120 s") {
            fault, _ throws(FaultValueError) in
            try fault.set(sending: .hang, part: "hang")
        },
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
