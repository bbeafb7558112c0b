// JSON with placeholders, of which an API's records and answers are made:
//
//     {"id": "{n}", "name": "{name}", "url": "{origin}/people/{n}", "image": {"$every": 4, "value": null, "else": "{n}.png"}}
//
// A text that is one placeholder becomes its value, whatever that is; `{n:text}` becomes a text and `{next:path}` a URL
// without its origin. What has no value is null, and with `?`, as in `{next?}`, its member is left out. `$every` has one
// value for each so manieth record and another, or none, for the rest; `$if` has a value only where a placeholder has one.

import PipelineCore

/// A template.
struct ShapeTemplate {
    /// What placeholders may be called, besides those of the path.
    private static let known: Set<String> = [
        "n", "nnnn", "name", "word", "date", "origin", "prefix", "record", "records", "keyed", "total", "pages",
        "page", "size", "offset", "count", "more", "next", "previous", "nextPage", "cursor", "parent", "file",
        "key", "last",
    ]

    private let tree: JSONTree

    init(_ tree: JSONTree, _ place: String) throws(ToolFailure) {
        self.tree = tree
        try Self.check(tree, place)
    }

    /// The value, nil where it is to be left out.
    func filled(_ values: [String: ModelJSON]) -> ModelJSON? { Self.filled(tree, values) }

    /// The value as text, as a header or an id has it.
    func text(_ values: [String: ModelJSON]) -> String? { filled(values).flatMap { $0.text } }

    private static func filled(_ tree: JSONTree, _ values: [String: ModelJSON]) -> ModelJSON? {
        switch tree {
        case .object(let members): filled(members, values)
        case .array(let elements): .array(elements.compactMap { filled($0, values) })
        case .string(let text): filled(text, values)
        case .integer(let number): .number(number)
        case .boolean(let flag): .bool(flag)
        case .number, .null: .null
        }
    }

    private static func filled(
        _ members: [(name: String, value: JSONTree)], _ values: [String: ModelJSON]
    ) -> ModelJSON? {
        let member = { (name: String) in members.first { $0.name == name }?.value }
        switch members.first {
        case ("$every", let every)?:
            guard case .number(let number)? = values["n"], let every = every.integer, every > 0 else { return nil }
            return member(number % every == 0 ? "value" : "else").flatMap { filled($0, values) }
        case ("$if", let name)?:
            guard let value = name.string.flatMap({ values[$0] }) else { return nil }
            if case .bool(false) = value { return nil }
            return member("value").flatMap { filled($0, values) }
        default:
            return .object(members.compactMap { name, value in filled(value, values).map { (name, $0) } })
        }
    }

    private static func filled(_ text: String, _ values: [String: ModelJSON]) -> ModelJSON? {
        let parts = Part.all(in: text)
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

    private static func check(_ tree: JSONTree, _ place: String) throws(ToolFailure) {
        switch tree {
        case .object(let members): for member in members { try check(member.value, "\(place).\(member.name)") }
        case .array(let elements): for element in elements { try check(element, place + "[]") }
        case .string(let text):
            for case .placeholder(let name, _, _) in Part.all(in: text) where !known.contains(name) {
                throw ShapeReader.failure(place, "has the unknown placeholder {\(name)}")
            }
        case .number: throw ShapeReader.failure(place, "takes whole numbers only")
        case .integer, .boolean, .null: break
        }
    }

    /// A part of a text.
    private enum Part {
        case text(String)
        case placeholder(String, modifier: String?, isOptional: Bool)

        static func all(in text: String) -> [Part] {
            var parts: [Part] = []
            var rest = text[...]
            while let match = rest.firstMatch(of: /\{([a-zA-Z]+)(?::([a-z]+))?(\?)?\}/) {
                if match.range.lowerBound > rest.startIndex {
                    parts.append(.text(String(rest[..<match.range.lowerBound])))
                }
                let (_, name, suffix, mark) = match.output
                let modifier = suffix.map(String.init)
                parts.append(.placeholder(String(name), modifier: modifier, isOptional: mark != nil))
                rest = rest[match.range.upperBound...]
            }
            return rest.isEmpty && !parts.isEmpty ? parts : parts + [.text(String(rest))]
        }
    }
}

extension ModelJSON {
    /// A text or a number as text.
    var text: String? {
        switch self {
        case .string(let text): text
        case .number(let number): "\(number)"
        case .bool(let flag): "\(flag)"
        default: nil
        }
    }

    fileprivate func text(_ modifier: String) -> String? {
        guard modifier == "path", let text else { return text }
        return text.firstMatch(of: /^https?:\/\/[^\/]*/).map { String(text[$0.range.upperBound...]) } ?? text
    }
}
