// What the tests of JSON have in common: looking at what was found, and random texts.

import Foundation
import PipelineCore
import TestSupport
import Testing

enum JSONProbe {
    /// The texts of the values that a path finds.
    static func values(_ path: String, in text: [UInt8]) throws -> [[UInt8]] {
        var evaluator = JSONPathEvaluator(try JSONPath(path))
        try evaluator.evaluate(text.span)
        return evaluator.nodes.map { Array(text[$0.range]) }
    }

    static func values(_ path: String, in text: String) throws -> [String] {
        try values(path, in: Array(text.utf8)).map { String(decoding: $0, as: UTF8.self) }
    }

    /// What a JSON string says, by Foundation.
    static func text(_ string: [UInt8]) throws -> String {
        try #require(try JSONSerialization.jsonObject(with: Data(string), options: .fragmentsAllowed) as? String)
    }

    /// The value with its members sorted and no spaces, by Foundation.
    static func canonical(_ value: [UInt8]) throws -> String {
        let object = try JSONSerialization.jsonObject(with: Data(value), options: .fragmentsAllowed)
        let data = try JSONSerialization.data(withJSONObject: object, options: [.sortedKeys, .fragmentsAllowed])
        return String(decoding: data, as: UTF8.self)
    }

    /// The first fault of a text, nil where it is JSON.
    static func fault(in text: [UInt8]) -> JSONError? {
        do throws(JSONError) {
            var reader = JSONReader(text.span)
            try reader.skipToEnd()
            return nil
        } catch {
            return error
        }
    }
}

/// A JSON value that knows its parts, to be compared with what the reader finds.
indirect enum JSONTree {
    case scalar(String)
    case array([JSONTree])
    case object([(name: String, value: JSONTree)])

    static let names = ["a", "b", "c", "é", "my name", "x-y", "'", "\\", "\u{1}", "0", ""]
    static let scalars = [
        "null", "true", "false", "0", "-1", "1e2", "100.0", "12345678901234567890", "\"\"", "\"a\"", "\"\\u0061b\"",
        "\"{[\"", "\"\\\"\\\\\"", "\"é\\n\"", "\"\\ud83d\\ude00\"",
    ]

    static func random(depth: Int, _ random: inout SplitMix64) -> JSONTree {
        let kind = depth == 0 ? 0 : Int.random(in: 0..<5, using: &random)
        switch kind {
        case 0, 1: return .scalar(random.pick(scalars))
        case 2, 3:
            let chosen = names.shuffled(using: &random).prefix(Int.random(in: 0...4, using: &random))
            return .object(chosen.map { (name: $0, value: self.random(depth: depth - 1, &random)) })
        default:
            let count = Int.random(in: 0...4, using: &random)
            return .array((0..<count).map { _ in self.random(depth: depth - 1, &random) })
        }
    }

    /// The tree as text, with white space and escapes here and there. Its names lie within four digits.
    func text(_ random: inout SplitMix64) -> String {
        let space = { (random: inout SplitMix64) in
            random.oneIn(4) ? random.pick([" ", "\t", "\n", "\r\n", "  "]) : ""
        }
        switch self {
        case .scalar(let text): return text
        case .array(let elements):
            let parts = elements.map { space(&random) + $0.text(&random) + space(&random) }
            return "[" + (parts.isEmpty ? space(&random) : parts.joined(separator: ",")) + "]"
        case .object(let members):
            let parts = members.map { member in
                space(&random) + Self.quoted(member.name, &random) + space(&random) + ":" + space(&random)
                    + member.value.text(&random) + space(&random)
            }
            return "{" + (parts.isEmpty ? space(&random) : parts.joined(separator: ",")) + "}"
        }
    }

    private static func quoted(_ name: String, _ random: inout SplitMix64) -> String {
        var text = "\""
        for scalar in name.unicodeScalars {
            let mustEscape = scalar.value < 0x20 || scalar == "\"" || scalar == "\\"
            if mustEscape || random.oneIn(3) {
                let digits = String(scalar.value, radix: 16, uppercase: random.oneIn(2))
                text += "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
            } else {
                text.unicodeScalars.append(scalar)
            }
        }
        return text + "\""
    }
}
