// Decides which parts are one record, and joins them, as MediaWiki sends them: each page has the same ones with other members.
//
//     {"pageid":9,"title":"Lamp"}    {"pageid":9,"original":{…}}    ->    {"pageid":9,"title":"Lamp","original":{…}}
//
// Names and values keep their spelling.

import PipelineCore
import PipelineHTTP

/// The records that wait for further parts, in the order in which they first came.
struct RecordMerge: ~Copyable {
    enum Part: Equatable, Sendable {
        case first
        case added
        /// The record has all of it already.
        case known
    }

    private var mapper: RecordMapper
    private let subject: String
    private let status: ExitStatus
    private let limitBytes: Int
    private var records: [JoinedValue] = []
    private var places: [RecordID: Int] = [:]
    private var byteCount = 0

    init(
        _ source: Source, subject: String, status: ExitStatus = .protocolError,
        limitBytes: Int = RecordStream.limitBytes
    ) {
        mapper = RecordMapper(source, isRaw: true)
        self.subject = subject
        self.status = status
        self.limitBytes = limitBytes
    }

    var isEmpty: Bool { records.isEmpty }

    func contains(_ id: RecordID) -> Bool { places[id] != nil }

    private func failure(_ message: Message) -> ToolFailure { ToolFailure(status, "\(subject)\(message)") }

    /// - Parameter part: a checked object.
    mutating func id(of part: Span<UInt8>) throws(ToolFailure) -> RecordID {
        do throws(ToolFailure) { try mapper.map(part) } catch { throw failure(error.message) }
        mapper.lines.removeAll()
        guard !mapper.id.isEmpty else { throw failure("a record in parts has no id; check members.id") }
        return RecordID(mapper.id, isNumber: mapper.isIDNumber)
    }

    mutating func add(_ part: Span<UInt8>, id: RecordID) throws(ToolFailure) -> Part {
        guard let place = places[id] else {
            try count(part.count)
            places[id] = records.count
            records.append(JoinedValue(part.array))
            return .first
        }
        let growth: Int?
        do throws(JoinedValue.ConflictError) { growth = try records[place].join(part) } catch {
            let place = "id \(id.text.span.text): \(error.path)"
            throw failure(
                "\(place.prefix(200)) has another value in a later part; the id isn't unique, or the record has changed: check "
                    + "members.id, or run it again")
        }
        guard let growth else { return .known }
        try count(growth)
        return .added
    }

    private mutating func count(_ growth: Int) throws(ToolFailure) {
        byteCount += growth
        guard byteCount <= limitBytes else {
            throw failure(
                "records of more than \(limitBytes >> 20) MiB wait for further parts; check merge, or ask for smaller pages"
            )
        }
    }

    /// The records that wait, one after another. None waits after that.
    mutating func take() -> (text: [UInt8], outline: RecordOutline) {
        var text: [UInt8] = []
        var ranges: [Range<Int>] = []
        for record in records {
            let start = text.count
            record.append(to: &text)
            ranges.append(start..<text.count)
        }
        var outline = RecordOutline()
        for range in ranges { outline.add(range, of: text.span) }
        (records, places, byteCount) = ([], [:], 0)
        return (text, outline)
    }
}

extension Span<UInt8> {
    /// Whether an array or object in checked JSON has nothing in it.
    var isEmptyContainer: Bool {
        var index = 1
        while index < count - 1, self[index] <= 0x20 { index += 1 }
        return index >= count - 1
    }
}
