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
    private var ledger: CompletenessCheck
    /// Pages before it in this pass over the list.
    private var ordinal = 0
    /// Records before it.
    private var offset = 0
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
        ledger = CompletenessCheck(size: self.size)
    }

    /// The page's number, for messages and for `--with-page`: the API's own, or counted from 1.
    package var number: Int { number(after: 0) }

    /// The list is being read again for what was missed.
    package var isSecondReading: Bool { ledger.isSecondPass }

    /// The number of records, once it is known.
    package var expected: Int? { ledger.expected }

    /// Adds the page at `position`. After `.more` and `.again`, `position` is that of the next page.
    package mutating func enter(_ page: PageSummary) -> Verdict {
        var entry = CompletenessCheck.Entry(
            number: number, count: page.records, unseen: page.unseen, distinct: page.distinct, digest: page.digest)
        entry.repeats = page.repeats
        switch pagination.count?.unit {
        case .pages: entry.pages = page.count
        case .records: entry.total = page.count
        case nil: break
        }
        switch pagination.kind {
        case .none: return enterOnly(&entry)
        case .cursor, .nextURL, .linkHeader:
            entry.endsList = page.next == nil
            entry.hasNext = page.next != nil
        case .page, .offset: break
        }
        let verdict = ledger.enter(entry)
        switch verdict {
        case .complete, .incomplete: return verdict
        case .again:
            begin()
            return .again
        case .more: return goOn(entry, page.next)
        }
    }

    /// One response has all records. If it repeats one, that is up to the service.
    private mutating func enterOnly(_ entry: inout CompletenessCheck.Entry) -> Verdict {
        entry.endsList = true
        if case .incomplete(let finding, _) = ledger.enter(entry) { return .incomplete(finding) }
        return .complete
    }

    private mutating func goOn(_ entry: CompletenessCheck.Entry, _ next: PagePosition?) -> Verdict {
        if let next, !followed.insert(Self.hash(next, hash)).inserted {
            return .incomplete("page \(entry.number) leads back to an earlier one; got \(ledger.seen)")
        }
        ordinal += 1
        offset += entry.count
        switch pagination.kind {
        case .page(_, let first): position = .number(first + ordinal)
        case .offset: position = .offset(offset)
        case .none, .cursor, .nextURL, .linkHeader: position = next ?? position
        }
        return .more
    }

    private mutating func begin() {
        position = pagination.first
        ordinal = 0
        offset = 0
        followed.removeAll()
    }

    private static func hash(_ position: PagePosition, _ hash: ByteHash) -> UInt64 {
        switch position {
        case .cursor(let text): hash.hash(Array(text.utf8).span)
        case .link(let url): hash.hash(Array(url.text.utf8).span)
        case .start, .number, .offset: 0
        }
    }

    private func pages(ofRecords total: Int?) -> Int? {
        guard let total, let size, size > 0 else { return nil }
        return total / size + (total % size == 0 ? 0 : 1)
    }

    // MARK: Ahead

    /// The positions after the page at `position`, in order, as far as this page determines them. They are guesses:
    /// if a page is shorter than requested, offsets shift.
    /// - Parameter limit: the maximum number of positions.
    package func ahead(of page: SourcePage, limit: Int) -> [(position: PagePosition, number: Int)] {
        let isShort = size.map { page.records.count < $0 } ?? page.records.isEmpty
        let pages = pagination.count?.unit == .pages ? page.count : self.pages(ofRecords: page.count)
        guard pages != nil || !isShort else { return [] }
        let last = pages.map { min(limit, $0 - ordinal - 1) } ?? limit
        guard last > 0 else { return [] }
        switch pagination.kind {
        case .page(_, let first): return (1...last).map { (.number(first + ordinal + $0), number(after: $0)) }
        case .offset:
            guard let size else { return [] }
            let next = offset + page.records.count
            return (1...last).map { (.offset(next + size * ($0 - 1)), number(after: $0)) }
        case .none, .cursor, .nextURL, .linkHeader: return []
        }
    }

    private func number(after count: Int) -> Int {
        if case .page(_, let first) = pagination.kind { return first + ordinal + count }
        return ordinal + count + 1
    }
}
