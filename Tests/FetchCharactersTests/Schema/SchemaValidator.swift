// Checks a value by a schema: the part of JSON Schema (draft 2020-12) that the schema of descriptions uses.

import PipelineCore

/// A schema, and the definitions that it refers to.
struct SchemaValidator {
    /// What isn't checked here: a keyword, or a definition that isn't there.
    struct UnknownName: Error { let name: String }

    private static let annotations: Set<String> = [
        "$schema", "$id", "$defs", "title", "description", "format", "errorMessage", "else",
    ]

    private let root: JSONTree

    init(_ root: JSONTree) { self.root = root }

    func accepts(_ value: JSONTree) throws -> Bool { try accepts(value, by: root) }

    private func accepts(_ value: JSONTree, by schema: JSONTree) throws -> Bool {
        for keyword in schema.members where !Self.annotations.contains(keyword.name) {
            if try !accepts(value, keyword.name, keyword.value, schema) { return false }
        }
        return true
    }

    private func accepts(
        _ value: JSONTree, _ keyword: String, _ operand: JSONTree, _ schema: JSONTree
    ) throws -> Bool {
        switch keyword {
        case "$ref": return try accepts(value, by: definition(operand.string ?? ""))
        case "anyOf": return try operand.elements.contains { try accepts(value, by: $0) }
        case "allOf": return try operand.elements.allSatisfy { try accepts(value, by: $0) }
        case "oneOf": return try operand.elements.count { try accepts(value, by: $0) } == 1
        case "not": return try !accepts(value, by: operand)
        case "if": return try accepts(value, by: operand) || accepts(value, by: schema["else"] ?? .object([]))
        case "type":
            let types = operand.string.map { [$0] } ?? operand.elements.compactMap(\.string)
            return types.contains(value.type)
        case "const": return value.json == operand.json
        case "enum": return operand.elements.contains { $0.json == value.json }
        // Of patterns only a sign that the text contains.
        case "pattern": return value.string?.contains(operand.string ?? "") ?? true
        case "minLength": return Self.isOne(value.string?.unicodeScalars.count, atLeast: operand)
        case "minimum": return Self.isOne(value.integer, atLeast: operand)
        case "maximum": return Self.isOne(value.integer, atMost: operand)
        case "minItems": return value.type != "array" || Self.isOne(value.elements.count, atLeast: operand)
        case "items": return try value.elements.allSatisfy { try accepts($0, by: operand) }
        default: return try accepts(members: value, keyword, operand, schema)
        }
    }

    private func accepts(
        members value: JSONTree, _ keyword: String, _ operand: JSONTree, _ schema: JSONTree
    ) throws -> Bool {
        guard case .object(let members) = value else { return true }
        switch keyword {
        case "properties":
            return try operand.members.allSatisfy { property in
                try value[property.name].map { try accepts($0, by: property.value) } ?? true
            }
        case "additionalProperties":
            return try members.filter { schema["properties"]?[$0.name] == nil }
                .allSatisfy { try operand.boolean ?? accepts($0.value, by: operand) }
        case "required": return operand.elements.allSatisfy { value[$0.string ?? ""] != nil }
        case "minProperties": return Self.isOne(members.count, atLeast: operand)
        default: throw UnknownName(name: keyword)
        }
    }

    private func definition(_ reference: String) throws -> JSONTree {
        let name = String(reference.dropFirst("#/$defs/".count))
        guard let definition = root["$defs"]?[name] else { throw UnknownName(name: reference) }
        return definition
    }

    /// A keyword about numbers says nothing about other values.
    private static func isOne(_ number: Int?, atLeast least: JSONTree) -> Bool {
        number.map { $0 >= least.integer ?? Int.max } ?? true
    }

    private static func isOne(_ number: Int?, atMost most: JSONTree) -> Bool {
        number.map { $0 <= most.integer ?? Int.min } ?? true
    }
}

extension JSONTree {
    var members: [(name: String, value: JSONTree)] { if case .object(let members) = self { members } else { [] } }
    var elements: [JSONTree] { if case .array(let elements) = self { elements } else { [] } }

    /// The type, as schemas call it.
    fileprivate var type: String {
        switch self {
        case .object: "object"
        case .array: "array"
        case .string: "string"
        case .integer: "integer"
        case .number: "number"
        case .boolean: "boolean"
        case .null: "null"
        }
    }
}
