// What a description may have, as castline-source.schema.json says it: the JSON Schema (draft 2020-12) by which editors
// complete and check descriptions is the one that the tool checks them by.
//
//     "rate": {"description": "The most requests to send, …", "type": "string", "minLength": 1, "format": "rate"}
//
// It knows the keywords of JSON Schema that this file uses. A `format` is a `TextFormat`, which editors ignore. Where
// `not` refuses any value, `errorMessage` says why.

import PipelineCore

/// What one value has to be: a node of the schema.
struct DescriptionSchema: Sendable {
    typealias Members = [(name: String, value: JSONTree)]

    /// Without the references that lead to it.
    let node: JSONTree
    private let definitions: JSONTree

    static let source: DescriptionSchema = {
        let text = PackageResources.castline_source_schema_json
        guard let schema = try? JSONTree.read(text.span) else {
            preconditionFailure("the schema of descriptions isn't JSON")
        }
        return DescriptionSchema(schema, schema["$defs"] ?? .null)
    }()

    static func definition(_ name: String) -> DescriptionSchema {
        DescriptionSchema(.object([("$ref", .string("#/$defs/" + name))]), source.definitions)
    }

    private init(_ node: JSONTree, _ definitions: JSONTree) {
        var node = node
        while let name = node["$ref"]?.string?.dropFirst("#/$defs/".count) {
            node = definitions[String(name)] ?? .null
        }
        self.node = node
        self.definitions = definitions
    }

    private func part(_ node: JSONTree) -> DescriptionSchema { DescriptionSchema(node, definitions) }

    private func elements(_ keyword: String) -> [JSONTree] {
        if case .array(let elements)? = node[keyword] { elements } else { [] }
    }

    private func texts(_ keyword: String) -> [String] {
        node[keyword]?.string.map { [$0] } ?? elements(keyword).compactMap(\.string)
    }

    /// Why it has no place here, whatever it is. Nil for one that may have.
    var refusal: String? { node["not"] == nil ? nil : node["errorMessage"]?.string ?? "has no place here" }

    /// The types that it may have, as schemas call them. Empty for any.
    var types: [String] { texts("type") }

    var words: [String] { texts("enum") + texts("const") }

    var format: TextFormat? { node["format"]?.string.flatMap { TextFormat(rawValue: $0) } }

    var mayBeEmptyText: Bool { node["minLength"] == nil }

    var numbers: ClosedRange<Int> { (node["minimum"]?.integer ?? .min)...(node["maximum"]?.integer ?? .max) }

    /// Of its elements or members.
    var least: Int { (node["minItems"] ?? node["minProperties"])?.integer ?? 0 }

    var element: DescriptionSchema? { node["items"].map(part) }

    /// Without alternatives within alternatives.
    var alternatives: [DescriptionSchema] {
        guard types.isEmpty, node["anyOf"] != nil else { return [self] }
        return elements("anyOf").flatMap { part($0).alternatives }
    }

    // MARK: Objects

    var members: [(name: String, value: DescriptionSchema)] {
        guard case .object(let members)? = node["properties"] else { return [] }
        return members.map { ($0.name, part($0.value)) }
    }

    var others: DescriptionSchema? { node["additionalProperties"].flatMap { $0.boolean == nil ? part($0) : nil } }

    /// The members that it has to have, some of them unless another one has a certain value.
    func required(beside members: Members) -> [String] {
        let conditional = elements("allOf").filter { rule in
            guard case .object(let values)? = rule["if"]?["properties"] else { return true }
            return !values.allSatisfy { name, value in
                members.contains { $0.name == name && $0.value.json == value["const"]?.json }
            }
        }
        return texts("required") + conditional.compactMap { $0["else"] }.flatMap { part($0).texts("required") }
    }

    /// It has just one of these members, or at least one if it takes several.
    var places: (names: [String], takesSeveral: Bool) {
        let takesSeveral = node["oneOf"] == nil
        guard types == ["object"] else { return ([], takesSeveral) }
        let rules = elements(takesSeveral ? "anyOf" : "oneOf")
        return (rules.flatMap { part($0).texts("required") }, takesSeveral)
    }

    /// The member that tells this form of an object from others, and its value.
    var selector: (name: String, value: String)? {
        for name in texts("required") {
            if let value = node["properties"]?[name]?["const"]?.string { return (name, value) }
        }
        return nil
    }

    /// The selectors' values of all alternatives, each once.
    var selectors: [String] { alternatives.compactMap(\.selector?.value).withoutRepeats }
}

extension Array where Element: Equatable {
    var withoutRepeats: [Element] { reduce(into: []) { if !$0.contains($1) { $0.append($1) } } }
}
