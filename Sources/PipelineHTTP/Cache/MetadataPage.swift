// One page of the table of notes: entries in sequence.
//
//     "cln1" | level | 0 | end (2) | length (2) day (2) key (32) content … | length day key content … | free
//
// Numbers are little-endian. A page that breaks these rules counts as empty.

import PipelineCore

/// The entries of a page.
struct MetadataPage {
    private static let mark = Array("cln1".utf8)
    private static let headBytes = 8
    private static let keyBytes = SHA256.count
    /// The bytes of an entry before its content.
    private static let entryHeadBytes = 4 + keyBytes
    /// The maximum size of an entry's content: three of that size fit.
    static let limitBytes = (PageFile.pageBytes - headBytes) / 3 - entryHeadBytes

    /// The page as it is in the file.
    private(set) var bytes: [UInt8]
    /// Past the end of the last entry.
    private var end: Int

    /// - Parameter bytes: one page.
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

    /// Free bytes.
    var room: Int { bytes.count - end }

    /// The slot of an entry, nil if it isn't in this page.
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

    /// The content of the entry in a slot.
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

    /// Replaces the content of an entry with other content of the same length.
    /// - Returns: false if the length differs and nothing was changed.
    mutating func replace(_ content: [UInt8], at slot: Int, day: Int) -> Bool {
        guard Self.number(bytes, at: slot) == Self.entryHeadBytes + content.count else { return false }
        let start = slot + Self.entryHeadBytes
        bytes.replaceSubrange(start..<start + content.count, with: content)
        set(day, at: slot + 2)
        return true
    }

    /// Removes entries.
    /// - Parameter isDropped: receives the first 16 bytes of the key as two numbers, and the day of the last use.
    /// - Returns: whether any was removed.
    @discardableResult
    mutating func drop(where isDropped: (_ first: UInt64, _ second: UInt64, _ day: Int) -> Bool) -> Bool {
        var dropped: [Range<Int>] = []
        var slot = Self.headBytes
        while slot < end {
            let next = slot + Self.number(bytes, at: slot)
            if isDropped(wide(at: slot + 4), wide(at: slot + 12), day(at: slot)) { dropped.append(slot..<next) }
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

    /// Removes the least recently used entry.
    mutating func dropOldest() {
        var slot = Self.headBytes
        var oldest = slot
        while slot < end {
            if day(at: slot) < day(at: oldest) { oldest = slot }
            slot += Self.number(bytes, at: slot)
        }
        guard oldest < end else { return }
        let key = wide(at: oldest + 4)
        drop { first, _, _ in first == key }
    }

    private func wide(at slot: Int) -> UInt64 {
        var number: UInt64 = 0
        for index in (slot..<slot + 8).reversed() { number = number << 8 | UInt64(bytes[index]) }
        return number
    }
}
