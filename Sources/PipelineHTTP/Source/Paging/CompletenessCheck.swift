// Whether all records that an API lists were received, judged from the pages alone.
//
// If the API says how many records there are, fewer distinct ones mean that some are missing. If it says how many
// pages there are, every page but the last must be full. So once the last page is received,
//
//     expected = (pages - 1) · size + records on the last page
//
// Lists change while they are read. A record inserted at the front shifts another from page 1 to page 2, where it
// appears a second time, and is itself never seen. A removed one makes another slip from page 3 to page 2 unseen.
// Either shows: an id appears twice, or the count drops. The list is then read a second time, for what is missing.
//
// A list is complete when one pass over it is consistent. If an id appears twice in two identical passes, it
// depends on where. Twice on one page is a list that contains it twice, as a page is one response and nothing
// shifts inside one. On two pages it may also be a service whose pages always overlap, so that records between them
// are never seen: those count as missing. If the API doesn't say how many there are, two identical passes are all
// there is to go by. A list that never becomes complete is reported as incomplete.
//
// If the API says nothing about the end either, the list ends with an empty page or with one that is shorter than
// those before it. That the first page is shorter than requested proves nothing: many services limit the size of a
// page without saying so.

/// Checks a pass over the pages of a list.
package struct CompletenessCheck: Equatable, Sendable {
    package enum Verdict: Equatable, Sendable {
        /// The list continues.
        case more
        /// Read the list again from its first page.
        case again
        /// All listed records were received.
        case complete
        /// Something is missing; a message says what. If only this page is at fault, it may be requested again.
        case incomplete(String, isPageAtFault: Bool = false)
    }

    private struct Count: Equatable, Sendable {
        let number: Int
        let unit: Pagination.Unit
    }

    /// What the check needs to know about a page.
    package struct Entry: Equatable, Sendable {
        /// Its number, as in messages.
        package var number: Int
        /// The number of its records.
        package var count: Int
        /// The number of elements of its list, including those that a filter in the path to the records left out.
        /// The API counts these.
        package var listed: Int
        /// How many of them are new.
        package var unseen: Int
        /// How many of them are new in this pass.
        package var distinct: Int
        /// How many of them repeat a record of this page.
        package var repeats = 0
        /// The number of pages, according to this one.
        package var pages: Int?
        /// The number of records, according to this one.
        package var total: Int?
        /// The API says that this is the last page.
        package var endsList = false
        /// The API says that another page follows.
        package var hasNext = false
        /// Equal for pages with the same records, else different.
        package var digest: UInt64
        /// Equal for pages whose records have the same bytes, else different.
        package var content: UInt64
        /// Equal for pages that lead to the same one, else different. 0 for those that don't lead on.
        package var lead: UInt64 = 0

        package init(
            number: Int, count: Int, unseen: Int, distinct: Int, pages: Int? = nil, total: Int? = nil,
            digest: UInt64
        ) {
            self.number = number
            self.count = count
            listed = count
            self.unseen = unseen
            self.distinct = distinct
            self.pages = pages
            self.total = total
            self.digest = digest
            content = digest
        }
    }

    /// No list has this many consecutive pages without a new record: the service's cursor leads nowhere.
    private static let idleLimit = 1000

    private let size: Int?
    private let ends: Set<Pagination.End>

    package private(set) var isSecondPass = false
    /// Pages of this pass.
    private var pagesRead = 0
    /// The number of pages or records, according to the latest page that has it.
    private var latest: Count?
    /// Elements listed in this pass, including those seen before.
    private var listed = 0
    /// The largest number of elements of a page of this pass.
    private var longest = 0
    /// Elements of this pass that aren't wanted as records.
    private var leftOut = 0
    /// Distinct records among these.
    private var distinct = 0
    /// Records that repeat one of their own page.
    private var repeats = 0
    /// Records missing from pages before the last.
    private var missing = 0
    /// Pages before the last, and their number of elements if all have the same.
    private var innerPages = 0
    private var innerCount: Int?
    /// Consecutive pages without a new record, up to now, and those of them without any record.
    private var idleRun = 0
    private var emptyRun = 0
    private var latestContent: UInt64?
    /// The list has become shorter during this pass.
    private var hasShrunk = false
    /// The contents of the pages of this pass, and their page numbers.
    private var contents: [UInt64: Int] = [:]
    /// The digests of the pages of this pass, and of the first one, and their page numbers.
    private var digests: [UInt64: Int] = [:]
    private var firstDigests: [UInt64: Int] = [:]
    /// Distinct records of all pages.
    package private(set) var seen = 0
    /// The number of records, once it is known.
    package private(set) var expected: Int?

    /// - Parameters:
    ///   - size: the records requested per page, nil if the API decides.
    ///   - ends: what else ends the list, according to its description.
    package init(size: Int?, ends: Set<Pagination.End> = []) {
        self.size = size
        self.ends = ends
    }

    /// Adds a page.
    package mutating func enter(_ page: Entry) -> Verdict {
        let count =
            page.pages.map { Count(number: $0, unit: .pages) }
            ?? page.total.map { Count(number: $0, unit: .records) }
        if pagesRead > 0, let count, let latest, count.number < latest.number { hasShrunk = true }
        latest = count ?? latest
        pagesRead += 1
        seen += page.unseen
        listed += page.listed
        leftOut += page.listed - page.count
        distinct += page.distinct
        repeats += page.repeats
        if let total = page.total { expected = max(0, total - leftOut) }
        if page.count > 0 { digests[page.digest] = page.number }
        let content = page.content ^ (page.lead &* 0x9E37_79B9_7F4A_7C15)
        if page.listed > 0, let earlier = contents.updateValue(page.number, forKey: content) {
            return .incomplete(
                "page \(page.number) repeats page \(earlier); got \(seen)", isPageAtFault: true)
        }
        defer { longest = max(longest, page.listed) }
        guard isLast(page) else { return enterInner(page) }
        // A wrong count may cut the list short if its last page is full.
        let isFull = size.map { page.listed >= $0 } ?? true
        if let total = page.total, page.pages == nil, !page.endsList, isFull, distinct + leftOut > total, !hasShrunk
        {
            return .incomplete("it says there are \(total) records, and sends \(distinct)")
        }
        return close(page)
    }

    private func isLast(_ page: Entry) -> Bool {
        if page.endsList { return true }
        if page.hasNext { return false }
        if let pages = page.pages { return pagesRead >= pages }
        if let total = page.total { return listed >= total || page.listed == 0 }
        return page.listed == 0 ? !ends.contains(.notFound) : isCutShort(page.listed)
    }

    /// Whether a page with this many elements ends the list, because earlier pages had more.
    func isCutShort(_ listed: Int) -> Bool {
        guard let size, ends.isDisjoint(with: [.emptyPage, .notFound]) else { return false }
        return listed < min(size, longest)
    }

    /// Whether a page with this many elements is full, so that more pages probably follow.
    func isFull(_ listed: Int) -> Bool {
        guard let size, listed < size else { return listed > 0 }
        return pagesRead > 0 && listed > 0 && listed >= longest
    }

    /// Whether one page was read, with as many elements as were requested.
    var hasOneFullPage: Bool { pagesRead == 1 && size.map { listed >= $0 } ?? false }

    /// Whether the pages read have all that the API says there is. True if it doesn't say.
    var hasAllCounted: Bool {
        guard let latest else { return true }
        return latest.unit == .pages ? pagesRead >= latest.number : listed >= latest.number
    }

    private mutating func enterInner(_ page: Entry) -> Verdict {
        guard !isIdle(page) else {
            return .incomplete(
                "\(idleRun) pages in a row have no \(emptyRun < idleRun ? "new " : "")record; got \(seen)")
        }
        innerCount = innerPages == 0 || innerCount == page.listed ? page.listed : nil
        innerPages += 1
        guard let pages = page.pages, !page.hasNext else { return .more }
        if page.listed == 0 {
            let (least, overflow) = (pages - 1).multipliedReportingOverflow(by: size ?? 0)
            let total = overflow || least == 0 ? "" : " of at least \(least)"
            return .incomplete(
                "page \(page.number) of \(pages) is empty; got \(seen)\(total)", isPageAtFault: true)
        }
        missing += max(0, (size ?? 0) - page.listed)
        return .more
    }

    /// Whether too many pages before this one, and it, have brought nothing.
    private mutating func isIdle(_ page: Entry) -> Bool {
        let isNew = page.listed > page.count || page.distinct > 0 && page.content != latestContent
        latestContent = page.content
        idleRun = isNew ? 0 : idleRun + 1
        emptyRun = page.listed == 0 ? emptyRun + 1 : 0
        return idleRun >= Self.idleLimit
    }

    /// Judges a pass at its last page.
    private mutating func close(_ page: Entry) -> Verdict {
        if let pages = page.pages {
            if pages == 0, page.count > 0 {
                expected = listed - leftOut
                return .incomplete("it says there are no pages, and sends \(page.count) records")
            }
            if pagesRead < pages {
                return .incomplete("page \(page.number) of \(pages) has no next one; got \(seen)")
            }
            if pages > 0, page.listed == 0, !page.endsList { missing += 1 }
            expected = listed - leftOut + missing
        } else if let total = page.total {
            missing = max(0, total - listed)
        } else {
            expected = distinct
        }
        if missing > 0 { return incomplete }
        let addsUp = distinct == listed - leftOut && !hasShrunk
        guard isSecondPass else {
            if addsUp { return .complete }
            beginAgain()
            return .again
        }
        let hasKeptStill = !hasShrunk && digests == firstDigests
        let isAllNamed = expected.map { distinct + repeats >= $0 } ?? true
        return addsUp || hasKeptStill && isAllNamed ? .complete : incomplete
    }

    private var incomplete: Verdict {
        let total = expected ?? listed
        return .incomplete(
            seen < total
                ? "got \(seen) of \(total)\(sizeAdvice)"
                : "got \(seen), and the list changed while it was read twice")
    }

    /// If a service limits pages to fewer records than requested, each page seems to miss some.
    private var sizeAdvice: String {
        guard let size, let innerCount, innerPages > 1, latest != nil, innerCount < size else { return "" }
        return ", pages of \(innerCount) where \(size) were requested (--page-size \(innerCount) may be the most)"
    }

    private mutating func beginAgain() {
        isSecondPass = true
        firstDigests = digests
        hasShrunk = false
        pagesRead = 0
        latest = nil
        listed = 0
        longest = 0
        leftOut = 0
        distinct = 0
        repeats = 0
        missing = 0
        innerPages = 0
        idleRun = 0
        emptyRun = 0
        latestContent = nil
        contents.removeAll()
        digests.removeAll()
    }
}
