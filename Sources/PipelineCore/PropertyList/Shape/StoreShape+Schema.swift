// The shape of a record as JSON Schema: https://json-schema.org/draft/2020-12/json-schema-core and -validation.

extension StoreShape {
    /// The JSON Schema of one record as `--load` writes it, in lines. Every record of the store passes it.
    package var schema: String {
        let dialect = (name: "$schema", value: JSONTree.string("https://json-schema.org/draft/2020-12/schema"))
        return JSONTree.object([dialect] + (records == 0 ? [("type", .string("object"))] : record.schema)).lines
    }
}

extension Shape {
    /// The keywords of its schema; none for the elements of arrays that are all empty.
    fileprivate var schema: [(name: String, value: JSONTree)] {
        var keywords: [(name: String, value: JSONTree)] = []
        let types = schemaTypes.map(JSONTree.string)
        if let type = types.first { keywords.append(("type", types.count == 1 ? type : .array(types))) }
        if hasDates, !hasText, !hasData { keywords.append(("format", .string("date-time"))) }
        if hasData, !hasText, !hasDates { keywords.append(("contentEncoding", .string("base64"))) }
        if !members.isEmpty {
            keywords.append(("properties", .object(members.map { ($0.text, .object($0.shape.schema)) })))
        }
        let required = members.filter { $0.count == objects }.map { JSONTree.string($0.text) }
        if !required.isEmpty { keywords.append(("required", .array(required))) }
        if let value { keywords.append(("additionalProperties", .object(value.schema))) }
        if let items = element?.schema, !items.isEmpty { keywords.append(("items", .object(items))) }
        return keywords
    }

    /// JSON's names of the kinds.
    private var schemaTypes: [String] {
        var types: [String] = []
        if objects > 0 { types.append("object") }
        if arrays > 0 { types.append("array") }
        if hasText || hasDates || hasData { types.append("string") }
        if hasFiniteReals { types.append("number") } else if integers.areAny { types.append("integer") }
        if hasBooleans { types.append("boolean") }
        return types
    }

    /// Whether any is a text in JSON that may be any text. `--nonfinite=text` makes texts of NaN and infinity.
    private var hasText: Bool { hasTexts || hasNullTexts || hasOtherReals }
}
