// One reading of a list, from its first page to its last, judged by what its pages say and hold.
//
// Lists change while they are read. A record inserted at the front shifts another from page 1 to page 2, where it comes a
// second time. A removed one lets another slip from page 3 to page 2, unseen. What shows such a change: an id that comes on
// two pages, a count that differs from page to page, a page that doesn't begin with the record that it was asked from.
// An id that comes twice on one page is no such change: nothing shifts within a response, so the list has it twice.

struct Reading: Equatable, Sendable {
    /// No list has this many consecutive pages without a new record: the service's cursor leads nowhere.
    private static let idleLimit = 1000

    let size: Int?
    let unit: Pagination.Unit?
    /// Of the page that the walk asks for now.
    var position: PagePosition
    var pagesBefore = 0
    /// Hashes of the cursors and links followed.
    var followed: Set<UInt64> = []
    /// The page at `position` may not exist: whatever isn't new after it is the end.
    var mayBePastEnd = false
    /// The id of the record that it has to begin with, if it was asked for from there.
    var expectedFirst: UInt64?
    /// Requested from the number of records received, in case the service sends fewer than asked for; it may repeat some.
    var isCautious = false
    /// Places of the list were passed over to get to a multiple of the size: only the end may follow.
    var hasJumped = false
    private(set) var pagesRead = 0
    private(set) var firstListed: Int?
    /// Elements that the service has listed, each once.
    private(set) var listed = 0
    /// The count of the latest page that has one, and the highest, of earlier readings too.
    private(set) var latestCount: Int?
    private var highestCount = 0
    private(set) var longest = 0
    var hasChanged = false
    /// Its last page is empty, though it was asked for from a record that the page before has.
    var endsTooEarly = false
    /// A page that was asked for from one record has others, all of them known: some places were passed over.
    var leavesGap = false
    /// Elements that aren't wanted as records, and those that two overlapping requests both returned.
    private var leftOut = 0
    private var askedTwice = 0
    private(set) var unseen = 0
    private(set) var distinct = 0
    private var repeats = 0
    /// Records missing from pages before the last, where the service counts pages.
    private var missing = 0
    /// Pages before the last, and their number of elements if all have the same.
    private var innerPages = 0
    private var innerCount: Int?
    /// Consecutive pages without a new record, up to now, and those of them without any record.
    private var idleRun = 0
    private var emptyRun = 0
    /// The page before the one at `position`.
    private(set) var latest: PageFacts?
    private var contents: [UInt64: Int] = [:]

    init(_ pagination: Pagination, size: Int?, after earlier: Reading? = nil) {
        self.size = size
        highestCount = earlier?.highestCount ?? 0
        unit = pagination.count?.unit
        position = pagination.first
    }

    enum Finding: Equatable {
        case nothing
        case repeats(Int)
        /// The service goes on and on without a record.
        case idle(String)
    }

    /// - Parameters:
    ///   - overlap: 1 if its first record is the last one of the page before, as it was asked from there.
    ///   - mayGrow: records that are added at the end shift none.
    ///   - lead: equal for pages that lead to the same one, else different; 0 for those that don't lead on or have ids.
    mutating func enter(_ page: PageFacts, number: Int, overlap: Int, lead: UInt64, mayGrow: Bool) -> Finding {
        firstListed = firstListed ?? page.listed
        let content = page.content ^ (lead &* 0x9E37_79B9_7F4A_7C15)
        if page.listed > overlap {
            if let earlier = contents[content] { return .repeats(earlier) }
            contents[content] = number
        }
        // Equal records without ids may be different ones, but hardly different ones in the same order.
        let hasSameRecords = page.sequence != nil && page.sequence == latest?.sequence
        if hasSameRecords, page.isVaried { return .repeats(number - 1) }
        if let count = page.count {
            if let latestCount, count < latestCount || count > latestCount && !mayGrow { hasChanged = true }
            latestCount = count
            highestCount = max(highestCount, count)
        }
        pagesRead += 1
        let shared = isCautious ? max(0, page.records - page.distinct - page.repeats) : overlap
        askedTwice += isCautious ? shared : 0
        listed += page.listed - overlap
        leftOut += page.listed - page.records
        unseen += page.unseen
        distinct += page.distinct
        repeats += page.repeats
        let isEmptyAgain = page.listed == 0 && page.hasMore == true && latest?.content == page.content
        defer {
            longest = max(longest, page.listed)
            latest = page
        }
        let isNew =
            page.listed > page.records || page.distinct > 0 && page.content != latest?.content && !hasSameRecords
        idleRun = isNew ? 0 : idleRun + 1
        emptyRun = page.listed == 0 ? emptyRun + 1 : 0
        if isEmptyAgain, emptyRun > 1 {
            return .idle("page \(number) is empty like the one before it, and says that another follows")
        }
        guard idleRun < Self.idleLimit else {
            return .idle("\(idleRun) pages in a row have no \(emptyRun < idleRun ? "new " : "")record")
        }
        return .nothing
    }

    /// Adds a page before the last.
    /// - Returns: whether it is empty, and shouldn't be.
    mutating func addInner(_ page: PageFacts) -> Bool {
        innerCount = innerPages == 0 || innerCount == page.listed ? page.listed : nil
        innerPages += 1
        guard unit == .pages, page.hasMore != true, page.count != nil else { return false }
        missing += max(0, (size ?? 0) - page.listed)
        return page.listed == 0
    }

    // MARK: What it shows

    /// Whether a page with this many elements is full, so that more pages probably follow.
    func isFull(_ listed: Int) -> Bool {
        guard listed > 0 else { return false }
        if size.map({ listed >= $0 }) ?? (pagesRead == 0) { return true }
        return pagesRead > 0 && listed >= longest
    }

    var hasOneFullPage: Bool { pagesRead == 1 && size.map { listed >= $0 } ?? true }

    /// Whether the pages read have all that the service says there is. True if it doesn't say.
    var hasAllCounted: Bool { latestCount.map { (unit == .pages ? pagesRead : listed) >= $0 } ?? true }

    /// Whether they have no more and no less than the service says. False if it doesn't say.
    var hasExactlyTheCount: Bool { (unit == .pages ? pagesRead : listed) == latestCount }

    var expected: Int? {
        guard unit == .records else { return nil }
        return latestCount.map { max(0, $0 - leftOut) }
    }

    /// A total that fell by more than a tenth, and by more than two: records rarely go so fast, and more likely the service
    /// doesn't see them all.
    var fall: (from: Int, to: Int)? {
        guard let latestCount, latestCount < highestCount - max(highestCount / 10, 2) else { return nil }
        return (highestCount, latestCount)
    }

    /// Whether no record that came again on its own page may stand in the place of another.
    var isAllDistinct: Bool { repeats == 0 || expected.map { distinct >= $0 } ?? true }

    /// Each record came once, and those that came again on their own page.
    var addsUp: Bool { distinct + repeats == listed - leftOut - askedTwice }

    /// Whether the distinct records are as many as there are. True if nobody says.
    var isAllNamed: Bool {
        if unit == .pages { return latestCount == nil || addsUp }
        return expected.map { distinct + repeats >= $0 } ?? true
    }

    /// - Parameter endsList: the service says that the list ends here.
    func missing(at page: PageFacts, endsList: Bool) -> (missing: Int, expected: Int) {
        switch (unit, latestCount) {
        case (.pages, let pages?):
            let lacksLast = pages > 1 && page.listed == 0 && !endsList ? 1 : 0
            return (missing + lacksLast, listed - leftOut + missing + lacksLast)
        case (.records, let total?): return (max(0, total - listed), max(0, total - leftOut))
        default: return (0, distinct)
        }
    }

    /// If a service limits pages to fewer records than requested, each page seems to miss some.
    var sizeAdvice: String {
        guard let size, let innerCount, innerPages > 1, latestCount != nil, innerCount < size else { return "" }
        return ", pages of \(innerCount) where \(size) were requested (--page-size \(innerCount) may be the most)"
    }
}
