// The named sets of scalars: general categories, scripts, and the sets that `\d`, `\s`, `\w` and `[:alpha:]` mean
// (Unicode Technical Standard 18, annex C).

/// A row of the tables.
struct RegexProperty: Sendable {
    /// In lower case, without spaces, hyphens and underscores; separated by vertical bars.
    let names: StaticString
    /// For each range, its distance from the end of the one before, and its length minus one.
    let packed: StaticString

    var set: ScalarSet {
        let numbers = PackedSequence.unpack(packed)
        var ranges: [ScalarSet.Bounds] = []
        ranges.reserveCapacity(numbers.count / 2)
        var last: UInt32 = 0
        for index in stride(from: 0, to: numbers.count - 1, by: 2) {
            let lower = last + numbers[index]
            last = lower + numbers[index + 1]
            ranges.append(ScalarSet.Bounds(lower: lower, upper: last))
        }
        return ScalarSet(unsorted: ranges)
    }

    /// Whether `name` is one of the names.
    private func isNamed(_ name: String) -> Bool {
        names.bytes.text.split(separator: "|").contains { $0 == name }
    }

    /// The general categories composed of others, with the letter that those begin with.
    private static let groups: [(names: [String], letters: String)] = [
        (["l", "letter"], "l"), (["m", "mark", "combiningmark"], "m"), (["n", "number"], "n"),
        (["p", "punctuation", "punct"], "p"), (["s", "symbol"], "s"), (["z", "separator"], "z"),
        (["c", "other"], "c"),
    ]

    /// The set of a general category; nil if the name isn't one.
    static func category(_ name: String) -> ScalarSet? {
        if let row = RegexPropertyTables.categories.first(where: { $0.isNamed(name) }) { return row.set }
        switch name {
        case "any": return .all
        case "ascii": return ScalarSet(0, 0x7F)
        case "assigned": return category("cn")?.inverted
        case "lc", "l&", "casedletter": return union(["lu", "ll", "lt"])
        default: break
        }
        guard let group = groups.first(where: { $0.names.contains(name) }) else { return nil }
        let members = RegexPropertyTables.categories.filter { $0.names.bytes.text.hasPrefix(group.letters) }
        return members.reduce(ScalarSet()) { $0.union($1.set) }
    }

    /// The set of a script; nil if the name isn't one.
    static func script(_ name: String) -> ScalarSet? {
        RegexPropertyTables.scripts.first { $0.isNamed(name) }?.set
    }

    /// The set of a binary property; nil if the name isn't one.
    static func binary(_ name: String) -> ScalarSet? {
        RegexPropertyTables.binary.first { $0.isNamed(name) }?.set
    }

    /// The set of a name alone between the braces of `\p{…}`; a category takes precedence over a script.
    static func named(_ name: String) -> ScalarSet? {
        category(name) ?? script(name) ?? binary(name)
    }

    static func union(_ names: [String]) -> ScalarSet {
        names.reduce(ScalarSet()) { set, name in named(name).map(set.union) ?? set }
    }
}
