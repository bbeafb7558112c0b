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
    private(set) var walk: ListWalk?
    private(set) var recordsIn = 0
    private(set) var recordsOut = 0
    private(set) var presence = MemberPresence()
    private(set) var ids = SeenIDs()
    private(set) var idsOfReading: SeenIDs?
    private(set) var trail = InputFingerprint()
    private(set) var bytesOut = 0
    private(set) var proof: SealClaim.Proof?

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
            let recordsOut = tree["recordsOut"]?.count, recordsOut >= self.recordsOut,
            let bytesOut = tree["bytesOut"]?.integer, bytesOut >= 0, let page = tree["page"],
            let presence = tree["found"]?.count.flatMap({ MemberPresence(found: $0, records: recordsIn) }),
            let new = tree["ids"]?.string.flatMap({ PackedHashes.hashes($0) }),
            let again = tree["again"]?.string.flatMap({ PackedHashes.hashes($0) }),
            let trail = Self.trail(tree["values"]), trail.count >= self.trail.count
        else { return false }
        self.recordsIn = recordsIn
        self.recordsOut = recordsOut
        self.bytesOut = bytesOut
        proof = tree["proof"]?.string.map { SealClaim.Proof($0) }
        self.presence = presence
        self.trail = trail
        missesItem = misses
        if let failed = tree["failed"] {
            guard let status = failed.integer.flatMap({ Int32(exactly: $0) }).flatMap({ ExitStatus(rawValue: $0) })
            else { return false }
            failedStatus = status
        }
        for id in new { _ = ids.insert(id) }
        _ = ids.takeLatest()
        for id in again { _ = idsOfReading?.insert(id) }
        _ = idsOfReading?.takeLatest()
        switch page {
        case .null: break
        case .array(let pages): return items == itemsDone && pages.allSatisfy { enter(page: $0) }
        default: return items == itemsDone && enter(page: page)
        }
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
        guard let page = PageFacts(page, source.pagination) else { return false }
        var walk = walk ?? ListWalk(source, pageSize: pageSize, hash: hash)
        pagesRead += page.outcome == .refusedOffset ? 0 : 1
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

extension ListWalk {
    /// The walk from the start of the source's list.
    init(_ source: Source, pageSize: Int?, isTwice: Bool = false, hash: ByteHash) {
        self.init(
            source.pagination, size: pageSize, hasIDs: source.hasPlainIDs, isTwice: isTwice, hash: hash)
    }
}

extension Source {
    /// Whether pages can be told apart by the ids of their first and last records: nothing of them is left out here.
    fileprivate var hasPlainIDs: Bool {
        let isNewestFirst = if case .newestFirst? = since?.means { true } else { false }
        return members.contains { $0.name == .id } && merge == nil && !isNewestFirst && !records.path.isFiltered
            && !records.path.isNested
    }
}
