// The way through a list: which page is asked for now, which can be asked for ahead, and when the list is whole.
//
//     position ──► request ──► page ──► enter ──► next position, again from the first, complete or incomplete

package import PipelineCore

/// A walk over the pages of one list.
package struct Paginator: Sendable {
    package typealias Verdict = CompletenessCheck.Verdict

    package let pagination: Pagination
    /// Records a page that are asked for, nil where the API decides.
    package let size: Int?
    /// The page that comes next.
    package private(set) var position: PagePosition
    private var ledger: CompletenessCheck
    /// Pages before it in this reading of the list.
    private var ordinal = 0
    /// Records before it.
    private var offset = 0
    /// The cursors and links that were followed in this reading, hashed.
    private var followed: Set<UInt64> = []
    private let hash: ByteHash

    /// - Parameters:
    ///   - size: in place of the description's own.
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

    /// The list is read again for what was missed.
    package var isSecondReading: Bool { ledger.isSecondPass }

    /// How many records there are, as soon as that is known.
    package var expected: Int? { ledger.expected }

    /// Enters the page that `position` asked for, and goes on: after `.more` and `.again` to the new `position`.
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

    /// One answer has all; that it names a record twice is its own affair.
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

    /// The positions after the page that `position` asked for, as far as they are known by that page, in order.
    /// Guesses: where a page is shorter than asked for, offsets move.
    /// - Parameter limit: at most that many.
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
