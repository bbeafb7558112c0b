// What stood beside the records of a list of one response when it was learnt. A run compares, and ends where something has a
// value now that had none, as a list that has begun to have further pages shows it:
//
//     "beside": {"$.count": "records", "$.took": "number", "$.next": "nothing", "$.ok": true, "$.source": "text"}

import PipelineCore

struct BesideShape: Equatable, Sendable {
    enum Kind: Equatable, Sendable {
        /// A number that counts the records.
        case records
        case number
        case text
        case flag(Bool)
        /// Null, or an empty text, array or object.
        case nothing
        case object
        case array
    }

    struct Member: Equatable, Sendable {
        let names: [String]
        let kind: Kind

        var path: String { JSONLocation.path(of: names.map { .name($0) }, style: .rooted) }
    }

    /// What is beyond says nothing.
    static let mostMembers = 40
    static let mostLevels = 3

    let members: [Member]

    init(_ members: [Member]) { self.members = members }
}

extension BesideShape.Kind {
    private static let words: [(kind: Self, word: String)] = [
        (.records, "records"), (.number, "number"), (.text, "text"), (.nothing, "nothing"), (.object, "object"),
        (.array, "array"),
    ]

    /// What a value is to a reader who knows nothing of its name.
    init(of value: JSONTree) {
        switch value {
        case .null, .string(""): self = .nothing
        case .boolean(let isTrue): self = .flag(isTrue)
        case .integer, .number: self = .number
        case .string: self = .text
        case .array(let elements): self = elements.isEmpty ? .nothing : .array
        case .object(let members): self = members.isEmpty ? .nothing : .object
        }
    }

    init?(described value: JSONTree) {
        if let isTrue = value.boolean {
            self = .flag(isTrue)
        } else if let found = Self.words.first(where: { $0.word == value.string }) {
            self = found.kind
        } else {
            return nil
        }
    }

    var json: JSONTree {
        if case .flag(let isTrue) = self { return .boolean(isTrue) }
        return .string(Self.words.first { $0.kind == self }?.word ?? "")
    }
}

extension BesideShape {
    /// The leaves of what stands beside the records, in the response's order. An object is listed by its members, as far as
    /// the levels go.
    /// - Parameter place: the names that lead to the records, which stand beside nothing.
    static func leaves(of tree: JSONTree, besides place: [String]) -> [(names: [String], value: JSONTree)] {
        leaves(of: tree, [], besides: place)
    }

    private static func leaves(
        of tree: JSONTree, _ outer: [String], besides place: [String]
    ) -> [(names: [String], value: JSONTree)] {
        guard case .object(let members) = tree else { return [] }
        var found: [(names: [String], value: JSONTree)] = []
        for (name, value) in members {
            let names = outer + [name]
            if names == place { continue }
            let isOuter = place.starts(with: names)
            if case .object(let inner) = value, isOuter || !inner.isEmpty && names.count < mostLevels {
                found += leaves(of: value, names, besides: place)
            } else {
                found.append((names, value))
            }
        }
        return found
    }

    /// - Parameters:
    ///   - tree: a response without its records.
    ///   - counts: whether the number in this place was shown to count the records.
    init(of tree: JSONTree, besides place: [String], counts: ([String], Int) -> Bool) {
        let leaves = Self.leaves(of: tree, besides: place).prefix(Self.mostMembers)
        members = leaves.map { names, value in
            let isCount = value.wholeNumber.map { counts(names, $0) } ?? false
            return Member(names: names, kind: isCount ? .records : Kind(of: value))
        }
    }

    var json: JSONTree { .object(members.map { ($0.path, $0.kind.json) }) }

    /// - Returns: nil where the description has none.
    init?(in source: DescriptionReader) {
        guard let object = source.member("beside") else { return nil }
        var members: [Member] = []
        for (path, kind) in object.members {
            let names = (try? JSONPath(path))?.names?.map { $0.span.text } ?? []
            guard !names.isEmpty, names.count <= Self.mostLevels else {
                kind.findings.add(
                    kind.location, "takes a path of one to \(Self.mostLevels) names for its name, such as $.count")
                continue
            }
            Kind(described: kind.tree).map { members.append(Member(names: names, kind: $0)) }
        }
        if members.count > Self.mostMembers {
            object.findings.add(object.location, "takes \(Self.mostMembers) members at most")
        }
        self.members = members
    }
}
