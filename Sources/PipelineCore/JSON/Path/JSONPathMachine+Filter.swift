// Filters: conditions, comparisons and functions (RFC 9535, sections 2.3.5.2 and 2.4).

/// The value of an operand: a node of the text, or a value written in the path or computed.
enum JSONPathValue {
    case nothing
    case node(Int)
    case literal(JSONPathLiteral)
    case integer(Int)
}

extension JSONPathMachine {
    /// Whether the condition holds for the node.
    mutating func holds(
        _ condition: JSONPathCondition, at node: Int, _ text: Span<UInt8>
    ) throws(JSONError) -> Bool {
        try spend()
        switch condition {
        case .any(let parts):
            for part in parts where try holds(part, at: node, text) { return true }
            return false
        case .all(let parts):
            for part in parts where try !holds(part, at: node, text) { return false }
            return true
        case .not(let part): return try !holds(part, at: node, text)
        case .exists(let query): return try self.count(query, at: node, atMost: 1, text) > 0
        case .comparison(let leftOperand, let comparison, let rightOperand):
            let left = try value(of: leftOperand, at: node, text)
            let right = try value(of: rightOperand, at: node, text)
            return try holds(left, comparison, right, text)
        case .pattern(let pattern): return try holds(pattern, at: node, text)
        }
    }

    private mutating func holds(
        _ left: JSONPathValue, _ comparison: JSONPathOperator, _ right: JSONPathValue, _ text: Span<UInt8>
    ) throws(JSONError) -> Bool {
        switch comparison {
        case .equal: try equal(left, right, text)
        case .notEqual: try !equal(left, right, text)
        case .less: try less(left, right, text)
        case .greater: try less(right, left, text)
        case .lessOrEqual: if try less(left, right, text) { true } else { try equal(left, right, text) }
        case .greaterOrEqual: if try less(right, left, text) { true } else { try equal(left, right, text) }
        }
    }

    private mutating func holds(
        _ pattern: JSONPathPattern, at node: Int, _ text: Span<UInt8>
    ) throws(JSONError) -> Bool {
        let subject = try value(of: pattern.text, at: node, text)
        let expression = try value(of: pattern.pattern, at: node, text)
        guard kind(of: subject) == .string, kind(of: expression) == .string else { return false }
        try read(subject, expression, text)
        var work = 0
        let isMatch = patterns.matches(left, right, isWhole: pattern.isWhole, work: &work)
        try spend(work / 16)
        return isMatch
    }

    // MARK: Operands

    private mutating func value(
        of operand: JSONPathOperand, at node: Int, _ text: Span<UInt8>
    ) throws(JSONError) -> JSONPathValue {
        switch operand {
        case .literal(let literal): return .literal(literal)
        case .query(let query): return try self.node(of: query, at: node, atMost: 1, text)
        case .value(let query): return try self.node(of: query, at: node, atMost: 2, text)
        case .count(let query): return .integer(try count(query, at: node, atMost: .max, text))
        case .length(let operand): return try length(of: try value(of: operand, at: node, text), text)
        }
    }

    /// The number of nodes of a query. The nodes are discarded.
    private mutating func count(
        _ query: JSONPathQuery, at node: Int, atMost limit: Int, _ text: Span<UInt8>
    ) throws(JSONError) -> Int {
        let base = found.count
        let enough = limit == .max ? .max : base + limit
        _ = try select(query.segments[...], from: query.isAbsolute ? 0 : node, enough: enough, text)
        let count = found.count - base
        found.removeLast(count)
        return count
    }

    /// The first node of a query, of which up to `limit` are looked for; nothing if there is more than one.
    private mutating func node(
        of query: JSONPathQuery, at node: Int, atMost limit: Int, _ text: Span<UInt8>
    ) throws(JSONError) -> JSONPathValue {
        let base = found.count
        _ = try select(query.segments[...], from: query.isAbsolute ? 0 : node, enough: base + limit, text)
        let count = found.count - base
        let value: JSONPathValue = count == 1 ? .node(Int(found[base])) : .nothing
        found.removeLast(count)
        return value
    }

    /// The number of scalars in a string, elements in an array, or members in an object.
    private mutating func length(of value: JSONPathValue, _ text: Span<UInt8>) throws(JSONError) -> JSONPathValue {
        switch (kind(of: value), value) {
        case (.string, _):
            try readLeft(value, text)
            return .integer(left.reduce(0) { $1 & 0xC0 == 0x80 ? $0 : $0 + 1 })
        case (.array, .node(let node)), (.object, .node(let node)): return .integer(try childCount(of: node))
        default: return .nothing
        }
    }
}
