// Joins records that a service sends in parts, as MediaWiki does: each page has the same ones with other members.
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
    private var texts: [[UInt8]] = []
    private var places: [[UInt8]: Int] = [:]
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

    var isEmpty: Bool { texts.isEmpty }

    func contains(_ id: [UInt8]) -> Bool { places[id] != nil }

    private func failure(_ message: Message) -> ToolFailure { ToolFailure(status, "\(subject)\(message)") }

    /// - Parameter part: a checked object.
    mutating func id(of part: Span<UInt8>) throws(ToolFailure) -> [UInt8] {
        do throws(ToolFailure) { try mapper.map(part) } catch { throw failure(error.message) }
        mapper.lines.removeAll()
        guard !mapper.id.isEmpty else { throw failure("a record in parts has no id; check members.id") }
        return mapper.id
    }

    mutating func add(_ part: Span<UInt8>, id: [UInt8]) throws(ToolFailure) -> Part {
        let place = places[id] ?? texts.count
        let isFirst = place == texts.count
        let earlier = isFirst ? [] : texts[place]
        let joined = isFirst ? part.array : try join(earlier.span, part, "id \(id.span.text): ")
        guard joined != earlier else { return .known }
        byteCount += joined.count - earlier.count
        guard byteCount <= limitBytes else {
            throw failure(
                "records of more than \(limitBytes >> 20) MiB wait for further parts; check merge, or ask for smaller pages"
            )
        }
        places[id] = place
        if isFirst { texts.append(joined) } else { texts[place] = joined }
        return isFirst ? .first : .added
    }

    /// The records that wait, one after another. None waits after that.
    mutating func take() -> (text: [UInt8], outline: RecordOutline) {
        var outline = RecordOutline()
        let text = Array(texts.joined())
        var start = 0
        for record in texts {
            outline.add(start..<start + record.count, of: text.span)
            start += record.count
        }
        (texts, places, byteCount) = ([], [:], 0)
        return (text, outline)
    }

    /// - Parameter place: the record and the names that lead to the member, each with what separates it from the next.
    private func join(
        _ earlier: Span<UInt8>, _ later: Span<UInt8>, _ place: String
    ) throws(ToolFailure) -> [UInt8] {
        if earlier.equals(later) { return earlier.array }
        switch (JSONNode.Kind(firstByte: earlier[0]), JSONNode.Kind(firstByte: later[0])) {
        case (_, .null): return earlier.array
        case (.null, _): return later.array
        case (.object, .object): return try joinMembers(earlier, later, place)
        // Some languages write an empty object as an empty array.
        case (.object, .array) where later.isEmptyContainer, (.array, .array) where later.isEmptyContainer:
            return earlier.array
        case (.array, .object) where earlier.isEmptyContainer, (.array, .array) where earlier.isEmptyContainer:
            return later.array
        case (.array, .array):
            return earlier.extracting(..<(earlier.count - 1)).array + [UInt8(ascii: ",")]
                + later.extracting(1...).array
        case (.number, .number) where JSONNumberOrder.between(earlier, later) == .equal,
            (.string, .string) where Self.text(earlier) == Self.text(later):
            return earlier.array
        default:
            throw failure(
                "\(place.dropLast().prefix(200)) has another value in a later part; the id isn't unique, or the record has changed: check "
                    + "members.id, or run it again")
        }
    }

    private func joinMembers(
        _ earlier: Span<UInt8>, _ later: Span<UInt8>, _ place: String
    ) throws(ToolFailure) -> [UInt8] {
        var members = Self.members(of: earlier)
        var indices = Dictionary(zip(members.map(\.name), members.indices), uniquingKeysWith: { first, _ in first })
        for member in Self.members(of: later) {
            if let index = indices[member.name] {
                let value = members[index].value
                members[index].value = try join(
                    value.span, member.value.span, place + member.name.span.text + ".")
            } else {
                indices[member.name] = members.count
                members.append(member)
            }
        }
        return Array("{".utf8) + members.map { $0.label + $0.value }.joined(separator: ",".utf8) + Array("}".utf8)
    }

    /// The members of an object: their names, how these are written, with the colon, and their values.
    private static func members(of object: Span<UInt8>) -> [(name: [UInt8], label: [UInt8], value: [UInt8])] {
        let found = RecordElements(membersOf: object)
        return zip(found.names, found.ranges).map { name, value in
            let label = object.extracting(name.lowerBound - 1..<value.lowerBound).array
            return (text(object.extracting(name)), label, object.extracting(value).array)
        }
    }

    /// What a string says. As written if that is no text.
    private static func text(_ string: Span<UInt8>) -> [UInt8] {
        var text: [UInt8] = []
        return JSONStringDecoder.append(string, to: &text) ? text : string.array
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
