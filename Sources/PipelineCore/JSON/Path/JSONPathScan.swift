// A path of names, wildcards and indexes from the front, followed through a text's bytes in one pass.
//
// The nodes of such a path come in the order in which they stand in the text, which is the RFC's order too.

/// Follows the steps of a path.
struct JSONPathScan: ~Escapable {
    private var skimmer: JSONSkipper
    private let limit: Int

    /// - Parameters:
    ///   - record: JSON that has been checked, or will be before its nodes are used.
    ///   - limit: the number of nodes that is enough.
    @_lifetime(copy record)
    init(_ record: Span<UInt8>, limit: Int) {
        self.limit = limit
        skimmer = JSONSkipper(record)
    }

    /// Adds the nodes that the steps from `level` on find in the value that stands here, and reads that value.
    /// - Returns: false where there are enough; the value isn't read to its end then.
    @_lifetime(self: copy self)
    mutating func follow(_ steps: [JSONPathStep], from level: Int = 0, to nodes: inout [JSONNode]) -> Bool {
        guard level < steps.count else {
            if let node = skimmer.node() { nodes.append(node) }
            return nodes.count < limit
        }
        switch (steps[level], skimmer.peek()) {
        case (.name(let name), UInt8(ascii: "{")): return members(name, steps, level, &nodes)
        case (.wildcard, UInt8(ascii: "{")): return members(nil, steps, level, &nodes)
        case (.index(let index), UInt8(ascii: "[")): return elements(index, steps, level, &nodes)
        case (.wildcard, UInt8(ascii: "[")): return elements(nil, steps, level, &nodes)
        default:
            skimmer.skipValue()
            return true
        }
    }

    @_lifetime(self: copy self)
    private mutating func members(
        _ name: [UInt8]?, _ steps: [JSONPathStep], _ level: Int, _ nodes: inout [JSONNode]
    ) -> Bool {
        _ = skimmer.take(UInt8(ascii: "{"))
        while skimmer.findMember(name) {
            guard follow(steps, from: level + 1, to: &nodes) else { return false }
        }
        return true
    }

    @_lifetime(self: copy self)
    private mutating func elements(
        _ index: Int?, _ steps: [JSONPathStep], _ level: Int, _ nodes: inout [JSONNode]
    ) -> Bool {
        _ = skimmer.take(UInt8(ascii: "["))
        var position = 0
        while skimmer.findElement() {
            if index == nil || index == position {
                guard follow(steps, from: level + 1, to: &nodes) else { return false }
            } else {
                skimmer.skipValue()
            }
            position += 1
        }
        return true
    }
}
