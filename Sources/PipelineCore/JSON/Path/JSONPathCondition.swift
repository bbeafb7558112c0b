// A parsed filter: `?@.year > 1950 && match(@.title, "The .*")`.

/// What a filter requires of a node.
indirect enum JSONPathCondition: Sendable {
    case any([JSONPathCondition])
    case all([JSONPathCondition])
    case not(JSONPathCondition)
    /// The query finds something.
    case exists(JSONPathQuery)
    case comparison(JSONPathOperand, JSONPathOperator, JSONPathOperand)
    /// `match`, `search`.
    case pattern(JSONPathPattern)
}

enum JSONPathOperator: Sendable {
    case equal, notEqual, less, lessOrEqual, greater, greaterOrEqual
}

/// What can be compared: an expression of the RFC's ValueType.
indirect enum JSONPathOperand: Sendable {
    case literal(JSONPathLiteral)
    /// The node of a singular query; the first, if duplicate names make it several.
    case query(JSONPathQuery)
    case length(JSONPathOperand)
    case count(JSONPathQuery)
    case value(JSONPathQuery)
}

/// A scalar written in the path.
struct JSONPathLiteral: Sendable {
    /// Never a container.
    let kind: JSONNode.Kind
    /// A string's text without quotes and escapes, or any other value as written.
    let text: [UInt8]
}

/// A call of `match` (the whole text) or `search` (anywhere in it).
struct JSONPathPattern: Sendable {
    let isWhole: Bool
    let text: JSONPathOperand
    let pattern: JSONPathOperand
}
