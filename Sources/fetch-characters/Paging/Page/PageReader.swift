// Decides whether a response of a service is a page, and reads it into one. The whole of it is checked before any record is
// used, so a broken one yields none. The pass that checks it finds its records; all else is read beside them.

import PipelineCore
import PipelineHTTP

/// Reuses its buffers.
struct PageReader: Sendable {
    private let source: Source
    private var hasEnvelope: Bool { source.records.format.hasEnvelope }
    /// All that the description names beside the records is there, and nowhere in them.
    private let looksBeside: Bool
    private let idPath: JSONPath?
    private(set) var finder: RecordFinder
    private(set) var promise: ListPromise
    private let needsID: Bool
    /// Where a record has its id or, for want of one that is described, its name. Nil where that is composed or comes later.
    private let ownPaths: [JSONPath]?

    init(_ source: Source) {
        self.source = source
        looksBeside = source.streamedPlace != nil
        finder = RecordFinder(source)
        let member = source.members.first { $0.name == .id }
        let place = member?.locations.first { $0.step == nil }?.place
        idPath = if case .path(let path)? = place { path } else { nil }
        needsID = idPath != nil && member?.isOptional == false
        let own = member ?? source.members.first { $0.name == .name }
        let paths = (own?.locations ?? []).compactMap { location in
            if location.step == nil, case .path(let path) = location.place { path } else { nil }
        }
        ownPaths = own != nil && paths.isEmpty ? nil : paths
        promise = ListPromise(source.records.path, hasIDs: needsID)
    }

    /// - Parameters:
    ///   - url: the response's own; links within it may lead on.
    ///   - isList: it is a page as the description promises. A response for one record may be that record alone.
    ///   - mayLack: what leads to the records may be missing, as services leave out what is empty.
    ///   - isLater: it isn't the first page of its list.
    mutating func read(
        _ response: [UInt8], _ headers: HTTPHeaders, at url: HTTPURL? = nil, isList: Bool, mayLack: Bool = false,
        isLater: Bool = false
    ) throws(Page.Fault) -> Page {
        let converted = JSONDocument.withoutMark(response)
        let json = converted ?? response
        guard isList else {
            try readItem(json.span)
            return page(of: converted)
        }
        do throws(Page.Fault) { try readList(json.span, mayLack, isFirst: !isLater) } catch {
            guard case .broken = error, !mayLack, source.pagination.countsNone(in: json.span, headers) else {
                throw error
            }
            try readList(json.span, true, isFirst: !isLater)
        }
        var page = page(of: converted)
        page.wrapping = try wrapping(in: json.span)
        if hasEnvelope { page.beside = PageBeside(of: json.span, without: finder.cuts, at: source.records.path) }
        page.headers = headers
        page.lead = try PageLead(source, looksBeside ? page.beside.json : json, headers, listed: page.listed)
        return page
    }

    private func page(of converted: [UInt8]?) -> Page {
        Page(outline: finder.outline, text: finder.text ?? converted, listed: finder.listed, nulls: finder.nulls)
    }

    private mutating func readList(_ body: Span<UInt8>, _ mayLack: Bool, isFirst: Bool) throws(Page.Fault) {
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

    /// A lone object is a record if it has what is described of one. Where nothing is, only a list of several pages shows by its
    /// second one what the first is.
    private func wrapping(in body: Span<UInt8>) throws(Page.Fault) -> Page.Wrapping? {
        guard hasEnvelope, !finder.isOpen, let object = finder.object else { return nil }
        let record = body.extracting(object)
        var mayBeRecord = ownPaths == nil || !source.pagination.hasOnePage && !needsID
        for path in ownPaths ?? [] where !mayBeRecord { mayBeRecord = try path.first(in: record) != nil }
        return Page.Wrapping(record, at: source.records.path, mayBeRecord: mayBeRecord)
    }

    /// A record may stand alone where lists have a wrapping, and is then recognized by its id.
    private mutating func readItem(_ body: Span<UInt8>) throws(Page.Fault) {
        if !hasEnvelope, !JSONDocument.isValid(body) { return try finder.findLines(of: body) }
        guard try !check(body) else { return }
        let record = try hasID(body) ? JSONDocument.object(in: body) : nil
        if let record, !hasEnvelope || source.records.key != nil { return finder.take(record, of: body) }
        guard hasEnvelope else { return try finder.findLines(of: body) }
        do throws(Page.Fault) {
            try finder.find(in: body)
            guard let record, finder.isOpen, finder.outline.records.isEmpty else { return }
            finder.take(record, of: body)
        } catch {
            guard case .broken = error, let record else { throw error }
            finder.take(record, of: body)
        }
    }

    /// - Returns: whether its records were found on the way.
    private mutating func check(_ body: Span<UInt8>) throws(Page.Fault) -> Bool {
        guard finder.outline(body) else {
            try JSONDocument.check(body)
            try Refusal.check(body, source)
            return false
        }
        guard source.errors != nil || source.busy != nil else { return true }
        guard looksBeside else {
            try Refusal.check(body, source)
            return true
        }
        try Refusal.check(PageBeside(of: body, without: finder.cuts, at: source.records.path).json.span, source)
        return true
    }

    private func hasID(_ record: Span<UInt8>) throws(Page.Fault) -> Bool {
        let node = try idPath?.first(in: record)
        return node?.kind == .string || node?.kind == .number
    }
}

extension JSONPath {
    /// The nodes of the path in a checked text.
    func nodes(in text: Span<UInt8>, limit: Int = .max) throws(Page.Fault) -> [JSONNode] {
        var evaluator = JSONPathEvaluator(self)
        do throws(JSONError) { try evaluator.evaluate(text, isChecked: true, limit: limit) } catch {
            throw .broken("a response that takes too much work for '\(self.text)'")
        }
        return evaluator.nodes
    }

    func first(in text: Span<UInt8>) throws(Page.Fault) -> JSONNode? { try nodes(in: text, limit: 1).first }
}
