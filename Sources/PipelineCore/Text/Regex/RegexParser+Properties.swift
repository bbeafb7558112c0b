// `\pL`, `\p{Lu}`, `\p{Greek}`, `\p{Script=Greek}`, `\p{gc=Lu}`, `\p{^Lu}`, and `\P` for the opposite. Names match
// loosely: case, spaces, hyphens, underscores and a leading "Is" are ignored (UAX 44, LM3).

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
        return try property(name, isNegated: isNegated, escapedAt: offset)
    }

    private mutating func property(_ name: String, isNegated: Bool, escapedAt offset: Int) throws(RegexError)
        -> ScalarSet
    {
        let key = "\(isNegated ? "P" : "p")\(flags.ignoresCase ? "i" : "")\(name)"
        if let known = properties[key] { return known }
        let isInverted = isNegated != name.hasPrefix("^")
        guard let named = Self.lookUp(name.hasPrefix("^") ? String(name.dropFirst()) : name) else {
            throw RegexError(reason: .unknownProperty(Self.shown(name)), offset: offset)
        }
        let set = inCase(named)
        let result = isInverted ? set.inverted : set
        properties[key] = result
        return result
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
