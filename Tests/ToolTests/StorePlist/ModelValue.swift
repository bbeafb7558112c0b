// Values of random records, and an independent opinion on where two of them differ.

import TestSupport

/// A value as JSON has it and a property list holds it.
indirect enum ModelValue: Hashable {
    case text(String)
    case integer(Int)
    case real(Double)
    case boolean(Bool)
    case array([ModelValue])
    case object([Member])

    struct Member: Hashable {
        var name: String
        var value: ModelValue
    }

    /// The value with integers in place of reals that are equal to them.
    var numbers: ModelValue {
        switch self {
        case .real(let value): Int(exactly: value).map { .integer($0) } ?? self
        case .array(let elements): .array(elements.map(\.numbers))
        case .object(let members): .object(members.map { Member(name: $0.name, value: $0.value.numbers) })
        case .text, .integer, .boolean: self
        }
    }

    /// As `--load` writes it.
    var json: String {
        switch self {
        case .text(let text): Self.quoted(text)
        case .integer(let value): "\(value)"
        case .real(let value): "\(value)"
        case .boolean(let value): "\(value)"
        case .array(let elements): "[" + elements.map(\.json).joined(separator: ",") + "]"
        case .object(let members):
            "{" + members.map { Self.quoted($0.name) + ":" + $0.value.json }.joined(separator: ",") + "}"
        }
    }

    private static func quoted(_ text: String) -> String {
        "\"" + text.replacing("\\", with: "\\\\").replacing("\"", with: "\\\"").replacing("\n", with: "\\n") + "\""
    }

    subscript(name: String) -> ModelValue? {
        guard case .object(let members) = self else { return nil }
        return members.first { $0.name == name }?.value
    }

    /// Where another value differs, as normalized paths: those of the new one in its order, then what only this one has.
    /// - Parameter isIgnored: whether differences at a path don't count.
    func differences(_ new: ModelValue, at path: String = "$", ignoring isIgnored: (String) -> Bool) -> [String] {
        if self == new || isIgnored(path) { return [] }
        switch (self, new) {
        case (.array(let mine), .array(let theirs)):
            return (0..<max(mine.count, theirs.count)).flatMap { index -> [String] in
                let place = path + "[\(index)]"
                guard index < mine.count, index < theirs.count else { return isIgnored(place) ? [] : [place] }
                return mine[index].differences(theirs[index], at: place, ignoring: isIgnored)
            }
        case (.object(let mine), .object(let theirs)):
            func place(_ name: String) -> String {
                path + "['" + name.replacing("\\", with: "\\\\").replacing("'", with: "\\'") + "']"
            }
            func counted(_ members: [Member]) -> [String] { members.map(\.name).filter { !isIgnored(place($0)) } }
            var paths: [String] = []
            for member in theirs {
                if let old = self[member.name] {
                    paths += old.differences(member.value, at: place(member.name), ignoring: isIgnored)
                } else if !isIgnored(place(member.name)) {
                    paths.append(place(member.name))
                }
            }
            return paths + counted(mine).filter { new[$0] == nil }.map(place)
        default: return [path]
        }
    }

    private static let names = ["a", "b", "it's", "\"q\"", "\\", "Ä", "list", "more"]
    private static let texts = ["", "x", "y", "\"", "\\\n", "ö€😀", "1"]

    static func random(_ random: inout SplitMix64, depth: Int = 3) -> ModelValue {
        switch Int.random(in: 0..<(depth > 0 ? 8 : 5), using: &random) {
        case 0, 1: .text(texts.randomElement(using: &random) ?? "")
        case 2: .integer(Int.random(in: -2...2, using: &random))
        case 3: .real(Double(Int.random(in: -2...2, using: &random)) / 2)
        case 4: .boolean(Bool.random(using: &random))
        case 5, 6:
            .array((0..<Int.random(in: 0..<4, using: &random)).map { _ in Self.random(&random, depth: depth - 1) })
        default: object(&random, depth: depth)
        }
    }

    static func object(_ random: inout SplitMix64, depth: Int = 3) -> ModelValue {
        let chosen = names.shuffled(using: &random).prefix(Int.random(in: 0..<6, using: &random))
        return .object(chosen.map { Member(name: $0, value: .random(&random, depth: depth - 1)) })
    }

    /// The same value with a few changes in it, or none.
    func changed(_ random: inout SplitMix64) -> ModelValue {
        switch self {
        case .array(var elements):
            if Int.random(in: 0..<4, using: &random) == 0 { elements.append(.random(&random, depth: 1)) }
            if Int.random(in: 0..<4, using: &random) == 0 { elements = elements.dropLast() }
            return .array(elements.map { $0.changed(&random) })
        case .object(var members):
            if Int.random(in: 0..<5, using: &random) == 0 { members.shuffle(using: &random) }
            if Int.random(in: 0..<5, using: &random) == 0 { members = members.dropLast() }
            if let name = Self.names.randomElement(using: &random), self[name] == nil,
                Int.random(in: 0..<4, using: &random) == 0
            {
                members.insert(
                    Member(name: name, value: .random(&random, depth: 1)),
                    at: Int.random(in: 0...members.count, using: &random))
            }
            return .object(members.map { Member(name: $0.name, value: $0.value.changed(&random)) })
        default: return Int.random(in: 0..<6, using: &random) == 0 ? .random(&random, depth: 1) : self
        }
    }
}
