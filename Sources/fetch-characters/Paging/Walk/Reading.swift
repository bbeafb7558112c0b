// Decides what one reading of a list has shown, from its first page to its last, and how its next page is asked for.
//
// Lists change while they are read. A record inserted at the front shifts another from page 1 to page 2, where it comes a
// second time. A removed one lets another slip from page 3 to page 2, unseen. What shows such a change: an id that comes on
// two pages, a count that differs from page to page, a page that doesn't begin with the record that it was asked from.
// An id that comes twice on one page is no such change: nothing shifts within a response, so the list has it twice.

import PipelineCore

/// How a page is asked for.
enum Step: Equatable, Sendable {
    /// Where the page before ends.
    case plain
    /// From the last record of the page before, whose id has to come first.
    case overlapping(last: UInt64)
    /// From the last place that the service gives, so that this many records come again.
    case reaching(known: Int)
    /// From the next multiple of the size, behind places that the service takes no offset for: only the end may follow.
    case aligned(to: Int)
    /// From the number of records received, in case the service sends fewer than asked for. Some may come again.
    case probing
}

struct Reading: Equatable, Sendable {
    /// No list has this many consecutive pages without a new record: the service's cursor leads nowhere.
    private static let idleLimit = 1000
    /// The least that a total falls by where a service doesn't see all records. Beside it counts a tenth of the total.
    private static let leastFall = 10

    let size: Int?
    let unit: Pagination.Unit?

    // MARK: The next page

    var position: PagePosition
    var step = Step.plain
    var pagesBefore = 0
    /// The id that the page at `position` has to begin with.
    var expectedFirst: UInt64? { if case .overlapping(let last) = step { last } else { nil } }
    /// Hashes of the cursors and links followed.
    var followed: Set<UInt64> = []
    /// The page at `position` may not exist: whatever isn't new after it is the end.
    var expectsEnd = false

    // MARK: What the pages have shown

    private(set) var pagesRead = 0
    private(set) var firstListed: Int?
    private(set) var longest = 0
    /// Elements that the service has listed, each once.
    private(set) var listed = 0
    /// Elements that aren't wanted as records, and those that came again where a page was asked for with caution.
    private var leftOut = 0
    private var askedTwice = 0
    /// Records that no reading had, that this one hadn't had, and that repeat another of the same page.
    private(set) var unseen = 0
    private(set) var distinct = 0
    private var repeats = 0
    /// The hashes of the ids that came on two pages, added up.
    private(set) var doubled: UInt64 = 0
    /// What the service announces, by its latest page or, where pages are its own positions, by the one that announces least.
    private(set) var announced: Int?
    private(set) var latestCount: Int?
    /// The highest count, of earlier readings too.
    private var highestCount = 0
    /// At least so many records are there.
    private(set) var least: Int?
    /// Signs of a change: counts that differ, and pages that don't begin as they were asked for; of these, those without a
    /// record, and those that have known ones alone.
    private(set) var changes = 0
    private(set) var earlyEnds = 0
    private(set) var gaps = 0
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

    /// What else a walk knows of a page.
    struct Context {
        let number: Int
        /// The records that come again because the page was asked for so.
        let overlap: Int
        /// Equal for pages that lead to the same one, else different; 0 for those that don't lead on or have ids.
        let lead: UInt64
        let counts: Counts

        /// What a count says that differs from the one before.
        enum Counts {
            /// The list has changed, and what was read may have shifted.
            case change
            /// The same, but for records that were added at the end, as they shift none.
            case growth
            /// Nothing: the service's own position stays where it is.
            case nothing
        }
    }

    mutating func enter(_ page: PageFacts, _ context: Context) -> Finding {
        firstListed = firstListed ?? page.listed
        let content = page.content ^ (context.lead &* 0x9E37_79B9_7F4A_7C15)
        if page.listed > context.overlap {
            if let earlier = contents[content] { return .repeats(earlier) }
            contents[content] = context.number
        }
        // Equal records without ids may be different ones, but hardly different ones in the same order.
        let hasSameRecords = page.sequence != nil && page.sequence == latest?.sequence
        if hasSameRecords, page.isVaried { return .repeats(context.number - 1) }
        enter(count: page.count, context.counts)
        least = page.least ?? least
        add(page, overlap: context.overlap)
        defer {
            longest = max(longest, page.listed)
            latest = page
        }
        let isNew =
            page.listed > page.records || page.distinct > 0 && page.content != latest?.content && !hasSameRecords
        return idleness(page, isNew: isNew, number: context.number)
    }

    private mutating func enter(count: Int?, _ meaning: Context.Counts) {
        guard let count else { return }
        if let latestCount {
            switch meaning {
            case .change: changes += count == latestCount ? 0 : 1
            case .growth: changes += count < latestCount ? 1 : 0
            case .nothing: break
            }
        }
        let isOwn = if case .nothing = meaning { true } else { false }
        announced = isOwn ? min(announced ?? count, count) : count
        latestCount = count
        highestCount = max(highestCount, count)
    }

    private mutating func add(_ page: PageFacts, overlap: Int) {
        pagesRead += 1
        askedTwice += step == .probing ? page.known : 0
        listed += page.listed - overlap
        leftOut += page.listed - page.records
        unseen += page.unseen
        distinct += page.distinct
        repeats += page.repeats
        doubled &+= page.doubled
    }

    private mutating func idleness(_ page: PageFacts, isNew: Bool, number: Int) -> Finding {
        let isEmptyAgain = page.listed == 0 && page.hasMore == true && latest?.content == page.content
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

    /// Adds a page that doesn't begin as it was asked for.
    mutating func addMiss(_ page: PageFacts) {
        changes += 1
        earlyEnds = page.listed == 0 ? 1 : 0
        gaps += page.listed > 0 && page.distinct == 0 ? 1 : 0
    }

    /// For what shows a change besides the pages.
    mutating func addChange() { changes += 1 }

    /// Takes out the id of a record that comes first because the service's cursor is inclusive.
    mutating func passInclusive(_ id: UInt64) { doubled &-= id }

    /// Adds a page before the last.
    /// - Parameter mayBeShort: the service leaves records out of its pages.
    /// - Returns: whether it is empty, and shouldn't be.
    mutating func addInner(_ page: PageFacts, mayBeShort: Bool) -> Bool {
        innerCount = innerPages == 0 || innerCount == page.listed ? page.listed : nil
        innerPages += 1
        guard unit == .pages, page.hasMore != true, page.count != nil, !mayBeShort else { return false }
        missing += max(0, (size ?? 0) - page.listed)
        return page.listed == 0
    }
}

/// What the evidence amounts to.
extension Reading {
    /// Whether a page with this many elements is full, so that more pages probably follow.
    func isFull(_ listed: Int) -> Bool {
        guard listed > 0 else { return false }
        if size.map({ listed >= $0 }) ?? (pagesRead == 0) { return true }
        return pagesRead > 0 && listed >= longest
    }

    var hasOneFullPage: Bool { pagesRead == 1 && size.map { listed >= $0 } ?? true }

    /// Pages or records, as the service counts.
    private var read: Int { unit == .pages ? pagesRead : listed }

    /// Whether the pages read have all that the service says there is. True if it doesn't say.
    var hasAllCounted: Bool { announced.map { read >= $0 } ?? true }

    /// Whether they have no more and no less than the service says. False if it doesn't say.
    var hasExactlyTheCount: Bool { read == announced }

    var expected: Int? {
        guard unit == .records else { return nil }
        return announced.map { max(0, $0 - leftOut) }
    }

    /// A total that fell so far that more likely the service doesn't see all records than that they are gone.
    var fall: (from: Int, to: Int)? {
        let least = highestCount - max(highestCount / 10, Self.leastFall)
        guard let latestCount, latestCount < least else { return nil }
        return (highestCount, latestCount)
    }

    /// Whether no record that came again on its own page may stand in the place of another.
    var isAllDistinct: Bool { repeats == 0 || expected.map { distinct >= $0 } ?? true }

    /// Each record came once, and those that came again on their own page.
    var addsUp: Bool { distinct + repeats == listed - leftOut - askedTwice }

    /// Whether the distinct records are as many as there are. True if nobody says.
    var isAllNamed: Bool {
        if unit == .pages { return announced == nil || addsUp }
        return expected.map { distinct + repeats >= $0 } ?? true
    }

    /// - Parameter isSaid: the service says that the list ends here.
    func missing(at page: PageFacts, isSaid: Bool) -> (missing: Int, expected: Int) {
        switch (unit, announced) {
        case (.pages, let pages?):
            let lacksLast = pages > 1 && page.listed == 0 && !isSaid ? 1 : 0
            return (missing + lacksLast, listed - leftOut + missing + lacksLast)
        case (.records, let total?): return (max(0, total - listed), max(0, total - leftOut))
        default: return (0, distinct)
        }
    }

    /// If a service limits pages to fewer records than requested, each page seems to miss some.
    var sizeAdvice: String {
        guard let size, let innerCount, innerPages > 1, announced != nil, innerCount < size else { return "" }
        return ", pages of \(innerCount) where \(size) were requested (--page-size \(innerCount) may be the most)"
    }
}

extension Int {
    /// 100, 1000 and so on, which may be the most that a service counts or sends.
    var isRoundLimit: Bool {
        self >= 100 && "\(self)".first == "1" && "\(self)".dropFirst().allSatisfy { $0 == "0" }
    }
}
