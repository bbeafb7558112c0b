// A walk through a list: which page to request now, which can be requested ahead, and when the list is complete.
//
//     position ──► request ──► page ──► enter ──► next position, again from the first, complete or incomplete

package import PipelineCore

/// A walk over the pages of one list.
package struct Paginator: Sendable {
    package typealias Verdict = CompletenessCheck.Verdict

    package let pagination: Pagination
    /// Records requested per page, nil if the API decides.
    package let size: Int?
    /// The position of the next page.
    package private(set) var position: PagePosition
    private var check: CompletenessCheck
    /// Pages before it in this pass over the list.
    private var pagesBefore = 0
    /// Elements of the list before it.
    private var recordsBefore = 0
    /// The previous page of this pass was shorter than requested.
    private var isAfterShortPage = false
    /// A page of the list has said whether another follows. From then on one that doesn't say it is the last.
    private var hasToldMore = false
    /// Hashes of the cursors and links followed in this pass.
    private var followed: Set<UInt64> = []
    private let hash: ByteHash

    /// - Parameters:
    ///   - size: replaces the description's own.
    ///   - hash: the same for all parts of one run.
    package init(_ pagination: Pagination, size: Int?, hash: ByteHash) {
        self.pagination = pagination
        self.size = pagination.size.map { size ?? $0.value }
        self.hash = hash
        position = pagination.first
        check = CompletenessCheck(size: self.size, ends: pagination.ends)
    }

    /// The page's number, for messages and for `--with-page`: the API's own, or counted from 1.
    package var number: Int { pagination.number(pagesBefore: pagesBefore) }

    /// The list is being read again for what was missed.
    package var isSecondReading: Bool { check.isSecondPass }

    /// The number of records, once it is known.
    package var expected: Int? { check.expected }

    /// Distinct records received.
    package var seen: Int { check.seen }

    /// The only page is as long as was asked for, and nothing but what leads on says that it is the last.
    package var hasOneFullPage: Bool {
        pagination.count == nil && pagination.more == nil && check.hasOneFullPage
    }

    /// The list continues after the last page that the API gives.
    package var isPastLastPage: Bool { pagination.lastPage.map { pagesBefore >= $0 } ?? false }

    /// Adds the page at `position`. After `.more` and `.again`, `position` is that of the next page.
    package mutating func enter(_ page: PageSummary) -> Verdict {
        hasToldMore = hasToldMore || page.hasMore != nil
        let entry = entry(page)
        let verdict = check.enter(entry)
        switch verdict {
        case .complete, .incomplete: return verdict
        case .again:
            // One response has all records. If it repeats one, that is up to the service.
            if pagination.hasOnePage { return .complete }
            begin()
            return .again
        case .more: return advance(past: entry, to: page.next)
        }
    }

    private func entry(_ page: PageSummary) -> CompletenessCheck.Entry {
        var entry = CompletenessCheck.Entry(
            number: number, count: page.records, unseen: page.unseen, distinct: page.distinct, digest: page.digest)
        entry.listed = page.listed
        entry.repeats = page.repeats
        entry.content = page.content
        entry.lead = page.next.map { Self.hash($0, hash) } ?? 0
        switch pagination.count?.unit {
        case .pages: entry.pages = page.count
        case .records: entry.total = page.count
        case nil: break
        }
        let leadsOn = leadsOn(page)
        entry.endsList = leadsOn == false
        entry.hasNext = leadsOn == true
        return entry
    }

    /// Whether another page follows, nil if that is up to the counts and the sizes of pages.
    private func leadsOn(_ page: PageSummary) -> Bool? {
        let ends = pagination.ends
        if !page.isFound || page.listed == 0 && ends.contains(.emptyPage) { return false }
        if ends.contains(.sameCursor), let next = page.next, next == position { return false }
        if let hasMore = page.hasMore { return hasMore }
        switch pagination.kind {
        case .none: return false
        case .cursor, .link: return page.next != nil
        // Some services leave the flag out where it is false.
        case .page where isSilentEnd(page), .offset where isSilentEnd(page): return false
        // An empty page may be a hole, but an offset doesn't get past it.
        case .offset where page.listed == 0 && ends.contains(.notFound): return false
        case .page, .offset: return nil
        }
    }

    /// Whether the page is short and, unlike others before it, doesn't say whether another follows.
    private func isSilentEnd(_ page: PageSummary) -> Bool { hasToldMore && !check.isFull(page.listed) }

    private mutating func advance(past page: CompletenessCheck.Entry, to next: PagePosition?) -> Verdict {
        let records = recordsBefore + page.listed
        if let next, !followed.insert(Self.hash(next, hash)).inserted {
            return .incomplete("page \(page.number) leads back to an earlier one; got \(check.seen)")
        }
        // An offset doesn't get past an empty page.
        guard let target = pagination.position(pagesBefore: pagesBefore + 1, recordsBefore: records) ?? next,
            target != position
        else {
            return .incomplete(
                "page \(page.number) says that another follows, and doesn't lead to it; got \(check.seen)")
        }
        pagesBefore += 1
        recordsBefore = records
        position = target
        isAfterShortPage = size.map { page.listed < $0 } ?? false
        return .more
    }

    private mutating func begin() {
        position = pagination.first
        pagesBefore = 0
        recordsBefore = 0
        isAfterShortPage = false
        followed.removeAll()
    }

    private static func hash(_ position: PagePosition, _ hash: ByteHash) -> UInt64 {
        position.json.map { hash.hash(Array($0.utf8).span) } ?? 0
    }

    // MARK: The page after the last

    /// Whether the list ended before the page at `position`, if the API refuses that page with this status.
    package func isEnd(status: Int) -> Bool {
        guard pagesBefore > 0, check.hasAllCounted else { return false }
        if pagination.ends.contains(.notFound) { return status == 404 || status == 400 }
        // It was only requested in case the service limits the size of pages.
        return status == 404 && isAfterShortPage && isUncounted
    }

    /// Only the sizes of pages show where the list ends.
    private var isUncounted: Bool {
        guard !hasToldMore, pagination.count == nil else { return false }
        return switch pagination.kind {
        case .page, .offset: true
        case .none, .cursor, .link: false
        }
    }

    // MARK: Ahead

    /// The positions after the page at `position`, in order, as far as this page determines them. They are guesses:
    /// if a page is shorter than this one, offsets shift.
    /// - Parameter limit: the maximum number of positions.
    package func ahead(of page: SourcePage, limit: Int) -> [(position: PagePosition, number: Int)] {
        let pages = min(limit, pagesAfter(page), pagination.lastPage.map { $0 - pagesBefore - 1 } ?? limit)
        guard pages > 0 else { return [] }
        let records = recordsBefore + page.listed
        return (1...pages).compactMap { count in
            // A service that limits the size of pages limits that of the next ones too.
            let offset = size.map { records + (page.listed > 0 ? page.listed : $0) * (count - 1) }
            let target = pagination.position(pagesBefore: pagesBefore + count, recordsBefore: offset)
            guard let target, target != position else { return nil }
            return (target, pagination.number(pagesBefore: pagesBefore + count))
        }
    }

    /// How many pages follow this one, no limit if nothing shows that.
    private func pagesAfter(_ page: SourcePage) -> Int {
        let isFull = check.isFull(page.listed)
        if let hasMore = page.lead.hasMore ?? (hasToldMore ? false : nil) { return hasMore ? isFull ? .max : 1 : 0 }
        switch (pagination.count?.unit, page.lead.count) {
        case (.pages, let pages?): return pages - pagesBefore - 1
        case (.records, let total?):
            guard page.listed > 0 else { return 0 }
            let rest = max(0, total - recordsBefore - page.listed)
            return rest / page.listed + (rest % page.listed == 0 ? 0 : 1)
        default:
            if isFull { return .max }
            let mayEndList = page.listed == 0 && !pagination.ends.contains(.notFound)
            return mayEndList || check.isCutShort(page.listed) ? 0 : 1
        }
    }
}
