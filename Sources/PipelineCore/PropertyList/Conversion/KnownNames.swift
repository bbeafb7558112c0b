// The names that the members of records have had, and their order. Records come from one program, so nearly each
// has the names of the one before; then comparing bytes is enough. Without this tree and `EncodedKeyCache` the rows
// `store-plist, to XML` and `to binary` of Benchmarks/ take 1.26 and 1.18 times as long.
//
//     {"id":1,"name":"a"}         ┌ "id": ─ "name":
//     {"id":2,"kind":7}           │      └ "kind":
//     {"name":"b"}                └ "name":
//
// A node means that the object has had all names on its path. Its children can't repeat one of them: each was
// checked when it was added.

struct KnownNames {
    /// The maximum number of nodes. Objects that all differ would fill the tree with names that never come again.
    private static let nodeLimit = 4096
    private static let branchLimit = 6
    private static let spellingLimit = 256

    private struct Node {
        /// The name as spelt, with its quotes and the colon: a range of `spellings`.
        let start: Int
        let end: Int
        let hash: UInt64
        /// The sink's note; −1 for none.
        var note: Int
        /// The first child, the next sibling, and the root of objects that are or are in the value. 0 is none.
        var firstNext = 0
        var beside = 0
        var object = 0
        var branches = 0
    }

    /// Node 0 is the position before the first member of a record.
    private var nodes = [Node(start: 0, end: 0, hash: 0, note: -1)]
    private var spellings: [UInt8] = []
    /// The node of the member read last; −1 in an object that has left the tree.
    private var current = 0
    private var outer: [Int] = []

    mutating func removeAll() {
        nodes = [Node(start: 0, end: 0, hash: 0, note: -1)]
        spellings.removeAll(keepingCapacity: true)
        current = 0
        outer.removeAll(keepingCapacity: true)
    }

    /// - Parameter isUsed: if false, all names of the record count as unknown.
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

    struct Found {
        let name: JSONString
        let hash: UInt64
        let note: Int
    }

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

    /// Adds a name that isn't yet in its object, and moves to it. If there is no room, all names up to the end of
    /// the object count as unknown.
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

    var isNew: Bool { current > 0 && nodes[current].note < 0 }

    /// - Parameter note: nil for a name that the sink has to check each time.
    mutating func note(_ note: Int?) { nodes[current].note = note ?? -1 }
}

/// The names of the open objects, to find duplicates. Most objects are small: scanning a few hashes is enough.
struct MemberNames {
    private static let scanLimit = 24

    private struct Entry {
        let hash: UInt64
        let name: JSONString
    }

    private struct Object {
        let base: Int
        var table: [UInt64: Int]?
    }

    private var entries: [Entry] = []
    private var objects: [Object] = []

    mutating func removeAll() {
        entries.removeAll(keepingCapacity: true)
        objects.removeAll(keepingCapacity: true)
    }

    @inline(__always)
    mutating func beginObject() { objects.append(Object(base: entries.count)) }

    @inline(__always)
    mutating func endObject() {
        guard let object = objects.popLast() else { return }
        entries.removeLast(entries.count - object.base)
    }

    /// Adds a name that is known not to be a duplicate.
    @inline(__always)
    mutating func insert(new name: JSONString, hash: UInt64) { entries.append(Entry(hash: hash, name: name)) }

    /// - Returns: the entry with the same hash that it replaces; nil if there is none.
    mutating func insert(_ name: JSONString, hash: UInt64) -> JSONString? {
        let level = objects.count - 1
        let found: Int?
        if entries.count - objects[level].base >= Self.scanLimit {
            found = findInTable(hash, level)
        } else {
            found = (objects[level].base..<entries.count).first { entries[$0].hash == hash }
        }
        let entry = Entry(hash: hash, name: name)
        guard let found else {
            objects[level].table?[hash] = entries.count
            entries.append(entry)
            return nil
        }
        defer { entries[found] = entry }
        return entries[found].name
    }

    /// Names that were added without a search aren't in the table yet.
    private mutating func findInTable(_ hash: UInt64, _ level: Int) -> Int? {
        var table = objects[level].table.take() ?? [:]
        for index in (objects[level].base + table.count)..<entries.count { table[entries[index].hash] = index }
        objects[level].table = table
        return table[hash]
    }
}

/// Keys as a writer encoded them. Most keys come again in every record and are then copied, not encoded again.
///
///     notes    <key>_id</key>LF<key>name</key>LF        a note's number is its index: 0, 1
struct EncodedKeyCache: ~Copyable {
    /// The notes one after another, and where each ends.
    private var bytes = ByteBuffer()
    private var ends: [Int] = [0]
    /// Where the key written last starts in the writer's bytes; nil if the key was changed and can't be noted.
    private var start: Int?

    mutating func noteStart(_ start: Int, isAsItCame: Bool) { self.start = isAsItCame ? start : nil }

    mutating func add(from written: borrowing ByteBuffer) -> Int? {
        guard let start else { return nil }
        bytes.append(written.span.extracting(start...))
        ends.append(bytes.count)
        return ends.count - 2
    }

    @inline(__always)
    func append(_ note: Int, to written: inout ByteBuffer) {
        written.append(bytes.span.extracting(ends[note]..<ends[note + 1]))
    }

    mutating func removeAll() {
        bytes.removeAll()
        ends = [0]
    }
}
