// Names for Swift, from those of members: as they are where Swift allows it.
//
//     name -> name    class -> `class`    image-url -> imageUrl    3d -> _3d    "" -> empty    🐭 -> member

/// Makes identifiers (The Swift Programming Language, "Lexical Structure").
package enum SwiftName {
    /// A longer name of a type is cut.
    private static let typeLength = 40

    /// Words that need backticks as the name of a property.
    private static let keywords: Set<String> = [
        "Any", "Protocol", "Self", "Type", "as", "associatedtype", "break", "case", "catch", "class", "continue",
        "default", "defer", "deinit", "do", "else", "enum", "extension", "fallthrough", "false", "fileprivate",
        "for",
        "func", "guard", "if", "import", "in", "init", "inout", "internal", "is", "let", "nil", "operator",
        "precedencegroup", "private", "protocol", "public", "repeat", "rethrows", "return", "self", "static",
        "struct",
        "subscript", "super", "switch", "throw", "throws", "true", "try", "typealias", "var", "where", "while",
    ]

    /// What the described code uses, so that no name of its own may hide it.
    static let used: Set<String> = [
        "Array", "Bool", "Codable", "CodingKey", "CodingKeys", "Data", "Date", "Decodable", "Decoder", "Dictionary",
        "Double", "Encodable", "Encoder", "Foundation", "Int", "Never", "Optional", "Sendable", "String", "Swift",
        "UInt64",
    ]

    /// Whether a type of the described code may have this name.
    package static func isFree(forType name: String) -> Bool {
        isIdentifier(name) && !keywords.contains(name) && !used.contains(name)
    }

    static func isIdentifier(_ text: String) -> Bool {
        guard let first = text.unicodeScalars.first, isHead(first) else { return false }
        return text.unicodeScalars.allSatisfy(isPart) && text != "_"
    }

    /// The name as it is written where a property or a case is declared.
    static func declared(_ name: String) -> String { keywords.contains(name) ? "`\(name)`" : name }

    /// The names of a type's properties, each different, in the order of the members.
    /// - Parameter members: their names, each different.
    static func properties(_ members: [String]) -> [String] {
        var taken = Set(members.filter(isProperty))
        return members.map { name in
            if isProperty(name) { return name }
            let property = unique(cleaned(name)) { taken.contains($0) }
            taken.insert(property)
            return property
        }
    }

    /// A type's name for what a property holds: `image_file` becomes `ImageFile`.
    /// - Parameter isTaken: whether another type has the name, or a property beside it.
    static func type(_ property: String, isTaken: (String) -> Bool) -> String {
        let words = property.split(separator: "_").map { $0.prefix(1).uppercased() + $0.dropFirst() }
        var name = String(words.joined().prefix(typeLength))
        if !isIdentifier(name) { name = "Value" + name }
        if !isFree(forType: name) || isTaken(name) { name += "Value" }
        return unique(name, isTaken)
    }

    /// The name of one of several: `films` becomes `film`. Where the rule for it isn't sure, it stays.
    static func singular(_ name: String) -> String {
        let isSure =
            name.count > 3 && name.hasSuffix("s")
            && !["ss", "us", "is", "ies", "sses", "xes", "ches", "shes", "zzes", "oes"].contains {
                name.hasSuffix($0)
            }
        return isSure ? String(name.dropLast()) : name
    }

    /// Foundation takes the text for nil, as a name too.
    static func nullName(path: String) -> StoreReadError {
        .unfit("a member is named $null, which PropertyListDecoder can't read; rename it", path: path)
    }

    private static func isProperty(_ name: String) -> Bool { isIdentifier(name) && !used.contains(name) }

    private static func cleaned(_ name: String) -> String {
        let words = String(String.UnicodeScalarView(name.unicodeScalars.map { isPart($0) ? $0 : " " }))
            .split(separator: " ")
        guard let first = words.first else { return name.isEmpty ? "empty" : "member" }
        let isAcronym = first.count > 1 && first == first.uppercased()[...]
        let start = isAcronym ? first.lowercased() : first.prefix(1).lowercased() + first.dropFirst()
        let joined = start + words.dropFirst().map { $0.prefix(1).uppercased() + $0.dropFirst() }.joined()
        return [joined, "_" + joined].first(where: isProperty) ?? "member"
    }

    private static func unique(_ name: String, _ isTaken: (String) -> Bool) -> String {
        var (candidate, number) = (name, 1)
        while isTaken(candidate) {
            number += 1
            candidate = "\(name)\(number)"
        }
        return candidate
    }

    private static func isHead(_ scalar: Unicode.Scalar) -> Bool {
        scalar == "_"
            || (scalar.isASCII ? scalar.properties.isAlphabetic : scalar.properties.isXIDStart && isPart(scalar))
    }

    /// Swift allows more, emoji among them; these are what people read as letters and digits.
    private static func isPart(_ scalar: Unicode.Scalar) -> Bool {
        scalar == "_" || scalar.properties.isXIDContinue && !scalar.properties.isDefaultIgnorableCodePoint
    }
}
