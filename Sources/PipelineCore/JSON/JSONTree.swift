// JSON as a tree, for small texts that are read once and looked up by name: a description, a saved position.

package indirect enum JSONTree: Sendable {
    case object([(name: String, value: JSONTree)])
    case array([JSONTree])
    case string(String)
    case integer(Int)
    case boolean(Bool)
    /// A number that isn't an integer, or is too large for one, as it was written.
    case number(String)
    case null

    /// - Throws: the text's first fault.
    package static func read(_ text: Span<UInt8>) throws(JSONError) -> JSONTree {
        var reader = JSONReader(text, from: text.byteOrderMarkSize)
        guard let token = try reader.next() else { throw JSONError(.expectedValue, at: text.count) }
        let value = try read(token, text, &reader)
        _ = try reader.next()
        return value
    }

    package subscript(_ name: String) -> JSONTree? {
        guard case .object(let members) = self else { return nil }
        return members.first { $0.name == name }?.value
    }

    package var string: String? { if case .string(let text) = self { text } else { nil } }

    package var integer: Int? { if case .integer(let number) = self { number } else { nil } }

    /// No tool writes more; the sum of many still fits in an `Int`.
    static let mostRecords = 1 << 40

    package var count: Int? { integer.flatMap { (0...Self.mostRecords).contains($0) ? $0 : nil } }

    package var boolean: Bool? { if case .boolean(let isTrue) = self { isTrue } else { nil } }

    package var kind: String {
        switch self {
        case .object: "an object"
        case .array: "an array"
        case .string: "a text"
        case .integer: "an integer"
        case .boolean: "true or false"
        case .number: "a number"
        case .null: "null"
        }
    }

    private static func read(
        _ token: JSONToken, _ text: Span<UInt8>, _ reader: inout JSONReader
    ) throws(JSONError) -> JSONTree {
        switch token {
        case .beginObject:
            var members: [(name: String, value: JSONTree)] = []
            while case .name(let name)? = try reader.next() {
                guard let token = try reader.next() else { break }
                members.append((name.text(in: text), try read(token, text, &reader)))
            }
            return .object(members)
        case .beginArray:
            var elements: [JSONTree] = []
            while let element = try reader.next(), element != .endArray {
                elements.append(try read(element, text, &reader))
            }
            return .array(elements)
        case .string(let string), .name(let string): return .string(string.text(in: text))
        case .number(let number):
            let digits = text.extracting(number.range).text
            return number.isInteger ? Int(digits).map { .integer($0) } ?? .number(digits) : .number(digits)
        case .boolean(let isTrue): return .boolean(isTrue)
        case .null, .endObject, .endArray: return .null
        }
    }

    // MARK: Trees as templates

    /// The tree with the value at the end of these steps. What isn't there is added; what isn't an object or an array on
    /// the way becomes one.
    package func setting(_ value: JSONTree, at steps: ArraySlice<JSONLocation.PathStep>) -> JSONTree {
        let name: String
        switch steps.first {
        case nil: return value
        case .name(let text): name = text
        case .index(let index):
            var elements = if case .array(let elements) = self { elements } else { [JSONTree]() }
            while elements.count <= index { elements.append(.null) }
            elements[index] = elements[index].setting(value, at: steps.dropFirst())
            return .array(elements)
        }
        var members = if case .object(let members) = self { members } else { [(name: String, value: JSONTree)]() }
        if let index = members.firstIndex(where: { $0.name == name }) {
            members[index].value = members[index].value.setting(value, at: steps.dropFirst())
        } else {
            members.append((name, JSONTree.object([]).setting(value, at: steps.dropFirst())))
        }
        return .object(members)
    }

    package subscript(_ names: [String]) -> JSONTree? {
        names.reduce(self as JSONTree?) { tree, name in tree?[name] }
    }

    /// The tree as JSON without white space.
    package var json: String {
        switch self {
        case .null: return "null"
        case .boolean(let isTrue): return "\(isTrue)"
        case .integer(let number): return "\(number)"
        case .number(let text): return text
        case .string(let text):
            var bytes = ByteBuffer()
            JSONWriter.appendString(text, to: &bytes)
            return bytes.text
        case .array(let elements): return "[" + elements.map(\.json).joined(separator: ",") + "]"
        case .object(let members):
            return "{" + members.map { JSONTree.string($0.name).json + ":" + $0.value.json }.joined(separator: ",")
                + "}"
        }
    }
}
