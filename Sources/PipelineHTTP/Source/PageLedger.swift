// Whether all the records came that an API lists, judged from the pages alone.
//
// The API says how many pages there are; every page but the last must be full. So once the last page has come,
//
//     expected = (pages - 1) · size + records on the last page
//
// and fewer ids than that mean that something is missing. Lists change while they are read. A record put in front
// shifts one from page 1 to page 2, where it comes a second time, and is itself never seen; one taken away makes another
// slip from page 3 to page 2 unseen. Either shows, as an id that comes twice or as fewer pages than before. Then the
// list is read a second time, for what is missing. A list is whole when one reading of it adds up in itself, or when two
// readings are the same; one that doesn't get there is reported, never passed as whole.

/// The bookkeeping of a walk over numbered pages.
package struct PageLedger: Equatable, Sendable {
    package enum Verdict: Equatable, Sendable {
        /// Ask for this page next.
        case next(Int)
        /// All that is listed has come.
        case complete
        /// Something is missing; a message says what.
        case incomplete(String)
    }

    private let first: Int
    private let size: Int

    private var isSecondPass = false
    /// The number of pages by the latest page.
    private var pages = 0
    /// Records listed in this pass, those that had come before counted too.
    private var listed = 0
    /// Different ones among these.
    private var distinct = 0
    /// Records that pages before the last should have had and hadn't.
    private var missing = 0
    /// The list has become shorter during this pass.
    private var hasShrunk = false
    /// The contents of the pages of this pass, and their numbers.
    private var digests: [Int: Int] = [:]
    /// Those of the first pass.
    private var firstDigests: [Int: Int] = [:]
    /// Different records of all pages.
    package private(set) var seen = 0
    /// How many there are, as soon as that is known.
    package private(set) var expected: Int?

    /// - Parameters:
    ///   - first: the number of the first page.
    ///   - size: the records asked for a page.
    package init(first: Int, size: Int) {
        self.first = first
        self.size = size
    }

    /// Enters a page.
    /// - Parameters:
    ///   - count: its records.
    ///   - unseen: those of them that hadn't come before.
    ///   - distinct: those of them that hadn't come before in this pass; the first page begins one.
    ///   - pages: how many pages there are, by this one.
    ///   - digest: the same for pages with the same records, else another.
    package mutating func enter(
        page: Int, count: Int, unseen: Int, distinct: Int, pages: Int, digest: Int
    ) -> Verdict {
        if page != first, pages < self.pages { hasShrunk = true }
        self.pages = pages
        seen += unseen
        listed += count
        self.distinct += distinct
        if count > 0, let earlier = digests.updateValue(page, forKey: digest) {
            return .incomplete("page \(page) repeats page \(earlier); got \(seen)")
        }
        let isLast = page - first + 1 >= pages
        guard isLast else { return enterInner(page, count) }
        if pages > 0, count == 0 { missing += 1 }
        return close(count: count)
    }

    private mutating func enterInner(_ page: Int, _ count: Int) -> Verdict {
        if count == 0 {
            let (least, overflow) = (pages - 1).multipliedReportingOverflow(by: size)
            let total = overflow ? "" : " of at least \(least)"
            return .incomplete("page \(page) of \(pages) is empty; got \(seen)\(total)")
        }
        missing += max(0, size - count)
        return .next(page + 1)
    }

    /// Judges a pass at its last page.
    private mutating func close(count: Int) -> Verdict {
        expected = listed + missing
        if pages == 0, count > 0 { return .incomplete("it says there are no pages, and sends \(count) records") }
        if missing > 0 { return incomplete }
        let addsUp = distinct == listed && !hasShrunk
        guard isSecondPass else {
            if addsUp { return .complete }
            beginAgain()
            return .next(first)
        }
        // A list that is the same at the second reading has kept still: it names a record twice.
        return addsUp || !hasShrunk && digests == firstDigests ? .complete : incomplete
    }

    private var incomplete: Verdict {
        let total = expected ?? listed
        return .incomplete(
            seen < total ? "got \(seen) of \(total)" : "got \(seen), and the list changed while it was read twice")
    }

    private mutating func beginAgain() {
        isSecondPass = true
        hasShrunk = false
        listed = 0
        distinct = 0
        firstDigests = digests
        digests.removeAll()
    }
}
