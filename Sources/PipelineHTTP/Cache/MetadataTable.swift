// Thousands of small entries in one file: a hash table of pages in which an entry may be in either of two pages.
// Finding one takes one or two reads, whatever their number, and storing one a single write. No part is in memory.
//
//     page 0       the level of the table
//     page 1 …     2^level pages with entries
//
// When neither page of an entry has room, the table doubles: page p becomes p and p + 2^level, each entry stays in
// one of them, and nothing else moves. Many processes may use the file at once. If two write the same page at the
// same time, the last one wins and the other's entry is lost, as any may be. Its own digest says if an entry is
// intact.

package import PipelineCore

/// A table in a file. Not thread-safe.
package struct MetadataTable {
    static let firstLevel = 6
    /// 4 GiB, about ten million entries. Beyond that, new entries replace old ones.
    static let lastLevel = 20
    private static let daySeconds = 86_400.0

    let file: PageFile
    /// The table has 2^level pages.
    var level: Int
    /// The memory of the last page, for reuse.
    private var spare = [UInt8](repeating: 0, count: PageFile.pageBytes)

    /// Opens the table, and creates it if it is missing.
    package init(_ path: String) throws(SystemError) {
        file = try PageFile(path)
        level = Self.firstLevel
        readLevel()
    }

    mutating func readLevel() {
        let stated = page(-1).level
        // A doubled table has all its pages.
        if stated > level, stated <= Self.lastLevel, file.pageCount > 1 << stated { level = stated }
    }

    // MARK: Entries

    /// The content of an entry, if there is one. Updates the day of its last use once a day.
    /// - Parameter now: seconds since 1970.
    package mutating func content(_ key: CacheKey, now: Double) -> [UInt8]? {
        let today = Self.day(now)
        var lookedAt = -1
        while lookedAt < level {
            lookedAt = level
            for number in slots(key) {
                var page = page(number)
                if let slot = page.slot(of: key) {
                    let content = page.content(at: slot)
                    if page.day(at: slot) != today {
                        page.setDay(today, at: slot)
                        note(&page, at: number)
                    }
                    recycle(page)
                    return content
                }
                let stated = page.level
                recycle(page)
                // Another process has doubled the table, so entries have moved.
                if stated > level { readLevel() }
            }
        }
        return nil
    }

    /// Stores an entry, and replaces an older one. Skips one that is too large.
    /// - Throws: if the file can't be written.
    package mutating func keep(_ key: CacheKey, _ content: [UInt8], now: Double) throws(SystemError) {
        let day = Self.day(now)
        while true {
            guard var candidates = try candidates(key, replacingBy: (content, day)) else { return }
            for index in candidates.indices { tidy(&candidates[index], without: key) }
            let isKept = content.count <= MetadataPage.limitBytes
            var best = 0
            if isKept {
                if candidates.count > 1, candidates[1].page.room > candidates[0].page.room { best = 1 }
                if !candidates[best].page.hasRoom(content.count), try grow() { continue }
                while !candidates[best].page.hasRoom(content.count) { candidates[best].page.dropOldest() }
                candidates[best].page.append(key, content, day: day)
            }
            for index in candidates.indices where candidates[index].slot != nil || isKept && index == best {
                try write(&candidates[index].page, at: candidates[index].number)
            }
            return
        }
    }

    /// Removes an entry, if there is one.
    package mutating func forget(_ key: CacheKey) {
        do throws(SystemError) {
            for var candidate in try candidates(key) ?? [] where candidate.slot != nil {
                tidy(&candidate, without: key)
                try write(&candidate.page, at: candidate.number)
            }
        } catch {
            // The next write fails in the same way.
        }
    }

    /// A page that an entry may be in, and its slot there.
    private struct Candidate {
        let number: Int
        var page: MetadataPage
        let slot: Int?
    }

    /// The pages that an entry may be in.
    /// - Parameter new: replaces the content of an entry of the same length, which is the usual case.
    /// - Returns: nil if it was replaced.
    private mutating func candidates(
        _ key: CacheKey, replacingBy new: (content: [UInt8], day: Int)? = nil
    ) throws(SystemError) -> [Candidate]? {
        while true {
            let old = level
            var candidates: [Candidate] = []
            for number in slots(key) {
                var page = page(number)
                if page.level > level { readLevel() }
                guard level == old else { break }
                let slot = page.slot(of: key)
                if let slot, let new, page.replace(new.content, at: slot, day: new.day) {
                    try write(&page, at: number)
                    recycle(page)
                    return nil
                }
                candidates.append(Candidate(number: number, page: page, slot: slot))
            }
            if level == old { return candidates }
        }
    }

    /// Removes the entry, and those that moved when the table doubled.
    private func tidy(_ candidate: inout Candidate, without key: CacheKey) {
        let number = candidate.number
        candidate.page.drop { first, second, _ in
            index(first) != number && index(second) != number || first == key.number(0) && second == key.number(1)
        }
    }

    // MARK: Pages

    /// The indices of the pages that an entry may be in.
    private func slots(_ key: CacheKey) -> [Int] {
        let (first, second) = (index(key.number(0)), index(key.number(1)))
        return first == second ? [first] : [first, second]
    }

    func index(_ number: UInt64) -> Int { Int(number & (1 << UInt64(level) - 1)) }

    /// - Parameter number: from 0. -1 for the head of the file.
    private mutating func page(_ number: Int) -> MetadataPage {
        var bytes: [UInt8] = []
        swap(&bytes, &spare)
        if bytes.isEmpty { bytes = [UInt8](repeating: 0, count: PageFile.pageBytes) }
        file.read(&bytes, at: number + 1)
        return MetadataPage(bytes)
    }

    private mutating func recycle(_ page: consuming MetadataPage) { spare = page.bytes }

    func write(_ page: inout MetadataPage, at number: Int) throws(SystemError) {
        page.level = level
        try file.write(page.bytes, at: number + 1)
    }

    /// Writes a page whose change may be lost.
    private func note(_ page: inout MetadataPage, at number: Int) {
        do throws(SystemError) {
            try write(&page, at: number)
        } catch {
            // The next write fails in the same way.
        }
    }

    static func day(_ now: Double) -> Int { Int(max(0, now) / daySeconds) & 0xFFFF }
}
