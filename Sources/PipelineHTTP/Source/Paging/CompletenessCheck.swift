// Whether all the records came that an API lists, judged from the pages alone.
//
// Where the API says how many records there are, fewer different ones mean that something is missing. Where it says how
// many pages, every page but the last must be full, so that once the last page has come,
//
//     expected = (pages - 1) · size + records on the last page
//
// Lists change while they are read. A record put in front shifts one from page 1 to page 2, where it comes a second
// time, and is itself never seen; one taken away makes another slip from page 3 to page 2 unseen. Either shows, as an id
// that comes twice or as a smaller count than before. Then the list is read a second time, for what is missing.
//
// A list is whole when one reading of it adds up in itself. Where an id comes twice in two readings that are the same,
// it depends on where. Twice on one page is a list that names it twice, as a page is one response and nothing shifts inside
// one. On two pages it may as well be a service whose pages overlap each time, and then records between them are never
// seen: those count as missing. Where nobody says how many there are, two readings that are the same are all there is to
// go by. A list that doesn't get there is reported, never passed as whole.

/// The bookkeeping of a walk over pages.
package struct CompletenessCheck: Equatable, Sendable {
    package enum Verdict: Equatable, Sendable {
        /// The list goes on.
        case more
        /// It has to be read again from its first page.
        case again
        /// All that is listed has come.
        case complete
        /// Something is missing; a message says what. Where the fault is in this page alone, it may be asked for again.
        case incomplete(String, isPageAtFault: Bool = false)
    }

    /// What is entered of a page.
    package struct Entry: Equatable, Sendable {
        /// Its number as messages call it.
        package var number: Int
        /// Its records.
        package var count: Int
        /// Those of them that hadn't come before.
        package var unseen: Int
        /// Those of them that hadn't come before in this reading of the list.
        package var distinct: Int
        /// Those of them that stand on this page more than once, without the first of each.
        package var repeats = 0
        /// How many pages there are, by this one.
        package var pages: Int?
        /// How many records there are, by this one.
        package var total: Int?
        /// The API says that this page is the last.
        package var endsList = false
        /// The API says that another page follows.
        package var hasNext = false
        /// The same for pages with the same records, else another.
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

    /// So many pages without a record follow on one another in no list: the service's cursor leads nowhere.
    private static let emptyLimit = 1000

    private let size: Int?

    package private(set) var isSecondPass = false
    /// Pages of this pass.
    private var pagesRead = 0
    /// The number of pages, or of records, by the latest page.
    private var latestCount: Int?
    /// Records listed in this pass, those that had come before counted too.
    private var listed = 0
    /// Different ones among these.
    private var distinct = 0
    /// Those that a page names again by itself.
    private var repeats = 0
    /// Records that pages before the last should have had and hadn't.
    private var missing = 0
    /// Pages before the last, and the records of each where all have as many.
    private var innerPages = 0
    private var innerCount: Int?
    /// Pages without a record up to now.
    private var emptyRun = 0
    /// The list has become shorter during this pass.
    private var hasShrunk = false
    /// The contents of the pages of this pass, and their numbers.
    private var digests: [UInt64: Int] = [:]
    /// Those of the first pass.
    private var firstDigests: [UInt64: Int] = [:]
    /// Different records of all pages.
    package private(set) var seen = 0
    /// How many there are, as soon as that is known.
    package private(set) var expected: Int?

    /// - Parameter size: the records asked for a page, nil where the API decides.
    package init(size: Int?) { self.size = size }

    /// Enters a page.
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
        // A count that is wrong may cut the list short, where its last page is full.
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

    /// A service that has smaller pages than it was asked for looks as if records were missing from each.
    private var sizeAdvice: String {
        guard let size, let innerCount, innerPages > 1, latestCount != nil, innerCount < size else { return "" }
        return ", pages of \(innerCount) where \(size) were asked for (--page-size \(innerCount) may be the most)"
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
