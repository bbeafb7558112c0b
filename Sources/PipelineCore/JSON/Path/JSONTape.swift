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
