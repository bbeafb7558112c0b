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

    var path: String {
        let array = BesideValue.path(names)
        if hasNodes { return array + "[*].node" }
        return mayLack ? array + "[*]" : array
    }

    /// Whether it is an array within a response that may have other members.
    var isArray: Bool { container == .array && format.hasEnvelope }

    var lastRecord: String? {
        isArray ? BesideValue.path(names) + (hasNodes ? "[-1].node" : "[-1]") : nil
    }

    var tree: JSONTree {
        guard case .object(let key) = container else { return .string(path) }
        return .object([("path", .string(path)), ("key", .string(key))])
    }

    private var isNamed: Bool { names.last.map { UsualNames.is($0, .records) } ?? true }

    var isBeside: Bool { names.contains { UsualNames.is($0, .beside) } }

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
        if names.last.map(UsualNames.plain) == "links" { return [] }
        let alike = likeness(values)
        if container == .array ? alike >= 0.5 : alike >= 0.8 && count >= 3 {
            var place = RecordsPlace(names: names, container: container, count: count)
            // The records are usually most of the response. Between places of similar size names decide.
            place.weight = Double(bytes) * alike * (place.isBeside ? 0.1 : place.isNamed ? 3 : 1)
            place.hasNodes =
                container == .array
                && values.allSatisfy { $0.isNull || $0["node"]?.isObject ?? $0["node"]?.isNull ?? false }
            return [place]
        }
        guard names.count < depthLimit else { return [] }
        return value.members.flatMap { found(in: $0.value, names + [$0.name]) }
    }

    /// What the response has in place of a list of objects; nil for nothing to tell.
    static func instead(in answer: AnswerValue) -> Message? {
        if let first = answer.members.first(where: { $0.name == "first" })?.value.text, first.contains("://") {
            return "the list begins at the URL in $.first; give that URL to --learn"
        }
        let arrays = arrays(in: answer, [])
        let largest = arrays.max { $0.bytes < $1.bytes }
        guard let largest, largest.count > 0 else {
            let empty = arrays.first.map { "the list at \($0.path) is empty" }
            return empty.map { "\($0); use the URL of a list with records" }
        }
        return
            "\(largest.path) has \(largest.count) texts or numbers, and a record is an object; if they are ids, see FURTHER "
            + "REQUESTS in man castline-source"
    }

    private static func arrays(
        in value: AnswerValue, _ names: [String]
    ) -> [(path: String, count: Int, bytes: Int)] {
        if case .array(let elements, let count, let bytes) = value {
            return elements.allSatisfy { $0.scalar != nil } ? [(BesideValue.path(names), count, bytes)] : []
        }
        guard names.count < depthLimit else { return [] }
        return value.members.flatMap { arrays(in: $0.value, names + [$0.name]) }
    }

    /// How much of the objects' members most of them have, from 0 to 1. Zero unless all are objects.
    private static func likeness(_ all: [AnswerValue]) -> Double {
        // Services leave null where a record may not be seen.
        let elements = all.filter { !$0.isNull }
        guard !elements.isEmpty, elements.allSatisfy(\.isObject) else { return 0 }
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

    /// Whether an object that leads to the records has an id, as a record has that they are a part of.
    func isPart(of answer: AnswerValue) -> Bool {
        var value: AnswerValue? = answer
        for name in names {
            if ["id", "_id", "uuid"].contains(where: { value?[$0]?.scalar != nil }) { return true }
            value = value?[name]
        }
        return false
    }
}
