// Checks a description against its format: every mistake with its location, `$.pagination.first: takes an integer from
// 0 to 1000000`. What passes can be read without errors; what only several members together can say is checked there.

import PipelineCore
import PipelineHTTP

struct DescriptionCheck {
    private(set) var mistakes: [String] = []

    init(_ tree: JSONTree, is value: DescriptionValue, at location: String = "$") {
        check(tree, value, location)
    }

    private mutating func add(_ location: String, _ text: String) { mistakes.append("\(location): \(text)") }

    private mutating func check(_ tree: JSONTree, _ value: DescriptionValue, _ location: String) {
        switch (value, tree) {
        case (.json, _), (.boolean, .boolean): break
        case (.scalar, .string), (.scalar, .integer), (.scalar, .boolean): break
        case (.nothing(let reason), _): add(location, reason)
        case (.string(let rule), .string(let text)):
            if let mistake = rule.mistake(text) { add(location, mistake) }
        case (.word(let words), .string(let text)) where !words.contains(text):
            add(location, "'\(text)' is not known; use \(words.count == 1 ? "" : "one of ")\(list(words))")
        case (.word, .string): break
        case (.integer(let range), _):
            if !(tree.integer.map(range.contains) ?? false) {
                add(location, "takes an integer from \(range.lowerBound) to \(range.upperBound)")
            }
        case (.object(let object), .object(let members)): check(members, object, location)
        case (.list(let element, let least), .array(let elements)):
            if elements.count < least { add(location, "is empty; it takes at least one element") }
            for (index, tree) in elements.enumerated() { check(tree, element, "\(location)[\(index)]") }
        case (.anyOf, _): checkAlternatives(tree, value, location)
        default: add(location, "takes \(value.noun), not \(tree.kind)")
        }
    }

    // MARK: Objects

    private mutating func check(
        _ members: [(name: String, value: JSONTree)], _ object: DescriptionObject, _ location: String
    ) {
        var names: Set<String> = []
        for (name, _) in members {
            if !names.insert(name).inserted { add(Self.location(of: name, in: location), "occurs twice") }
            if object.others == nil, !object.names.contains(name) { addUnknown(name, object, location) }
        }
        for member in object.members {
            if let value = members.first(where: { $0.name == member.name })?.value {
                check(value, member.value, Self.location(of: member.name, in: location))
            } else if member.isRequired, !member.isExempt(by: members) {
                add(Self.location(of: member.name, in: location), "is missing")
            }
        }
        if let others = object.others {
            for (name, value) in members where !object.names.contains(name) {
                check(value, others.value, Self.location(of: name, in: location))
            }
            if members.isEmpty, !object.mayBeEmpty { add(location, "is empty; it takes at least one member") }
        }
        let places = members.filter { object.oneOf.contains($0.name) && $0.value.boolean != false }
        if !object.oneOf.isEmpty, object.takesSeveral ? places.isEmpty : places.count != 1 {
            add(location, "takes one of \(list(object.oneOf))")
        }
    }

    private mutating func addUnknown(_ name: String, _ object: DescriptionObject, _ location: String) {
        let nearest = EditDistance.nearest(to: name, among: object.names)
        add(
            Self.location(of: name, in: location),
            "is not known; " + (nearest.map { "did you mean \($0)?" } ?? "known are \(list(object.names))"))
    }

    // MARK: Alternatives

    private mutating func checkAlternatives(_ tree: JSONTree, _ value: DescriptionValue, _ location: String) {
        var alternatives = value.alternatives.filter { $0.takesKind(of: tree) }
        guard !alternatives.isEmpty else { return add(location, "takes \(value.noun), not \(tree.kind)") }
        if alternatives.count > 1, let word = alternatives.lazy.compactMap(\.selector).first?.name {
            let selected = alternatives.filter { $0.selector?.value == tree[word]?.string }
            guard !selected.isEmpty else {
                let words = alternatives.compactMap(\.selector?.value)
                let known = words.enumerated().filter { !words[..<$0.offset].contains($0.element) }.map(\.element)
                return add(
                    Self.location(of: word, in: location),
                    tree[word].map { "'\($0.string ?? $0.json)' is not known; use one of \(list(known))" }
                        ?? "is missing")
            }
            alternatives = selected
        }
        let found = alternatives.map { Self(tree, is: $0, at: location).mistakes }
        mistakes += found.min { $0.count < $1.count } ?? []
    }

    private func list(_ names: [String]) -> String { names.joined(separator: ", ") }

    /// The location of a member, as messages write it.
    static func location(of name: String, in location: String) -> String {
        let isPlain = !name.isEmpty && name.unicodeScalars.allSatisfy { $0.properties.isAlphabetic || $0 == "_" }
        let escaped = name.split(separator: "'", omittingEmptySubsequences: false).joined(separator: "\\'")
        return isPlain ? "\(location).\(name)" : "\(location)['\(escaped)']"
    }
}

extension DescriptionMember {
    /// Whether another member makes it needless.
    fileprivate func isExempt(by members: [(name: String, value: JSONTree)]) -> Bool {
        guard let exemption else { return false }
        return members.contains { $0.name == exemption.name && $0.value.json == exemption.value.json }
    }
}

extension DescriptionValue {
    /// What it may be, without alternatives within alternatives.
    fileprivate var alternatives: [DescriptionValue] {
        if case .anyOf(let values) = self { values.flatMap(\.alternatives) } else { [self] }
    }

    fileprivate func takesKind(of tree: JSONTree) -> Bool {
        switch (self, tree) {
        case (.string, .string), (.word, .string), (.object, .object), (.list, .array), (.json, _): true
        default: false
        }
    }

    /// The member that tells this form of an object from others, and its value.
    fileprivate var selector: (name: String, value: String)? {
        guard case .object(let object) = self else { return nil }
        for member in object.members where member.isRequired {
            if case .word(let words) = member.value, words.count == 1 { return (member.name, words[0]) }
        }
        return nil
    }

    fileprivate var noun: String {
        switch self {
        case .string(.path), .string(.composed): "a path"
        case .string, .word: "a text"
        case .integer: "an integer"
        case .boolean: "true or false"
        case .scalar: "a text, an integer, true or false"
        case .object: "an object"
        case .list: "an array"
        case .json, .nothing: "a value"
        case .anyOf:
            alternatives.map(\.noun).reduce(into: [String]()) { if !$0.contains($1) { $0.append($1) } }
                .joined(separator: " or ")
        }
    }
}

extension DescriptionValue.Rule {
    /// What is wrong with a text, nil if nothing is.
    fileprivate func mistake(_ text: String) -> String? {
        guard !text.isEmpty else { return self == .orEmpty || self == .targetOrEmpty ? nil : "is empty" }
        switch self {
        case .any, .orEmpty: return nil
        case .path: return Self.pathMistake(text)
        case .composed:
            guard text.contains(ComposedText.mark) else { return Self.pathMistake(text) }
            do throws(ComposedText.MistakeError) { _ = try ComposedText(text) } catch { return error.account }
            return nil
        case .duration:
            return DurationText.seconds(text) == nil ? "'\(text)' isn't a duration; write 1h, 30m or 90s" : nil
        case .rate:
            return Rate(text) == nil ? "'\(text)' isn't a rate; write 5/second, 30/minute or 1000/hour" : nil
        case .variable: return Self.isVariable(text) ? nil : "'\(text)' isn't the name of an environment variable"
        case .placeholder:
            return Placeholders.isName(text) ? nil : "takes the name of a placeholder: letters, digits, - and _"
        case .header: return Source.mistake(inHeader: text, "")
        case .target, .targetOrEmpty:
            return text.hasPrefix("/") && !text.contains("#")
                ? nil : "takes a path that begins with / and has no fragment"
        case .base:
            guard !text.contains(where: { $0 == "?" || $0 == "#" || $0 == "@" }) else {
                return "takes a URL without a user, a query and a fragment"
            }
            return Self.isURL(Placeholders.filled(text) { _ in "x" })
                ? nil : "'\(text)' is no URL of http or https"
        case .origin: return Self.isURL(text) ? nil : "takes a URL of http or https"
        }
    }

    private static func pathMistake(_ text: String) -> String? {
        do throws(JSONPathError) { _ = try JSONPath(text) } catch { return "'\(text)': \(error.account)" }
        return nil
    }

    private static func isURL(_ text: String) -> Bool { (try? HTTPURL(text)) != nil }

    private static func isVariable(_ text: String) -> Bool {
        let isDigit = { (byte: UInt8) in (0x30...0x39).contains(byte) }
        let isWord = text.utf8.allSatisfy { byte in
            isDigit(byte) || (0x41...0x5A).contains(byte & 0xDF) && byte < 0x80 || byte == UInt8(ascii: "_")
        }
        return isWord && text.utf8.first.map(isDigit) == false
    }
}
