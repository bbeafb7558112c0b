// Thousands of small entries in one file: a hash table of pages. Finding one takes one read, whatever their number, and
// storing one a read and a write. No part is in memory.
//
//     page 0       the level of the table
//     page 1 …     2^level pages with entries
//
// When the page of an entry has no room, the table doubles: page p becomes p and p + 2^level, each entry stays in one of
// them, and nothing else moves. Many processes may use the file at once. If two write the same page at the
// same time, the last one wins and the other's entry is lost, as any may be. Its own digest says if an entry is
// intact.
//
// A file a note instead takes 1.3 times the processor time for 10,000 cached pictures, and five times the disk.

package import PipelineCore

/// A table in a file. Not thread-safe.
package struct NoteTable {
    private static let firstLevel = 5
    /// 4 GiB, about five million entries. Beyond that, new entries replace old ones.
    private static let lastLevel = 19
    private static let daySeconds = 86_400.0

    private let file: PageFile
    private var level: Int

    package init(_ path: String) throws(SystemError) {
        file = try PageFile(path)
        level = Self.firstLevel
        readLevel()
    }

    private mutating func readLevel() {
        let stated = page(-1).level
        // A doubled table has all its pages.
        if stated > level, stated <= Self.lastLevel, file.pageCount > 1 << stated { level = stated }
    }

    // MARK: Entries

    /// The content of an entry, if there is one. Updates the day of its last use once a day.
    package mutating func content(_ key: CacheKey, now: Double) -> [UInt8]? {
        var (number, page) = page(of: key)
        guard let slot = page.slot(of: key) else { return nil }
        let today = Self.day(now)
        if page.day(at: slot) != today {
            page.setDay(today, at: slot)
            note(&page, at: number)
        }
        return page.content(at: slot)
    }

    /// Stores an entry, and replaces an older one. Skips one that is too large.
    package mutating func keep(_ key: CacheKey, _ content: [UInt8], now: Double) throws(SystemError) {
        while true {
            var (number, page) = page(of: key)
            // Entries that moved when the table doubled go too.
            page.drop { first, _ in first == key.number || index(first) != number }
            if content.count <= NotePage.limitBytes {
                if !page.hasRoom(content.count), try grow() { continue }
                while !page.hasRoom(content.count) { page.dropOldest() }
                page.append(key, content, day: Self.day(now))
            }
            return try write(&page, at: number)
        }
    }

    package mutating func forget(_ key: CacheKey) {
        var (number, page) = page(of: key)
        if page.drop(where: { first, _ in first == key.number }) { note(&page, at: number) }
    }

    // MARK: Pages

    private func index(_ number: UInt64) -> Int { Int(number & (1 << UInt64(level) - 1)) }

    /// The page that an entry may be in, and its index.
    private mutating func page(of key: CacheKey) -> (number: Int, page: NotePage) {
        while true {
            let (known, number) = (level, index(key.number))
            let page = page(number)
            // If another process has doubled the table, entries have moved.
            if page.level > known { readLevel() }
            if level == known { return (number, page) }
        }
    }

    /// - Parameter number: from 0. -1 for the head of the file.
    private func page(_ number: Int) -> NotePage {
        var bytes = [UInt8](repeating: 0, count: PageFile.pageBytes)
        file.read(&bytes, at: number + 1)
        return NotePage(bytes)
    }

    private func write(_ page: inout NotePage, at number: Int) throws(SystemError) {
        page.level = level
        try file.write(page.bytes, at: number + 1)
    }

    /// Writes a page whose change may be lost.
    private func note(_ page: inout NotePage, at number: Int) {
        do throws(SystemError) {
            try write(&page, at: number)
        } catch {
            // The next write fails in the same way.
        }
    }

    private static func day(_ now: Double) -> Int { Int(max(0, now) / daySeconds) & 0xFFFF }
}

/// Operations on the whole table of notes: doubling it, and removing unused entries.
extension NoteTable {
    private static let blockPages = 64

    /// Doubles the table.
    /// - Returns: whether it is larger now, because of this process or another.
    private mutating func grow() throws(SystemError) -> Bool {
        guard level < Self.lastLevel else { return false }
        var table = self
        let isLarger = try file.alone { () throws(SystemError) in
            let old = table.level
            table.readLevel()
            if table.level == old { try table.double() }
            return true
        }
        level = table.level
        return isLarger ?? false
    }

    private mutating func double() throws(SystemError) {
        let count = 1 << level
        level += 1
        try eachBlock(count) { (block, start) throws(SystemError) in
            // The lower pages are written too: their level notifies other processes.
            for start in [start + count, start] { try file.write(part(of: block, from: start), at: start + 1) }
        }
        var head = NotePage([])
        try write(&head, at: -1)
    }

    /// Pages with only those of their entries that belong there now.
    private func part(of block: [UInt8], from start: Int) -> [UInt8] {
        var part: [UInt8] = []
        part.reserveCapacity(block.count)
        for number in 0..<block.count / PageFile.pageBytes {
            var page = Self.page(number, of: block)
            page.drop { first, _ in index(first) != start + number }
            page.level = level
            part += page.bytes
        }
        return part
    }

    /// Removes entries unused for more than this many days, or dated as far ahead.
    /// - Returns: false if none is left, and the file can go.
    package mutating func removeUnused(days: Int, now: Double) -> Bool {
        var isEmpty = true
        let today = Self.day(now)
        do throws(SystemError) {
            try eachBlock(1 << level) { (block, start) throws(SystemError) in
                for number in 0..<block.count / PageFile.pageBytes where !Signals.isRequested {
                    var page = Self.page(number, of: block)
                    let isChanged = page.drop { _, day in abs(today - day) > days }
                    if !page.isEmpty { isEmpty = false }
                    if isChanged { try file.write(page.bytes, at: start + number + 1) }
                }
            }
        } catch {
            return true
        }
        return !isEmpty || Signals.isRequested
    }

    private func eachBlock(
        _ count: Int, _ body: (_ block: [UInt8], _ start: Int) throws(SystemError) -> Void
    ) throws(SystemError) {
        var block = [UInt8](repeating: 0, count: min(count, Self.blockPages) * PageFile.pageBytes)
        for start in stride(from: 0, to: count, by: Self.blockPages) {
            file.read(&block, at: start + 1)
            try body(block, start)
        }
    }

    private static func page(_ number: Int, of block: [UInt8]) -> NotePage {
        NotePage(Array(block[number * PageFile.pageBytes..<(number + 1) * PageFile.pageBytes]))
    }
}

/// One page of the table of notes: entries in sequence.
///
///     "cln2" | level | 0 | end (2) | length (2) day (2) key (32) content … | length day key content … | free
///
/// Numbers are little-endian. A page that breaks these rules counts as empty.
struct NotePage {
    private static let mark = Array("cln2".utf8)
    private static let headBytes = 8
    private static let keyBytes = SHA256.count
    /// The bytes of an entry before its content.
    private static let entryHeadBytes = 4 + keyBytes
    /// The maximum size of an entry's content: six of that size fit.
    static let limitBytes = (PageFile.pageBytes - headBytes) / 6 - entryHeadBytes

    private(set) var bytes: [UInt8]
    private var end: Int

    init(_ bytes: consuming [UInt8]) {
        end = Self.headBytes
        let isPage = bytes.count == PageFile.pageBytes && bytes.starts(with: Self.mark)
        let stated = isPage ? Self.number(bytes, at: 6) : 0
        guard isPage, stated <= bytes.count, Self.isWellFormed(bytes, end: stated) else {
            self.bytes = Self.mark + [UInt8](repeating: 0, count: PageFile.pageBytes - Self.mark.count)
            set(end, at: 6)
            return
        }
        self.bytes = bytes
        end = stated
    }

    private static func isWellFormed(_ bytes: [UInt8], end: Int) -> Bool {
        var slot = headBytes
        while slot + entryHeadBytes <= end {
            let length = number(bytes, at: slot)
            guard length >= entryHeadBytes else { return false }
            slot += length
        }
        return slot == end
    }

    private static func number(_ bytes: [UInt8], at slot: Int) -> Int {
        Int(bytes[slot]) | Int(bytes[slot + 1]) << 8
    }

    private mutating func set(_ number: Int, at slot: Int) {
        bytes[slot] = UInt8(truncatingIfNeeded: number)
        bytes[slot + 1] = UInt8(truncatingIfNeeded: number >> 8)
    }

    /// The size of the table when the page was written, as a power of two. 0 for a page that was never written.
    var level: Int {
        get { Int(bytes[4]) }
        set { bytes[4] = UInt8(newValue) }
    }

    var isEmpty: Bool { end == Self.headBytes }

    func hasRoom(_ count: Int) -> Bool { bytes.count - end >= Self.entryHeadBytes + count }

    func slot(of key: CacheKey) -> Int? {
        var slot = Self.headBytes
        while slot < end {
            if bytes.span.extracting(slot + 4..<slot + Self.entryHeadBytes).equals(key.bytes.span) {
                return slot
            }
            slot += Self.number(bytes, at: slot)
        }
        return nil
    }

    func content(at slot: Int) -> [UInt8] {
        Array(bytes[slot + Self.entryHeadBytes..<slot + Self.number(bytes, at: slot)])
    }

    /// When the entry was last used, in days since 1970.
    func day(at slot: Int) -> Int { Self.number(bytes, at: slot + 2) }

    mutating func setDay(_ day: Int, at slot: Int) { set(day, at: slot + 2) }

    /// Appends an entry. There must be room for it.
    mutating func append(_ key: CacheKey, _ content: [UInt8], day: Int) {
        precondition(hasRoom(content.count) && content.count <= Self.limitBytes)
        set(Self.entryHeadBytes + content.count, at: end)
        set(day, at: end + 2)
        bytes.replaceSubrange(end + 4..<end + Self.entryHeadBytes, with: key.bytes)
        end += Self.entryHeadBytes
        bytes.replaceSubrange(end..<end + content.count, with: content)
        end += content.count
        set(end, at: 6)
    }

    /// Removes entries.
    /// - Parameter isDropped: receives the first eight bytes of the key as a number, and the day of the last use.
    @discardableResult
    mutating func drop(where isDropped: (_ first: UInt64, _ day: Int) -> Bool) -> Bool {
        var dropped: [Range<Int>] = []
        var slot = Self.headBytes
        while slot < end {
            let next = slot + Self.number(bytes, at: slot)
            if isDropped(wide(at: slot + 4), day(at: slot)) { dropped.append(slot..<next) }
            slot = next
        }
        guard !dropped.isEmpty else { return false }
        for range in dropped.reversed() {
            bytes.removeSubrange(range)
            end -= range.count
        }
        bytes.append(contentsOf: repeatElement(0, count: PageFile.pageBytes - bytes.count))
        set(end, at: 6)
        return true
    }

    mutating func dropOldest() {
        var slot = Self.headBytes
        var oldest = slot
        while slot < end {
            if day(at: slot) < day(at: oldest) { oldest = slot }
            slot += Self.number(bytes, at: slot)
        }
        guard oldest < end else { return }
        let key = wide(at: oldest + 4)
        drop { first, _ in first == key }
    }

    private func wide(at slot: Int) -> UInt64 {
        var number: UInt64 = 0
        for index in (slot..<slot + 8).reversed() { number = number << 8 | UInt64(bytes[index]) }
        return number
    }
}
