// A response as a tree that shows its shape: long arrays, large objects and long texts are counted, not kept, so that any
// answer fits in memory.
//
//     {"total":900,"data":[{"id":1},… 99 more]}   ──►   object: total 900, data: array of 100, of which 50 are kept

import PipelineCore
import PipelineHTTP

indirect enum AnswerValue: Sendable {
    typealias Member = (name: String, value: AnswerValue)

    /// Of an object and an array those kept, how many there are, and the size of the text.
    case object([Member], count: Int, bytes: Int)
    case array([AnswerValue], count: Int, bytes: Int)
    /// Empty for one that is too long to be a name, a cursor or a URL.
    case text(String)
    case number(String)
    case boolean(Bool)
    case null

    /// The elements of an array that are kept, enough to see whether they are alike.
    private static let elementLimit = 50
    /// The members of an object. Descriptions name members near the top.
    private static let memberLimit = 500
    /// The longest text, in bytes.
    private static let textLimit = 16_384
    /// Values of a response, and of one element of an array. Only a hostile one has as many.
    private static let (valueLimit, partLimit) = (200_000, 4000)

    static func read(_ text: Span<UInt8>) throws(JSONError) -> AnswerValue {
        var reader = JSONReader(text, from: text.byteOrderMarkSize)
        var room = valueLimit
        guard let token = try reader.next() else { throw JSONError(.expectedValue, at: text.count) }
        let value = try read(token, text, &reader, &room)
        _ = try reader.next()
        // The World Bank has an object and the list in an array: they are members here, called `[0]` and `[1]`.
        if case .array(let parts, 2, let bytes) = value, parts.count == 2, parts[0].isObject, parts[1].isArray {
            return .object([("[0]", parts[0]), ("[1]", parts[1])], count: 2, bytes: bytes)
        }
        return value
    }

    private static func read(
        _ token: JSONToken, _ text: Span<UInt8>, _ reader: inout JSONReader, _ room: inout Int
    ) throws(JSONError) -> AnswerValue {
        let start = reader.tokenStart
        var count = 0
        switch token {
        case .beginObject:
            var members: [Member] = []
            while case .name(let name)? = try reader.next(), let token = try reader.next() {
                count += 1
                if members.count < memberLimit, takes(token, &room) {
                    members.append((decoded(name, text), try read(token, text, &reader, &room)))
                } else {
                    try reader.skipRest(of: token)
                }
            }
            return .object(members, count: count, bytes: reader.position - start)
        case .beginArray:
            var elements: [AnswerValue] = []
            while let token = try reader.next(), token != .endArray {
                count += 1
                if elements.count < elementLimit, takes(token, &room) {
                    // What comes after a large element has room too.
                    let outer = max(0, room - partLimit)
                    room -= outer
                    elements.append(try read(token, text, &reader, &room))
                    room += outer
                } else {
                    try reader.skipRest(of: token)
                }
            }
            return .array(elements, count: count, bytes: reader.position - start)
        case .string(let string), .name(let string): return .text(decoded(string, text))
        case .number(let number):
            return .number(number.range.count > textLimit ? "" : text.extracting(number.range).text)
        case .boolean(let isTrue): return .boolean(isTrue)
        case .null, .endObject, .endArray: return .null
        }
    }

    /// Whether a value is kept. When the room for containers is used up, scalars beside them are still read.
    private static func takes(_ token: JSONToken, _ room: inout Int) -> Bool {
        room -= 1
        return room > 0 || token != .beginObject && token != .beginArray && room > -2000
    }

    private static func decoded(_ string: JSONString, _ text: Span<UInt8>) -> String {
        string.range.count > textLimit ? "" : string.text(in: text)
    }
}

extension AnswerValue {
    var members: [Member] { if case .object(let members, _, _) = self { members } else { [] } }

    subscript(_ name: String) -> AnswerValue? { members.first { $0.name == name }?.value }

    var isArray: Bool { if case .array = self { true } else { false } }

    var isNull: Bool { if case .null = self { true } else { false } }

    var flag: Bool? { if case .boolean(let isTrue) = self { isTrue } else { nil } }

    /// Of a scalar, for comparing.
    var scalarText: String? { flag.map { "\($0)" } ?? scalar }

    var isObject: Bool { if case .object = self { true } else { false } }

    var text: String? { if case .text(let text) = self, !text.isEmpty { text } else { nil } }

    var scalar: String? {
        switch self {
        case .text(let text), .number(let text): text
        case .object, .array, .boolean, .null: nil
        }
    }

    var isSomething: Bool {
        switch self {
        case .null, .boolean(false), .text(""), .text("false"): false
        case .number: wholeNumber != 0
        case .text, .boolean, .object, .array: true
        }
    }

    static func scalar(at path: [JSONLocation.PathStep], in record: Span<UInt8>) -> String? {
        var value = try? read(record)
        for step in path {
            switch (step, value) {
            case (.name(let name), _): value = value?[name]
            case (.index(let index), .array(let elements, _, _)?) where index < elements.count:
                value = elements[index]
            case (.index, _): return nil
            }
        }
        return value?.scalar
    }

    /// A whole number, also as a text of digits, as a run takes totals.
    var wholeNumber: Int? {
        switch self {
        case .number(let text): JSONTree.number(text).wholeNumber
        case .text(let text): JSONTree.string(text).wholeNumber
        case .object, .array, .boolean, .null: nil
        }
    }
}
