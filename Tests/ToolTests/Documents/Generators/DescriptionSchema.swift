// The schema of source descriptions as a function of their declaration, in JSON Schema (draft 2020-12), so that editors
// complete and check them.

import PipelineCore
import PipelineHTTP

@testable import fetch_characters

/// Makes the schema of an object, with a definition for each object that it leads to.
struct DescriptionSchema {
    private typealias Members = [(name: String, value: JSONTree)]

    private var definitions: Members = []

    static func text(of object: DescriptionObject) -> String {
        var schema = Self()
        let head: Members = [
            ("$schema", .string("https://json-schema.org/draft/2020-12/schema")),
            ("$id", .string("castline-source.schema.json")),
            ("title", .string("Source description of castline")),
        ]
        let own = schema.members(of: object)
        return DescriptionText.text(of: .object(head + own + [("$defs", .object(schema.definitions))])) + "\n"
    }

    private mutating func members(of object: DescriptionObject) -> Members {
        var result: Members = [("description", .string(object.help)), ("type", .string("object"))]
        if !object.members.isEmpty {
            result.append(("properties", .object(object.members.map { ($0.name, property($0)) })))
        }
        result.append(("additionalProperties", object.others.map { property($0) } ?? .boolean(false)))
        let required = object.members.filter { $0.isRequired && $0.exemption == nil }
        if !required.isEmpty { result.append(("required", .array(required.map { .string($0.name) }))) }
        let exempted = object.members.compactMap(Self.requirement)
        if !exempted.isEmpty { result.append(("allOf", .array(exempted))) }
        if !object.oneOf.isEmpty {
            result.append(
                (
                    object.takesSeveral ? "anyOf" : "oneOf",
                    .array(object.oneOf.map { .object([("required", .array([.string($0)]))]) })
                ))
        }
        if !object.mayBeEmpty { result.append(("minProperties", .integer(1))) }
        return result
    }

    private mutating func property(_ member: DescriptionMember) -> JSONTree {
        .object([("description", .string(member.help))] + members(of: member.value))
    }

    /// A member that is required unless another one has a certain value.
    private static func requirement(_ member: DescriptionMember) -> JSONTree? {
        guard let exemption = member.exemption else { return nil }
        let isExempt: Members = [
            ("properties", .object([(exemption.name, .object([("const", exemption.value)]))])),
            ("required", .array([.string(exemption.name)])),
        ]
        return .object([
            ("if", .object(isExempt)), ("else", .object([("required", .array([.string(member.name)]))])),
        ])
    }

    private mutating func members(of value: DescriptionValue) -> Members {
        switch value {
        case .string(.orEmpty), .string(.targetOrEmpty): [("type", .string("string"))]
        case .string(.path):
            named("path", "A JSONPath (RFC 9535); a bare name or image.url is short for $.image.url.")
        case .string(.composed):
            named("composed-text", "A JSONPath (RFC 9535), or a text with several such as {$.id}.")
        case .string: [("type", .string("string")), ("minLength", .integer(1))]
        case .integer(let range):
            [
                ("type", .string("integer")), ("minimum", .integer(range.lowerBound)),
                ("maximum", .integer(range.upperBound)),
            ]
        case .boolean: [("type", .string("boolean"))]
        case .word(let words):
            words.count == 1 ? [("const", .string(words[0]))] : [("enum", .array(words.map { .string($0) }))]
        case .scalar: [("type", .array([.string("string"), .string("integer"), .string("boolean")]))]
        case .json: []
        case .object(let object): definition(object.name) { $0.members(of: object) }
        case .list(let element, let least):
            [("type", .string("array")), ("items", .object(members(of: element)))]
                + (least > 0 ? [("minItems", .integer(least))] : [])
        case .anyOf(let values): [("anyOf", .array(values.map { .object(members(of: $0)) }))]
        case .nothing: [("not", .object([]))]
        }
    }

    /// A text that isn't empty, under a name of its own.
    private mutating func named(_ name: String, _ help: String) -> Members {
        definition(name) { [("description", .string(help))] + $0.members(of: .text) }
    }

    /// A reference to the definition of this name, which is made the first time.
    private mutating func definition(_ name: String, _ make: (inout Self) -> Members) -> Members {
        if !definitions.contains(where: { $0.name == name }) {
            let index = definitions.count
            definitions.append((name, .null))
            definitions[index].value = .object(make(&self))
        }
        return [("$ref", .string("#/$defs/" + name))]
    }
}
