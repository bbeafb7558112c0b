// Decides whether a list ends with a page, and what that is worth: the sign of the end, then the evidence of the reading.
//
//     sign        said          the description's flag, cursor, link or condition says so, or the status of a refusal
//                 counted       the total or the number of pages is reached
//                 lastPlace     the service gives no further page, and this one is short
//                 nothingNew    an empty page where nothing is counted
//
//     evidence    reading 1             reading 2       reading 3
//     whole       complete (or again)   complete        complete
//     shaken      again                 again           complete if it found nothing new, else incomplete
//     lacking     incomplete            incomplete      incomplete

import PipelineCore

extension ListWalk {
    enum EndSign { case said, counted, lastPlace, nothingNew }

    enum Course {
        case leadsOn
        case ends(EndSign)
    }

    /// What a reading shows of the list at its end.
    private enum Evidence {
        case whole
        /// Signs of a change, or records that earlier readings didn't have.
        case shaken
        /// Fewer than announced, and nothing explains it.
        case lacking
    }

    // MARK: The sign

    func course(after page: PageFacts, new: Int) -> Course {
        if let leadsOn = leadsOn(after: page, new: new) { return leadsOn ? .leadsOn : .ends(.said) }
        switch (pagination.count?.unit, page.count) {
        case (.pages, let pages?): return reading.pagesRead >= pages ? .ends(.counted) : .leadsOn
        case (.records, let total?):
            if new <= 0 { return .ends(.nothingNew) }
            return reading.listed >= total && !isDoubtful(total, page) ? .ends(.counted) : .leadsOn
        default: break
        }
        if isAtLastPlace, !pagination.mayLeaveOut {
            return reading.isFull(page.listed) ? .leadsOn : .ends(.lastPlace)
        }
        return new <= 0 && !pagination.ends.contains(.notFound) ? .ends(.nothingNew) : .leadsOn
    }

    /// Whether another page follows, nil if that is up to the counts and the sizes of pages.
    private func leadsOn(after page: PageFacts, new: Int) -> Bool? {
        let ends = pagination.ends
        // Some services send empty pages between others, and say so.
        let isEnd = page.listed == 0 && page.flag != .more && ends.contains(.emptyPage)
        if page.outcome == .notFound || isEnd { return false }
        if ends.contains(.sameCursor), let next = page.next, next == position { return false }
        if let hasMore = page.hasMore { return hasMore }
        switch pagination.kind {
        case .none: return page.sign != nil
        case .cursor, .link:
            if page.sign != nil { return true }
            return page.next != nil && !(reading.expectsEnd && new == 0)
        // Some services leave the flag out where it is false.
        case .page, .offset: return hasSaidWhetherMore && !reading.isFull(page.listed) ? false : nil
        }
    }

    /// Whether a total that is reached may not be the list's. The count of a page may be taken for it, if they are equal; a
    /// round number may be the most that the service counts; a record that is there twice may stand in another's place; and
    /// what counts fewer than have come counts something else.
    private func isDoubtful(_ total: Int, _ page: PageFacts) -> Bool {
        if !reading.isAllDistinct { return true }
        // A full page that exceeds the total of a list at rest is no end at all, see `unexpected`.
        if reading.listed > total { return reading.changes > 0 || !reading.isFull(page.listed) }
        return reading.hasOneFullPage || total.isRoundLimit && reading.isFull(page.listed)
    }

    // MARK: Pages that can't be the end

    /// Nothing but the sizes of pages says where the list ends.
    private var isUncounted: Bool {
        reading.announced == nil && !hasSaidWhetherMore && pagination.more == nil && pagination.done.isEmpty
    }

    /// What a page without a new record has that no list ends with.
    func unexpected(on page: PageFacts, new: Int, _ course: Course) -> Verdict? {
        guard case .ends(let sign) = course else { return nil }
        if sign != .said, reading.isFull(page.listed), reading.changes == 0, let expected = reading.expected,
            reading.distinct > expected
        {
            return .incomplete(
                "the service announces \(expected) records but sent \(reading.distinct)",
                cure: "run it again, or leave out the description's total if that counts the page")
        }
        let described: Pagination.End = page.outcome == .page ? .emptyPage : .notFound
        guard new <= 0, isUncounted, !pagination.ends.contains(described) else { return nil }
        if let valued, let strange = page.valued.first(where: { !valued.contains($0) }) {
            return .incomplete(
                "page \(number) has no new records, and has \(strange), which no page before it had; got \(seen)",
                isPageAtFault: true, cure: "run it again, or \(Self.cureOfEmptyPage)")
        }
        let isCap = reading.listed >= 1000 && reading.listed.isRoundLimit && pagination.isByPosition
        guard isCap else { return nil }
        return .incomplete(
            "the list ends after exactly \(reading.listed) records, as a limit of the service would have it",
            cure: page.outcome == .page ? Self.cureOfEmptyPage : Self.cureOfNotFound)
    }

    /// What a response says that contradicts the end.
    private func contradiction(_ page: PageFacts) -> Verdict? {
        if let difference = page.difference { return .incomplete(difference, cure: BesideShape.cure) }
        // A total that equals the number of records may count those of the response alone.
        if pagination.hasOnePage, let size, page.listed >= size, page.count ?? 0 <= page.listed, page.flag == nil {
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
        guard let least = reading.least, reading.listed <= least else { return nil }
        return .incomplete("the service says that there are at least \(least) records; got \(seen)")
    }

    // MARK: The verdict

    mutating func close(_ page: PageFacts, by sign: EndSign) -> Verdict {
        if let contradiction = contradiction(page) { return contradiction }
        let (missing, expected) = reading.missing(at: page, isSaid: sign == .said)
        self.expected = expected
        switch (evidence(missing: missing), readings) {
        case (.whole, 1): return readsTwice ? readAgain() : .complete
        case (.whole, _): return .complete
        case (.lacking, _): return incomplete
        case (.shaken, Self.readingLimit):
            let isWhole = missing == 0 && isSettled && reading.earlyEnds == 0 && reading.gaps == 0
            return isWhole ? .complete : incomplete
        case (.shaken, _): return readAgain()
        }
    }

    private func evidence(missing: Int) -> Evidence {
        if pagination.hasOnePage { return missing > 0 ? .lacking : .whole }
        if isShaken { return .shaken }
        if missing > 0 { return .lacking }
        return readings > 1 && !isSettled ? .shaken : .whole
    }

    /// A record that came on two pages has moved, unless the reading before had the same ones: then the list has them twice.
    private var isShaken: Bool {
        if reading.changes > 0 || reading.fall != nil { return true }
        if readings == 1 { return !reading.addsUp }
        return reading.doubled != 0 && reading.doubled != doubledBefore
    }

    /// Nothing that an earlier reading lost was found, and nothing that is announced is missing.
    private var isSettled: Bool { reading.unseen == 0 && reading.isAllNamed && reading.fall == nil }

    private mutating func readAgain() -> Verdict {
        readings += 1
        doubledBefore = reading.doubled
        reading = Reading(pagination, size: size, after: reading)
        return .again
    }

    private var incomplete: Verdict {
        if let expected, seen < expected {
            let finding = "got \(seen) of \(expected)\(reading.sizeAdvice)"
            if pagination.hasOnePage { return .incomplete(finding, cure: Self.cureOfOnePage) }
            guard pagination.count?.unit == .pages else { return .incomplete(finding) }
            return .incomplete(
                finding, cure: "run it again, or leave out the description's pages if pages may be shorter")
        }
        if reading.earlyEnds > 0, case .offset(let start) = position {
            return .incomplete(
                "offset \(start) has no record, though the page before it ended with that one, so the service may not go "
                    + "further; got \(seen)")
        }
        if let (from, to) = reading.fall {
            return .incomplete("got \(seen), and its total fell from \(from) to \(to) each time it was read")
        }
        return .incomplete("got \(seen), and the list changed each time it was read")
    }

    // MARK: Requests that fail

    /// Whether the page at `position` is the one before once more, as some services send it past the end of a list.
    /// - Parameters:
    ///   - content: of the whole response.
    ///   - sequence: of its records.
    func isEnd(content: @autoclosure () -> UInt64, sequence: @autoclosure () -> UInt64) -> Bool {
        guard reading.expectsEnd, let latest = reading.latest else { return false }
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
        let isLimit = status == 400 && reading.announced?.isRoundLimit ?? false
        if reading.expectsEnd, hasSaidWhetherMore || pagination.count != nil { return isNothing && !isLimit }
        return !hasSaidWhetherMore && pagination.count == nil && pagination.isByPosition && pagination.ends.isEmpty
            && isNothing && status != 400
    }
}
