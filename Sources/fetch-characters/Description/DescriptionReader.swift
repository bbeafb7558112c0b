// Checks an object of a description: reads members by name and type, and collects every mistake with its location,
// `$.pagination.first: takes an integer, not a text`.

import PipelineCore
import PipelineHTTP

/// The mistakes found so far.
final class DescriptionErrors {
    private(set) var all: [String] = []

    func add(_ location: String, _ text: String) { all.append("\(location): \(text)") }
}

/// One object, its location, and the list for its mistakes.
struct DescriptionReader {
    let members: [(name: String, value: JSONTree)]
    /// As a path.
    let location: String
    let mistakes: DescriptionErrors

    /// Takes a value as an object with the declared members only.
    /// - Parameter declared: nil if one of its members decides that; see `refuseUnknown`.
    init?(
        _ value: JSONTree, at location: String, as declared: DescriptionObject?, _ mistakes: DescriptionErrors
    ) {
        guard case .object(let members) = value else {
            mistakes.add(location, "takes an object, not \(value.kind)")
            return nil
        }
        self.members = members
        self.location = location
        self.mistakes = mistakes
        var names: Set<String> = []
        for member in members {
            if !names.insert(member.name).inserted {
                mistakes.add(self.location(of: member.name), "occurs twice")
            }
        }
        if let declared { refuseUnknown(beside: declared) }
    }

    /// Reports each member that isn't declared.
    func refuseUnknown(beside declared: DescriptionObject) {
        guard declared.others == nil else { return }
        let known = declared.names
        for member in members where !known.contains(member.name) { addUnknown(member.name, known) }
    }

    func location(of name: String) -> String { Self.location(of: name, in: location) }

    static func location(of name: String, in location: String) -> String {
        let isPlain = !name.isEmpty && name.unicodeScalars.allSatisfy { $0.properties.isAlphabetic || $0 == "_" }
        let escaped = name.split(separator: "'", omittingEmptySubsequences: false).joined(separator: "\\'")
        return isPlain ? "\(location).\(name)" : "\(location)['\(escaped)']"
    }

    func mistake(_ name: String, _ text: String) { mistakes.add(location(of: name), text) }

    func value(_ name: String) -> JSONTree? { members.first { $0.name == name }?.value }

    /// A non-empty text, nil if it is missing or wrong.
    func text(_ name: String, isRequired: Bool = false, mayBeEmpty: Bool = false) -> String? {
        guard let value = value(name) else {
            if isRequired { mistake(name, "is missing") }
            return nil
        }
        guard case .string(let text) = value else {
            mistake(name, "takes a text, not \(value.kind)")
            return nil
        }
        guard mayBeEmpty || !text.isEmpty else {
            mistake(name, "is empty")
            return nil
        }
        return text
    }

    func integer(_ name: String, in range: ClosedRange<Int>, isRequired: Bool = false) -> Int? {
        guard let value = value(name) else {
            if isRequired { mistake(name, "is missing") }
            return nil
        }
        guard case .integer(let number) = value, range.contains(number) else {
            mistake(name, "takes an integer from \(range.lowerBound) to \(range.upperBound)")
            return nil
        }
        return number
    }

    /// A duration in seconds.
    func duration(_ name: String) -> Double? {
        text(name).flatMap { text in
            let seconds = DurationText.seconds(text)
            if seconds == nil { mistake(name, "'\(text)' isn't a duration; write 1h, 30m or 90s") }
            return seconds
        }
    }

    func boolean(_ name: String) -> Bool? {
        guard let value = value(name) else { return nil }
        guard case .boolean(let isTrue) = value else {
            mistake(name, "takes true or false, not \(value.kind)")
            return nil
        }
        return isTrue
    }

    /// One of a fixed set of words.
    func word<Word: RawRepresentable & CaseIterable>(
        _ name: String, isRequired: Bool = false
    ) -> Word? where Word.RawValue == String {
        guard let text = text(name, isRequired: isRequired) else { return nil }
        let words = Word.allCases.map(\.rawValue)
        guard let word = Word(rawValue: text) else {
            mistake(name, "'\(text)' is not known; use one of \(words.joined(separator: ", "))")
            return nil
        }
        return word
    }

    func path(_ name: String, isRequired: Bool = false) -> JSONPath? {
        text(name, isRequired: isRequired).flatMap { Self.path($0, at: location(of: name), mistakes) }
    }

    /// One path or composed text, or an array of them. Required.
    func places(_ name: String) -> [Source.TextPlace]? {
        guard case .array(let elements)? = value(name) else {
            return text(name, isRequired: true).flatMap { Self.place($0, at: location(of: name), mistakes) }.map {
                [$0]
            }
        }
        if elements.isEmpty { mistake(name, "takes at least one path") }
        return elements.enumerated().compactMap { index, element in
            let location = "\(location(of: name))[\(index)]"
            guard case .string(let text) = element else {
                mistakes.add(location, "takes a path, not \(element.kind)")
                return nil
            }
            return Self.place(text, at: location, mistakes)
        }
    }

    /// A path, or a text that is composed of some.
    static func place(_ text: String, at location: String, _ mistakes: DescriptionErrors) -> Source.TextPlace? {
        guard text.contains(ComposedText.mark) else { return path(text, at: location, mistakes).map { .path($0) } }
        do throws(ComposedText.MistakeError) {
            return .composed(try ComposedText(text))
        } catch {
            mistakes.add(location, error.account)
            return nil
        }
    }

    static func path(_ text: String, at location: String, _ mistakes: DescriptionErrors) -> JSONPath? {
        do throws(JSONPathError) {
            return try JSONPath(text)
        } catch {
            mistakes.add(location, "'\(text)': \(error.account)")
            return nil
        }
    }

    func object(
        _ name: String, as declared: DescriptionObject?, isRequired: Bool = false
    ) -> DescriptionReader? {
        guard let value = value(name) else {
            if isRequired { mistake(name, "is missing") }
            return nil
        }
        return DescriptionReader(value, at: location(of: name), as: declared, mistakes)
    }

    private func addUnknown(_ name: String, _ known: [String]) {
        let nearest = EditDistance.nearest(to: name, among: known)
        mistake(name, nearest.map { "is not known; did you mean \($0)?" } ?? "is not known; \(listed(known))")
    }

    private func listed(_ known: [String]) -> String { "known are \(known.joined(separator: ", "))" }
}
