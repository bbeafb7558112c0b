// An answer as a tree that shows its shape: long arrays, large objects and long texts are counted, not kept, so that any
// answer fits in memory.
//
//     {"total":900,"data":[{"id":1},… 99 more]}   ──►   object: total 900, data: array of 100, of which 50 are kept

import PipelineCore
import PipelineHTTP

/// A value of an answer.
indirect enum AnswerValue: Sendable {
    struct Member: Sendable {
        let name: String
        let value: AnswerValue
    }

    /// The members kept, how many there are, and the size of the text.
    case object([Member], count: Int, bytes: Int)
    /// The elements kept, how many there are, and the size of the text.
    case array([AnswerValue], count: Int, bytes: Int)
    /// Empty for one that is too long to be a name, a cursor or a URL.
    case text(String)
    /// As written.
    case number(String)
    case boolean(Bool)
    case null

    /// - Throws: the text's first fault.
    static func read(_ text: Span<UInt8>) throws(JSONError) -> AnswerValue {
        var reader = JSONReader(text, from: text.byteOrderMarkSize)
        var room = AnswerRoom()
        guard let token = try reader.next() else { throw JSONError(.expectedValue, at: text.count) }
        let value = try read(token, text, &reader, &room)
        _ = try reader.next()
        return value
    }

    private static func read(
        _ token: JSONToken, _ text: Span<UInt8>, _ reader: inout JSONReader, _ room: inout AnswerRoom
    ) throws(JSONError) -> AnswerValue {
        switch token {
        case .beginObject: return try readObject(text, &reader, &room)
        case .beginArray: return try readArray(text, &reader, &room)
        case .string(let string), .name(let string): return .text(decoded(string, text))
        case .number(let number):
            return .number(number.range.count > AnswerRoom.textLimit ? "" : text.extracting(number.range).text)
        case .boolean(let isTrue): return .boolean(isTrue)
        case .null, .endObject, .endArray: return .null
        }
    }

    private static func readObject(
        _ text: Span<UInt8>, _ reader: inout JSONReader, _ room: inout AnswerRoom
    ) throws(JSONError) -> AnswerValue {
        let start = reader.tokenStart
        var members: [Member] = []
        var count = 0
        while case .name(let name)? = try reader.next() {
            guard let token = try reader.next() else { break }
            count += 1
            if members.count < AnswerRoom.memberLimit, room.takes(token) {
                members.append(Member(name: decoded(name, text), value: try read(token, text, &reader, &room)))
            } else {
                try reader.skipRest(of: token)
            }
        }
        return .object(members, count: count, bytes: reader.position - start)
    }

    private static func readArray(
        _ text: Span<UInt8>, _ reader: inout JSONReader, _ room: inout AnswerRoom
    ) throws(JSONError) -> AnswerValue {
        let start = reader.tokenStart
        var elements: [AnswerValue] = []
        var count = 0
        while let token = try reader.next(), token != .endArray {
            count += 1
            if elements.count < AnswerRoom.elementLimit, room.takes(token) {
                // What comes after a large element has room too.
                var part = room.part()
                elements.append(try read(token, text, &reader, &part))
                room.close(part)
            } else {
                try reader.skipRest(of: token)
            }
        }
        return .array(elements, count: count, bytes: reader.position - start)
    }

    private static func decoded(_ string: JSONString, _ text: Span<UInt8>) -> String {
        guard string.range.count <= AnswerRoom.textLimit else { return "" }
        var bytes: [UInt8] = []
        JSONStringDecoder.append(text.extracting(string.range), to: &bytes)
        return bytes.span.text
    }
}

/// How much of an answer is kept.
private struct AnswerRoom {
    /// The elements of an array, enough to see whether they are alike.
    static let elementLimit = 50
    /// The members of an object. Descriptions name members near the top.
    static let memberLimit = 500
    /// The longest text, in bytes.
    static let textLimit = 16_384

    /// Values that still fit. Nothing but a hostile answer has as many.
    private var values = 200_000
    /// Those of one element.
    private static let partLimit = 4000

    func part() -> AnswerRoom {
        var part = self
        part.values = min(values, Self.partLimit)
        return part
    }

    /// Counts what a part has taken.
    mutating func close(_ part: AnswerRoom) { values -= max(0, min(values, Self.partLimit) - max(0, part.values)) }

    /// Whether a value is kept. When the room for containers is used up, scalars beside them are still read.
    mutating func takes(_ token: JSONToken) -> Bool {
        values -= 1
        return values > 0 || token != .beginObject && token != .beginArray && values > -2000
    }
}

extension AnswerValue {
    /// The members of an object, none for anything else.
    var members: [Member] { if case .object(let members, _, _) = self { members } else { [] } }

    /// The first member of this name.
    subscript(_ name: String) -> AnswerValue? { members.first { $0.name == name }?.value }

    var isObject: Bool { if case .object = self { true } else { false } }

    /// The text, nil for anything but a text that isn't empty.
    var text: String? { if case .text(let text) = self, !text.isEmpty { text } else { nil } }

    /// A text or a number as it is written.
    var scalar: String? {
        switch self {
        case .text(let text), .number(let text): text
        case .object, .array, .boolean, .null: nil
        }
    }

    /// A whole number, also as a text of digits, as a total may be.
    var wholeNumber: Int? {
        switch self {
        case .number(let text): Int(text) ?? Double(text).flatMap { abs($0) < 1e15 ? Int(exactly: $0) : nil }
        case .text(let text) where text.utf8.count <= 18 && text.utf8.allSatisfy { (0x30...0x39).contains($0) }:
            Int(text)
        default: nil
        }
    }
}

/// The values of an answer beside its records, where it says what leads on and how many there are: those of its body, its
/// header fields, and what those hold as JSON.
///
///     {"info":{"count":900,"next":"https://…"},"data":[…]}      X-Pagination: {"total":900}
///     $.info.count, $.info.next                                 the header X-Pagination at $.total
struct EnvelopeValue {
    /// What leads to it; for a header field its name first.
    let names: [String]
    /// The last name, by which it is judged.
    let plain: String
    let value: AnswerValue
    /// A path to the value where names alone don't lead to it. Nil for the whole of a header field.
    private let ownPath: String?
    let header: String?
    /// It is in an array, where nothing but a link to the next page is meant.
    let isElement: Bool

    private init(
        _ names: [String], _ value: AnswerValue, path: String? = nil, header: String? = nil, isElement: Bool = false
    ) {
        self.names = names
        plain = LearntNames.plain(names.last ?? "")
        self.value = value
        self.header = header
        self.isElement = isElement
        ownPath = path
    }

    /// The last name.
    var name: String { names.last ?? "" }

    var path: String { ownPath ?? JSONLocation.path(of: names.map { .name($0) }, style: .rooted) }

    /// As messages call it.
    var text: String {
        guard let header else { return path }
        return "the header \(header)" + (ownPath.map { " at \($0)" } ?? "")
    }

    /// A description has paths into the body, and whole header fields.
    var isDescribable: Bool { header == nil || ownPath == nil }

    /// As a description has it.
    var location: JSONTree {
        let header = header.map { [(name: "header", value: JSONTree.string($0))] } ?? []
        let path = self.header == nil || ownPath != nil ? [(name: "path", value: JSONTree.string(path))] : []
        return .object(header + path)
    }

    private static let depthLimit = 6
    /// More would be data.
    private static let countLimit = 2000

    /// All of them in the answer's order, without those of the records, then those of the header.
    static func all(in answer: AnswerValue, beside place: RecordsPlace, _ headers: HTTPHeaders) -> [EnvelopeValue] {
        var values: [EnvelopeValue] = []
        collect(answer, [], place.names, &values)
        for field in headers.fields {
            guard field.value.hasPrefix("{") else {
                values.append(EnvelopeValue([field.name], .text(field.value), header: field.name))
                continue
            }
            var own: [EnvelopeValue] = []
            if let value = try? AnswerValue.read(Array(field.value.utf8).span) { collect(value, [], [""], &own) }
            values += own.map {
                EnvelopeValue([field.name] + $0.names, $0.value, path: $0.path, header: field.name)
            }
        }
        return values
    }

    private static func collect(
        _ value: AnswerValue, _ names: [String], _ records: [String], _ values: inout [EnvelopeValue]
    ) {
        guard values.count < countLimit, names != records else { return }
        switch value {
        case .object(let members, _, _):
            guard names.count < depthLimit else { return }
            for member in members { collect(member.value, names + [member.name], records, &values) }
        case .array(let elements, _, _):
            for (index, element) in elements.enumerated() {
                if case .text = element {
                    let path = JSONLocation.path(of: names.map { .name($0) } + [.index(index)], style: .rooted)
                    values.append(EnvelopeValue(names, element, path: path, isElement: true))
                } else if let link = link(element, names) {
                    values.append(link)
                }
            }
        case .text, .number, .boolean, .null: values.append(EnvelopeValue(names, value))
        }
    }

    /// `{"rel":"next","href":"https://…"}`, an element of the array that the names lead to.
    private static func link(_ element: AnswerValue, _ names: [String]) -> EnvelopeValue? {
        for kind in ["rel", "relation", "name", "type", "label"] {
            if case .array(let all, _, _)? = element[kind], all.contains(where: { $0.text?.lowercased() == "next" })
            {
                // No path leads to it alone, but a next page follows.
                return EnvelopeValue(names + ["next"], .boolean(true))
            }
            guard let relation = element[kind]?.text, relation.lowercased() == "next",
                let target = ["href", "url", "uri", "link", "target"].first(where: { element[$0]?.text != nil }),
                let link = element[target]
            else { continue }
            let array = JSONLocation.path(of: names.map { .name($0) }, style: .rooted)
            let path = "\(array)[?@.\(kind) == '\(relation)'].\(target)"
            return EnvelopeValue(names + ["next"], link, path: path)
        }
        return nil
    }
}
