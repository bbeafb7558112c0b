// Decides what of a response is kept to be looked at: its shape. Long arrays are counted, not kept, and long texts are empty,
// so that any response fits in memory.
//
//     {"total":900,"data":[{"id":1},… 99 more]}   ──►   total: 900, data: 50 elements, then null for each other one

import PipelineCore

extension JSONTree {
    typealias Step = JSONLocation.PathStep

    /// The elements of an array that are kept, enough to see whether they are alike, and those that are counted.
    static let (keptElements, mostElements) = (50, 100_000)
    /// Descriptions name members near the top.
    private static let mostMembers = 500
    /// In bytes. A longer text is no name, cursor or URL.
    private static let longestText = 16_384
    /// Only a hostile response has as many.
    private static let mostValues = 200_000

    static func shape(of text: Span<UInt8>) throws(JSONError) -> JSONTree {
        var reader = JSONReader(text, from: text.byteOrderMarkSize)
        var room = mostValues
        guard let token = try reader.next() else { throw JSONError(.expectedValue, at: text.count) }
        let tree = try shape(of: token, text, &reader, &room)
        _ = try reader.next()
        return tree
    }

    private static func shape(
        of token: JSONToken, _ text: Span<UInt8>, _ reader: inout JSONReader, _ room: inout Int
    ) throws(JSONError) -> JSONTree {
        room -= 1
        switch token {
        case .beginObject where room < 0, .beginArray where room < 0:
            try reader.skipRest(of: token)
            return .null
        case .beginObject:
            var members: [(name: String, value: JSONTree)] = []
            while case .name(let name)? = try reader.next(), let token = try reader.next() {
                if members.count < mostMembers {
                    members.append((decoded(name, text), try shape(of: token, text, &reader, &room)))
                } else {
                    try reader.skipRest(of: token)
                }
            }
            return .object(members)
        case .beginArray:
            var elements: [JSONTree] = []
            while let token = try reader.next(), token != .endArray {
                if elements.count < keptElements {
                    elements.append(try shape(of: token, text, &reader, &room))
                } else {
                    try reader.skipRest(of: token)
                    if elements.count < mostElements { elements.append(.null) }
                }
            }
            return .array(elements)
        case .string(let string), .name(let string): return .string(decoded(string, text))
        case .number(let number):
            let digits = text.extracting(number.range.prefix(longestText)).text
            return Int(digits).map { .integer($0) } ?? .number(digits)
        case .boolean(let isTrue): return .boolean(isTrue)
        case .null, .endObject, .endArray: return .null
        }
    }

    private static func decoded(_ string: JSONString, _ text: Span<UInt8>) -> String {
        string.range.count > longestText ? "" : string.text(in: text)
    }

    // MARK: Values

    var members: [(name: String, value: JSONTree)] { if case .object(let members) = self { members } else { [] } }

    var elements: [JSONTree]? { if case .array(let elements) = self { elements } else { nil } }

    var isObject: Bool { if case .object = self { true } else { false } }

    var isNull: Bool { if case .null = self { true } else { false } }

    /// A text, or the digits of a number.
    var scalar: String? {
        switch self {
        case .string(let text): text
        case .integer, .number: json
        case .object, .array, .boolean, .null: nil
        }
    }

    subscript(_ steps: [Step]) -> JSONTree? {
        steps.reduce(self as JSONTree?) { value, step in
            switch step {
            case .name(let name): value?[name]
            case .index(let index): value?.elements?.dropFirst(index).first
            }
        }
    }

    /// Visits the value and all within it, outer ones first.
    /// - Parameter visit: takes what leads to a value; returns whether those within it are visited.
    func walk(_ steps: [Step] = [], _ visit: ([Step], JSONTree) -> Bool) {
        guard visit(steps, self) else { return }
        for (name, value) in members { value.walk(steps + [.name(name)], visit) }
        for (index, value) in (elements ?? []).enumerated() { value.walk(steps + [.index(index)], visit) }
    }

    static func scalar(at path: [Step], in record: Span<UInt8>) -> String? {
        (try? shape(of: record))?[path]?.scalar
    }
}

extension Collection {
    var nonEmpty: Self? { isEmpty ? nil : self }
}

extension [JSONTree.Step] {
    var path: String { JSONLocation.path(of: self, style: .rooted) }

    var names: [String] { compactMap { if case .name(let name) = $0 { name } else { nil } } }
}
