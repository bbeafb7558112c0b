// The records that were read and not yet written. They are written in input order, however long a picture takes, so what
// bounds them is the memory that they take, and not their number: one slow picture doesn't stop the others.
//
//     written │ settled  waiting  settled  settled  waiting │ not read
//              ^ first to be written                         ^ next to be added

import PipelineCore

struct ReorderBuffer {
    /// The place of a picture: the number of an entry, and the index of one of its pictures.
    typealias Slot = (entry: Int, picture: Int)

    struct Entry {
        /// About what an entry takes beside its line, and each of its pictures beside its URL: the request that waits, what the
        /// cache has for it, and the outcome.
        private static let ownBytes = 512
        private static let pictureBytes = 1024

        let record: ImageRecord
        let lineNumber: Int
        var pictures: RecordPictures

        var byteCount: Int {
            pictures.list.reduce(Self.ownBytes + record.byteCount) { sum, picture in
                sum + Self.pictureBytes + (picture.url?.utf8.count ?? 0)
            }
        }
    }

    /// The most memory for what waits, unless a single line takes more.
    static let limitBytes = 64 << 20
    /// What is read ahead where there is enough to fetch.
    private static let usualBytes = 4 << 20

    /// By number, as they were added.
    private var entries: [Int: Entry] = [:]
    /// The number of the next entry.
    private(set) var added = 0
    /// The number of the entry to be written next.
    private var next = 0
    private var byteCount = 0

    var isEmpty: Bool { entries.isEmpty }

    /// - Parameter isStarved: requests could be sent that no record so far asks for.
    func hasRoom(isStarved: Bool) -> Bool { byteCount < (isStarved ? Self.limitBytes : Self.usualBytes) }

    mutating func add(_ entry: consuming Entry) {
        byteCount += entry.byteCount
        entries[added] = consume entry
        added += 1
    }

    mutating func settle(_ slot: Slot, _ outcome: ImageOutcome) {
        entries[slot.entry]?.pictures.list[slot.picture].outcome = outcome
        entries[slot.entry]?.pictures.list[slot.picture].isWaiting = false
    }

    mutating func takeSettled() -> Entry? {
        guard entries[next]?.pictures.isSettled == true, let entry = entries.removeValue(forKey: next) else {
            return nil
        }
        byteCount -= entry.byteCount
        next += 1
        return entry
    }
}
