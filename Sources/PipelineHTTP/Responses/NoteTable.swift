// Thousands of small entries in one file: a hash table of pages. Finding one takes one read, whatever their number, and
// storing one a read and a write. No part is in memory.
//
//     page 0       unused
//     page 1 …     a power of two of pages with entries, at least 32; what the file has beyond isn't in use yet
//
// When the page of an entry has no room, the table doubles: page p becomes p and p + the count of pages, each entry stays
// in one of them, and nothing else moves. Many processes may use the file at once. If two write the same page at the same
// time, the last one wins and the other's entry is lost, as any may be. Its own digest says if an entry is intact.
//
// A file a note instead takes 1.3 times the processor time for 10,000 cached pictures, and five times the disk.

package import PipelineCore
import Synchronization

/// A table in a file. All of its state is there.
package final class NoteTable: Sendable {
    private static let leastCount = 32
    /// 4 GiB, about five million entries. Beyond that, new entries replace old ones.
    private static let mostCount = 1 << 19
    private static let daySeconds = 86_400.0

    private let file: PageFile
    /// Held while an entry is looked for or stored, so that threads of one process lose none of each other's.
    private let lock = Mutex(())

    package init(_ path: String) throws(SystemError) { file = try PageFile(path) }

    /// The content of an entry, if there is one. Updates the day of its last use once a day.
    package func content(_ key: CacheKey, now: Double) -> [UInt8]? {
        lock.withLock { _ in
            let number = Self.index(key.number, count)
            var page = page(number)
            guard let entry = page.entry(of: key) else { return nil }
            let today = Self.day(now)
            if page.day(of: entry) != today {
                page.setDay(today, of: entry)
                write(page, at: number)
            }
            return page.content(of: entry)
        }
    }

    /// Stores an entry, and replaces an older one. Skips one that is too large.
    /// - Returns: false if it can't be written.
    @discardableResult
    package func keep(_ key: CacheKey, _ content: [UInt8], now: Double) -> Bool {
        lock.withLock { _ in
            while true {
                let count = count
                let number = Self.index(key.number, count)
                var page = page(number)
                // Entries that moved when the table doubled go too.
                page.drop { first, _ in first == key.number || Self.index(first, count) != number }
                if content.count <= NotePage.limitBytes {
                    if !page.hasRoom(content.count), grow(from: count) { continue }
                    while !page.hasRoom(content.count) { page.dropOldest() }
                    page.append(key, content, day: Self.day(now))
                }
                return write(page, at: number)
            }
        }
    }

    package func forget(_ key: CacheKey) {
        lock.withLock { _ in
            let number = Self.index(key.number, count)
            var page = page(number)
            if page.drop(where: { first, _ in first == key.number }) { write(page, at: number) }
        }
    }

    /// Removes entries unused for more than this many days, or dated as far ahead.
    /// - Returns: false if none is left, and the file can go.
    package func removeUnused(days: Int, now: Double) -> Bool {
        lock.withLock { _ in
            var isEmpty = true
            let today = Self.day(now)
            for number in 0..<count {
                if Signals.isRequested { return true }
                var page = page(number)
                if page.drop(where: { _, day in abs(today - day) > days }) { write(page, at: number) }
                isEmpty = isEmpty && page.isEmpty
            }
            return !isEmpty
        }
    }

    private static func day(_ now: Double) -> Int { Int(max(0, now) / daySeconds) & 0xFFFF }

    /// The pages in use, a power of two.
    private var count: Int {
        let written = max(file.pageCount - 1, Self.leastCount)
        return min(1 << (Int.bitWidth - 1 - written.leadingZeroBitCount), Self.mostCount)
    }

    /// The page of an entry in a table of so many.
    private static func index(_ number: UInt64, _ count: Int) -> Int {
        Int(truncatingIfNeeded: number) & (count - 1)
    }

    private func page(_ number: Int) -> NotePage { NotePage(file.read(at: number + 1)) }

    @discardableResult
    private func write(_ page: NotePage, at number: Int) -> Bool { file.write(page.bytes, at: number + 1) }

    /// Doubles the table. It is larger once the last of the new pages is written; the old ones keep the entries that have
    /// moved until something is stored in them.
    /// - Returns: whether it is larger now, because of this process or another.
    private func grow(from count: Int) -> Bool {
        guard count < Self.mostCount else { return false }
        return file.alone {
            self.count > count
                || (0..<count).allSatisfy { number in
                    var page = page(number)
                    page.drop { first, _ in Self.index(first, 2 * count) == number }
                    return write(page, at: number + count)
                }
        } ?? false
    }
}

/// One page of the table of notes: entries in sequence.
///
///     "cln2" | unused (2) | end (2) | length (2) day (2) key (32) content … | length day key content … | free
///
/// Numbers are little-endian. A page that breaks these rules counts as empty.
struct NotePage {
    private static let headBytes = 8
    private static let mark = Array("cln2".utf8)
    private static let empty =
        mark + [0, 0] + pair(headBytes) + [UInt8](repeating: 0, count: PageFile.pageBytes - headBytes)
    /// The bytes of an entry before its content.
    private static let entryHeadBytes = 4 + SHA256.count
    private static let usualEntries = 32
    /// The maximum size of an entry's content: six of that size fit.
    static let limitBytes = (PageFile.pageBytes - headBytes) / 6 - entryHeadBytes

    private(set) var bytes: [UInt8]
    private var entries: [Range<Int>] = []

    init(_ bytes: consuming [UInt8]) {
        let isPage = bytes.count == PageFile.pageBytes && bytes.starts(with: Self.mark)
        self.bytes = isPage ? bytes : Self.empty
        guard !readEntries() else { return }
        self.bytes = Self.empty
        entries = []
    }

    private mutating func readEntries() -> Bool {
        let end = number(at: 6)
        entries.reserveCapacity(Self.usualEntries)
        var next = Self.headBytes
        while next + Self.entryHeadBytes <= min(end, bytes.count) {
            let length = number(at: next)
            guard length >= Self.entryHeadBytes else { return false }
            entries.append(next..<next + length)
            next += length
        }
        return next == end && end <= bytes.count
    }

    private func number(at position: Int) -> Int { Int(bytes[position]) | Int(bytes[position + 1]) << 8 }

    private static func pair(_ number: Int) -> [UInt8] {
        [UInt8(truncatingIfNeeded: number), UInt8(truncatingIfNeeded: number >> 8)]
    }

    var isEmpty: Bool { entries.isEmpty }

    private var end: Int { entries.last?.upperBound ?? Self.headBytes }

    func hasRoom(_ count: Int) -> Bool { bytes.count - end >= Self.entryHeadBytes + count }

    func entry(of key: CacheKey) -> Range<Int>? {
        entries.first { entry in
            bytes.span.extracting(entry.lowerBound + 4..<entry.lowerBound + Self.entryHeadBytes)
                .equals(key.bytes.span)
        }
    }

    func content(of entry: Range<Int>) -> [UInt8] { Array(bytes[entry.dropFirst(Self.entryHeadBytes)]) }

    /// When the entry was last used, in days since 1970.
    func day(of entry: Range<Int>) -> Int { number(at: entry.lowerBound + 2) }

    mutating func setDay(_ day: Int, of entry: Range<Int>) {
        bytes.replaceSubrange(entry.lowerBound + 2..<entry.lowerBound + 4, with: Self.pair(day))
    }

    mutating func append(_ key: CacheKey, _ content: [UInt8], day: Int) {
        precondition(hasRoom(content.count) && content.count <= Self.limitBytes)
        append((Self.pair(Self.entryHeadBytes + content.count) + Self.pair(day) + key.bytes + content)[...])
    }

    private mutating func append(_ entry: ArraySlice<UInt8>) {
        let range = end..<end + entry.count
        bytes.replaceSubrange(range, with: entry)
        entries.append(range)
        bytes.replaceSubrange(6..<8, with: Self.pair(end))
    }

    /// - Parameter isDropped: receives the first eight bytes of the key as a number, and the day of the last use.
    @discardableResult
    mutating func drop(where isDropped: (_ first: UInt64, _ day: Int) -> Bool) -> Bool {
        let kept = entries.filter { !isDropped(first(of: $0), day(of: $0)) }
        guard kept.count < entries.count else { return false }
        var page = NotePage(Self.empty)
        for entry in kept { page.append(bytes[entry]) }
        self = page
        return true
    }

    mutating func dropOldest() {
        guard let oldest = entries.min(by: { day(of: $0) < day(of: $1) }) else { return }
        let key = first(of: oldest)
        drop { first, _ in first == key }
    }

    private func first(of entry: Range<Int>) -> UInt64 {
        bytes[entry.lowerBound + 4..<entry.lowerBound + 12].reversed().reduce(0) { $0 << 8 | UInt64($1) }
    }
}
