// Where the records of an answer may be: its arrays of objects, and its objects of objects that are alike.
//
//     {"info":{…},"data":[{…},{…}],"facets":[{…}]}      $.data, then $.facets

import PipelineCore
import PipelineHTTP

struct RecordsPlace: Equatable, Sendable {
    /// What the records are elements of.
    enum Container: Equatable, Sendable {
        case array
        /// An object, whose members' names become the member of this name.
        case object(key: String)
        /// The answer is JSON Lines.
        case lines
    }

    let names: [String]
    let container: Container
    let count: Int
    /// How much of the answer it is, and how alike its elements are.
    let weight: Double

    /// A page without records may lack what holds them.
    var mayLack = false

    var path: String {
        JSONLocation.path(of: names.map { .name($0) }, style: .rooted) + (mayLack ? "[*]" : "")
    }

    /// As a description has it.
    var tree: JSONTree {
        if case .object(let key) = container {
            .object([("path", .string(path)), ("key", .string(key))])
        } else {
            .string(path)
        }
    }

    /// Whether another place may be meant as well.
    func isHard(toTellFrom other: RecordsPlace) -> Bool { other.weight * 4 > weight }

    /// Whether its name says that it has the records, and that of another doesn't.
    func isBetterNamed(than other: RecordsPlace) -> Bool { isNamed && !other.isNamed || other.isBeside }

    private var isNamed: Bool { names.last.map { LearntNames.is($0, .records) } ?? true }

    private var isBeside: Bool { names.contains { LearntNames.is($0, .beside) } }

    // MARK: Search

    /// Lists are at most this deep in an answer.
    private static let depthLimit = 8
    /// Objects of objects are found by how alike those are.
    private static let leastAlike = 0.8
    private static let leastMembers = 3

    /// The places of an answer, the likeliest first.
    static func all(in answer: AnswerValue) -> [RecordsPlace] {
        var places: [RecordsPlace] = []
        find(in: answer, [], &places)
        return places.sorted { $0.weight > $1.weight }
    }

    /// The place of the values of JSON Lines.
    static func lines(count: Int) -> RecordsPlace {
        RecordsPlace(names: [], container: .lines, count: count, weight: 1)
    }

    /// The path of an empty list that the answer is about, if there is one: what else is in it isn't the list.
    static func emptyList(in answer: AnswerValue, besides place: RecordsPlace) -> String? {
        guard place.names.isEmpty || !place.isNamed else { return nil }
        for outer in [([], answer)] + answer.members.map({ ([$0.name], $0.value) }) {
            for member in outer.1.members where LearntNames.is(member.name, .records) {
                if case .array(_, 0, _) = member.value {
                    return JSONLocation.path(of: (outer.0 + [member.name]).map { .name($0) }, style: .rooted)
                }
            }
        }
        return nil
    }

    /// Whether an object that leads to the records has an id: then it is a record, and they are a part of it.
    func isPart(of answer: AnswerValue) -> Bool {
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

    /// The longest array of values that aren't objects, and how many there are.
    static func scalars(in answer: AnswerValue) -> (path: String, count: Int)? {
        var best: (names: [String], count: Int)?
        func look(_ value: AnswerValue, _ names: [String]) {
            switch value {
            case .array(_, let count, _): if count > best?.count ?? 0 { best = (names, count) }
            case .object(let members, _, _) where names.count < depthLimit:
                for member in members { look(member.value, names + [member.name]) }
            case .object, .text, .number, .boolean, .null: break
            }
        }
        look(answer, [])
        return best.map { (JSONLocation.path(of: $0.names.map { .name($0) }, style: .rooted), $0.count) }
    }

    private static func find(in value: AnswerValue, _ names: [String], _ places: inout [RecordsPlace]) {
        let (values, count, bytes): ([AnswerValue], Int, Int)
        let container: Container
        switch value {
        case .array(let elements, let all, let size):
            (values, count, bytes, container) = (elements, all, size, .array)
        case .object(let members, let all, let size):
            (values, count, bytes) = (members.map(\.value), all, size)
            container = .object(key: values.contains { $0["id"] != nil } ? "key" : "id")
        case .text, .number, .boolean, .null: return
        }
        let alike = likeness(values) ?? 0
        if container == .array ? alike >= 0.5 : alike >= leastAlike && count >= leastMembers {
            let weight = weight(bytes, alike, names)
            places.append(RecordsPlace(names: names, container: container, count: count, weight: weight))
        } else if names.count < depthLimit {
            for member in value.members { find(in: member.value, names + [member.name], &places) }
        }
    }

    /// What a list is about is most of the answer. Names tell apart what is about as large.
    private static func weight(_ bytes: Int, _ alike: Double, _ names: [String]) -> Double {
        let name = names.last.map { LearntNames.is($0, .records) ? 3.0 : 1 } ?? 3
        let isBeside = names.contains { LearntNames.is($0, .beside) }
        return Double(bytes) * alike * (isBeside ? 0.1 : name)
    }

    /// How much of the objects' members most of them have, from 0 to 1. Nil unless all are objects.
    private static func likeness(_ elements: [AnswerValue]) -> Double? {
        guard !elements.isEmpty, elements.allSatisfy(\.isObject) else { return nil }
        var counts: [String: Int] = [:]
        let names = elements.map { Set($0.members.map(\.name)) }
        for name in names.joined() { counts[name, default: 0] += 1 }
        let all = names.reduce(0) { $0 + $1.count }
        guard all > 0 else { return nil }
        let common = counts.values.reduce(0) { $0 + ($1 * 2 > elements.count ? $1 : 0) }
        return Double(common) / Double(all)
    }
}

/// What tells records apart while a list is being learnt: their ids where they have some, else all of their text.
struct RecordKeys: Equatable, Sendable {
    let keys: [Int]

    /// - Parameters:
    ///   - text: that the records are in.
    ///   - id: the path to their ids, nil if there is none.
    init(_ records: RecordOutline.Records, in text: Span<UInt8>, id: [JSONLocation.PathStep]?) {
        var keys: [Int] = []
        for record in records {
            let bytes = text.extracting(record.range)
            keys.append((id.flatMap { Self.text(at: $0, in: bytes) } ?? bytes.text).hashValue)
        }
        self.keys = keys
    }

    var count: Int { keys.count }

    var isEmpty: Bool { keys.isEmpty }

    /// How many of them differ.
    var distinct: Int { Set(keys).count }

    /// How many of them another page doesn't have.
    func fresh(beside other: RecordKeys) -> Int {
        let known = Set(other.keys)
        return Set(keys).count { !known.contains($0) }
    }

    /// How many of the other page's last records are the first of this one, in the same order.
    /// - Parameter most: that are looked for.
    func overlap(after other: RecordKeys, most: Int) -> Int {
        let most = min(most, keys.count, other.keys.count)
        guard most > 0 else { return 0 }
        return (1...most).reversed().first { other.keys.suffix($0) == keys.prefix($0) } ?? 0
    }

    /// A scalar of a record as text, nil if there is none.
    static func text(at path: [JSONLocation.PathStep], in record: Span<UInt8>) -> String? {
        var value = try? AnswerValue.read(record)
        for step in path {
            switch (step, value) {
            case (.name(let name), _): value = value?[name]
            case (.index(let index), .array(let elements, _, _)?):
                value = elements.indices.contains(index) ? elements[index] : nil
            case (.index, _): return nil
            }
        }
        return value?.scalar
    }
}
