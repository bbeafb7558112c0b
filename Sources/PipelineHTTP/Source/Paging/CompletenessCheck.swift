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

    /// What the check needs to know about a page.
    package struct Entry: Equatable, Sendable {
        /// Its number, as in messages.
        package var number: Int
        /// The number of its records.
        package var count: Int
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

        package init(
            number: Int, count: Int, unseen: Int, distinct: Int, pages: Int? = nil, total: Int? = nil,
            digest: UInt64
        ) {
            self.number = number
            self.count = count
            self.unseen = unseen
            self.distinct = distinct
            self.pages = pages
            self.total = total
            self.digest = digest
        }
    }

    /// No list has this many consecutive pages without a record: the service's cursor leads nowhere.
    private static let emptyLimit = 1000

    private let size: Int?

    package private(set) var isSecondPass = false
    /// Pages of this pass.
    private var pagesRead = 0
    /// The number of pages or records, according to the latest page.
    private var latestCount: Int?
    /// Records listed in this pass, including those seen before.
    private var listed = 0
    /// Distinct records among these.
    private var distinct = 0
    /// Records that repeat one of their own page.
    private var repeats = 0
    /// Records missing from pages before the last.
    private var missing = 0
    /// Pages before the last, and their number of records if all have the same.
    private var innerPages = 0
    private var innerCount: Int?
    /// Consecutive pages without a record, up to now.
    private var emptyRun = 0
    /// The list has become shorter during this pass.
    private var hasShrunk = false
    /// The digests of the pages of this pass, and their page numbers.
    private var digests: [UInt64: Int] = [:]
    /// Those of the first pass.
    private var firstDigests: [UInt64: Int] = [:]
    /// Distinct records of all pages.
    package private(set) var seen = 0
    /// The number of records, once it is known.
    package private(set) var expected: Int?

    /// - Parameter size: the records requested per page, nil if the API decides.
    package init(size: Int?) { self.size = size }

    /// Adds a page.
    package mutating func enter(_ page: Entry) -> Verdict {
        let count = page.pages ?? page.total
        if pagesRead > 0, let count, let latestCount, count < latestCount { hasShrunk = true }
        latestCount = count ?? latestCount
        pagesRead += 1
        seen += page.unseen
        listed += page.count
        distinct += page.distinct
        repeats += page.repeats
        if let total = page.total { expected = total }
        if page.count > 0, let earlier = digests.updateValue(page.number, forKey: page.digest) {
            return .incomplete(
                "page \(page.number) repeats page \(earlier); got \(seen)", isPageAtFault: true)
        }
        guard isLast(page) else { return enterInner(page) }
        // A wrong count may cut the list short if its last page is full.
        let isFull = size.map { page.count >= $0 } ?? true
        if let total = page.total, page.pages == nil, !page.endsList, isFull, distinct > total, !hasShrunk {
            return .incomplete("it says there are \(total) records, and sends \(distinct)")
        }
        return close(page)
    }

    private func isLast(_ page: Entry) -> Bool {
        if page.endsList { return true }
        if page.hasNext { return false }
        if let pages = page.pages { return pagesRead >= pages }
        if let total = page.total { return listed >= total || page.count == 0 }
        return page.count == 0 || size.map { page.count < $0 } ?? false
    }

    private mutating func enterInner(_ page: Entry) -> Verdict {
        emptyRun = page.count == 0 ? emptyRun + 1 : 0
        guard emptyRun < Self.emptyLimit else {
            return .incomplete("\(emptyRun) pages in a row have no record; got \(seen)")
        }
        innerCount = innerPages == 0 || innerCount == page.count ? page.count : nil
        innerPages += 1
        guard let pages = page.pages, !page.hasNext else { return .more }
        if page.count == 0 {
            let (least, overflow) = (pages - 1).multipliedReportingOverflow(by: size ?? 0)
            let total = overflow || least == 0 ? "" : " of at least \(least)"
            return .incomplete(
                "page \(page.number) of \(pages) is empty; got \(seen)\(total)", isPageAtFault: true)
        }
        missing += max(0, (size ?? 0) - page.count)
        return .more
    }

    /// Judges a pass at its last page.
    private mutating func close(_ page: Entry) -> Verdict {
        if let pages = page.pages {
            if pages == 0, page.count > 0 {
                expected = listed
                return .incomplete("it says there are no pages, and sends \(page.count) records")
            }
            if pagesRead < pages {
                return .incomplete("page \(page.number) of \(pages) has no next one; got \(seen)")
            }
            if pages > 0, page.count == 0, !page.endsList { missing += 1 }
            expected = listed + missing
        } else if let total = page.total {
            missing = max(0, total - listed)
        } else {
            expected = distinct
        }
        if missing > 0 { return incomplete }
        let addsUp = distinct == listed && !hasShrunk
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
        guard let size, let innerCount, innerPages > 1, latestCount != nil, innerCount < size else { return "" }
        return ", pages of \(innerCount) where \(size) were requested (--page-size \(innerCount) may be the most)"
    }

    private mutating func beginAgain() {
        isSecondPass = true
        firstDigests = digests
        hasShrunk = false
        pagesRead = 0
        latestCount = nil
        listed = 0
        distinct = 0
        repeats = 0
        missing = 0
        innerPages = 0
        emptyRun = 0
        digests.removeAll()
    }
}
