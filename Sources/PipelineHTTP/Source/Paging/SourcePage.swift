// Parses one response of an API: its records, the link to the next page, and the total.
//
//     {"info":{"count":2,"totalPages":149,…},"data":[{…},{…}]}
//                                    ^count          ^^^ ^^^ records
//
// The whole response is parsed before any record is used, so a broken one yields none.

package import PipelineCore

/// The parts of a page. Ranges refer to its body.
package struct SourcePage: Equatable, Sendable {
    /// Each is an object.
    package let records: RecordOutline.Records
    /// The number of records or pages, according to this one. Nil if it doesn't say.
    package let count: Int?
    /// The cursor or link to the next page, as the API wrote it.
    package let next: String?

    /// Why a body isn't a page.
    package enum Fault: Error, Equatable, Sendable {
        /// The text ends early: part of the transfer is missing, and a retry may help.
        case cutShort
        /// Not what the description promises. The text says what it is instead.
        case broken(String)
    }
}

/// Parses the responses of a source. Reuses its buffers.
package struct PageReader: Sendable {
    private var pagination: PaginationReader
    private var records: JSONPathEvaluator
    private var elements: JSONPathEvaluator
    /// The path to a record's id.
    private var id: JSONPathEvaluator?
    /// The names in the path to the records, if it consists of names.
    private let names: [[UInt8]]?
    /// The records of the last response, and their members.
    package private(set) var outline = RecordOutline()

    package init(_ source: Source) {
        pagination = PaginationReader(source.pagination)
        records = JSONPathEvaluator(source.records)
        elements = JSONPathEvaluator(source.elements)
        names = source.elements.namesBeforeWildcard
        if let location = source.members.first(where: { $0.name == .id })?.locations.first, location.step == nil {
            id = JSONPathEvaluator(location.path)
        }
    }

    /// Parses a response.
    /// - Parameters:
    ///   - isList: it is a page of a list, and must contain what the description promises for one. A response for a
    ///     single record may also be that record alone.
    package mutating func read(
        _ response: [UInt8], _ headers: HTTPHeaders, isList: Bool
    ) throws(SourcePage.Fault) -> SourcePage {
        let start = JSONDocument.start(of: response.span)
        let body = response.span.extracting(start...)
        do throws(SourcePage.Fault) {
            try outline(body, response.span, start)
        } catch {
            guard !isList, case .broken = error, let record = try bareRecord(in: body) else { throw error }
            outline.removeAll()
            outline.add(record, of: body)
        }
        let records = outline.records.shifted(by: start)
        guard isList else { return SourcePage(records: records, count: nil, next: nil) }
        return SourcePage(
            records: records, count: try pagination.count(in: body, headers),
            next: try pagination.next(in: body, headers))
    }

    /// Checks the body and finds its records, nearly always in one pass.
    /// - Parameter start: the offset of the body in the response.
    private mutating func outline(
        _ body: Span<UInt8>, _ response: Span<UInt8>, _ start: Int
    ) throws(SourcePage.Fault) {
        if let names, outline.read(body, at: names) { return }
        outline.removeAll()
        try JSONDocument.check(response, from: start)
        for range in try recordRanges(in: body) { outline.add(range, of: body) }
    }

    /// The range of a body that is an object with an id, nil for anything else.
    private mutating func bareRecord(in body: Span<UInt8>) throws(SourcePage.Fault) -> Range<Int>? {
        guard let object = JSONDocument.object(in: body) else { return nil }
        try Self.evaluate(&id, body, limit: 1)
        guard let node = id?.nodes.first, node.kind == .string || node.kind == .number else { return nil }
        return object
    }

    private mutating func recordRanges(
        in body: Span<UInt8>
    ) throws(SourcePage.Fault) -> [Range<Int>] {
        if let ranges = try elementRanges(in: body) { return ranges }
        try Self.evaluate(&records, body)
        guard let first = records.nodes.first else { throw .broken("an answer without '\(records.path.text)'") }
        switch first.kind {
        case .object:
            return try Self.ranges(records, orElse: "a value at")
        case .array where records.nodes.allSatisfy { $0.kind == .array }:
            try Self.evaluate(&elements, body)
            return try Self.ranges(elements, orElse: "an element of")
        default:
            throw .broken("no array in '\(records.path.text)'")
        }
    }

    /// The elements of the arrays of records: the usual case, in one pass. Nil for none, or for members of an
    /// object.
    private mutating func elementRanges(
        in body: Span<UInt8>
    ) throws(SourcePage.Fault) -> [Range<Int>]? {
        try Self.evaluate(&elements, body)
        guard !elements.nodes.isEmpty else { return nil }
        for node in elements.nodes {
            var index = node.range.lowerBound - 1
            while index >= 0, body[index] <= 0x20 { index -= 1 }
            // An element follows a bracket or a comma, a member's value a colon.
            guard index >= 0, body[index] != UInt8(ascii: ":") else { return nil }
        }
        return try Self.ranges(elements, orElse: "an element of")
    }

    private static func ranges(
        _ found: JSONPathEvaluator, orElse words: String
    ) throws(SourcePage.Fault) -> [Range<Int>] {
        var ranges: [Range<Int>] = []
        ranges.reserveCapacity(found.nodes.count)
        for node in found.nodes {
            guard node.kind == .object else { throw .broken("\(words) '\(found.path.text)' that isn't an object") }
            ranges.append(node.range)
        }
        return ranges
    }

    static func evaluate(
        _ evaluator: inout JSONPathEvaluator, _ body: Span<UInt8>, limit: Int = .max
    ) throws(SourcePage.Fault) {
        do throws(JSONError) {
            try evaluator.evaluate(body, isChecked: true, limit: limit)
        } catch {
            throw .broken("an answer that takes too much work for '\(evaluator.path.text)'")
        }
    }

    private static func evaluate(
        _ evaluator: inout JSONPathEvaluator?, _ body: Span<UInt8>, limit: Int
    ) throws(SourcePage.Fault) {
        guard var used = evaluator.take() else { return }
        defer { evaluator = used }
        try evaluate(&used, body, limit: limit)
    }
}
