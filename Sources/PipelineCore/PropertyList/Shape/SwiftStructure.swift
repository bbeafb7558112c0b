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

/// Writes structures.
enum SwiftStructure {
    /// A member as a property.
    struct Property {
        enum Content {
            case shape(Shape)
            /// A type that is declared elsewhere.
            case type(String)
        }

        /// The member's name.
        let name: String
        let isOptional: Bool
        let content: Content
    }

    /// The lines of a structure.
    /// - Parameters:
    ///   - enclosing: the types that it is declared in.
    ///   - path: of its values in a record.
    /// - Throws: `unfit` if Swift can't tell two of the names apart.
    static func lines(
        _ name: String, _ properties: [Property], enclosing: Set<String>, path: String
    ) throws(StoreReadError) -> [String] {
        guard !properties.isEmpty else { return ["struct \(name): Codable, Sendable {}"] }
        try check(properties, path: path)
        let names = SwiftName.properties(properties.map(\.name))
        var scope = SwiftScope(enclosing: enclosing.union([name]), properties: names)
        var lines = ["struct \(name): Codable, Sendable {"]
        for (property, name) in zip(properties, names) {
            var type: String
            switch property.content {
            case .type(let declared): type = declared
            case .shape(let shape):
                type = try scope.type(of: shape, name, path: "\(path).\(property.name)")
                lines += shape.remark.map { ["    /// \($0)"] } ?? []
            }
            if property.isOptional, !type.hasSuffix("?") { type += "?" }
            lines.append("    let \(SwiftName.declared(name)): \(type)")
        }
        return lines + codingKeys(properties, names) + scope.lines + ["}"]
    }

    /// Foundation takes names for one that differ in how their characters are composed.
    private static func check(_ properties: [Property], path: String) throws(StoreReadError) {
        if properties.contains(where: { $0.name == "$null" }) { throw SwiftName.nullName(path: path) }
        var seen: Set<String> = []
        for property in properties where !seen.insert(property.name).inserted {
            throw .unfit(
                "two members are named \(property.name), in characters that are composed differently, which Swift can't tell "
                    + "apart; rename one of them", path: path)
        }
    }

    /// The names of the members, if any can't be a property's.
    private static func codingKeys(_ properties: [Property], _ names: [String]) -> [String] {
        guard zip(properties, names).contains(where: { $0.name != $1 }) else { return [] }
        let cases = zip(properties, names).map { property, name in
            let declared = "        case " + SwiftName.declared(name)
            return name == property.name ? declared : declared + " = " + literal(property.name)
        }
        return ["", "    enum CodingKeys: String, CodingKey {"] + cases + ["    }"]
    }

    /// A string literal; hidden characters are escaped.
    private static func literal(_ text: String) -> String {
        let escaped = text.replacing("\\", with: "\\\\").replacing("\"", with: "\\\"")
        return "\"\(Diagnostics.printable(escaped))\""
    }
}

extension Shape {
    /// The members of its objects as properties.
    var swiftProperties: [SwiftStructure.Property] {
        members.map {
            SwiftStructure.Property(
                name: $0.text, isOptional: $0.count < objects, content: .shape($0.shape))
        }
    }

    /// What a property's type doesn't say.
    fileprivate var remark: String? {
        if hasNullTexts { return "Nil where the text is `$null`, which Foundation reads as nil." }
        guard swiftKinds.count == 1 else { return nil }
        if arrays > 0, element?.isUnknown ?? true { return "Always empty." }
        return objects > 0 && members.isEmpty && value == nil ? "Always empty." : nil
    }

    private var isUnknown: Bool { swiftKinds.isEmpty && !hasNullTexts }
}
