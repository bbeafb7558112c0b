// The pieces of a response: each line goes through the head's reader, the first one through those of URLs and dates too,
// and all of it through the inflater.

import PipelineCore
import PipelineHTTP

enum HTTPCheck {
    /// 2023-11-14T22:13:20Z.
    private static let now = 1.7e9

    static func check(_ bytes: [UInt8]) throws {
        try GzipCheck.check(bytes)
        try head(bytes)
        let lines = InputText.lines(bytes).map { String(decoding: $0, as: UTF8.self) }
        guard let first = lines.first else { return }
        try dates(first)
        try urls(first, reference: lines.count > 1 ? lines[1] : "")
    }

    private static func head(_ bytes: [UInt8]) throws {
        var head = ResponseHead()
        for line in InputText.lines(bytes) {
            if head.accept(line.span) != nil { return }
        }
        try demand(head.headers.fields.count <= HTTPHeaders.limitCount, "too many fields")
        if let length = head.contentLength { try demand(length >= 0, "a length of \(length)") }
        if let wait = RetryAfter.seconds(head.headers, now: now) {
            try demand(wait >= 0, "a wait of \(wait) s")
        }
        var generator = SystemRandomNumberGenerator()
        var history = RetryPolicy.History(attempts: 1)
        let decision = RetryPolicy().decision(
            after: .status(429), &history, headers: head.headers, now: now, using: &generator)
        switch decision {
        case .retry(let seconds, _, _): try demand((0...300).contains(seconds), "a wait of \(seconds) s")
        case .giveUp(let reason): try demand(!HTTPFailure(reason).description.isEmpty, "a failure without words")
        }
    }

    private static func dates(_ text: String) throws {
        guard let moment = HTTPDate.epochSeconds(text) else { return }
        try demand(moment.isFinite && abs(moment) < 4e11, "the moment \(moment)")
    }

    /// A URL that was read is read as itself, and a redirect from it leads to one.
    private static func urls(_ text: String, reference: String) throws {
        do {
            let url = try HTTPURL(text)
            try isNormal(url)
            try isNormal(try url.resolving(reference))
            try isNormal(try HTTPRequest(url).redirected(to: reference, status: 302, after: [url]).url)
        } catch let failure as HTTPFailure {
            try demand(!failure.description.isEmpty, "a failure without words")
        }
    }

    private static func isNormal(_ url: HTTPURL) throws {
        try demand(url.scheme == "http" || url.scheme == "https", "a URL of the scheme \(url.scheme)")
        try demand(!url.host.isEmpty && (1...65_535).contains(url.port), "the URL \(url.text)")
        let again: HTTPURL
        do throws(HTTPFailure) {
            again = try HTTPURL(url.text)
        } catch {
            throw Finding("the URL \(url.text), which isn't read as one: \(error)")
        }
        try demand(again == url, "the URL \(url.text), read as \(again.text)")
    }
}
