// `[a-z]`, `[^…]`, `[[:alpha:]]`, nested classes, and `&&` for intersections.

extension RegexParser {
    /// At `[` outside a class.
    mutating func wholeClass() throws(RegexError) -> ScalarSet {
        if let name = namedClassAhead() { throw error("[:\(name):] belongs inside a class; write [[:\(name):]]") }
        return try set()
    }

    /// At `[`, up to the closing `]`. A `]` that comes first is literal.
    private mutating func set() throws(RegexError) -> ScalarSet {
        let offset = index
        index += 1
        let isNegated = take("^")
        let set = try nested { parser throws(RegexError) in
            var set = try parser.operand(isFirst: true)
            while parser.take("&&") { set = set.intersection(try parser.operand(isFirst: false)) }
            return set
        }
        guard take("]") else {
            throw error("the class isn't closed; add ']', or write \\[ for a literal one", at: offset)
        }
        return isNegated ? set.inverted : set
    }

    /// One side of a `&&`, or a whole class. Single ranges are sorted together, so that a class of thousands of them isn't
    /// rebuilt for each. Named sets and nested classes have their case already; `\d`, `\s` and `\w` cover every case.
    private mutating func operand(isFirst: Bool) throws(RegexError) -> ScalarSet {
        var sets = ScalarSet()
        var ranges: [ScalarSet.Bounds] = []
        let start = index
        while let scalar = peek(), scalar != "]" || isFirst && index == start, scalar != "&" || peek(1) != "&" {
            if scalar == "[" {
                let inner = if let named = try namedSet() { named } else { try set() }
                sets = sets.union(inner)
                continue
            }
            switch try item() {
            case .set(let set): sets = sets.union(set)
            case .range(let range): ranges.append(range)
            }
        }
        return sets.union(inCase(ScalarSet(unsorted: ranges)))
    }

    /// What stands in a class, or what a backslash and the character after it mean.
    private enum Item {
        case range(ScalarSet.Bounds)
        case set(ScalarSet)

        init(_ scalar: Unicode.Scalar) { self = .range(ScalarSet.Bounds(lower: scalar.value, upper: scalar.value)) }
    }

    /// One character, a range, or an escape for a set.
    private mutating func item() throws(RegexError) -> Item {
        let offset = index
        let first = try single()
        guard peek() == "-", let next = peek(1), next != "]" else { return first }
        index += 1
        guard next != "[", case .range(let lower) = first, case .range(let upper) = try single() else {
            throw error("a range goes from one character to another; write \\- for a literal one", at: offset)
        }
        guard lower.lower <= upper.upper else {
            throw error("the range \(text(offset..<index)) is reversed; exchange its ends", at: offset)
        }
        return .range(ScalarSet.Bounds(lower: lower.lower, upper: upper.upper))
    }

    private mutating func single() throws(RegexError) -> Item {
        if take("\\b") { return Item("\u{08}") }
        guard let scalar = peek(), scalar != "\\" else { return try escaped() }
        index += 1
        return Item(scalar)
    }

    /// The name in `[:alpha:]` at `index`, including its `^`; nil if there is none.
    private func namedClassAhead() -> String? {
        guard peek() == "[", peek(1) == ":" else { return nil }
        var length = peek(2) == "^" ? 1 : 0
        while let scalar = peek(2 + length), ("a"..."z").contains(scalar) { length += 1 }
        guard peek(2 + length) == ":", peek(3 + length) == "]" else { return nil }
        return text(index + 2..<index + 2 + length)
    }

    /// The set of `[:alpha:]` or `[:^alpha:]` at `index`; nil if there is none.
    private mutating func namedSet() throws(RegexError) -> ScalarSet? {
        guard let name = namedClassAhead() else { return nil }
        guard let set = set("[" + name, NamedClasses.posix) else {
            throw error(
                "unknown class [:\(name):]; the names are alnum, alpha, ascii, blank, cntrl, digit, graph, lower, print, "
                    + "punct, space, upper, word and xdigit")
        }
        index += name.unicodeScalars.count + 4
        return set
    }

    /// A named set, which a pattern may use many times.
    /// - Parameter name: after a sign that tells kinds of names apart; a `^` before the name inverts the set.
    private mutating func set(_ name: String, _ lookUp: (String) -> ScalarSet?) -> ScalarSet? {
        let key = (flags.ignoresCase ? "i" : "") + name
        if let known = properties[key] { return known }
        let word = name.dropFirst()
        let isNegated = word.hasPrefix("^")
        guard let named = lookUp(String(isNegated ? word.dropFirst() : word)) else { return nil }
        let set = isNegated ? inCase(named).inverted : inCase(named)
        properties[key] = set
        return set
    }

    // MARK: Escapes

    /// At a backslash outside a class.
    mutating func escape() throws(RegexError) -> RegexNode {
        let assertions: [(String, RegexAssertion)] = [
            ("\\A", .textStart), ("\\z", .textEnd), ("\\b", .wordBoundary), ("\\B", .notWordBoundary),
        ]
        for (text, assertion) in assertions where take(text) { return .assertion(assertion) }
        switch try escaped() {
        case .range(let range): return .scalars(inCase(ScalarSet(range.lower)))
        case .set(let set): return .scalars(set)
        }
    }

    /// At a backslash, for escapes that mean the same inside and outside a class.
    private mutating func escaped() throws(RegexError) -> Item {
        let offset = index
        guard let scalar = peek(1) else {
            throw error("a backslash ends the pattern; write \\\\ for a literal one")
        }
        index += 2
        switch scalar {
        case "n": return Item("\n")
        case "t": return Item("\t")
        case "r": return Item("\r")
        case "f": return Item("\u{0C}")
        case "v": return Item("\u{0B}")
        case "a": return Item("\u{07}")
        case "e": return Item("\u{1B}")
        case "0":
            guard peek().map({ ("0"..."7").contains($0) }) != true else {
                throw error("octal escapes aren't known; write \\x0A or \\x{A}", at: offset)
            }
            return Item("\0")
        case "x": return Item(try number(digits: 2, escapedAt: offset))
        case "u": return Item(try number(digits: 4, escapedAt: offset))
        case "d": return .set(NamedClasses.digit)
        case "D": return .set(NamedClasses.digit.inverted)
        case "s": return .set(NamedClasses.space)
        case "S": return .set(NamedClasses.space.inverted)
        case "w": return .set(NamedClasses.word)
        case "W": return .set(NamedClasses.word.inverted)
        case "h": return .set(NamedClasses.blank)
        case "H": return .set(NamedClasses.blank.inverted)
        case "p": return .set(try property(escapedAt: offset))
        case "P": return .set(try property(escapedAt: offset).inverted)
        case "1"..."9", "k", "g":
            throw error("back-references can't be matched in linear time; write out what is repeated", at: offset)
        default: break
        }
        // GNU's \< and \> match the ends of a word; read as literals they would silently match something else.
        guard !scalar.properties.isAlphabetic, scalar != "<", scalar != ">" else {
            throw error("unknown escape \\\(scalar); write \\\\ for a backslash itself", at: offset)
        }
        return Item(scalar)
    }

    /// After `\x` or `\u`: exactly `digits` hexadecimal digits, or any number of them in braces.
    private mutating func number(digits: Int, escapedAt offset: Int) throws(RegexError) -> Unicode.Scalar {
        let isBraced = take("{")
        let start = index
        while isBraced || index < start + digits, peek()?.properties.isASCIIHexDigit == true { index += 1 }
        let hex = text(start..<index)
        guard isBraced ? take("}") : hex.utf8.count == digits,
            let scalar = UInt32(hex, radix: 16).flatMap(Unicode.Scalar.init)
        else {
            throw error(
                "a character's number is missing, not ended, or none; write \\x0A, \\x{A}, \\u000A or \\u{A}, up to "
                    + "\\x{10FFFF}", at: offset)
        }
        return scalar
    }

    // MARK: Properties

    /// `\pL`, `\p{Lu}`, `\p{Greek}`, `\p{Script=Greek}`, `\p{gc=Lu}`, `\p{^Lu}`, after `\p` or `\P`. Names match loosely:
    /// case, spaces, hyphens, underscores and a leading "Is" are ignored (UAX 44, LM3).
    private mutating func property(escapedAt offset: Int) throws(RegexError) -> ScalarSet {
        let isBraced = take("{")
        let start = index
        guard let end = isBraced ? place(of: "}") : peek().map({ _ in start + 1 }) else {
            throw error("the property's name isn't closed; write \\p{Greek} or \\pL", at: offset)
        }
        index = isBraced ? end + 1 : end
        let name = text(start..<end)
        guard let set = set("p" + name, Self.lookUp) else {
            throw error(
                "unknown property '\(name)'; write a general category, a script, Alphabetic, Lowercase, Uppercase or "
                    + "White_Space", at: offset)
        }
        return set
    }

    private static func lookUp(_ name: String) -> ScalarSet? {
        let parts = name.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false).map { part in
            String(part.lowercased().filter { $0 != " " && $0 != "-" && $0 != "_" })
        }
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
}
