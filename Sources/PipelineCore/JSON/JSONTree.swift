// JSON as a tree, for small texts that are read once and looked up by name: a description, a saved position.

/// A value.
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

    /// The member of this name; nil if there is none.
    package subscript(_ name: String) -> JSONTree? {
        guard case .object(let members) = self else { return nil }
        return members.first { $0.name == name }?.value
    }

    package var string: String? { if case .string(let text) = self { text } else { nil } }

    package var integer: Int? { if case .integer(let number) = self { number } else { nil } }

    /// A count of items or records, from 0 to 2^40. No tool writes more; the sum of many still fits in an `Int`.
    package var count: Int? { integer.flatMap { (0...1 << 40).contains($0) ? $0 : nil } }

    package var boolean: Bool? { if case .boolean(let isTrue) = self { isTrue } else { nil } }

    /// The kind, as messages call it.
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
        case .beginObject: return try readObject(text, &reader)
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

    private static func readObject(
        _ text: Span<UInt8>, _ reader: inout JSONReader
    ) throws(JSONError) -> JSONTree {
        var members: [(name: String, value: JSONTree)] = []
        while case .name(let name)? = try reader.next() {
            guard let token = try reader.next() else { break }
            members.append((name.text(in: text), try read(token, text, &reader)))
        }
        return .object(members)
    }
}
