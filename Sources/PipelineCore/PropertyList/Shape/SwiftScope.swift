// The inside of a Swift type that is being written: the names that are taken there, and the types declared in it.

/// What the declarations in a type share.
struct SwiftScope {
    /// How deep types may be declared within one another: the time that the compiler takes doubles with every two levels.
    private static let depthLimit = 16

    /// Types that enclose it, and itself.
    private let enclosing: Set<String>
    /// The names of its properties and of the types declared in it.
    private var taken: Set<String>
    /// The types declared in it, as lines.
    private var declarations: [[String]] = []

    init(enclosing: Set<String>, properties: [String] = []) {
        self.enclosing = enclosing
        taken = Set(properties)
    }

    /// The type of values, declared here if Swift has none for them.
    /// - Parameters:
    ///   - property: what the type's name is made of.
    ///   - path: of the values in a record, for messages.
    mutating func type(of shape: Shape, _ property: String, path: String) throws(StoreReadError) -> String {
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
        return shape.hasNullTexts ? type + "?" : type
    }

    /// The type of values of one kind.
    mutating func type(
        _ kind: SwiftKind, of shape: Shape, _ property: String, path: String
    ) throws(StoreReadError) -> String {
        if let type = kind.type { return type }
        let one = SwiftName.singular(property)
        switch kind {
        case .list: return "[\(try type(of: shape.element ?? Shape(), one, path: path + "[*]"))]"
        case .dictionary:
            if shape.hasNullKey { throw SwiftName.nullName(path: path) }
            return "[String: \(try type(of: shape.value ?? Shape(), one, path: path + "[*]"))]"
        // A type without properties would take any value.
        default: if shape.members.isEmpty { return "[String: String]" }
        }
        let name = try typeName(property, path: path)
        declarations.append(
            try SwiftStructure.lines(name, shape.swiftProperties, enclosing: enclosing, path: path))
        return name
    }

    private mutating func typeName(_ property: String, path: String) throws(StoreReadError) -> String {
        guard enclosing.count < Self.depthLimit else {
            throw .unfit("expected at most \(Self.depthLimit) types within one another to describe", path: path)
        }
        let name = SwiftName.type(property) { enclosing.contains($0) || taken.contains($0) }
        taken.insert(name)
        return name
    }

    /// The declared types, to be written before the closing brace.
    var lines: [String] { declarations.flatMap { [""] + $0 }.map { $0.isEmpty ? "" : "    " + $0 } }
}
