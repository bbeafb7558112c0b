// Records that are alike: each member has a few kinds of values, and is in all objects or in some. Their names are those
// that a programming language might stumble over.

import TestSupport

/// Draws the records of one store.
struct ShapedRecords {
    /// What the values at one place may be.
    private indirect enum Kind {
        case integer, large, real, text, boolean
        case object([(name: String, chance: Double, value: [Kind])])
        case array([Kind])
        case dictionary([Kind])
    }

    private static let names = [
        "id", "name", "class", "image-url", "image_url", "3d", "", "🐶", "🐱", "Type", "self", "init", "String",
        "string",
        "Date", "date", "CodingKeys", "films", "film", "Film", "größe", "a_b", "a-b", "aB", "é", "漢字", "_", "__",
        "value",
        "decoder", "container", "Int", "elements", "object", "Object", "Element", "switch", "Self", "Any", "x y",
        "X Y",
        "URL", "a\\\"b", "l\\\\n", "tab\\t", "\u{200D}", "classes", "Codable", "Record", "Optional", "0", "A", "a",
        "Encoder",
        "encode", "from", "hash", "description", "Protocol", "nil", "true", "some", "any", "async", "await",
        "Never", "Swift",
        "Foundation", "UInt64", "CodingKey", "DecodingError", "Error", "Store", "member", "empty", "allCases",
        "rawValue",
        "stringValue",
    ]

    private var random: SplitMix64
    private var record: Kind = .text

    init(seed: UInt64) {
        random = SplitMix64(seed: seed)
        record = object(depth: 0)
    }

    /// That many records, each with a `key` of its own.
    mutating func lines(_ count: Int) -> [String] {
        (0..<count).map { "{\"key\":\"\($0)\"," + json(record).dropFirst().replacing(/^}/, with: "\"last\":0}") }
    }

    private mutating func object(depth: Int) -> Kind {
        let count = Int.random(in: 0..<(depth == 0 ? 14 : 7), using: &random)
        let names = Self.names.shuffled(using: &random).prefix(count)
        return .object(names.map { ($0, random.pick([1, 1, 1, 0.6, 0.1]), kinds(depth: depth + 1)) })
    }

    private mutating func kinds(depth: Int) -> [Kind] {
        (0..<random.pick([1, 1, 1, 1, 2, 3])).map { _ in
            switch Int.random(in: 0..<(depth < 3 ? 10 : 6), using: &random) {
            case 0: .integer
            case 1: .large
            case 2: .real
            case 3: .boolean
            case 4, 5: .text
            case 6, 7: object(depth: depth)
            case 8: .array(kinds(depth: depth + 1))
            default: .dictionary(kinds(depth: depth + 1))
            }
        }
    }

    private mutating func json(_ kind: Kind) -> String {
        switch kind {
        case .integer: return "\(random.pick([0, 1, -7, .max, .min, 9_007_199_254_740_993]))"
        case .large: return random.pick(["9223372036854775808", "18446744073709551615", "5"])
        case .real: return random.pick(["1.5", "2.0", "-0.5", "1e300"])
        case .boolean: return random.pick(["true", "false"])
        case .text: return random.pick(["\"\"", "\"a\"", "\"é\"", "\"2026-01-01\"", "\"<&>\""])
        case .object(let members):
            let present = members.filter { Double.random(in: 0..<1, using: &random) < $0.chance }
            return "{" + present.map { "\"\($0.name)\":" + json(random.pick($0.value)) }.joined(separator: ",")
                + "}"
        case .array(let elements):
            let count = Int.random(in: 0..<4, using: &random)
            return "[" + (0..<count).map { _ in json(random.pick(elements)) }.joined(separator: ",") + "]"
        case .dictionary(let values):
            let keys = Set((0..<8).map { _ in Int.random(in: 0..<300, using: &random) }).sorted()
            return "{" + keys.map { "\"k\($0)\":" + json(random.pick(values)) }.joined(separator: ",") + "}"
        }
    }
}
