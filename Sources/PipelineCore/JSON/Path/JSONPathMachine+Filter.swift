// Filters: conditions, comparisons and functions (RFC 9535, sections 2.3.5.2 and 2.4).

/// The value of an operand; nil where it is nothing.
enum JSONPathValue {
    /// An entry of the tape.
    case node(Int)
    case literal(JSONPathLiteral)
}

extension JSONPathMachine {
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
        case .exists(let query): return try nodes(of: query, at: node, atMost: 1, text).count > 0
        case .comparison(let left, let comparison, let right):
            let left = try value(of: left, at: node, text)
            let right = try value(of: right, at: node, text)
            return comparison.holds(for: try order(left, right, text))
        case .pattern(let pattern, let subject, let isWhole):
            let subject = try value(of: subject, at: node, text)
            let pattern = try value(of: pattern, at: node, text)
            guard kind(of: subject) == .string, kind(of: pattern) == .string else { return false }
            try read(subject, pattern, text)
            var work = 0
            let isMatch = patterns.matches(left, right, isWhole: isWhole, work: &work)
            try spend(work / 16)
            return isMatch
        }
    }

    // MARK: Operands

    private mutating func value(
        of operand: JSONPathOperand, at node: Int, _ text: Span<UInt8>
    ) throws(JSONError) -> JSONPathValue? {
        switch operand {
        case .literal(let literal): return .literal(literal)
        case .query(let query): return try nodes(of: query, at: node, atMost: 1, text).only
        case .value(let query): return try nodes(of: query, at: node, atMost: 2, text).only
        case .count(let query): return number(try nodes(of: query, at: node, atMost: .max, text).count)
        case .length(let operand): return try length(of: try value(of: operand, at: node, text), text)
        }
    }

    /// The number of nodes of a query, of which up to `limit` are looked for, and the node if there is one alone.
    private mutating func nodes(
        of query: JSONPathQuery, at node: Int, atMost limit: Int, _ text: Span<UInt8>
    ) throws(JSONError) -> (count: Int, only: JSONPathValue?) {
        let base = found.count
        let enough = limit == .max ? .max : base + limit
        _ = try select(query.segments[...], from: query.isAbsolute ? 0 : node, enough: enough, text)
        defer { found.removeLast(found.count - base) }
        return (found.count - base, found.count == base + 1 ? .node(Int(found[base])) : nil)
    }

    /// The number of scalars in a string, elements in an array, or members in an object.
    private mutating func length(of value: JSONPathValue?, _ text: Span<UInt8>) throws(JSONError) -> JSONPathValue?
    {
        if kind(of: value) == .string {
            try read(value, nil, text)
            return number(left.reduce(0) { $1 & 0xC0 == 0x80 ? $0 : $0 + 1 })
        }
        guard case .node(let node)? = value, index.entries[node].isContainer else { return nil }
        return number(try children(of: node).count)
    }

    private func number(_ count: Int) -> JSONPathValue {
        .literal(JSONPathLiteral(kind: .number, text: Array("\(count)".utf8)))
    }

    private func kind(of value: JSONPathValue?) -> JSONNode.Kind? {
        switch value {
        case nil: nil
        case .node(let node): index.entries[node].kind
        case .literal(let literal): literal.kind
        }
    }

    /// Reads the texts of two values into `left` and `right`: strings decoded, everything else as written.
    private mutating func read(
        _ left: JSONPathValue?, _ right: JSONPathValue?, _ text: Span<UInt8>
    ) throws(JSONError) {
        index.read(left, of: text, into: &self.left)
        index.read(right, of: text, into: &self.right)
        try spend((self.left.count + self.right.count) / 16)
    }

    // MARK: Comparisons

    /// The order of two values (RFC 9535, section 2.3.5.2.2): numbers by value, strings scalar by scalar, arrays element
    /// by element, objects member by member in any order; nil where they are neither equal nor ordered.
    private mutating func order(
        _ left: JSONPathValue?, _ right: JSONPathValue?, _ text: Span<UInt8>
    ) throws(JSONError) -> JSONNumberOrder? {
        let kind = kind(of: left)
        guard kind == self.kind(of: right) else { return nil }
        if case (.node(let left), .node(let right)) = (left, right), index.entries[left].isContainer {
            return try areEqual(left, right, text) ? .equal : nil
        }
        try read(left, right, text)
        switch kind {
        case .number: return .between(self.left.span, self.right.span)
        case .string: return .between(texts: self.left, self.right)
        default: return self.left == self.right ? .equal : nil
        }
    }

    /// The reader's depth limit bounds the recursion.
    private mutating func areEqual(_ left: Int, _ right: Int, _ text: Span<UInt8>) throws(JSONError) -> Bool {
        let (ones, others) = (try members(of: left, text), try members(of: right, text))
        guard ones.count == others.count else { return false }
        for (one, other) in zip(ones, others) {
            guard one.name == other.name, try order(.node(one.value), .node(other.value), text) == .equal else {
                return false
            }
        }
        return true
    }

    /// The members of an object in the order of their names; the elements of an array, without names.
    private mutating func members(
        of container: Int, _ text: Span<UInt8>
    ) throws(JSONError) -> [(name: [UInt8], value: Int)] {
        let children = try children(of: container)
        guard index.entries[container].kind == .object else { return children.map { ([], $0) } }
        var members: [(name: [UInt8], value: Int)] = []
        for child in children {
            try read(.node(child - 1), nil, text)
            members.append((left, child))
        }
        return members.sorted { $0.name.lexicographicallyPrecedes($1.name) }
    }
}

extension JSONTape {
    fileprivate func read(_ value: JSONPathValue?, of text: Span<UInt8>, into buffer: inout [UInt8]) {
        buffer.removeAll(keepingCapacity: true)
        switch value {
        case nil: break
        case .literal(let literal): buffer.append(contentsOf: literal.text)
        case .node(let node):
            let entry = entries[node]
            let isString = entry.kind == .string || entry.kind == nil
            let bytes = text.extracting(isString ? entry.content : entry.range)
            if entry.hasEscapes { JSONStringDecoder.append(bytes, to: &buffer) } else { buffer.append(bytes) }
        }
    }
}
