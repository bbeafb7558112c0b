// A walk through a list: which page to request now, which can be requested ahead, whether the list is complete, and what
// shows that.
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

    private static let readingLimit = 3
    private static let cureOfOnePage = "learn the list again with --learn, or describe its pages"

    let pagination: Pagination
    /// Records requested per page, nil if the API decides.
    let size: Int?
    /// `--twice`: the list is read again even if nothing shows that it changed.
    private let readsTwice: Bool
    /// Without ids a record that moved can't be told from another with the same content.
    private let hasIDs: Bool
    /// The state that each reading starts over. The rest is what the walk has learnt of the service and its list.
    private(set) var reading: Reading
    private(set) var readings = 1
    /// Distinct records of all readings.
    private(set) var seen = 0
    private(set) var expected: Int?
    private(set) var hasSaidWhetherMore = false
    private let hash: ByteHash

    // MARK: Offsets

    /// The service's offsets can overlap, as far as is known.
    private(set) var canOverlap: Bool
    /// A page began where it was asked for.
    private var hasOverlapped = false
    /// Offsets have to be multiples of the size.
    private var isAligned = false
    /// The service leaves records out after it has cut its list into pages, and counts those too.
    private(set) var countsLeftOut = false

    /// A cursor or link is a number: of a page, or of records.
    private var leadsByNumber = false

    /// - Parameter hash: the same for all parts of one run.
    init(_ source: Source, pageSize: Int?, readsTwice: Bool = false, hash: ByteHash) {
        pagination = source.pagination
        size = pagination.size.map { pageSize ?? $0.value }
        self.readsTwice = readsTwice
        hasIDs = source.members.contains { $0.name == .id }
        self.hash = hash
        reading = Reading(pagination, size: size)
        let isOffset = if case .offset = pagination.kind { true } else { false }
        canOverlap =
            isOffset && source.hasPlainIDs && size != 1 && !pagination.mayLeaveOut
            && pagination.count?.unit != .pages
    }

    var position: PagePosition { reading.position }

    /// The page's number, for messages and for `--with-page`: the API's own, or counted from 1.
    var number: Int { pagination.number(pagesBefore: reading.pagesBefore) }

    /// The list has one page so far, as long as was asked for, and nothing but what leads on says that it is the last.
    var hasOneFullPage: Bool {
        pagination.count == nil && !hasSaidWhetherMore && pagination.more == nil && size != nil
            && reading.hasOneFullPage
    }

    /// A page of the list was entered, in this reading or one before.
    var hasBegun: Bool { readings > 1 || reading.pagesRead > 0 }

    var isPastLastPage: Bool { pagination.lastPage.map { reading.pagesBefore >= $0 } ?? false }

    var proof: SealClaim.Proof {
        if readings > 1 { return hasIDs || seen == reading.distinct ? .twice : .count }
        return switch pagination.kind {
        case .none: .answer
        case .cursor, .link: leadsByNumber ? .count : .cursor
        case .offset, .page: canOverlap ? .overlap : .count
        }
    }

    /// For the records up to a limit, with which the list begins. `first` is the id of the latest page's first record.
    func partProof(first: UInt64?) -> SealClaim.Proof {
        let isMissed = reading.expectedFirst != nil && first != reading.expectedFirst
        return reading.hasChanged || readings > 1 || isMissed ? .count : proof
    }

    // MARK: Pages

    /// After `.more` and `.again`, `position` is that of the next page.
    mutating func enter(_ page: PageFacts) -> Verdict {
        if page.outcome == .refusedOffset || isRounded(page) {
            return reading.expectedFirst == nil ? jump() : askPlainly()
        }
        let isFirst = reading.expectedFirst != nil && page.first == reading.expectedFirst
        hasOverlapped = hasOverlapped || isFirst
        if reading.expectedFirst != nil, !isFirst {
            reading.hasChanged = true
            reading.endsTooEarly = page.listed == 0
            reading.leavesGap = reading.leavesGap || page.listed > 0 && page.distinct == 0
        }
        if reading.isCautious, page.distinct + page.repeats < page.records { countsLeftOut = true }
        hasSaidWhetherMore = hasSaidWhetherMore || page.hasMore != nil
        seen += page.unseen
        if let size, let firstListed = reading.firstListed, firstListed <= size, page.listed > size {
            return .incomplete(
                "page \(number) has \(page.listed) records, not \(size), so pages may overlap or leave gaps; got \(seen)"
                    + (pagination.isByPosition
                        ? "" : " (the description's keepQuery asks each page for the same size)"))
        }
        if reading.latest?.leadsFurther ?? false, page.next == nil {
            return .incomplete(
                "the page before page \(number) names a later one as the last, and page \(number) has no next one; "
                    + "got \(seen)", isPageAtFault: true)
        }
        let finding = reading.enter(
            page, number: number, overlap: isFirst ? 1 : 0,
            lead: page.first == nil ? page.next.map { Self.hash($0, hash) } ?? 0 : 0, mayGrow: canOverlap)
        expected = reading.expected ?? expected
        switch finding {
        case .idle(let text) where page.listed == 0:
            return .incomplete(
                "\(text); got \(seen)", cure: "add empty-page to the description's end if that ends the list")
        case .idle(let text): return .incomplete("\(text); got \(seen)")
        case .repeats(let earlier):
            // Records without ids have been written once more.
            let isBefore = earlier == number - 1 && page.sequence == nil
            if isBefore, isOdd { return jump() }
            guard isBefore, reading.mayBePastEnd else {
                return .incomplete(
                    "page \(number) repeats page \(earlier); got \(seen)", isPageAtFault: true,
                    cure:
                        "run it again, or check the description's pagination: the service may not know its parameter"
                )
            }
            return close(page, endsList: true)
        case .nothing: break
        }
        if reading.hasJumped, page.listed > 0 {
            return .incomplete(
                "the service sends fewer records than requested, and no offsets in between; got \(seen)")
        }
        let new = page.listed - (isFirst ? 1 : 0)
        let leadsOn = leadsOn(page, new: new)
        guard isLast(page, new: new, leadsOn) else { return advance(past: page) }
        if leadsOn == nil, reading.isFull(page.listed), !reading.hasChanged, let expected = reading.expected,
            reading.distinct > expected
        {
            return .incomplete(
                "the service announces \(expected) records but sent \(reading.distinct)",
                cure: "run it again, or leave out the description's total if that counts the page")
        }
        return close(page, endsList: leadsOn == false)
    }

    /// Whether another page follows, nil if that is up to the counts and the sizes of pages.
    private func leadsOn(_ page: PageFacts, new: Int) -> Bool? {
        let ends = pagination.ends
        // Some services send empty pages between others, and say so.
        let isEnd = page.listed == 0 && page.hasMore != true && ends.contains(.emptyPage)
        if page.outcome == .notFound || isEnd { return false }
        if ends.contains(.sameCursor), let next = page.next, next == position { return false }
        if let hasMore = page.hasMore { return hasMore }
        switch pagination.kind {
        case .none: return false
        case .cursor, .link: return page.next != nil && !(reading.mayBePastEnd && new == 0)
        // Some services leave the flag out where it is false.
        case .page, .offset: return hasSaidWhetherMore && !reading.isFull(page.listed) ? false : nil
        }
    }

    private func isLast(_ page: PageFacts, new: Int, _ leadsOn: Bool?) -> Bool {
        if let leadsOn { return !leadsOn }
        if pagination.count?.unit == .pages, let pages = page.count { return reading.pagesRead >= pages }
        if pagination.count?.unit == .records, let total = page.count {
            // The count of a page may be taken for the list's, if they are equal, a round number may be the most that the
            // service counts, and a record that is there twice may stand in another's place: one more page shows it.
            let isDoubtful =
                reading.listed == total
                && (reading.hasOneFullPage || total.isRoundLimit && reading.isFull(page.listed))
            return new <= 0 || reading.listed >= total && !isDoubtful && reading.isAllDistinct
        }
        // The service gives no page after this one.
        if let last = pagination.lastPage, reading.pagesBefore + 1 >= last, !pagination.mayLeaveOut {
            return !reading.isFull(page.listed)
        }
        return new <= 0 && !pagination.ends.contains(.notFound)
    }

    private mutating func advance(past page: PageFacts) -> Verdict {
        if reading.addInner(page), let pages = page.count {
            let (least, overflow) = (pages - 1).multipliedReportingOverflow(by: size ?? 0)
            let total = overflow || least == 0 ? "" : " of at least \(least)"
            return .incomplete("page \(number) of \(pages) is empty; got \(seen)\(total)", isPageAtFault: true)
        }
        if let next = page.next {
            guard reading.followed.insert(Self.hash(next, hash)).inserted else {
                // The last page of some services leads to itself.
                let isLink = if case .link = next { true } else { false }
                let isOwn = next == position && (reading.hasExactlyTheCount || isLink && page.listed == 0)
                if reading.mayBePastEnd || isOwn { return close(page, endsList: true) }
                return .incomplete("page \(number) leads back to an earlier one; got \(seen)")
            }
            leadsByNumber = leadsByNumber || page.leadsByNumber
        }
        if pagination.hasOnePage {
            let sign = page.sign ?? "more records follow"
            guard !pagination.isAssumed else {
                return .incomplete(
                    "\(sign); got \(seen)",
                    cure: "remove \"assumed\" from the description if one response always has all, or else learn "
                        + "the list again with --learn")
            }
            return .incomplete(
                "\(sign), and the description's pagination is none; got \(seen)", cure: Self.cureOfOnePage)
        }
        guard let target = target(past: page), target != position else {
            return .incomplete("page \(number) says that another follows, and doesn't lead to it; got \(seen)")
        }
        reading.mayBePastEnd = isDoubtful(page)
        reading.pagesBefore += 1
        reading.position = target
        return .more
    }

    /// Whether the next page is asked for only to see that there is none.
    private func isDoubtful(_ page: PageFacts) -> Bool {
        if hasSaidWhetherMore { return page.hasMore == nil }
        // A total that never came counts as not described.
        guard pagination.count == nil || reading.latestCount == nil else { return reading.hasAllCounted }
        return pagination.isByPosition && !reading.isFull(page.listed) && reading.pagesBefore > 0
    }

    private mutating func target(past page: PageFacts) -> PagePosition? {
        guard case .offset(let start) = position else {
            return pagination.position(pagesBefore: reading.pagesBefore + 1) ?? page.next
        }
        let isNamed = page.last != nil && page.listed == page.records
        if page.listed == 1 || page.listed > 0 && !isNamed { canOverlap = false }
        reading.isCautious = false
        reading.expectedFirst = nil
        if canOverlap, page.listed > 1 {
            reading.expectedFirst = page.last
            return .offset(start + page.listed - 1)
        }
        if isAligned { return .offset(start + max(page.listed, reading.longest)) }
        guard pagination.mayLeaveOut, let size, page.listed < size else { return .offset(start + page.listed) }
        // Either the service gives fewer than requested, or it has left some out. Ids tell which.
        reading.isCautious = page.listed > 0 && page.last != nil && !countsLeftOut
        return .offset(start + (reading.isCautious ? page.listed : size))
    }

    private static func hash(_ position: PagePosition, _ hash: ByteHash) -> UInt64 {
        position.json.map { hash.hash(Array($0.utf8).span) } ?? 0
    }

    // MARK: Services that take no odd offset

    /// Whether the first page that was asked for from one record early is the page before, whole.
    private func isRounded(_ page: PageFacts) -> Bool {
        reading.expectedFirst != nil && !hasOverlapped && page.outcome == .page && page.listed > 1
            && page.content == reading.latest?.content
    }

    /// Asks for the page after the one before without an overlap, from now on.
    private mutating func askPlainly() -> Verdict {
        canOverlap = false
        isAligned = true
        reading.expectedFirst = nil
        if case .offset(let start) = position { reading.position = .offset(start + 1) }
        return .more
    }

    /// Whether a refusal of the page at `position` only says that the service takes no such offset.
    private func refusesOffset(status: Int) -> Bool {
        guard (400..<500).contains(status), ![401, 403, 408, 429].contains(status), !hasOverlapped else {
            return false
        }
        return reading.expectedFirst != nil || isOdd && status != 404
    }

    private var isOdd: Bool { offset.map { !reading.hasJumped && $0.past > 0 } ?? false }

    /// The offset, how far it is past a multiple of the size, and the size. Nil for other positions.
    private var offset: (start: Int, past: Int, size: Int)? {
        guard case .offset(let start) = position, case .offset(_, let first) = pagination.kind else { return nil }
        let size = max(1, size ?? reading.longest)
        return (start, (start - first) % size, size)
    }

    /// Asks for the next multiple of the size, where only the end of the list can be.
    private mutating func jump() -> Verdict {
        guard let offset else { return .more }
        reading.position = .offset(offset.start + offset.size - offset.past)
        reading.hasJumped = true
        return .more
    }

    // MARK: The end

    private mutating func close(_ page: PageFacts, endsList: Bool) -> Verdict {
        // A total that equals the number of records may count those of the response alone.
        if pagination.hasOnePage, let size, page.listed >= size, page.count ?? 0 <= page.listed, page.hasMore == nil
        {
            return .incomplete(
                "the response has as many records as were requested, so there may be more; got \(seen)",
                cure: "ask for more with --page-size, or \(Self.cureOfOnePage)")
        }
        if pagination.count?.unit == .pages, let pages = page.count {
            if pages == 0, page.records > 0 {
                return .incomplete("the service announces no pages but sent \(page.records) records")
            }
            if reading.pagesRead < pages, page.outcome == .page {
                return .incomplete("page \(number) of \(pages) has no next one; got \(seen)")
            }
        }
        let (missing, expected) = reading.missing(at: page, endsList: endsList)
        self.expected = expected
        let isShaken = !pagination.hasOnePage && (reading.hasChanged || readings == 1 && !reading.addsUp)
        if missing > 0, !isShaken || readings == Self.readingLimit { return incomplete }
        let isSettled = reading.unseen == 0 && reading.isAllNamed && reading.fall == nil
        let isProved = readings > 1 ? isSettled : !readsTwice
        if isProved, !isShaken { return .complete }
        guard readings < Self.readingLimit else {
            let isWhole = isSettled && !reading.endsTooEarly && !reading.leavesGap
            return isWhole ? .complete : incomplete
        }
        readings += 1
        reading = Reading(pagination, size: size, after: reading)
        return .again
    }

    private var incomplete: Verdict {
        if let expected, seen < expected {
            let finding = "got \(seen) of \(expected)\(reading.sizeAdvice)"
            return pagination.hasOnePage ? .incomplete(finding, cure: Self.cureOfOnePage) : .incomplete(finding)
        }
        if reading.endsTooEarly, case .offset(let start) = position {
            return .incomplete(
                "offset \(start) has no record, though the page before it ended with that one, so the service may not go "
                    + "further; got \(seen)")
        }
        if let (from, to) = reading.fall {
            return .incomplete("got \(seen), and its total fell from \(from) to \(to) each time it was read")
        }
        return .incomplete("got \(seen), and the list changed each time it was read")
    }

    /// For what shows a change besides the pages.
    mutating func noteChange() { reading.hasChanged = true }

    /// Whether the page at `position` is the one before once more, as some services send it past the end of a list.
    /// - Parameters:
    ///   - content: of the whole response.
    ///   - sequence: of its records.
    func isEnd(content: @autoclosure () -> UInt64, sequence: @autoclosure () -> UInt64) -> Bool {
        guard reading.mayBePastEnd, let latest = reading.latest else { return false }
        return content() == latest.content || latest.isVaried && sequence() == latest.sequence
    }

    /// What a failed request for the page at `position` says of the list. Nil if nothing but that it failed.
    func facts(status: Int?) -> PageFacts? {
        guard let status else { return nil }
        if refusesOffset(status: status) { return PageFacts(outcome: .refusedOffset) }
        return isEnd(status: status) ? .notFound : nil
    }

    /// Whether the list ended before the page at `position`, if the API refuses that page with this status.
    private func isEnd(status: Int) -> Bool {
        guard reading.pagesBefore > 0, reading.hasAllCounted else { return false }
        let isNothing = [204, 400, 404].contains(status)
        if pagination.ends.contains(.notFound) { return isNothing }
        // A service that counts no further than to a round number often refuses to go further, too.
        let isLimit = status == 400 && reading.latestCount?.isRoundLimit ?? false
        if reading.mayBePastEnd, hasSaidWhetherMore || pagination.count != nil { return isNothing && !isLimit }
        return !hasSaidWhetherMore && pagination.count == nil && pagination.isByPosition && pagination.ends.isEmpty
            && isNothing && status != 400
    }
}
