// Reads a description that has passed its check: each member has its declared kind, or is missing. What several members
// together get wrong is added to the mistakes.

import PipelineCore

/// The mistakes found so far.
final class DescriptionErrors {
    private(set) var all: [String] = []

    func add(_ location: String, _ text: String) { add("\(location): \(text)") }

    func add(_ mistake: String) { all.append(mistake) }
}

/// A value of a description, and its location.
struct DescriptionReader {
    let tree: JSONTree
    let location: String
    let mistakes: DescriptionErrors

    func location(of name: String) -> String { DescriptionCheck.location(of: name, in: location) }

    func mistake(_ name: String, _ text: String) { mistakes.add(location(of: name), text) }

    func has(_ name: String) -> Bool { tree[name] != nil }

    /// A member, nil if it is missing.
    func member(_ name: String) -> DescriptionReader? {
        tree[name].map { DescriptionReader(tree: $0, location: location(of: name), mistakes: mistakes) }
    }

    /// All members of an object, in their order.
    var members: [(name: String, value: DescriptionReader)] {
        guard case .object(let members) = tree else { return [] }
        return members.map {
            ($0.name, DescriptionReader(tree: $0.value, location: location(of: $0.name), mistakes: mistakes))
        }
    }

    /// The elements of an array. Any other value stands for an array that has it alone.
    var elements: [DescriptionReader] {
        guard case .array(let elements) = tree else { return [self] }
        return elements.enumerated().map {
            DescriptionReader(tree: $0.element, location: "\(location)[\($0.offset)]", mistakes: mistakes)
        }
    }

    func elements(_ name: String) -> [DescriptionReader] { member(name)?.elements ?? [] }

    func text(_ name: String) -> String? { tree[name]?.string }

    func integer(_ name: String) -> Int? { tree[name]?.integer }

    func isTrue(_ name: String) -> Bool { tree[name]?.boolean ?? false }

    func word<Word: RawRepresentable>(_ name: String) -> Word? where Word.RawValue == String {
        text(name).flatMap { Word(rawValue: $0) }
    }

    /// A duration in seconds.
    func duration(_ name: String) -> Double? { text(name).flatMap { DurationText.seconds($0) } }

    func path(_ name: String) -> JSONPath? { member(name)?.path }

    var path: JSONPath? { tree.string.flatMap { try? JSONPath($0) } }

    /// A path, or a text that is composed of some.
    var place: Source.TextPlace? {
        guard let text = tree.string, text.contains(ComposedText.mark) else { return path.map { .path($0) } }
        return (try? ComposedText(text)).map { .composed($0) }
    }
}
