// The sets of scalars with names: general categories, scripts, and what `\d`, `\s`, `\w` and `[:alpha:]` mean.

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

    static func category(_ name: String) -> ScalarSet? {
        switch name {
        case "any": .all
        case "ascii": ScalarSet(0, 0x7F)
        case "assigned": category("cn")?.inverted
        case "l&": category("lc")
        default: set(name, in: RegexPropertyTables.categories)
        }
    }

    static func script(_ name: String) -> ScalarSet? { set(name, in: RegexPropertyTables.scripts) }

    private static func set(_ name: String, in properties: [RegexProperty]) -> ScalarSet? {
        properties.first { $0.names.bytes.text.split(separator: "|").contains { $0 == name } }?.set
    }

    /// The set of a name alone between the braces of `\p{…}`; a category takes precedence over a script.
    static func named(_ name: String) -> ScalarSet? {
        category(name) ?? script(name) ?? set(name, in: RegexPropertyTables.binary)
    }

    static func union(_ names: [String]) -> ScalarSet {
        names.reduce(ScalarSet()) { set, name in named(name).map(set.union) ?? set }
    }
}

/// `\d \s \w \h` and `[:alpha:]` as Unicode defines them (Technical Standard 18, annex C).
enum NamedClasses {
    /// `\d`: decimal digits of every script.
    static let digit = RegexProperty.union(["nd"])
    static let space = RegexProperty.union(["whitespace"])
    /// `\h`: white space within a line.
    static let blank = RegexProperty.union(["zs"]).union(ScalarSet(0x09))
    /// `\w`: letters, marks, decimal digits, connectors such as the underscore, and the joiners.
    static let word = RegexProperty.union(["alphabetic", "m", "nd", "pc", "joincontrol"])

    static func posix(_ name: String) -> ScalarSet? {
        switch name {
        case "alpha": RegexProperty.union(["alphabetic"])
        case "alnum": RegexProperty.union(["alphabetic", "nd"])
        case "ascii": ScalarSet(0, 0x7F)
        case "blank": blank
        case "cntrl": RegexProperty.union(["cc"])
        case "digit": digit
        case "graph": invisible.inverted
        case "lower": RegexProperty.union(["lowercase"])
        case "print": invisible.inverted.union(blank).intersection(RegexProperty.union(["cc"]).inverted)
        // Signs of ASCII that are symbols to Unicode are punctuation to POSIX.
        case "punct":
            RegexProperty.union(["p"]).union(RegexProperty.union(["s"]).intersection(ScalarSet(0, 0x7F)))
        case "space": space
        case "upper": RegexProperty.union(["uppercase"])
        case "word": word
        case "xdigit": ScalarSet(0x30, 0x39).union(ScalarSet(0x41, 0x46)).union(ScalarSet(0x61, 0x66))
        default: nil
        }
    }

    private static var invisible: ScalarSet { RegexProperty.union(["whitespace", "cc", "cs", "cn"]) }
}
