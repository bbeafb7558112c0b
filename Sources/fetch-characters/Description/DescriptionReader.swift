// Reads a description that has passed its check: each member has its declared kind, or is missing. What concerns several
// members is found on the way: mistakes that they make together, the places of values, the files of bodies.

import PipelineCore

final class DescriptionFindings {
    var mistakes: [String] = []
    /// The texts of the files that bodies name, and what reads one.
    var files: [String: String] = [:]
    let file: (String) -> String?
    /// What requests have besides what the description fixes, in the order in which it is read.
    var uses: [PlacementCheck.Use] = []
    /// The environment variables in the texts of a token's request.
    var variables: [String] = []

    init(_ file: @escaping (String) -> String?) { self.file = file }

    func add(_ location: String, _ text: String) { mistakes.append("\(location): \(text)") }
}

struct DescriptionReader {
    let tree: JSONTree
    let location: String
    let findings: DescriptionFindings

    func location(of name: String) -> String { DescriptionCheck.location(of: name, in: location) }

    func mistake(_ name: String, _ text: String) { findings.add(location(of: name), text) }

    func has(_ name: String) -> Bool { tree[name] != nil }

    func member(_ name: String) -> DescriptionReader? {
        tree[name].map { DescriptionReader(tree: $0, location: location(of: name), findings: findings) }
    }

    func members(_ name: String) -> [(name: String, value: DescriptionReader)] { member(name)?.members ?? [] }

    var members: [(name: String, value: DescriptionReader)] {
        guard case .object(let members) = tree else { return [] }
        return members.map {
            ($0.name, DescriptionReader(tree: $0.value, location: location(of: $0.name), findings: findings))
        }
    }

    /// The elements of an array. Any other value stands for an array that has it alone.
    var elements: [DescriptionReader] {
        guard case .array(let elements) = tree else { return [self] }
        return elements.enumerated().map {
            DescriptionReader(tree: $0.element, location: "\(location)[\($0.offset)]", findings: findings)
        }
    }

    func elements(_ name: String) -> [DescriptionReader] { member(name)?.elements ?? [] }

    func text(_ name: String) -> String? { tree[name]?.string }

    func integer(_ name: String) -> Int? { tree[name]?.integer }

    func isTrue(_ name: String) -> Bool { tree[name]?.boolean ?? false }

    func word<Word: RawRepresentable>(_ name: String) -> Word? where Word.RawValue == String {
        text(name).flatMap { Word(rawValue: $0) }
    }

    func duration(_ name: String) -> Double? { text(name).flatMap { DurationText.seconds($0) } }

    func placement(_ role: PlacementCheck.Use.Role) -> Placement {
        let placement = Placement(of: self)
        findings.uses.append(PlacementCheck.Use(location: location, placement: placement, role: role))
        return placement
    }

    func placement(_ name: String, _ role: PlacementCheck.Use.Role) -> Placement {
        member(name)?.placement(role) ?? .query("")
    }

    func path(_ name: String) -> JSONPath? { member(name)?.path }

    var path: JSONPath? { tree.string.flatMap { try? JSONPath($0) } }

    var place: Source.TextPlace? {
        guard let text = tree.string, text.contains(ComposedText.mark) else { return path.map { .path($0) } }
        return (try? ComposedText(text)).map { .composed($0) }
    }
}
