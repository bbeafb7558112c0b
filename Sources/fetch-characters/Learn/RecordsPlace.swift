// Where the records of a response may be: its arrays of objects, and its objects of objects that are alike.
//
//     {"info":{…},"data":[{…},{…}],"facets":[{…}]}      $.data, then $.facets

import PipelineCore
import PipelineHTTP

struct RecordsPlace: Equatable, Sendable {
    enum Container: Equatable, Sendable {
        case array
        /// An object, whose members' names become the member of this name.
        case object(key: String)
    }

    let names: [String]
    let container: Container
    let count: Int
    private(set) var format = Source.Records.Format.json
    /// How much of the response it is, and how alike its elements are.
    private var weight = 1.0
    /// Each element holds its record in a member `node`, as in GraphQL's connections.
    private var hasNodes = false
    /// A page without records may lack what holds them.
    var mayLack = false

    var path: String { EnvelopeValue.path(names) + (hasNodes ? "[*].node" : mayLack ? "[*]" : "") }

    /// Whether it is an array within a response that may have other members.
    var isArray: Bool { container == .array && format.hasEnvelope }

    var lastRecord: String? {
        isArray ? EnvelopeValue.path(names) + (hasNodes ? "[-1].node" : "[-1]") : nil
    }

    var tree: JSONTree {
        guard case .object(let key) = container else { return .string(path) }
        return .object([("path", .string(path)), ("key", .string(key))])
    }

    private var isNamed: Bool { names.last.map { WellKnownNames.is($0, .records) } ?? true }

    var isBeside: Bool { names.contains { WellKnownNames.is($0, .beside) } }

    func isHard(toTellFrom other: RecordsPlace) -> Bool { other.weight * 4 > weight }

    func isBetterNamed(than other: RecordsPlace) -> Bool { isNamed && !other.isNamed || other.isBeside }

    /// Lists are at most this deep in a response.
    private static let depthLimit = 8

    /// The likeliest first.
    static func all(in answer: AnswerValue) -> [RecordsPlace] {
        found(in: answer, []).sorted { $0.weight > $1.weight }
    }

    private static func found(in value: AnswerValue, _ names: [String]) -> [RecordsPlace] {
        let (values, count, bytes): ([AnswerValue], Int, Int)
        let container: Container
        switch value {
        case .array(let elements, let all, let size):
            (values, count, bytes, container) = (elements, all, size, .array)
        case .object(let members, let all, let size):
            (values, count, bytes) = (members.map(\.value), all, size)
            container = .object(key: values.contains { $0["id"] != nil } ? "key" : "id")
        case .text, .number, .boolean, .null: return []
        }
        if names.last.map(WellKnownNames.plain) == "links" { return [] }
        let alike = likeness(values)
        if container == .array ? alike >= 0.5 : alike >= 0.8 && count >= 3 {
            var place = RecordsPlace(names: names, container: container, count: count)
            // The records are usually most of the response. Between places of similar size names decide.
            place.weight = Double(bytes) * alike * (place.isBeside ? 0.1 : place.isNamed ? 3 : 1)
            place.hasNodes = container == .array && values.allSatisfy { $0["node"]?.isObject ?? false }
            return [place]
        }
        guard names.count < depthLimit else { return [] }
        return value.members.flatMap { found(in: $0.value, names + [$0.name]) }
    }

    /// The path of the one record of a response without a list: an object with an id.
    static func record(in answer: AnswerValue) -> String? {
        let objects = [([], answer)] + answer.members.map { ([$0.name], $0.value) }
        return objects.first { object in
            object.1.members.contains { ["id", "_id", "uuid"].contains($0.name) && $0.value.scalar != nil }
        }.map { EnvelopeValue.path($0.0) }
    }

    /// What the first array holds instead of records, or where the list begins; nil for nothing to tell.
    static func otherArray(in value: AnswerValue, _ path: String) -> Message? {
        for member in value.members {
            if member.name == "first", member.value.text?.contains("://") ?? false {
                return "the list begins at the URL in \(path).first; give that URL to --learn"
            }
            if let found = otherArray(in: member.value, path + "." + member.name) { return found }
        }
        guard case .array(let elements, let count, _) = value, elements.first?.scalar != nil else { return nil }
        return
            "\(path) has \(count) texts or numbers, and a record is an object; if they are ids, see FURTHER REQUESTS in man "
            + "castline-source"
    }

    /// How much of the objects' members most of them have, from 0 to 1. Zero unless all are objects.
    private static func likeness(_ elements: [AnswerValue]) -> Double {
        guard elements.allSatisfy(\.isObject) else { return 0 }
        let names = elements.flatMap { Set($0.members.map(\.name)) }
        let counts = Dictionary(names.map { ($0, 1) }, uniquingKeysWith: +)
        let common = counts.values.reduce(0) { $0 + ($1 * 2 > elements.count ? $1 : 0) }
        return Double(common) / Double(max(names.count, 1))
    }

    static func lines(count: Int) -> RecordsPlace {
        RecordsPlace(names: [], container: .array, count: count, format: .lines)
    }

    /// The place of records that stand on lines: the first lines show whether they do.
    static func lines(of text: [UInt8]) -> RecordsPlace? {
        let lines = text.split(separator: 0x0A, maxSplits: 50).prefix(50).filter { $0.contains { $0 > 0x20 } }
        let areObjects = lines.allSatisfy { (try? AnswerValue.read(Array($0).span))?.isObject ?? false }
        return areObjects && lines.count > 1 ? .lines(count: lines.count) : nil
    }

    /// The path of an empty list that the response is about, if there is one: what else is in it isn't the list.
    /// - Parameter path: of the request. It may name the records.
    static func emptyList(in answer: AnswerValue, besides place: RecordsPlace?, path: String) -> String? {
        if case .array(_, 0, _) = answer { return EnvelopeValue.path([]) }
        guard place.map({ $0.names.isEmpty || !$0.isNamed }) ?? true else { return nil }
        let isAsked = place?.names.last.map { path.lowercased().contains($0.lowercased()) } ?? false
        let isDoubtful = place.map { $0.isBeside || $0.count < 10 && !isAsked } ?? false
        for outer in [([], answer)] + answer.members.map({ ([$0.name], $0.value) }) {
            // What a list is about is rarely outside of what stands beside it.
            let mayBeList = isDoubtful && outer.0.count + 1 >= place?.names.count ?? 0
            for member in outer.1.members {
                let isOther = [.beside, .harmless].contains { WellKnownNames.is(member.name, $0) }
                let isCandidate = mayBeList && !isOther && !WellKnownNames.isFault(member.name)
                guard WellKnownNames.is(member.name, .records) || isCandidate else { continue }
                if case .array(_, 0, _) = member.value { return EnvelopeValue.path(outer.0 + [member.name]) }
            }
        }
        return nil
    }

    /// Whether an object that leads to the records has an id: then it is a record, and they are a part of it.
    func isPart(of answer: AnswerValue) -> Bool {
        // FHIR's bundles have an id.
        guard answer["resourceType"]?.text != "Bundle" else { return false }
        var value: AnswerValue? = answer
        for name in names {
            let ids = value?.members.filter { ["id", "_id", "uuid"].contains($0.name) } ?? []
            // Lists of linked data have URLs for ids of their own.
            let isPlain = ids.contains { $0.value.scalar.map { !$0.contains("://") } ?? false }
            if isPlain || count == 1 && !ids.isEmpty { return true }
            value = value?[name]
        }
        return false
    }
}

/// What tells records apart while a list is being learnt: their ids where they have some, else all of their text.
typealias RecordKeys = [Int]

extension RecordKeys {
    init(_ records: RecordOutline.Records, in text: Span<UInt8>, id: [JSONLocation.PathStep]?) {
        self = records.map { record in
            let bytes = text.extracting(record.range)
            return (id.flatMap { AnswerValue.scalar(at: $0, in: bytes) } ?? bytes.text).hashValue
        }
    }

    /// How many of them another page doesn't have.
    func fresh(beside other: RecordKeys) -> Int { Set(self).subtracting(other).count }

    /// How many of the other page's last records are the first of this one, in the same order.
    func overlap(after other: RecordKeys, most: Int) -> Int {
        (0...Swift.min(most, count, other.count)).last { other.suffix($0) == prefix($0) } ?? 0
    }
}
