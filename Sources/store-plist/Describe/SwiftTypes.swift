// A Swift structure for objects:
//
//     struct Film: Codable, Sendable {
//         let title: String
//         let imageUrl: String?
//
//         enum CodingKeys: String, CodingKey {
//             case title
//             case imageUrl = "image-url"
//         }
//     }

import PipelineCore

enum SwiftStructure {
    /// - Parameters:
    ///   - enclosing: the types that it is declared in.
    ///   - path: of its values in a record.
    static func lines(
        _ name: String, _ shape: Shape, enclosing: Set<String>, path: String
    ) throws(StoreFailure) -> [String] {
        if shape.facts.contains(.references) { throw SwiftName.reference(path: path) }
        guard !shape.members.isEmpty else { return ["struct \(name): Codable, Sendable {}"] }
        let members = shape.members.map(\.text)
        if shape.facts.contains(.nullName) { throw SwiftName.nullName(path: path) }
        // Foundation takes names for one that differ in how their characters are composed.
        var seen: Set<String> = []
        for member in members where !seen.insert(member).inserted { throw SwiftName.alike(member, path: path) }
        let names = SwiftName.properties(members)
        var scope = SwiftScope(enclosing: enclosing.union([name]), properties: names)
        var lines = ["struct \(name): Codable, Sendable {"]
        for (member, name) in zip(shape.members, names) {
            var type = try scope.type(of: member.shape, name, path: "\(path).\(member.text)")
            if member.count < shape.objects, !type.hasSuffix("?") { type += "?" }
            lines += member.shape.remark.map { ["    /// \($0)"] } ?? []
            lines.append("    let \(SwiftName.declared(name)): \(type)")
        }
        return lines + codingKeys(members, names) + scope.lines + ["}"]
    }

    private static func codingKeys(_ members: [String], _ names: [String]) -> [String] {
        guard members != names else { return [] }
        let cases = zip(members, names).map { member, name in
            let declared = "        case " + SwiftName.declared(name)
            let escaped = member.replacing("\\", with: "\\\\").replacing("\"", with: "\\\"")
            return name == member ? declared : "\(declared) = \"\(Diagnostics.printable(escaped))\""
        }
        return ["", "    enum CodingKeys: String, CodingKey {"] + cases + ["    }"]
    }
}

extension Shape {
    /// What a property's type doesn't say.
    fileprivate var remark: String? {
        if facts.contains(.nullTexts) { return "Nil where the text is `$null`, which Foundation reads as nil." }
        guard swiftKinds.count == 1 else { return nil }
        if let element, element.swiftKinds.isEmpty, !element.facts.contains(.nullTexts) { return "Always empty." }
        return objects > 0 && members.isEmpty && value == nil ? "Always empty." : nil
    }
}

/// Writes enumerations for values that may be of several kinds: `year` is 1940 in one record and "1940?" in another.
enum SwiftChoice {
    /// - Parameter kinds: two or more, in the order in which to try them.
    static func lines(
        _ name: String, _ shape: Shape, _ kinds: [SwiftKind], enclosing: Set<String>, path: String
    ) throws(StoreFailure) -> [String] {
        var scope = SwiftScope(enclosing: enclosing.union([name]))
        let cases = try kinds.map { (kind) throws(StoreFailure) in
            let property = kind == .list ? "elements" : "\(kind)"
            return (name: "\(kind)", type: try scope.type(kind, of: shape, property, path: path))
        }
        return ["enum \(name): Codable, Sendable {"] + cases.map { "    case \($0.name)(\($0.type))" }
            + ["", "    init(from decoder: any Decoder) throws {"] + decoding(cases)
            + ["    }", "", "    func encode(to encoder: any Encoder) throws {"] + encoding(cases) + ["    }"]
            + scope.lines + ["}"]
    }

    /// The last type says what is wrong with a value that is of none.
    private static func decoding(_ cases: [(name: String, type: String)]) -> [String] {
        var lines = ["        let container = try decoder.singleValueContainer()"]
        for (index, (name, type)) in cases.enumerated() {
            let isLast = index == cases.count - 1
            lines += [
                "        \(index == 0 ? "" : "} else ")"
                    + (isLast ? "{" : "if let value = try? container.decode(\(type).self) {"),
                "            self = .\(name)(\(isLast ? "try container.decode(\(type).self)" : "value"))",
            ]
        }
        return lines + ["        }"]
    }

    private static func encoding(_ cases: [(name: String, type: String)]) -> [String] {
        ["        var container = encoder.singleValueContainer()", "        switch self {"]
            + cases.map { "        case .\($0.name)(let value): try container.encode(value)" } + ["        }"]
    }
}

/// A kind of value that Swift tells from others, in the order in which a value that may be of several kinds is tried.
enum SwiftKind: Int, CaseIterable {
    case flag, integer, unsigned, real, date, data, text, list, object, dictionary
}

extension Shape {
    /// The kinds of its values, of which none is held by another: integers are reals where each of them can be one exactly.
    var swiftKinds: [SwiftKind] {
        var kinds = facts
        if kinds.contains(Facts(.real)), !facts.contains(.integersInexactAsReals) {
            kinds.subtract([Facts(.integer), Facts(.unsigned)])
        }
        if kinds.contains(Facts(.unsigned)), !facts.contains(.negativeIntegers) { kinds.remove(Facts(.integer)) }
        if element != nil { kinds.insert(Facts(.list)) }
        if objects > 0 { kinds.insert(Facts(value == nil ? .object : .dictionary)) }
        return SwiftKind.allCases.filter { kinds.contains(Facts($0)) }
    }
}

/// What the declarations in a type share: the names that are taken there, and the types declared in it.
struct SwiftScope {
    /// How deep types may be declared within one another: the time that the compiler takes doubles with every two levels.
    private static let depthLimit = 16

    /// Types that enclose it, and itself.
    private let enclosing: Set<String>
    /// The names of its properties and of the types declared in it.
    private var taken: Set<String>
    private var declarations: [[String]] = []

    init(enclosing: Set<String>, properties: [String] = []) {
        self.enclosing = enclosing
        taken = Set(properties)
    }

    /// The type of values, declared here if Swift has none for them.
    /// - Parameter property: what the type's name is made of.
    mutating func type(of shape: Shape, _ property: String, path: String) throws(StoreFailure) -> String {
        if let type = shape.declaredType { return type }
        let kinds = shape.swiftKinds
        let type: String
        if kinds.count > 1 {
            let name = try typeName(property, path: path)
            declarations.append(try SwiftChoice.lines(name, shape, kinds, enclosing: enclosing, path: path))
            type = name
        } else if let kind = kinds.first {
            type = try self.type(kind, of: shape, property, path: path)
        } else {
            type = "String"
        }
        return shape.facts.isDisjoint(with: [.nullTexts, .nulls]) ? type : type + "?"
    }

    mutating func type(
        _ kind: SwiftKind, of shape: Shape, _ property: String, path: String
    ) throws(StoreFailure) -> String {
        let one = SwiftName.singular(property)
        switch kind {
        case .flag: return "Bool"
        case .integer: return "Int"
        case .unsigned: return "UInt64"
        case .real: return "Double"
        case .date: return "Date"
        case .data: return "Data"
        case .text: return "String"
        case .list: return "[\(try type(of: shape.element ?? Shape(), one, path: path + "[*]"))]"
        case .dictionary:
            if shape.facts.contains(.nullKey) { throw SwiftName.nullName(path: path) }
            if shape.facts.contains(.alikeKeys) { throw SwiftName.alike("the same", path: path) }
            return "[String: \(try type(of: shape.value ?? Shape(), one, path: path + "[*]"))]"
        // A type without properties would take any value.
        case .object: if shape.members.isEmpty { return "[String: String]" }
        }
        let name = try typeName(property, path: path)
        declarations.append(try SwiftStructure.lines(name, shape, enclosing: enclosing, path: path))
        return name
    }

    private mutating func typeName(_ property: String, path: String) throws(StoreFailure) -> String {
        guard enclosing.count < Self.depthLimit else {
            throw .unfit("expected at most \(Self.depthLimit) types within one another to describe", path: path)
        }
        let name = SwiftName.type(property, besides: enclosing.union(taken))
        taken.insert(name)
        return name
    }

    /// To be written before the closing brace.
    var lines: [String] { declarations.flatMap { [""] + $0 }.map { $0.isEmpty ? "" : "    " + $0 } }
}

/// Makes identifiers (The Swift Programming Language, "Lexical Structure") of the names of members.
///
///     name -> name    class -> `class`    image-url -> imageUrl    3d -> _3d    "" -> empty    🐭 -> member
enum SwiftName {
    /// A longer name of a type is cut.
    private static let typeLength = 40

    /// Words that need backticks as the name of a property.
    private static let keywords: Set<String> = [
        "Any", "Protocol", "Self", "Type", "as", "associatedtype", "break", "case", "catch", "class", "continue",
        "default", "defer", "deinit", "do", "else", "enum", "extension", "fallthrough", "false", "fileprivate",
        "for", "func", "guard", "if", "import", "in", "init", "inout", "internal", "is", "let", "nil", "operator",
        "precedencegroup", "private", "protocol", "public", "repeat", "rethrows", "return", "self", "static",
        "struct", "subscript", "super", "switch", "throw", "throws", "true", "try", "typealias", "var", "where",
        "while",
    ]

    /// What the described code uses, so that no name of its own may hide it.
    static let used: Set<String> = [
        "Array", "Bool", "Codable", "CodingKey", "CodingKeys", "Data", "Date", "Decodable", "Decoder", "Dictionary",
        "Double", "Encodable", "Encoder", "Foundation", "Int", "Never", "Optional", "Sendable", "String", "Swift",
        "UInt64",
    ]

    static func isFree(forType name: String) -> Bool {
        isIdentifier(name) && !keywords.contains(name) && !used.contains(name)
    }

    static func isIdentifier(_ text: String) -> Bool {
        guard let first = text.unicodeScalars.first, isHead(first) else { return false }
        return text.unicodeScalars.allSatisfy(isPart) && text != "_"
    }

    static func declared(_ name: String) -> String { keywords.contains(name) ? "`\(name)`" : name }

    /// In the order of the members; like these, each is different.
    static func properties(_ members: [String]) -> [String] {
        var taken = Set(members.filter(isProperty))
        return members.map { name in
            if isProperty(name) { return name }
            let property = unique(cleaned(name), besides: taken)
            taken.insert(property)
            return property
        }
    }

    /// A type's name for what a property holds: `image_file` becomes `ImageFile`.
    /// - Parameter taken: the names of other types, and of properties beside it.
    static func type(_ property: String, besides taken: Set<String>) -> String {
        let words = property.split(separator: "_").map { $0.prefix(1).uppercased() + $0.dropFirst() }
        var name = String(words.joined().prefix(typeLength))
        if !isIdentifier(name) { name = "Value" + name }
        if !isFree(forType: name) || taken.contains(name) { name += "Value" }
        return unique(name, besides: taken)
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
    static func nullName(path: String) -> StoreFailure {
        .unfit("a member is named $null, which PropertyListDecoder can't read; rename it", path: path)
    }

    /// In XML an archive of NSKeyedArchiver refers to its objects so.
    static func reference(path: String) -> StoreFailure {
        .unfit(
            "an object has the one member CF$UID, a number, which PropertyListDecoder takes for a reference in XML; "
                + "rename it, or store it with --format binary", path: path)
    }

    static func alike(_ name: String, path: String) -> StoreFailure {
        .unfit(
            "two members are named \(name), in characters that are composed differently, which Swift can't tell "
                + "apart; rename one of them", path: path)
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

    private static func unique(_ name: String, besides taken: Set<String>) -> String {
        var (candidate, number) = (name, 1)
        while taken.contains(candidate) {
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
