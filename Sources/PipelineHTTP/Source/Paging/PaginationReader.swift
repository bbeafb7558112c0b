// Reads what a response says about its list: how many records or pages there are, and where the next page is.
//
//     {"info":{"count":2,"totalPages":149,"nextPage":"https://…"},"data":[…]}
//                                    ^count           ^next

import PipelineCore

/// Reads a page's part of the pagination. Reuses its buffers.
struct PaginationReader: Sendable {
    private let pagination: Pagination
    private var next: JSONPathEvaluator?
    private var count: JSONPathEvaluator?

    init(_ pagination: Pagination) {
        self.pagination = pagination
        switch pagination.kind {
        case .cursor(_, let path), .nextURL(let path): next = JSONPathEvaluator(path)
        case .none, .page, .offset, .linkHeader: next = nil
        }
        if case .path(let path)? = pagination.count?.location { count = JSONPathEvaluator(path) }
    }

    /// The number of records or pages. Nil if the response doesn't say.
    /// - Parameter body: checked.
    mutating func count(
        in body: Span<UInt8>, _ headers: HTTPHeaders
    ) throws(SourcePage.Fault) -> Int? {
        guard let location = pagination.count?.location else { return nil }
        switch location {
        case .header(let name):
            guard let text = headers[name] else { return nil }
            guard let number = Int(text), number >= 0 else {
                throw .broken("a page whose header \(name) isn't a number")
            }
            return number
        case .path(let path):
            try Self.evaluate(&count, body)
            guard let node = count?.nodes.first, node.kind == .number,
                let number = Self.wholeNumber(body.extracting(node.range).text), number >= 0
            else { throw .broken("a page that doesn't say how many there are in '\(path.text)'") }
            return number
        }
    }

    /// `120`, and `120.0`, as some languages write it.
    private static func wholeNumber(_ text: String) -> Int? {
        Int(text) ?? Double(text).flatMap { abs($0) < 1e15 ? Int(exactly: $0) : nil }
    }

    /// The cursor or link to the next page, as the API wrote it. Null, false, an empty text and a missing value mean
    /// that there is none.
    /// - Parameter body: checked.
    mutating func next(in body: Span<UInt8>, _ headers: HTTPHeaders) throws(SourcePage.Fault) -> String? {
        if case .linkHeader = pagination.kind { return WebLink.next(in: headers.values("Link")) }
        guard next != nil else { return nil }
        try Self.evaluate(&next, body)
        guard let path = next?.path, let node = next?.nodes.first else { return nil }
        switch node.kind {
        case .null: return nil
        case .boolean where body.extracting(node.range).equals("false"): return nil
        case .number: return body.extracting(node.range).text
        case .string:
            var bytes: [UInt8] = []
            JSONStringDecoder.append(body.extracting(node.content), to: &bytes)
            // A URL contains no white space, but a cursor may.
            if case .nextURL = pagination.kind { bytes = Self.trimmed(bytes) }
            return bytes.isEmpty ? nil : bytes.span.text
        default: throw .broken("neither text nor null in '\(path.text)'")
        }
    }

    private static func trimmed(_ text: [UInt8]) -> [UInt8] {
        guard let first = text.firstIndex(where: { $0 > 0x20 }), let last = text.lastIndex(where: { $0 > 0x20 })
        else { return [] }
        return Array(text[first...last])
    }

    private static func evaluate(
        _ evaluator: inout JSONPathEvaluator?, _ body: Span<UInt8>
    ) throws(SourcePage.Fault) {
        guard var used = evaluator.take() else { return }
        defer { evaluator = used }
        try PageReader.evaluate(&used, body, limit: 1)
    }
}
