// Places in a JSON text, as a tree of the steps that lead there, so that a walk through another form of the text knows at
// each step whether it is at one of them.
//
//     $['a'], $['l'][0]     root ─ a •
//                              └── l ─ 0 •

/// A set of places.
struct JSONPlaces {
    /// A step to a member, whose name is UTF-8, or to an element.
    enum Step: Hashable {
        case name([UInt8])
        case index(Int)
    }

    private struct Node {
        var children: [Step: Int] = [:]
        var isPlace = false
    }

    /// The number of the root, which is the whole text.
    static let root = 0

    /// By their numbers.
    private var nodes = [Node()]

    var isEmpty: Bool { nodes.count == 1 && !nodes[Self.root].isPlace }

    /// The child of a node; nil if it has no places.
    func node(_ parent: Int, _ step: Step) -> Int? { nodes[parent].children[step] }

    func isPlace(_ node: Int) -> Bool { nodes[node].isPlace }

    /// Adds a place.
    mutating func insert(_ steps: some Sequence<Step>) {
        var node = Self.root
        for step in steps { node = child(node, step) }
        nodes[node].isPlace = true
    }

    private mutating func child(_ parent: Int, _ step: Step) -> Int {
        if let known = nodes[parent].children[step] { return known }
        nodes[parent].children[step] = nodes.count
        nodes.append(Node())
        return nodes.count - 1
    }

    /// Adds the places of the values that begin at some bytes of a text.
    /// - Throws: the text's first fault.
    mutating func insert(_ offsets: Set<Int>, in text: Span<UInt8>) throws(JSONError) {
        var reader = JSONReader(text)
        // For each open container: the step to its current value, and that value's node if it is known.
        var path: [(step: Step, node: Int?)] = []
        var missing = offsets.count
        while missing > 0, let token = try reader.next() {
            switch token {
            case .name(let name):
                var bytes: [UInt8] = []
                JSONStringDecoder.append(text.extracting(name.range), to: &bytes)
                path[path.count - 1] = (.name(bytes), nil)
                continue
            case .endObject, .endArray:
                path.removeLast()
                continue
            default: break
            }
            if case .index(let index)? = path.last?.step { path[path.count - 1] = (.index(index + 1), nil) }
            if offsets.contains(reader.tokenStart) {
                nodes[reach(&path)].isPlace = true
                missing -= 1
            }
            if token == .beginObject { path.append((.name([]), nil)) }
            if token == .beginArray { path.append((.index(-1), nil)) }
        }
    }

    /// The node at the end of a path. Each node is looked for once, however many places are below it.
    private mutating func reach(_ path: inout [(step: Step, node: Int?)]) -> Int {
        let first = path.lastIndex { $0.node != nil }
        var node = first.flatMap { path[$0].node } ?? Self.root
        for index in (first.map { $0 + 1 } ?? 0)..<path.count {
            node = child(node, path[index].step)
            path[index].node = node
        }
        return node
    }
}
