// Decides which records of a response are whole while it comes, some at a time, in memory that doesn't grow with the response.
//
//     pieces ──► take(): records ──► … ──► end(): what the response says about its list

import PipelineCore
import PipelineHTTP

struct RecordStream {
    /// The longest record, in bytes, and the most that a response may have besides its records.
    static let limitBytes = LineReader.defaultLimitBytes

    /// Nil for lines.
    private(set) var elements: ElementStream?
    private(set) var finder: RecordFinder
    private let source: Source
    private var lineCount = 0
    /// Bytes of a line whose end hasn't come.
    private var searched = 0
    /// Bytes that were used since the last record.
    private var usedBeside = 0
    /// A byte order mark can't come any more.
    private var hasBegun = false
    private(set) var listed = 0
    private(set) var nulls = 0

    /// - Returns: nil if such a response has to be read as a whole.
    init?(_ source: Source, hasMembers: Bool = true) {
        let place = source.streamedPlace
        guard place != nil || source.records.format == .lines else { return nil }
        self.source = source
        elements = place.map {
            ElementStream(
                $0, keepsRest: !$0.path.isEmpty || !source.pathsBesideRecords.isEmpty, limitBytes: Self.limitBytes)
        }
        finder = RecordFinder(source, hasMembers: hasMembers)
    }

    /// - Parameters:
    ///   - text: what has come and wasn't used by earlier calls.
    ///   - offset: the number of bytes before it.
    ///   - isLast: no more bytes will come.
    /// - Returns: how much of the text was used. If none was and no record found, more is needed, or the answer has ended.
    /// - Throws: what is wrong. All records before that have been found.
    mutating func take(_ text: Span<UInt8>, offset: Int, isLast: Bool) throws(Page.Fault) -> Int {
        finder.removeAll()
        if !hasBegun {
            guard isLast || text.count >= 3 else { return 0 }
            hasBegun = true
            let mark = text.byteOrderMarkSize
            if mark > 0 { return mark }
        }
        let used =
            elements == nil
            ? try takeLines(text, isLast: isLast) : try takeElements(text, offset: offset, isLast: isLast)
        listed += finder.outline.records.count + finder.nulls
        nulls += finder.nulls
        usedBeside = finder.outline.records.isEmpty ? usedBeside + used : 0
        // White space without an end is a response without an end.
        guard usedBeside <= Self.limitBytes else {
            throw fault(.tooLarge(limitBytes: Self.limitBytes), text, offset: offset)
        }
        return used
    }

    /// The response without its records, once all of it has come.
    mutating func end() throws(Page.Fault) -> Page {
        let (rest, keepsRest) = (elements?.rest ?? [], elements?.keepsRest ?? false)
        if keepsRest { try Refusal.check(rest.span, source) }
        if elements?.hasFound == false { throw .missing(source.records.path, in: rest.span) }
        var page = Page(outline: RecordOutline(), listed: listed, nulls: nulls)
        if keepsRest {
            page.beside = PageBeside(of: rest.span, without: [], at: source.records.path)
        }
        page.lead = try PageLead(source, rest, page.headers, listed: listed)
        return page
    }

    // MARK: Elements

    private mutating func takeElements(
        _ text: Span<UInt8>, offset: Int, isLast: Bool
    ) throws(Page.Fault) -> Int {
        guard var stream = elements.take() else { return 0 }
        defer { elements = stream }
        do throws(ElementStream.Fault) { return try finder.take(text, &stream, isLast: isLast) } catch {
            throw fault(error, text, offset: offset)
        }
    }

    private func fault(_ fault: ElementStream.Fault, _ text: Span<UInt8>, offset: Int) -> Page.Fault {
        switch fault {
        case .cutShort: return .cutShort
        case .tooLarge(let limit):
            return .broken("more than \(limit >> 20) MiB without a complete record, after \(Self.count(listed))")
        case .noList(let isArray):
            return .nothing(isArray ? "an array, not an object of records, in" : "no array in", source.records.path)
        case .malformed(let error):
            guard listed > 0 || offset > 3 else { return JSONDocument.fault(error, text) }
            let place = "at byte \(offset + error.offset + 1), after \(Self.count(listed))"
            return .broken("text that isn't JSON: \(JSONDocument.text(error)) \(place)")
        }
    }

    static func count(_ records: Int) -> String { records == 1 ? "1 record" : "\(records) records" }

    private mutating func takeLines(_ text: Span<UInt8>, isLast: Bool) throws(Page.Fault) -> Int {
        var end = text.count
        if !isLast {
            while end > searched, text[end - 1] != 0x0A { end -= 1 }
            guard end > searched else {
                searched = text.count
                guard searched <= Self.limitBytes else { throw .longLine(lineCount + 1) }
                return 0
            }
        }
        let used = try finder.takeLines(of: text.extracting(..<end), after: lineCount)
        lineCount += used.lines
        searched = 0
        return used.bytes
    }
}

/// Which answers can be read while they come: those with one list at a plain path, and nothing else in the same place.
///
///     "records": "$.data", "total": "$.info.count"                  yes: what is left without the records has the total
///     "records": "$.data", "next": "$.data[-1].id"                  no: a record leads on
///     "records": "$.sets[*].cards"                                  no: many lists
///     "records": "$.data", "merge": {}                              no: a later record may be part of an earlier one
extension Source {
    /// Nil for a response that has to be there as a whole, such as one that is converted first.
    var streamedPlace: ElementStream.Place? {
        guard records.format == .json, merge == nil, let path = records.path.names else { return nil }
        guard pathsBesideRecords.allSatisfy({ Self.staysOutside($0, of: path) }) else { return nil }
        return ElementStream.Place(path: path, isObject: records.key != nil)
    }

    /// What is read from a response besides its records.
    var pathsBesideRecords: [JSONPath] {
        [errors, busy, pagination.count?.location.path, pagination.more].compactMap(\.self)
            + pagination.done + pagination.nextLocations.compactMap(\.path)
    }

    private static func staysOutside(_ path: JSONPath, of records: [[UInt8]]) -> Bool {
        let names = path.leadingNames
        if zip(names, records).contains(where: { $0 != $1 }) { return true }
        return names.count < records.count && path.names != nil
    }
}
