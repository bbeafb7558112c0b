// Decides what a page adds to a walk through a list: which page to request now, which can be requested ahead, whether the list
// is complete, and what shows that.
//
//     position ──► request ──► page ──► enter ──► next position, again from the first, complete or incomplete
//
// Offsets overlap. Each page is asked for from the last record of the page before, so that a record that came or went
// anywhere before this border shows:
//
//     offset 0    a b c d
//     offset 3          d e f g        as expected
//     offset 6                h i j k  g isn't the first: a record before it is gone, and the list is read again
//
// A list that changed is read again from its start until a reading finds nothing new, three times at most. Going back to a
// known record would not do: a record that moved over it would be lost.

import PipelineCore

struct ListWalk: Sendable {
    enum Verdict: Equatable, Sendable {
        case more
        case again
        case complete
        /// Something is missing; a message says what. If only this page is at fault, it may be requested again.
        case incomplete(
            String, isPageAtFault: Bool = false, cure: String = "run it again, or report it to the service")
    }

    static let readingLimit = 3
    static let cureOfOnePage = "learn the list again with --learn, or describe its pages"
    static let cureOfNotFound = "add not-found to the description's end if that ends the list"
    static let cureOfEmptyPage = "add empty-page to the description's end if that ends the list"

    let pagination: Pagination
    /// Records requested per page, nil if the API decides.
    let size: Int?
    /// `--twice`: the list is read again even if nothing shows that it changed.
    let readsTwice: Bool
    /// Without ids a record that moved can't be told from another with the same content.
    let hasIDs: Bool
    /// The state that each reading starts over. The rest is what the walk has learnt of the service and its list.
    var reading: Reading
    var readings = 1
    /// What came on two pages of the reading before.
    var doubledBefore: UInt64 = 0
    /// Distinct records of all readings.
    private(set) var seen = 0
    var expected: Int?
    private let hash: ByteHash

    // MARK: What is known of the service

    var offsets: Offsets
    /// The service leaves records out after it has cut its list into pages, and counts those too.
    private(set) var countsLeftOut = false
    /// Pages that had the flag which says whether another follows.
    private var flaggedPages = 0
    /// How the positions that pages gave differ from their own.
    private var strides: [PagePosition.Stride: Int] = [:]
    /// What the list's first response is.
    private var kind: PageBeside.Kind?
    /// The paths beside the records that had a value on an earlier page of the run. Nil before the first one.
    private(set) var valued: Set<String>?

    /// - Parameters:
    ///   - hash: the same for all parts of one run.
    ///   - valued: the paths that had a value on pages of other lists of the run.
    init(
        _ source: Source, pageSize: Int?, readsTwice: Bool = false, hash: ByteHash, valued: Set<String>? = nil
    ) {
        pagination = source.pagination
        size = pagination.size.map { pageSize ?? $0.value }
        self.readsTwice = readsTwice
        hasIDs = source.members.contains { $0.name == .id }
        self.hash = hash
        self.valued = valued
        reading = Reading(pagination, size: size)
        let isOffset = if case .offset = pagination.kind { true } else { false }
        let canOverlap =
            isOffset && source.hasPlainIDs && size != 1 && !pagination.mayLeaveOut
            && pagination.count?.unit != .pages
        offsets = canOverlap ? .untried : .plain
    }

    var position: PagePosition { reading.position }

    /// The page's number, for messages and for `--with-page`: the API's own, or counted from 1.
    var number: Int { pagination.number(pagesBefore: reading.pagesBefore) }

    var hasSaidWhetherMore: Bool { flaggedPages > 0 }

    /// The list has one page so far, as long as was asked for, and nothing but what leads on says that it is the last.
    var hasOneFullPage: Bool {
        pagination.count == nil && !hasSaidWhetherMore && pagination.more == nil && size != nil
            && reading.hasOneFullPage
    }

    /// A page of the list was entered, in this reading or one before.
    var hasBegun: Bool { readings > 1 || reading.pagesRead > 0 }

    /// Pages are at the service's own positions, which stay where they are whatever comes or goes.
    var hasOwnPositions: Bool {
        switch pagination.kind {
        case .cursor, .link: !leadsByNumber
        case .none, .page, .offset: false
        }
    }

    private var leadsByNumber: Bool {
        if strides[.number] != nil { return true }
        // What the first link has besides a number may be the position, or what the service assumes without it.
        return strides[.unclear] ?? 0 > (strides[.token] == nil ? 0 : 1)
    }

    var proof: SealClaim.Proof {
        if readings > 1 { return hasIDs || seen == reading.distinct ? .twice : .count }
        return switch pagination.kind {
        case .none: .answer
        case .cursor, .link: leadsByNumber ? .count : .cursor
        case .offset, .page: offsets.canOverlap ? .overlap : .count
        }
    }

    /// For the records up to a limit, with which the list begins. `first` is the id of the latest page's first record.
    func partProof(first: UInt64?) -> SealClaim.Proof {
        if reading.changes > 0 || readings > 1 { return .count }
        if case .overlapping(let last) = reading.step, first != last { return .count }
        return proof
    }

    /// For what shows a change besides the pages.
    mutating func noteChange() { reading.addChange() }

    // MARK: Pages

    /// After `.more` and `.again`, `position` is that of the next page.
    mutating func enter(_ page: PageFacts) -> Verdict {
        if page.outcome == .refusedOffset || isRounded(page) { return askElsewhere() }
        let overlap = overlap(of: page)
        note(page)
        if let fault = fault(of: page) { return fault }
        switch reading.enter(page, context(of: page, overlap: overlap)) {
        case .idle(let text):
            let verdict = Verdict.incomplete("\(text); got \(seen)")
            guard page.listed == 0 else { return verdict }
            return .incomplete("\(text); got \(seen)", cure: Self.cureOfEmptyPage)
        case .repeats(let earlier): return enter(page, repeating: earlier)
        case .nothing: break
        }
        expected = reading.expected ?? expected
        if case .aligned = reading.step, page.listed > 0 {
            return .incomplete(
                "the service sends fewer records than requested, and no offsets in between; got \(seen)")
        }
        let course = course(after: page, new: page.listed - overlap)
        if let fault = unexpected(on: page, new: page.listed - overlap, course) { return fault }
        valued = (valued ?? []).union(page.valued)
        switch course {
        case .leadsOn: return advance(past: page)
        case .ends(let sign): return close(page, by: sign)
        }
    }

    private mutating func note(_ page: PageFacts) {
        if reading.step == .probing, page.known > 0 { countsLeftOut = true }
        flaggedPages += page.flag == nil ? 0 : 1
        seen += page.unseen
        kind = kind ?? page.kind
    }

    private func context(of page: PageFacts, overlap: Int) -> Reading.Context {
        let lead = page.first == nil ? page.next.map { Self.hash($0, hash) } ?? 0 : 0
        return Reading.Context(number: number, overlap: overlap, lead: lead, counts: meaningOfCounts)
    }

    private var meaningOfCounts: Reading.Context.Counts {
        if hasOwnPositions { return .nothing }
        return offsets.canOverlap ? .growth : .change
    }

    /// How many of the page's records come again because it was asked for so. A page that doesn't begin with them shows a
    /// change.
    private mutating func overlap(of page: PageFacts) -> Int {
        switch reading.step {
        case .overlapping(let last) where page.first == last:
            offsets = .overlapping
            return 1
        case .reaching(let known) where page.known == known: return known
        case .overlapping, .reaching:
            reading.addMiss(page)
            return 0
        case .plain where hasOwnPositions:
            // An inclusive cursor: the page begins with the record that the cursor names.
            guard let first = page.first, first == reading.latest?.last, page.known > 0 else { return 0 }
            reading.passInclusive(first)
            return 1
        case .plain, .aligned, .probing: return 0
        }
    }

    /// What no page may be, whatever its records are.
    private func fault(of page: PageFacts) -> Verdict? {
        if let size, let firstListed = reading.firstListed, firstListed <= size, page.listed > size {
            let cure =
                pagination.isByPosition ? "" : " (the description's keepQuery asks each page for the same size)"
            return .incomplete(
                "page \(number) has \(page.listed) records, not \(size), so pages may overlap or leave gaps; got "
                    + "\(seen)\(cure)")
        }
        if let wrapping = page.wrapping, !wrapping.mayBeRecord || reading.latest?.wrapping != nil {
            let objects = wrapping.count == 1 ? "an object" : "\(wrapping.count) objects"
            return .incomplete(
                "page \(number) is one object with \(objects) in \(wrapping.path); got \(seen)",
                cure: "describe the records as \(wrapping.path)")
        }
        if reading.latest?.leadsFurther ?? false, page.next == nil {
            return .incomplete(
                "the page before page \(number) names a later one as the last, and page \(number) has no next one; "
                    + "got \(seen)", isPageAtFault: true)
        }
        guard page.listed == 0, let kind, let other = page.kind, other != kind,
            !pagination.ends.contains(.emptyPage)
        else { return nil }
        return .incomplete(
            "page \(number) is \(other.rawValue) where the first one is \(kind.rawValue); got \(seen)",
            isPageAtFault: true, cure: Self.cureOfEmptyPage)
    }

    /// A page with the records of an earlier one: some services send their last page for any number behind it.
    private mutating func enter(_ page: PageFacts, repeating earlier: Int) -> Verdict {
        // Records without ids have been written once more.
        let isBefore = earlier == number - 1 && page.sequence == nil
        if isBefore, isOdd { return jump() }
        guard isBefore, reading.expectsEnd else {
            return .incomplete(
                "page \(number) repeats page \(earlier); got \(seen)", isPageAtFault: true,
                cure: "run it again, or check the description's pagination: the service may not know its parameter")
        }
        return close(page, by: .said)
    }

    private mutating func advance(past page: PageFacts) -> Verdict {
        if reading.addInner(page, mayBeShort: pagination.mayLeaveOut), let pages = page.count {
            let (least, overflow) = (pages - 1).multipliedReportingOverflow(by: size ?? 0)
            let total = overflow || least == 0 ? "" : " of at least \(least)"
            return .incomplete("page \(number) of \(pages) is empty; got \(seen)\(total)", isPageAtFault: true)
        }
        if let next = page.next {
            guard reading.followed.insert(Self.hash(next, hash)).inserted else { return turnBack(page, to: next) }
            if let stride = page.stride { strides[stride, default: 0] += 1 }
        }
        if pagination.hasOnePage {
            return .incomplete(
                "\(page.sign ?? "more records follow"), and the description's pagination is none; got \(seen)",
                cure: Self.cureOfOnePage)
        }
        guard let target = target(past: page), target != position else {
            return .incomplete("page \(number) says that another follows, and doesn't lead to it; got \(seen)")
        }
        reading.expectsEnd = isDoubtful(page)
        reading.pagesBefore += 1
        reading.position = target
        return .more
    }

    /// The page leads to one that was read.
    private mutating func turnBack(_ page: PageFacts, to next: PagePosition) -> Verdict {
        // The last page of some services leads to itself.
        let isLink = if case .link = next { true } else { false }
        let isEmptyEnd = isLink && page.listed == 0 && page.flag != .more
        let isOwn = next == position && (reading.hasExactlyTheCount || isEmptyEnd)
        if reading.expectsEnd || isOwn { return close(page, by: .said) }
        return .incomplete("page \(number) leads back to an earlier one; got \(seen)")
    }

    /// Whether the next page is asked for only to see that there is none.
    private func isDoubtful(_ page: PageFacts) -> Bool {
        if hasSaidWhetherMore { return page.flag == nil }
        // A total that never came counts as not described.
        guard pagination.count == nil || reading.announced == nil else { return reading.hasAllCounted }
        return pagination.isByPosition && !reading.isFull(page.listed) && reading.pagesBefore > 0
    }

    static func hash(_ position: PagePosition, _ hash: ByteHash) -> UInt64 {
        position.json.map { hash.hash(Array($0.utf8).span) } ?? 0
    }
}
