// Follows a path of names, wildcards and indexes from the front in one pass over a text's bytes.
//
// It finds the nodes in the order of the text, which is the RFC's order too.

/// Follows the steps of a path.
struct JSONPathScan: ~Escapable {
    private let text: Span<UInt8>
    private var reader: JSONReader
    private let limit: Int

    /// - Parameters:
    ///   - text: checked on the way, up to the last node.
    ///   - limit: the number of nodes to stop at.
    @_lifetime(copy text)
    init(_ text: Span<UInt8>, limit: Int) {
        self.text = text
        self.limit = limit
        reader = JSONReader(text)
    }

    /// Adds the nodes that the steps from `level` on find in the next value, and reads that value.
    /// - Returns: false if the limit is reached or no value is left; the value isn't read to its end then.
    @_lifetime(self: copy self)
    mutating func follow(
        _ steps: [JSONPathStep], from level: Int = 0, to nodes: inout [JSONNode]
    ) throws(JSONError) -> Bool {
        guard let token = try reader.next() else { return false }
        return try follow(steps, from: level, in: token, to: &nodes)
    }

    /// - Parameter token: the value's first token, which was just read.
    @_lifetime(self: copy self)
    private mutating func follow(
        _ steps: [JSONPathStep], from level: Int, in token: JSONToken, to nodes: inout [JSONNode]
    ) throws(JSONError) -> Bool {
        guard level < steps.count else {
            let start = reader.tokenStart
            try reader.skipRest(of: token)
            nodes.append(JSONNode(range: start..<reader.position, kind: JSONNode.Kind(firstByte: text[start])))
            return nodes.count < limit
        }
        switch (steps[level], token) {
        case (.name(let name), .beginObject): return try members(name, steps, level, &nodes)
        case (.wildcard, .beginObject): return try members(nil, steps, level, &nodes)
        case (.index(let index), .beginArray): return try elements(index, steps, level, &nodes)
        case (.wildcard, .beginArray): return try elements(nil, steps, level, &nodes)
        default:
            try reader.skipRest(of: token)
            return true
        }
    }

    /// - Parameter wanted: nil for all members.
    @_lifetime(self: copy self)
    private mutating func members(
        _ wanted: [UInt8]?, _ steps: [JSONPathStep], _ level: Int, _ nodes: inout [JSONNode]
    ) throws(JSONError) -> Bool {
        while case .name(let name)? = try reader.next() {
            if isWanted(name, wanted) {
                guard try follow(steps, from: level + 1, to: &nodes) else { return false }
            } else if let value = try reader.next() {
                try reader.skipRest(of: value)
            }
        }
        return true
    }

    private func isWanted(_ name: JSONString, _ wanted: [UInt8]?) -> Bool {
        guard let wanted else { return true }
        let content = text.extracting(name.range)
        guard name.hasEscapes else { return content.count == wanted.count && content.equals(wanted.span) }
        return JSONStringDecoder.equals(content, wanted.span)
    }

    /// - Parameter wanted: nil for all elements.
    @_lifetime(self: copy self)
    private mutating func elements(
        _ wanted: Int?, _ steps: [JSONPathStep], _ level: Int, _ nodes: inout [JSONNode]
    ) throws(JSONError) -> Bool {
        var index = 0
        while let token = try reader.next(), token != .endArray {
            if wanted == nil || wanted == index {
                guard try follow(steps, from: level + 1, in: token, to: &nodes) else { return false }
            } else {
                try reader.skipRest(of: token)
            }
            index += 1
        }
        return true
    }
}
