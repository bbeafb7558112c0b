// Checks a description by its schema: every mistake with its location, `$.pagination.first: takes an integer from
// 0 to 1000000`. What passes can be read without errors; what only several members together can say is checked there.

import PipelineCore
import PipelineHTTP

struct DescriptionCheck {
    private(set) var mistakes: [String] = []

    init(_ tree: JSONTree, by schema: DescriptionSchema, at location: String = "$") {
        check(tree, schema, location)
    }

    private mutating func add(_ location: String, _ text: String) { mistakes.append("\(location): \(text)") }

    private mutating func check(_ tree: JSONTree, _ schema: DescriptionSchema, _ location: String) {
        if let refusal = schema.refusal { return add(location, refusal) }
        guard schema.alternatives.count == 1 else { return checkAlternatives(tree, schema, location) }
        if schema.types == ["integer"] {
            guard let number = tree.integer, schema.numbers.contains(number) else {
                let numbers = schema.numbers
                return add(location, "takes an integer from \(numbers.lowerBound) to \(numbers.upperBound)")
            }
            return
        }
        guard schema.takesType(of: tree) else { return addWrongType(tree, schema, location) }
        switch tree {
        case .string(let text):
            if let mistake = Self.mistake(text, schema) { add(location, mistake) }
        case .array(let elements):
            if elements.count < schema.least { add(location, "is empty; it takes at least one element") }
            guard let element = schema.element else { return }
            for (index, tree) in elements.enumerated() { check(tree, element, "\(location)[\(index)]") }
        case .object(let members) where schema.types == ["object"]: check(members, schema, location)
        case .object, .integer, .number, .boolean, .null: break
        }
    }

    private static func mistake(_ text: String, _ schema: DescriptionSchema) -> String? {
        let words = schema.words
        guard words.isEmpty || words.contains(text) else {
            return "'\(text)' is not known; use \(words.count == 1 ? "" : "one of ")\(list(words))"
        }
        if text.isEmpty { return schema.mayBeEmptyText ? nil : "is empty" }
        return schema.format?.mistake(text)
    }

    private mutating func check(
        _ members: DescriptionSchema.Members, _ schema: DescriptionSchema, _ location: String
    ) {
        let (declared, others) = (schema.members, schema.others)
        let known = declared.map(\.name)
        var names: Set<String> = []
        for (name, _) in members {
            if !names.insert(name).inserted { add(Self.location(of: name, in: location), "occurs twice") }
            guard others == nil, !known.contains(name) else { continue }
            let meant = EditDistance.nearest(to: name, among: known).map { "did you mean \($0)?" }
            add(Self.location(of: name, in: location), "is not known; \(meant ?? "known are \(Self.list(known))")")
        }
        let required = schema.required(beside: members)
        for (name, schema) in declared {
            if let value = members.first(where: { $0.name == name })?.value {
                check(value, schema, Self.location(of: name, in: location))
            } else if required.contains(name) {
                add(Self.location(of: name, in: location), "is missing")
            }
        }
        if let others {
            for (name, value) in members where !known.contains(name) {
                check(value, others, Self.location(of: name, in: location))
            }
        }
        if members.count < schema.least { add(location, "is empty; it takes at least one member") }
        let (places, takesSeveral) = schema.places
        let count = members.count { places.contains($0.name) && $0.value.boolean != false }
        if !places.isEmpty, takesSeveral ? count == 0 : count != 1 {
            add(location, "takes one of \(Self.list(places))")
        }
    }

    private mutating func addWrongType(_ tree: JSONTree, _ schema: DescriptionSchema, _ location: String) {
        let word = schema.alternatives.lazy.compactMap(\.selector?.name).first
        let names = schema.alternatives.count == 1 ? schema.members.map(\.name) : []
        let cure =
            word.map { "; its \($0) is one of \(Self.list(schema.selectors))" }
            ?? (names.isEmpty || location == "$" ? "" : "; its members are \(Self.list(names))")
        add(location, "takes \(schema.noun), not \(tree.kind)\(cure)")
    }

    private mutating func checkAlternatives(_ tree: JSONTree, _ schema: DescriptionSchema, _ location: String) {
        var alternatives = schema.alternatives.filter { $0.takesType(of: tree) }
        guard !alternatives.isEmpty else { return addWrongType(tree, schema, location) }
        if alternatives.count > 1, let word = alternatives.lazy.compactMap(\.selector).first?.name {
            let selected = alternatives.filter { $0.selector?.value == tree[word]?.string }
            guard !selected.isEmpty else {
                let finding = tree[word].map { "'\($0.string ?? $0.json)' is not known" } ?? "is missing"
                return add(
                    Self.location(of: word, in: location),
                    "\(finding); use one of \(Self.list(schema.selectors))")
            }
            alternatives = selected
        }
        mistakes += alternatives.map { Self(tree, by: $0, at: location).mistakes }.min { $0.count < $1.count } ?? []
    }

    private static func list(_ names: [String]) -> String { names.joined(separator: ", ") }

    static func location(of name: String, in location: String) -> String {
        location + JSONLocation.path(of: [.name(name)], style: .rooted).dropFirst()
    }
}

extension DescriptionSchema {
    /// The types of schemas, as messages call them.
    private static let kinds = [
        "string": "a text", "integer": "an integer", "boolean": "true or false", "object": "an object",
        "array": "an array",
    ]

    fileprivate func takesType(of tree: JSONTree) -> Bool {
        guard words.isEmpty else { return tree.string != nil }
        return types.isEmpty || types.contains { Self.kinds[$0] == tree.kind }
    }

    fileprivate var noun: String {
        guard alternatives.count == 1 else {
            return alternatives.map(\.noun).withoutRepeats.joined(separator: " or ")
        }
        if format == .path || format == .composedText { return "a path" }
        if !words.isEmpty { return "a text" }
        return types.isEmpty ? "a value" : types.compactMap { Self.kinds[$0] }.joined(separator: ", ")
    }
}

enum TextFormat: String {
    case path
    /// A JSONPath, or a text composed of what such paths find.
    case composedText = "composed-text"
    /// The scheme, the host and maybe a path of a URL, and a URL's path and query.
    case base, target
    /// A whole URL; only its origin counts.
    case origin
    case header, placeholder, variable
    case timeSpan = "time-span"
    case time
    case rate
    /// The name of a header field in a response.
    case field

    fileprivate func mistake(_ text: String) -> String? {
        switch self {
        case .composedText where text.contains(ComposedText.mark):
            do throws(ComposedText.MistakeError) { _ = try ComposedText(text) } catch { return error.account }
            return nil
        case .path, .composedText:
            do throws(JSONPathError) { _ = try JSONPath(text) } catch { return "'\(text)': \(error.account)" }
            return nil
        case .timeSpan:
            return DurationText.seconds(text) == nil ? "'\(text)' isn't a duration; write 1h, 30m or 90s" : nil
        case .time: return TimeFormat.mistake(text)
        case .field:
            return Self.isField(text) ? nil : "'\(text)' can't be the name of a header field"
        case .rate:
            return Rate(text) == nil ? "'\(text)' isn't a rate; write 5/second, 30/minute or 1000/hour" : nil
        case .variable:
            let isWord = text.utf8.allSatisfy { $0.isLetterOrDigit || $0 == UInt8(ascii: "_") }
            let isVariable = isWord && text.utf8.first.map { (0x30...0x39).contains($0) } == false
            return isVariable ? nil : "'\(text)' isn't the name of an environment variable"
        case .placeholder:
            return Placeholders.isName(text) ? nil : "takes the name of a placeholder: letters, digits, - and _"
        case .header: return Source.mistake(inHeader: text, "")
        case .target:
            return text.hasPrefix("/") && !text.contains("#")
                ? nil : "takes a path that begins with / and has no fragment"
        case .base:
            guard !text.contains(where: { $0 == "?" || $0 == "#" || $0 == "@" }) else {
                return "takes a URL without a user, a query and a fragment"
            }
            return Self.isURL(Placeholders.filled(text) { _ in "x" })
                ? nil : "'\(text)' isn't an http or https URL"
        case .origin: return Self.isURL(text) ? nil : "takes a URL of http or https"
        }
    }

    private static func isURL(_ text: String) -> Bool { (try? HTTPURL(text)) != nil }

    /// A token (RFC 9110, section 5.6.2).
    private static func isField(_ text: String) -> Bool {
        text.utf8.allSatisfy { $0.isLetterOrDigit || "!#$%&'*+-.^_`|~".utf8.contains($0) }
    }
}
