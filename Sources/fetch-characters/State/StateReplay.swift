// Replays the lines of a saved state in order: the last one leads to where the run that wrote them ended.

import PipelineCore
import PipelineHTTP

/// A run that is replayed without sending anything.
struct StateReplay {
    private let source: Source
    private let pageSize: Int?
    private let hash: ByteHash
    private(set) var itemsDone = 0
    private(set) var pagesRead = 0
    private(set) var missesItem = false
    private(set) var failedStatus: ExitStatus?
    /// Within a list. Nil between two.
    private(set) var walk: Paginator?
    private(set) var recordsIn = 0
    private(set) var recordsOut = 0
    private(set) var presence = MemberPresence()
    private(set) var ids = SeenIDs()
    private(set) var idsOfReading: SeenIDs?
    private(set) var trail = InputFingerprint()
    /// New records of a page that was written in part.
    private(set) var partCount = 0
    /// The last line is about part of a page whose records have no ids.
    private(set) var isLost = false

    init(_ source: Source, pageSize: Int?, hash: ByteHash) {
        self.source = source
        self.pageSize = pageSize
        self.hash = hash
    }

    /// Adds a line.
    /// - Returns: false for one that isn't valid here.
    mutating func enter(_ tree: JSONTree) -> Bool {
        guard let items = tree["items"]?.count, items >= itemsDone, let misses = tree["misses"]?.boolean,
            let recordsIn = tree["recordsIn"]?.count, recordsIn >= self.recordsIn,
            let recordsOut = tree["recordsOut"]?.count, recordsOut >= self.recordsOut, let page = tree["page"],
            let presence = tree["found"]?.count.flatMap({ MemberPresence(found: $0, records: recordsIn) }),
            let new = tree["ids"]?.string.flatMap({ PackedHashes.hashes($0) }),
            let again = tree["again"]?.string.flatMap({ PackedHashes.hashes($0) }),
            let trail = Self.trail(tree["values"]), trail.count >= self.trail.count
        else { return false }
        self.recordsIn = recordsIn
        self.recordsOut = recordsOut
        self.presence = presence
        self.trail = trail
        missesItem = misses
        if let failed = tree["failed"] {
            guard let status = failed.integer.flatMap({ Int32(exactly: $0) }).flatMap({ ExitStatus(rawValue: $0) })
            else { return false }
            failedStatus = status
        }
        isLost = page["lost"]?.boolean == true
        if let count = page["part"] {
            guard let count = count.count, count >= partCount else { return false }
            partCount = count
            ids.forgetsOldest = false
        } else {
            partCount = 0
        }
        for id in new { _ = ids.insert(id) }
        _ = ids.takeLatest()
        for id in again { _ = idsOfReading?.insert(id) }
        _ = idsOfReading?.takeLatest()
        guard page["part"] == nil else { return items == itemsDone }
        guard case .null = page else { return items == itemsDone && enter(page: page) }
        itemsDone = items
        pagesRead = 0
        walk = nil
        ids = SeenIDs()
        idsOfReading = nil
        return true
    }

    private static func trail(_ text: JSONTree?) -> InputFingerprint? {
        guard let text else { return InputFingerprint() }
        return text.string.flatMap { InputFingerprint($0) }
    }

    private mutating func enter(page: JSONTree) -> Bool {
        guard let page = PageSummary(page, source.pagination) else { return false }
        var walk = walk ?? Paginator(source.pagination, size: pageSize, hash: hash)
        pagesRead += 1
        let verdict = walk.enter(page)
        self.walk = walk
        switch verdict {
        case .more: return true
        case .again:
            idsOfReading = SeenIDs()
            return true
        case .complete, .incomplete: return false
        }
    }
}
