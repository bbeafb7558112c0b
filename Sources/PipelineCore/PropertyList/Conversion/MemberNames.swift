// The names of the open objects, to find duplicates. Most objects are small: scanning a few hashes is enough.

/// Remembers names, object within object.
struct MemberNames {
    /// Up to this many names are scanned; for more a table is built.
    private static let scanLimit = 24

    /// A name: its hash and where it is in the line.
    struct Entry {
        let hash: UInt64
        let name: JSONString
    }

    private var entries: [Entry] = []
    /// Where the names of each open object begin in `entries`.
    private var bases: [Int] = []
    /// From hashes to entries, for each large open object; and where its names begin.
    private var tables: [[UInt64: Int]] = []
    private var tableBases: [Int] = []

    mutating func removeAll() {
        entries.removeAll(keepingCapacity: true)
        bases.removeAll(keepingCapacity: true)
        if !tables.isEmpty {
            tables.removeAll()
            tableBases.removeAll()
        }
    }

    @inline(__always)
    mutating func beginObject() { bases.append(entries.count) }

    @inline(__always)
    mutating func endObject() {
        guard let base = bases.popLast() else { return }
        entries.removeLast(entries.count - base)
        guard !tables.isEmpty, tableBases.last == base else { return }
        tables.removeLast()
        tableBases.removeLast()
    }

    /// Adds a name that is known not to be a duplicate.
    @inline(__always)
    mutating func insert(new name: JSONString, hash: UInt64) { entries.append(Entry(hash: hash, name: name)) }

    /// Adds a name of the innermost object.
    /// - Returns: the entry with the same hash that it replaces; nil if there is none.
    mutating func insert(_ name: JSONString, hash: UInt64) -> JSONString? {
        let entry = Entry(hash: hash, name: name)
        let base = bases[bases.count - 1]
        if entries.count - base >= Self.scanLimit { return insertInTable(entry, base) }
        for index in base..<entries.count where entries[index].hash == hash {
            let earlier = entries[index].name
            entries[index] = entry
            return earlier
        }
        entries.append(entry)
        return nil
    }

    private mutating func insertInTable(_ entry: Entry, _ base: Int) -> JSONString? {
        if tableBases.last != base {
            tables.append([:])
            tableBases.append(base)
            for index in base..<entries.count { tables[tables.count - 1][entries[index].hash] = index }
        }
        let level = tables.count - 1
        if let index = tables[level][entry.hash] {
            let earlier = entries[index].name
            entries[index] = entry
            return earlier
        }
        tables[level][entry.hash] = entries.count
        entries.append(entry)
        return nil
    }
}
