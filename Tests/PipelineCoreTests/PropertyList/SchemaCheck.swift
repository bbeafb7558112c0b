// Whether a value passes a JSON Schema that has only the keywords which `--describe schema` writes.

import PipelineCore

/// The tree that the tools read; tests have another one.
typealias Tree = PipelineCore.JSONTree

enum SchemaCheck {
    static func passes(_ value: Tree, _ schema: Tree) -> Bool {
        hasType(value, schema["type"]) && membersPass(value, schema) && elementsPass(value, schema)
    }

    private static func hasType(_ value: Tree, _ types: Tree?) -> Bool {
        let allowed: [String]
        switch types {
        case .string(let type)?: allowed = [type]
        case .array(let types)?: allowed = types.compactMap(\.string)
        default: return true
        }
        return names(value).contains { allowed.contains($0) }
    }

    private static func names(_ value: Tree) -> [String] {
        switch value {
        case .object: ["object"]
        case .array: ["array"]
        case .string: ["string"]
        case .boolean: ["boolean"]
        case .null: ["null"]
        case .integer: ["integer", "number"]
        case .number(let text):
            (Double(text).map { $0 == $0.rounded() } ?? false) ? ["integer", "number"] : ["number"]
        }
    }

    private static func membersPass(_ value: Tree, _ schema: Tree) -> Bool {
        guard case .object(let members) = value else { return true }
        if case .array(let required)? = schema["required"] {
            guard required.allSatisfy({ $0.string.map { member($0, of: value) != nil } ?? false }) else {
                return false
            }
        }
        return members.allSatisfy { name, value in
            (member(name, of: schema["properties"]) ?? schema["additionalProperties"]).map { passes(value, $0) }
                ?? true
        }
    }

    /// The value of the member with these very bytes as its name; to Swift, names that are composed differently are equal.
    private static func member(_ name: String, of tree: Tree?) -> Tree? {
        guard case .object(let members)? = tree else { return nil }
        return members.first { Array($0.name.utf8) == Array(name.utf8) }?.value
    }

    private static func elementsPass(_ value: Tree, _ schema: Tree) -> Bool {
        guard case .array(let elements) = value, let items = schema["items"] else { return true }
        return elements.allSatisfy { passes($0, items) }
    }
}
