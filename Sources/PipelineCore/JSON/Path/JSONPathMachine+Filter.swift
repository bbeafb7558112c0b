// Filters: conditions, comparisons and functions (RFC 9535, sections 2.3.5.2 and 2.4).

/// The value of an operand: a node of the text, or a value written in the path or computed.
enum JSONPathValue {
    case nothing
    case node(Int)
    case literal(JSONPathLiteral)
    case integer(Int)
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
        case .query(let query): return try nodes(of: query, at: node, atMost: 1, text).only
        case .value(let query): return try nodes(of: query, at: node, atMost: 2, text).only
        case .count(let query): return .integer(try nodes(of: query, at: node, atMost: .max, text).count)
        case .length(let operand): return try length(of: try value(of: operand, at: node, text), text)
        }
    }

    /// The number of nodes of a query, of which up to `limit` are looked for, and the node if there is one alone.
    private mutating func nodes(
        of query: JSONPathQuery, at node: Int, atMost limit: Int, _ text: Span<UInt8>
    ) throws(JSONError) -> (count: Int, only: JSONPathValue) {
        let base = found.count
        let enough = limit == .max ? .max : base + limit
        _ = try select(query.segments[...], from: query.isAbsolute ? 0 : node, enough: enough, text)
        defer { found.removeLast(found.count - base) }
        return (found.count - base, found.count == base + 1 ? .node(Int(found[base])) : .nothing)
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

/// Equality and order of values (RFC 9535, section 2.3.5.2.2): numbers by value, strings scalar by scalar, arrays
/// element by element, objects member by member in any order. Values of different kinds are neither equal nor
/// ordered.
extension JSONPathMachine {
    func kind(of value: JSONPathValue) -> JSONNode.Kind? {
        switch value {
        case .nothing: nil
        case .node(let node): index.entries[node].kind
        case .literal(let literal): literal.kind
        case .integer: .number
        }
    }

    mutating func equal(
        _ left: JSONPathValue, _ right: JSONPathValue, _ text: Span<UInt8>
    ) throws(JSONError) -> Bool {
        let kind = kind(of: left)
        guard kind == self.kind(of: right) else { return false }
        switch (kind, left, right) {
        case (nil, _, _): return true
        case (.object, .node(let left), .node(let right)): return try equalObjects(left, right, text)
        case (.array, .node(let left), .node(let right)): return try equalArrays(left, right, text)
        default:
            try read(left, right, text)
            return kind == .number
                ? JSONNumberOrder.between(self.left.span, self.right.span) == .equal : self.left == self.right
        }
    }

    mutating func less(
        _ left: JSONPathValue, _ right: JSONPathValue, _ text: Span<UInt8>
    ) throws(JSONError) -> Bool {
        let kind = kind(of: left)
        guard kind == self.kind(of: right), kind == .number || kind == .string else { return false }
        try read(left, right, text)
        return kind == .number
            ? JSONNumberOrder.between(self.left.span, self.right.span) == .less
            : self.left.lexicographicallyPrecedes(self.right)
    }

    // MARK: Texts

    /// Reads the texts of two scalars into `left` and `right`: strings decoded, everything else as written. UTF-8
    /// sorts like the scalars it encodes.
    mutating func read(_ left: JSONPathValue, _ right: JSONPathValue, _ text: Span<UInt8>) throws(JSONError) {
        try readLeft(left, text)
        index.read(right, of: text, into: &self.right)
        try spend(self.right.count / 16)
    }

    mutating func readLeft(_ value: JSONPathValue, _ text: Span<UInt8>) throws(JSONError) {
        index.read(value, of: text, into: &left)
        try spend(left.count / 16)
    }

    // MARK: Containers

    /// The reader's depth limit bounds the recursion.
    private mutating func equalArrays(_ left: Int, _ right: Int, _ text: Span<UInt8>) throws(JSONError) -> Bool {
        var leftPlace = left + 1
        var rightPlace = right + 1
        let leftEnd = Int(index.entries[left].next)
        let rightEnd = Int(index.entries[right].next)
        while leftPlace < leftEnd, rightPlace < rightEnd {
            try spend()
            guard try equal(.node(leftPlace), .node(rightPlace), text) else { return false }
            leftPlace = Int(index.entries[leftPlace].next)
            rightPlace = Int(index.entries[rightPlace].next)
        }
        return leftPlace == leftEnd && rightPlace == rightEnd
    }

    /// Equal if both have the same number of members, and each has its equal in the other object.
    private mutating func equalObjects(_ left: Int, _ right: Int, _ text: Span<UInt8>) throws(JSONError) -> Bool {
        guard try childCount(of: left) == childCount(of: right) else { return false }
        guard try contains(right, left, text) else { return false }
        return try contains(left, right, text)
    }

    private mutating func contains(_ object: Int, _ other: Int, _ text: Span<UInt8>) throws(JSONError) -> Bool {
        let end = Int(index.entries[object].next)
        var hint = object + 1
        var name = other + 1
        while name < Int(index.entries[other].next) {
            // Objects mostly share one order, so the search continues where the last one ended.
            guard let found = try member(like: name, in: object, from: hint, text) else { return false }
            hint = Int(index.entries[found + 1].next)
            if hint == end { hint = object + 1 }
            name = Int(index.entries[name + 1].next)
        }
        return true
    }

    /// A member of the object with the name and value of the one whose name is entry `name`. Searches from entry
    /// `start` to the object's end, then from the object's beginning to `start`.
    private mutating func member(
        like name: Int, in object: Int, from start: Int, _ text: Span<UInt8>
    ) throws(JSONError) -> Int? {
        let end = Int(index.entries[object].next)
        var position = start
        repeat {
            try spend()
            if try equalNames(name, position, text), try equal(.node(name + 1), .node(position + 1), text) {
                return position
            }
            position = Int(index.entries[position + 1].next)
            if position == end { position = object + 1 }
        } while position != start
        return nil
    }

    private mutating func equalNames(_ left: Int, _ right: Int, _ text: Span<UInt8>) throws(JSONError) -> Bool {
        let leftEntry = index.entries[left]
        let rightEntry = index.entries[right]
        guard leftEntry.hasEscapes || rightEntry.hasEscapes else {
            try spend(leftEntry.content.count / 16)
            return text.extracting(leftEntry.content).equals(text.extracting(rightEntry.content))
        }
        try read(.node(left), .node(right), text)
        return self.left == self.right
    }
}

extension JSONTape {
    /// Replaces the buffer with the value's text: a string or a name decoded, anything else as written.
    func read(_ value: JSONPathValue, of text: Span<UInt8>, into buffer: inout [UInt8]) {
        buffer.removeAll(keepingCapacity: true)
        switch value {
        case .nothing: break
        case .literal(let literal): buffer.append(contentsOf: literal.text)
        case .integer(let integer): buffer.append(contentsOf: String(integer).utf8)
        case .node(let node):
            let entry = entries[node]
            let isString = entry.kind == .string || entry.kind == nil
            let bytes = text.extracting(isString ? entry.content : entry.range)
            if entry.hasEscapes { JSONStringDecoder.append(bytes, to: &buffer) } else { buffer.append(bytes) }
        }
    }
}

/// The compiled patterns of `match` and `search`. A pattern may come from the record, so it is compiled when first
/// met, and the last few are kept.
struct JSONPathPatterns: Sendable {
    /// The number of patterns kept: more than paths have, and few enough for a linear search.
    private static let capacity = 8

    private struct Pattern: Sendable {
        let text: [UInt8]
        let isWhole: Bool
        /// Nil if the text isn't an I-Regexp or exceeds a limit of the engine: no match (RFC 9535, section 2.4.6).
        var matcher: RegexMatcher?
    }

    private var patterns: [Pattern] = []

    /// - Parameters:
    ///   - text: UTF-8.
    ///   - isWhole: whether the pattern must match the whole text, or may match anywhere in it.
    ///   - work: increased by the number of states created or visited and bytes read.
    mutating func matches(_ text: [UInt8], _ pattern: [UInt8], isWhole: Bool, work: inout Int) -> Bool {
        let position = position(of: pattern, isWhole: isWhole, &work)
        guard let before = patterns[position].matcher?.steps,
            let isMatch = patterns[position].matcher?.matches(text.span)
        else { return false }
        work += text.count + (patterns[position].matcher?.steps ?? before) - before
        return isMatch
    }

    private mutating func position(of text: [UInt8], isWhole: Bool, _ work: inout Int) -> Int {
        if let known = patterns.firstIndex(where: { $0.isWhole == isWhole && $0.text == text }) { return known }
        let pattern = Pattern(text: text, isWhole: isWhole, matcher: Self.matcher(text, isWhole: isWhole))
        work += 64 * text.count + 4 * (pattern.matcher?.program.stateCount ?? 0)
        if patterns.count == Self.capacity { patterns.removeFirst() }
        patterns.append(pattern)
        return patterns.count - 1
    }

    private static func matcher(_ text: [UInt8], isWhole: Bool) -> RegexMatcher? {
        guard let pattern = IRegexp.pattern(text.span.text, isWhole: isWhole) else { return nil }
        do throws(RegexError) {
            return RegexMatcher(try RegexProgram(pattern))
        } catch {
            return nil
        }
    }
}
