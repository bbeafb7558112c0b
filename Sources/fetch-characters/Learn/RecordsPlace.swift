// Decides where the records of a response may be: its arrays of objects, and its objects of objects that are alike.
//
//     {"info":{…},"data":[{…},{…}],"facets":[{…}]}      $.data, then $.facets

import PipelineCore
import PipelineHTTP

struct RecordsPlace: Equatable, Sendable {
    let steps: [JSONTree.Step]
    /// Of an object of records: the member that the name of each becomes. Nil for an array.
    var key: String?
    let count: Int
    private(set) var format = Source.Records.Format.json
    /// How much of the response it is, and how alike its elements are.
    private var weight = 1.0
    /// Each element holds its record in a member `node`, as in GraphQL's connections.
    private var hasNodes = false
    /// A page without records may lack what holds them.
    var mayLack = false

    var path: String {
        if hasNodes { return steps.path + "[*].node" }
        return steps.path + (mayLack ? "[*]" : "")
    }

    /// For messages: `$.data (50)`.
    var shown: String { "\(path) (\(count))" }

    /// Whether it is an array within a response that may have other members.
    var isArray: Bool { key == nil && format.hasEnvelope }

    var lastRecord: String? {
        guard isArray else { return nil }
        return steps.path + (hasNodes ? "[-1].node" : "[-1]")
    }

    var tree: JSONTree {
        guard let key else { return .string(path) }
        return .object([("path", .string(path)), ("key", .string(key))])
    }

    private var isNamed: Bool { steps.names.last.map { UsualNames.is($0, .records) } ?? true }

    private var isBeside: Bool { steps.names.contains { UsualNames.is($0, .beside) } }

    func isHard(toTellFrom other: RecordsPlace) -> Bool { other.weight * 4 > weight }

    func isBetterNamed(than other: RecordsPlace) -> Bool { other.isBeside || isNamed && !other.isNamed }

    /// Lists are at most this deep in a response.
    private static let deepest = 8

    /// The likeliest first.
    static func all(in answer: JSONTree) -> [RecordsPlace] {
        var places: [RecordsPlace] = []
        answer.walk { steps, value in
            guard UsualNames.plain(steps.names.last ?? "") != "links", steps.count <= deepest else { return false }
            if let place = RecordsPlace(value, at: steps) {
                places.append(place)
                return false
            }
            // The World Bank has an object and the list in an array.
            return value.isObject || steps.isEmpty
        }
        return places.sorted { $0.weight > $1.weight }
    }

    private init?(_ value: JSONTree, at steps: [JSONTree.Step]) {
        let values = value.elements ?? value.members.map(\.value)
        let (leastAlike, leastCount) = value.isObject ? (0.8, 3) : (0.5, 1)
        let alike = Self.likeness(values)
        guard alike >= leastAlike, values.count >= leastCount else { return nil }
        (self.steps, count) = (steps, values.count)
        let hasIDs = values.contains { $0["id"] != nil }
        if value.isObject { key = hasIDs ? "key" : "id" }
        hasNodes = key == nil && values.allSatisfy(\.isNodeOrNull)
        // The records are usually most of the response. Between places of similar size names decide.
        let kept = min(count, JSONTree.keptElements)
        weight = Double(value.json.utf8.count) * Double(count) / Double(kept) * alike
        if isBeside { weight *= 0.1 } else if isNamed { weight *= 3 }
    }

    /// How much of the objects' members most of them have, from 0 to 1. Zero unless all are objects.
    private static func likeness(_ all: [JSONTree]) -> Double {
        // Services leave null where a record may not be seen.
        let elements = all.filter { !$0.isNull }
        guard !elements.isEmpty, elements.allSatisfy(\.isObject) else { return 0 }
        let names = elements.flatMap { Set($0.members.map(\.name)) }
        let counts = Dictionary(names.map { ($0, 1) }, uniquingKeysWith: +)
        let common = counts.values.filter { $0 * 2 > elements.count }.reduce(0, +)
        return Double(common) / Double(max(names.count, 1))
    }

    init(linesOf count: Int) { (steps, self.count, format) = ([], count, .lines) }

    /// The place of records that stand on lines: the first lines show whether they do.
    static func lines(of text: [UInt8]) -> RecordsPlace? {
        let lines = text.split(separator: 0x0A, maxSplits: 50).prefix(50).filter { $0.contains { $0 > 0x20 } }
        for line in lines.map(Array.init) {
            guard let record = try? JSONTree.shape(of: line.span), record.isObject else { return nil }
        }
        guard lines.count > 1 else { return nil }
        return RecordsPlace(linesOf: lines.count)
    }

    // MARK: What else a response shows

    /// What the response has in place of a list of objects; nil for nothing to tell.
    static func instead(in answer: JSONTree) -> Message? {
        if answer["first"]?.string?.contains("://") == true {
            return "the list begins at the URL in $.first; give that URL to --learn"
        }
        var arrays: [(path: String, count: Int)] = []
        answer.walk { steps, value in
            guard let elements = value.elements else { return steps.count < deepest }
            let areScalars = elements.prefix(JSONTree.keptElements).allSatisfy { $0.scalar != nil }
            if areScalars { arrays.append((steps.path, elements.count)) }
            return false
        }
        guard let largest = arrays.max(by: { $0.count < $1.count }) else { return nil }
        guard largest.count > 0 else {
            return "the list at \(arrays[0].path) is empty; use the URL of a list with records"
        }
        return
            "\(largest.path) has \(largest.count) texts or numbers, and a record is an object; if they are ids, see FURTHER "
            + "REQUESTS in man castline-source"
    }

    /// Whether an object that leads to the records has an id, as a record has that they are a part of.
    func isPart(of answer: JSONTree) -> Bool {
        steps.indices.contains { index in
            let outer = answer[Array(steps[..<index])]
            return ["id", "_id", "uuid"].contains { outer?[$0]?.scalar != nil }
        }
    }

    /// Whether a response has neither this list nor another one.
    func isLacking(in response: HTTPResponse) -> Bool {
        guard let answer = try? JSONTree.shape(of: response.body.span), answer.isObject,
            answer[steps]?.isNull ?? true
        else { return false }
        return Self.all(in: answer).isEmpty
    }
}

extension JSONTree {
    fileprivate var isNodeOrNull: Bool {
        guard !isNull, let node = self["node"] else { return isNull }
        return node.isObject || node.isNull
    }
}
