// The locations of the values in a JSON text, in one flat list that is reused from record to record.
//
//     {"a":[1,2],"b":3}      0 object, next 7
//                            1 name a   2 array, next 5   3 number   4 number   5 name b   6 number
//
// `next` is the entry past a value and everything in it, so children are found by jumps, and the descendants of a
// value are the entries between it and its `next`, in the RFC's order.

/// The index of one JSON text: 16 bytes for each value and each name.
struct JSONTape: Sendable {
    /// A longer text can't be indexed; in bytes.
    static let limitBytes = Int(UInt32.max)

    struct Entry: Sendable {
        /// The offset of the value or the name, including its quotes.
        let start: UInt32
        var end: UInt32
        /// The entry after everything in this one.
        var next: UInt32
        /// Nil for a name, whose value is the next entry.
        let kind: JSONNode.Kind?
        let hasEscapes: Bool

        var range: Range<Int> { Int(start)..<Int(end) }
        /// A string's or a name's bytes between its quotes.
        var content: Range<Int> { Int(start) + 1..<Int(end) - 1 }
        var isContainer: Bool { kind == .object || kind == .array }
    }

    private(set) var entries: [Entry] = []
    /// The containers still open while the text is read.
    private var open: [Int] = []

    mutating func read(_ text: Span<UInt8>) throws(JSONError) {
        guard text.count <= Self.limitBytes else { throw JSONError(.tooMuchForPath, at: Self.limitBytes) }
        entries.removeAll(keepingCapacity: true)
        open.removeAll(keepingCapacity: true)
        var reader = JSONReader(text)
        while let token = try reader.next() {
            let range = reader.tokenStart..<reader.position
            switch token {
            case .name(let name):
                append(name.range.lowerBound - 1..<name.range.upperBound + 1, nil, name.hasEscapes)
            case .string(let string): append(range, .string, string.hasEscapes)
            case .number: append(range, .number)
            case .boolean: append(range, .boolean)
            case .null: append(range, .null)
            case .beginObject: begin(range, .object)
            case .beginArray: begin(range, .array)
            case .endObject, .endArray: close(at: range.upperBound)
            }
        }
    }

    private mutating func append(_ range: Range<Int>, _ kind: JSONNode.Kind?, _ hasEscapes: Bool = false) {
        entries.append(
            Entry(
                start: UInt32(range.lowerBound), end: UInt32(range.upperBound), next: UInt32(entries.count + 1),
                kind: kind, hasEscapes: hasEscapes))
    }

    private mutating func begin(_ range: Range<Int>, _ kind: JSONNode.Kind) {
        open.append(entries.count)
        append(range, kind)
    }

    private mutating func close(at end: Int) {
        guard let offset = open.popLast() else { return }
        entries[offset].end = UInt32(end)
        entries[offset].next = UInt32(entries.count)
    }
}

/// Places in a JSON text, as a tree of the steps that lead there, so that a walk through another form of the text knows at
/// each step whether it is at one of them.
///
///     $['a'], $['l'][0]     root ─ a •
///                              └── l ─ 0 •
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
        var trail = JSONTrail()
        var missing = offsets.count
        while missing > 0, let token = try reader.next() {
            if trail.take(token), offsets.contains(reader.tokenStart) {
                insert(
                    trail.steps(in: text).map { step in
                        switch step {
                        case .name(let name): Step.name(Array(name.utf8))
                        case .index(let index): Step.index(index)
                        }
                    })
                missing -= 1
            }
            trail.enter(token)
        }
    }
}
