// `[a-z]`, `[^…]`, `[[:alpha:]]`, nested classes, and `&&` for intersections.

extension RegexParser {
    /// At `[` outside a class.
    mutating func parseClass() throws(RegexError) {
        if let name = namedClassAhead() { throw RegexError(reason: .bareNamedClass(name), offset: index) }
        append(.scalars(try parseSet(depth: open.count)))
    }

    /// At `[`; reads up to the closing `]`. A `]` that comes first is literal.
    private mutating func parseSet(depth: Int) throws(RegexError) -> ScalarSet {
        let offset = index
        guard depth < Self.nestingLimit else {
            throw RegexError(reason: .nestedTooDeep, offset: offset)
        }
        index += 1
        let isNegated = peek() == "^"
        if isNegated { index += 1 }
        var operand = ClassOperand()
        var whole: ScalarSet?
        var isFirst = true
        while let scalar = peek() {
            if scalar == "]", !isFirst {
                index += 1
                let set = intersection(whole, completed(operand))
                return isNegated ? set.inverted : set
            }
            isFirst = false
            if scalar == "&", peek(1) == "&" {
                index += 2
                whole = intersection(whole, completed(operand))
                operand = ClassOperand()
            } else if scalar == "[" {
                if let set = try namedSet() {
                    operand.add(set)
                } else {
                    operand.add(try parseSet(depth: depth + 1))
                }
            } else {
                try parseItem(into: &operand)
            }
        }
        throw RegexError(reason: .unclosedClass, offset: offset)
    }

    /// Named sets and nested classes were completed when they were read; `\d`, `\s` and `\w` cover every case.
    private mutating func completed(_ operand: ClassOperand) -> ScalarSet {
        operand.sets.union(inCase(ScalarSet(unsorted: operand.ranges)))
    }

    private func intersection(_ left: ScalarSet?, _ right: ScalarSet) -> ScalarSet {
        left.map { $0.intersection(right) } ?? right
    }

    /// One character, a range, or an escape for a set.
    private mutating func parseItem(into operand: inout ClassOperand) throws(RegexError) {
        let offset = index
        let first = try parseClassAtom()
        guard peek() == "-", let next = peek(1), next != "]" else {
            switch first {
            case .scalar(let scalar): operand.add(scalar, scalar)
            case .set(let set): operand.add(set)
            }
            return
        }
        index += 1
        guard next != "[", case .scalar(let lower) = first, case .scalar(let upper) = try parseClassAtom() else {
            throw RegexError(reason: .classInRange, offset: offset)
        }
        guard lower <= upper else {
            let range = String(String.UnicodeScalarView(scalars[offset..<index]))
            throw RegexError(reason: .reversedRange(range), offset: offset)
        }
        operand.add(lower, upper)
    }

    private mutating func parseClassAtom() throws(RegexError) -> Escaped {
        let scalar = scalars[index]
        guard scalar == "\\" else {
            index += 1
            return .scalar(scalar)
        }
        guard peek(1) != "b" else {
            index += 2
            return .scalar("\u{08}")
        }
        return try parseEscaped()
    }

    /// The name in `[:alpha:]` at `index`, including its `^`; nil if there is none.
    private func namedClassAhead() -> String? {
        guard peek() == "[", peek(1) == ":" else { return nil }
        var end = index + 2
        if end < scalars.count, scalars[end] == "^" { end += 1 }
        while end < scalars.count, ("a"..."z").contains(scalars[end]) { end += 1 }
        guard end + 1 < scalars.count, scalars[end] == ":", scalars[end + 1] == "]" else { return nil }
        return String(String.UnicodeScalarView(scalars[index + 2..<end]))
    }

    /// The set of `[:alpha:]` or `[:^alpha:]` at `index`; nil if there is none.
    private mutating func namedSet() throws(RegexError) -> ScalarSet? {
        guard let name = namedClassAhead() else { return nil }
        guard let set = set("[" + name, isInverted: false, NamedClasses.posix) else {
            throw RegexError(reason: .unknownNamedClass(name), offset: index)
        }
        index += name.unicodeScalars.count + 4
        return set
    }

    /// A named set, which a pattern may use many times.
    /// - Parameter name: after a sign that tells kinds of names apart; a `^` before the name inverts the set.
    private mutating func set(_ name: String, isInverted: Bool, _ lookUp: (String) -> ScalarSet?) -> ScalarSet? {
        let key = (flags.ignoresCase ? "i" : "") + name
        if let known = properties[key] { return isInverted ? known.inverted : known }
        let word = name.dropFirst()
        let isNegated = word.hasPrefix("^")
        guard let named = lookUp(String(isNegated ? word.dropFirst() : word)) else { return nil }
        let set = isNegated ? inCase(named).inverted : inCase(named)
        properties[key] = set
        return isInverted ? set.inverted : set
    }
}

/// One side of a `&&`, or a whole class. Single ranges are collected and sorted together, so that a class of
/// thousands of them isn't rebuilt for each.
private struct ClassOperand {
    private(set) var sets = ScalarSet()
    private(set) var ranges: [ScalarSet.Bounds] = []

    mutating func add(_ lower: Unicode.Scalar, _ upper: Unicode.Scalar) {
        ranges.append(ScalarSet.Bounds(lower: lower.value, upper: upper.value))
    }

    mutating func add(_ set: ScalarSet) { sets = sets.union(set) }
}

/// `\pL`, `\p{Lu}`, `\p{Greek}`, `\p{Script=Greek}`, `\p{gc=Lu}`, `\p{^Lu}`, and `\P` for the opposite. Names match
/// loosely: case, spaces, hyphens, underscores and a leading "Is" are ignored (UAX 44, LM3).
extension RegexParser {
    /// After `\p` or `\P`.
    mutating func parseProperty(isNegated: Bool, escapedAt offset: Int) throws(RegexError) -> ScalarSet {
        guard let first = peek() else { throw RegexError(reason: .unclosedProperty, offset: offset) }
        var name = String(first)
        if first == "{" {
            guard let end = scalars[index...].firstIndex(of: "}") else {
                throw RegexError(reason: .unclosedProperty, offset: offset)
            }
            name = String(String.UnicodeScalarView(scalars[index + 1..<end]))
            index = end + 1
        } else {
            index += 1
        }
        guard let set = set("p" + name, isInverted: isNegated, Self.lookUp) else {
            throw RegexError(reason: .unknownProperty(Self.shown(name)), offset: offset)
        }
        return set
    }

    /// The name, truncated and made printable for a message.
    private static func shown(_ name: String) -> String {
        let printable = name.unicodeScalars.prefix(40).map {
            $0.properties.generalCategory == .control ? "\u{FFFD}" : $0
        }
        return String(String.UnicodeScalarView(printable))
    }

    private static func lookUp(_ name: String) -> ScalarSet? {
        let parts = name.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false).map(loose)
        guard parts.count == 2 else {
            if let set = RegexProperty.named(parts[0]) { return set }
            return parts[0].hasPrefix("is") ? RegexProperty.named(String(parts[0].dropFirst(2))) : nil
        }
        switch parts[0] {
        case "sc", "script": return RegexProperty.script(parts[1])
        case "gc", "generalcategory": return RegexProperty.category(parts[1])
        default: return nil
        }
    }

    private static func loose(_ name: Substring) -> String {
        String(name.lowercased().filter { $0 != " " && $0 != "-" && $0 != "_" })
    }
}

/// `\d \s \w \h` and `[:alpha:]` as Unicode defines them (Technical Standard 18, annex C). Each set is unpacked once
/// per process, when a pattern first uses it.
enum NamedClasses {
    /// `\d`: decimal digits of every script.
    static let digit = RegexProperty.union(["nd"])
    /// `\s`
    static let space = RegexProperty.union(["whitespace"])
    /// `\h`: white space within a line.
    static let blank = RegexProperty.union(["zs"]).union(ScalarSet(0x09))
    /// `\w`: letters, marks, decimal digits, connectors such as the underscore, and the joiners.
    static let word = RegexProperty.union(["alphabetic", "m", "nd", "pc", "joincontrol"])

    /// The set between `[:` and `:]`; nil if the name isn't one.
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
        case "punct": RegexProperty.union(["p"]).union(asciiSymbols)
        case "space": space
        case "upper": RegexProperty.union(["uppercase"])
        case "word": word
        case "xdigit": hexadecimal
        default: nil
        }
    }

    private static var invisible: ScalarSet { RegexProperty.union(["whitespace", "cc", "cs", "cn"]) }

    /// The ASCII characters that are symbols to Unicode but punctuation to POSIX.
    private static var asciiSymbols: ScalarSet {
        RegexProperty.union(["s"]).intersection(ScalarSet(0, 0x7F))
    }

    private static var hexadecimal: ScalarSet {
        ScalarSet(0x30, 0x39).union(ScalarSet(0x41, 0x46)).union(ScalarSet(0x61, 0x66))
    }
}

/// The named sets of scalars: general categories, scripts, and the sets that `\d`, `\s`, `\w` and `[:alpha:]` mean
/// (Unicode Technical Standard 18, annex C).
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
