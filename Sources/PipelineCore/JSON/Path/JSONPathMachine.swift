// Runs queries over an index. Each segment passes every node it selects straight to the next segment, depth first,
// which yields them in the RFC's order without a list in between. Filters are in JSONPathMachine+Filter.swift.

struct JSONPathMachine: Sendable {
    var index = JSONTape()
    /// The entries of nodes found: those of the path, followed by those of the queries in its filters.
    var found: [UInt32] = []
    var left: [UInt8] = []
    var right: [UInt8] = []
    var patterns = JSONPathPatterns()
    private let stepLimit: Int
    private var stepsLeft = 0
    private var nodeLimit = 0

    init(stepLimit: Int) { self.stepLimit = stepLimit }

    mutating func evaluate(
        _ query: JSONPathQuery, on text: Span<UInt8>, limit: Int, to nodes: inout [JSONNode]
    ) throws(JSONError) {
        try index.read(text)
        found.removeAll(keepingCapacity: true)
        stepsLeft = stepLimit + JSONPathEvaluator.stepsPerByte * text.count
        nodeLimit = JSONPathEvaluator.nodeLimit + text.count
        _ = try select(query.segments[...], from: 0, enough: max(limit, 1), text)
        for offset in found {
            let entry = index.entries[Int(offset)]
            if let kind = entry.kind { nodes.append(JSONNode(range: entry.range, kind: kind)) }
        }
    }

    mutating func spend(_ steps: Int = 1) throws(JSONError) {
        stepsLeft -= steps
        guard stepsLeft >= 0 else { throw JSONError(.tooMuchForPath, at: 0) }
    }

    /// Appends to `found` the nodes that the segments select, starting at the node, until there are enough; returns whether
    /// there are.
    mutating func select(
        _ segments: ArraySlice<JSONPathSegment>, from node: Int, enough: Int, _ text: Span<UInt8>
    ) throws(JSONError) -> Bool {
        guard let segment = segments.first else {
            guard found.count < nodeLimit else { throw JSONError(.tooMuchForPath, at: 0) }
            found.append(UInt32(node))
            return found.count >= enough
        }
        let rest = segments.dropFirst()
        guard segment.isDescendant else {
            return try children(segment.selectors, of: node, rest, enough, text)
        }
        for descendant in node..<Int(index.entries[node].next) {
            try spend()
            guard index.entries[descendant].isContainer else { continue }
            if try children(segment.selectors, of: descendant, rest, enough, text) { return true }
        }
        return false
    }

    private mutating func children(
        _ selectors: [JSONPathSelector], of node: Int, _ rest: ArraySlice<JSONPathSegment>, _ enough: Int,
        _ text: Span<UInt8>
    ) throws(JSONError) -> Bool {
        let kind = index.entries[node].kind
        guard kind == .object || kind == .array else { return false }
        for selector in selectors {
            let isEnough: Bool
            switch selector {
            case .name(let name):
                guard kind == .object else { continue }
                isEnough = try children(of: node, rest, enough, text) { machine, child in
                    let entry = machine.index.entries[child - 1]
                    return JSONString(range: entry.content, hasEscapes: entry.hasEscapes).equals(
                        name.span, in: text)
                }
            case .index(let wanted):
                guard kind == .array else { continue }
                let elements = try children(of: node)
                let position = wanted < 0 ? wanted + elements.count : wanted
                guard elements.indices.contains(position) else { continue }
                isEnough = try select(rest, from: elements[position], enough: enough, text)
            case .slice(let slice):
                guard kind == .array else { continue }
                isEnough = try select(slice, of: node, rest, enough, text)
            case .wildcard: isEnough = try children(of: node, rest, enough, text) { _, _ in true }
            case .filter(let condition):
                isEnough = try children(of: node, rest, enough, text) { machine, child throws(JSONError) in
                    try machine.holds(condition, at: child, text)
                }
            }
            if isEnough { return true }
        }
        return false
    }

    // MARK: Children

    private mutating func children(
        of node: Int, _ rest: ArraySlice<JSONPathSegment>, _ enough: Int, _ text: Span<UInt8>,
        where isWanted: (inout JSONPathMachine, _ child: Int) throws(JSONError) -> Bool
    ) throws(JSONError) -> Bool {
        let nameCount = index.entries[node].kind == .object ? 1 : 0
        var offset = node + 1
        let end = Int(index.entries[node].next)
        while offset < end {
            try spend()
            let child = offset + nameCount
            if try isWanted(&self, child), try select(rest, from: child, enough: enough, text) {
                return true
            }
            offset = Int(index.entries[child].next)
        }
        return false
    }

    private mutating func select(
        _ slice: JSONPathSlice, of node: Int, _ rest: ArraySlice<JSONPathSegment>, _ enough: Int,
        _ text: Span<UInt8>
    ) throws(JSONError) -> Bool {
        let elements = try children(of: node)
        for position in slice.indexes(count: elements.count) {
            if try select(rest, from: elements[position], enough: enough, text) { return true }
        }
        return false
    }

    /// The entries of the values in an array or an object.
    mutating func children(of node: Int) throws(JSONError) -> [Int] {
        let nameCount = index.entries[node].kind == .object ? 1 : 0
        var children: [Int] = []
        children.reserveCapacity(8)
        var child = node + 1 + nameCount
        while child < Int(index.entries[node].next) {
            try spend()
            children.append(child)
            child = Int(index.entries[child].next) + nameCount
        }
        return children
    }
}
