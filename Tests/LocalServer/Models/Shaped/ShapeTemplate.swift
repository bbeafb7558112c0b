// JSON with placeholders, of which an API's records and answers are made:
//
//     {"id": "{n}", "name": "{name}", "url": "{origin}/people/{n}", "image": {"$every": 4, "value": null, "else": "{n}.png"}}
//
// A text that is one placeholder becomes its value, whatever that is; `{n:text}` becomes a text and `{next:path}` a URL
// without its origin. What has no value is null, and with `?`, as in `{next?}`, its member is left out. `$every` has one
// value for each so manieth record and another, or none, for the rest; `$if` has a value only where a placeholder has one.

import PipelineCore

indirect enum ShapeTemplate: Sendable {
    case value(JSONTree)
    case text([Part])
    case array([ShapeTemplate])
    case object([(name: String, value: ShapeTemplate)])
    case every(Int, ShapeTemplate?, otherwise: ShapeTemplate?)
    case condition(String, ShapeTemplate?)

    /// What placeholders may be called, besides those of the path.
    private static let known: Set<String> = [
        "n", "nnnn", "name", "word", "date", "origin", "prefix", "record", "records", "keyed", "total", "pages",
        "page", "size", "offset", "count", "more", "next", "previous", "nextPage", "asked", "cursor", "parent",
        "file",
        "key", "last",
    ]

    init(_ tree: JSONTree, _ place: String) throws(ToolFailure) {
        switch tree {
        case .object(let members):
            var values: [(name: String, value: ShapeTemplate)] = []
            for member in members {
                values.append((member.name, try ShapeTemplate(member.value, "\(place).\(member.name)")))
            }
            self = Self.choice(tree, values) ?? .object(values)
        case .array(let elements):
            var values: [ShapeTemplate] = []
            for element in elements { values.append(try ShapeTemplate(element, place + "[]")) }
            self = .array(values)
        case .string(let text):
            let parts = Part.all(in: text)
            for case .placeholder(let name, _, _) in parts where !Self.known.contains(name) {
                throw ShapeReader.failure(place, "has the unknown placeholder {\(name)}")
            }
            self = .text(parts)
        case .number: throw ShapeReader.failure(place, "takes whole numbers only")
        case .integer, .boolean, .null: self = .value(tree)
        }
    }

    /// An object that stands for one of its members.
    private static func choice(
        _ tree: JSONTree, _ members: [(name: String, value: ShapeTemplate)]
    ) -> ShapeTemplate? {
        let member = { (name: String) in members.first { $0.name == name }?.value }
        if let every = tree["$every"]?.integer, every > 0 {
            return .every(every, member("value"), otherwise: member("else"))
        }
        return tree["$if"]?.string.map { .condition($0, member("value")) }
    }

    /// The value, nil where it is to be left out.
    func filled(_ values: [String: JSONTree]) -> JSONTree? {
        switch self {
        case .value(let value): return value
        case .text(let parts): return Self.filled(parts, values)
        case .array(let elements): return .array(elements.compactMap { $0.filled(values) })
        case .object(let members):
            return .object(members.compactMap { name, value in value.filled(values).map { (name, $0) } })
        case .every(let every, let value, let otherwise):
            guard let number = values["n"]?.integer else { return nil }
            return (number % every == 0 ? value : otherwise)?.filled(values)
        case .condition(let name, let value):
            guard let held = values[name], held.boolean != false else { return nil }
            return value?.filled(values)
        }
    }

    /// The value as text, as a header or an id has it.
    func text(_ values: [String: JSONTree]) -> String? { filled(values)?.text }

    private static func filled(_ parts: [Part], _ values: [String: JSONTree]) -> JSONTree? {
        if parts.count == 1, case .placeholder(let name, let modifier, let isOptional) = parts[0] {
            guard let value = values[name] else { return isOptional ? nil : .null }
            return modifier.map { .optional(value.text($0)) } ?? value
        }
        var result = ""
        for part in parts {
            switch part {
            case .text(let text): result += text
            case .placeholder(let name, let modifier, _):
                guard let value = values[name]?.text(modifier ?? "text") else { return nil }
                result += value
            }
        }
        return .string(result)
    }

    enum Part: Sendable {
        case text(String)
        case placeholder(String, modifier: String?, isOptional: Bool)

        static func all(in text: String) -> [Part] {
            var parts: [Part] = []
            var plain = ""
            var rest = text[...]
            while let open = rest.firstIndex(of: "{"), let close = rest[open...].firstIndex(of: "}") {
                plain += rest[..<open]
                let inner = rest[rest.index(after: open)..<close]
                guard let placeholder = Part(inner) else {
                    plain += "{"
                    rest = rest[rest.index(after: open)...]
                    continue
                }
                if !plain.isEmpty { parts.append(.text(plain)) }
                plain = ""
                parts.append(placeholder)
                rest = rest[rest.index(after: close)...]
            }
            plain += rest
            return plain.isEmpty && !parts.isEmpty ? parts : parts + [.text(plain)]
        }

        /// The text between braces; nil if it is no placeholder.
        private init?(_ inner: Substring) {
            let isOptional = inner.last == "?"
            let words = (isOptional ? inner.dropLast() : inner).split(
                separator: ":", omittingEmptySubsequences: false)
            guard (1...2).contains(words.count), words.allSatisfy({ !$0.isEmpty && $0.allSatisfy(\.isLetter) })
            else {
                return nil
            }
            self = .placeholder(
                String(words[0]), modifier: words.count > 1 ? String(words[1]) : nil, isOptional: isOptional)
        }
    }
}

extension JSONTree {
    fileprivate func text(_ modifier: String) -> String? {
        guard modifier == "path", let text else { return text }
        return text.firstMatch(of: /^https?:\/\/[^\/]*/).map { String(text[$0.range.upperBound...]) } ?? text
    }
}
