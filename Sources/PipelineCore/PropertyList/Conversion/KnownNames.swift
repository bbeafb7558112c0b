// The names that the members of records have had, and in which order: records come from one program, so nearly each has
// the names of the one before. Where it has, a name needs no more than a comparison of its bytes. Without this tree and
// `EncodedKeyCache` the rows `store-plist, to XML` and `to binary` of Benchmarks/ take 1.26 and 1.18 times the time.
//
//     {"id":1,"name":"a"}         ┌ "id": ─ "name":
//     {"id":2,"kind":7}           │      └ "kind":
//     {"name":"b"}                └ "name":
//
// A node of this tree means that all the names on its path came before in the object, so that no name after it is one
// of them: it was looked at when it was added.

/// The tree, and the nodes in it of the members that are being read.
struct KnownNames {
    /// Nodes in the tree. An input whose objects are all different would fill it with what never comes again.
    private static let nodeLimit = 4096
    /// Names that may follow on the same ones.
    private static let branchLimit = 6
    private static let spellingLimit = 256

    private struct Node {
        /// The name as it is spelt with its quotes and the colon, a range of `spellings`.
        let start: Int
        let end: Int
        let hash: UInt64
        /// What the sink has noted; −1 for nothing.
        var note: Int
        /// The nodes that follow on this one and beside it; where the objects begin that are this member's value, or
        /// in it. 0 is none.
        var firstNext = 0
        var beside = 0
        var object = 0
        var branches = 0
    }

    /// Node 0 is before the first member of a record.
    private var nodes = [Node(start: 0, end: 0, hash: 0, note: -1)]
    private var spellings: [UInt8] = []
    /// The node of the member read last; −1 in an object that has left the tree.
    private var current = 0
    /// The nodes of the objects around.
    private var outer: [Int] = []

    mutating func removeAll() {
        nodes = [Node(start: 0, end: 0, hash: 0, note: -1)]
        spellings.removeAll(keepingCapacity: true)
        current = 0
        outer.removeAll(keepingCapacity: true)
    }

    /// - Parameter isUsed: otherwise all of the record's names are unknown.
    mutating func beginRecord(isUsed: Bool) {
        current = isUsed ? 0 : -1
        outer.removeAll(keepingCapacity: true)
    }

    mutating func beginObject() {
        outer.append(current)
        guard current >= 0 else { return }
        if nodes[current].object == 0 {
            guard nodes.count < Self.nodeLimit else {
                current = -1
                return
            }
            nodes.append(Node(start: 0, end: 0, hash: 0, note: -1))
            nodes[current].object = nodes.count - 1
        }
        current = nodes[current].object
    }

    mutating func endObject() { current = outer.popLast() ?? 0 }

    /// A known name that was read.
    struct Found {
        let name: JSONString
        let hash: UInt64
        let note: Int
    }

    /// Reads the next member's name if it is known to follow.
    @inline(__always)
    mutating func next(_ reader: inout JSONReader) -> Found? {
        guard current >= 0 else { return nil }
        var next = nodes[current].firstNext
        while next != 0 {
            let start = nodes[next].start
            if reader.take(name: spellings.span.extracting(start..<nodes[next].end)) {
                current = next
                let first = reader.tokenStart + 1
                let range = first..<first + nodes[next].end - start - 3
                return Found(
                    name: JSONString(range: range, hasEscapes: false), hash: nodes[next].hash,
                    note: nodes[next].note)
            }
            next = nodes[next].beside
        }
        return nil
    }

    /// Adds a name, which isn't one of those before it in its object, and goes to it; where there is no room, all names
    /// up to the end of the object count as unknown.
    mutating func add(_ name: JSONString, _ line: Span<UInt8>, hash: UInt64) {
        guard current >= 0, nodes.count < Self.nodeLimit, nodes[current].branches < Self.branchLimit,
            !name.hasEscapes, name.range.count <= Self.spellingLimit
        else {
            current = -1
            return
        }
        let start = spellings.count
        spellings.append(line.extracting(name.range.lowerBound - 1..<name.range.upperBound + 1))
        spellings.append(UInt8(ascii: ":"))
        var node = Node(start: start, end: spellings.count, hash: hash, note: -1)
        node.beside = nodes[current].firstNext
        nodes.append(node)
        nodes[current].firstNext = nodes.count - 1
        nodes[current].branches += 1
        current = nodes.count - 1
    }

    /// Whether the sink may note the name read last.
    var isNew: Bool { current > 0 && nodes[current].note < 0 }

    /// - Parameter note: nil for a name that the sink has to look at each time.
    mutating func note(_ note: Int?) { nodes[current].note = note ?? -1 }
}
