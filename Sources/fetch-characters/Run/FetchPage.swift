// Fetches one page of a list, by the number that --with-page gives its records in a run of the whole list.
//
//     --page 3    pages by number     ?page=3
//                 offsets             ?offset=98, the last record of page 2, without that record
//
// Some services answer a number past the end with the last page once more, some take no odd offsets, and some send shorter
// pages than were asked for. Where the response doesn't show that it is the page with this number, another one does.

import PipelineCore
import PipelineHTTP

/// A page with a number, and where the list has it.
struct NumberedPage {
    let number: Int
    /// The pages before it.
    let before: Int
    let start: PagePosition
    let size: Int?
    /// It begins with the last record of the page before.
    let overlaps: Bool

    init(_ number: Int, _ walk: ListWalk) {
        self.number = number
        before = number - walk.pagination.number(pagesBefore: 0)
        start = walk.position
        size = walk.size
        if case .offset(let second)? = walk.position(afterFull: 1), case .offset(let first) = start, let size {
            overlaps = before > 0 && second - first < size
        } else {
            overlaps = false
        }
    }

    var isFirst: Bool { before == 0 }

    /// - Parameter length: the records of a full page. Pages by number don't need it.
    func position(_ length: Int, plain isPlain: Bool = false, pagesEarlier: Int = 0) -> PagePosition {
        let pages = before - pagesEarlier
        switch start {
        case .offset(let first):
            let step = overlaps && !isPlain && length > 1 ? length - 1 : length
            return .offset(first + pages * step)
        case .number(let first): return .number(first + pages)
        case .start, .cursor, .link: return start
        }
    }

    /// For an overlapping page: the position of its first record that the page before lacks.
    func second(_ length: Int) -> PagePosition? {
        guard overlaps, length > 1, case .offset(let start) = position(length) else { return nil }
        return .offset(start + 1)
    }

    /// Why the list has no page that can be asked for by this number. Nil if it has.
    static func refusal(_ number: Int, of source: Source) -> Message? {
        let pagination = source.pagination
        let first = pagination.number(pagesBefore: 0)
        switch pagination.kind {
        case .none: return "\(source.name) sends its list in one response; leave out --page"
        case .cursor, .link:
            return "only the page before leads to a page of \(source.name); leave out --page, or use --limit"
        case .offset where pagination.size == nil && number > first:
            return "\(source.name) has no size of a page, so nothing says where page \(number) begins; use --limit"
        case .page, .offset: break
        }
        if source.merge != nil {
            return "the parts of a record of \(source.name) are on several pages; leave out --page"
        }
        if number < first { return "the pages of \(source.name) begin with \(first), not \(number)" }
        if let last = pagination.lastPage, number - first >= last {
            return "\(source.name) sends only \(last) pages; --page \(number) is past the last"
        }
        return nil
    }
}

/// What the service says to a request for a page.
private enum PageAnswer {
    case page(FetchedPage)
    /// The list has no such page.
    case absent
    case refusedOffset

    var listed: Int { if case .page(let fetched) = self { fetched.page.listed } else { 0 } }
}

/// A page that is asked for, of one of the lists of the run.
private struct AskedPage {
    let page: NumberedPage
    let requests: SourceRequests
    /// What messages begin with.
    let about: String
}

extension FetchRun {
    /// - Parameter subject: the list's name in messages, if it is one of many.
    /// - Returns: false if it is one of many, and the service has none.
    func fetchPage(_ number: Int, _ requests: SourceRequests, subject: String?) throws(ToolFailure) -> Bool {
        let page = NumberedPage(number, newWalk)
        let about = (subject.map { "\($0): " } ?? "") + "page \(number)"
        let asked = AskedPage(page: page, requests: requests, about: about)
        state.proof = .count
        if !page.isFirst, case .offset = page.start {
            try fetchOffset(asked)
        } else {
            let answer = try answer(page.position(0), asked)
            if page.isFirst, case .absent = answer { return false }
            try write(answer, asked, length: page.size ?? 0)
        }
        return true
    }

    // MARK: Responses

    private func answer(
        _ position: PagePosition, _ asked: AskedPage, isFirst: Bool? = nil
    ) throws(ToolFailure) -> PageAnswer {
        let isFirst = isFirst ?? asked.page.isFirst
        do throws(HTTPFailure) {
            var request = try asked.requests.page(position, size: asked.page.size)
            // A page alone has no others that it has to be as old as.
            request.cacheUse = .policy
            let ticket = pool.ask(request)
            defer { pool.drop(ticket) }
            let fetched = try usablePage(ticket, isList: true, mayLack: !isFirst, isLater: !isFirst)
            pool.keep(fetched.completion)
            return .page(fetched)
        } catch {
            if isAbsent(error, isFirst: isFirst) { return .absent }
            if !isFirst, case .offset = position, [400, 416, 422].contains(error.httpStatus) {
                return .refusedOffset
            }
            throw ToolFailure(error, about: asked.about)
        }
    }

    /// Past the end of a list, or for a parent of --each that has none.
    private func isAbsent(_ failure: HTTPFailure, isFirst: Bool) -> Bool {
        let isGone = [404, 410].contains(failure.httpStatus) || source.isAbsent(failure)
        if isFirst { return isGone && !settings.each.isEmpty }
        return isGone || failure.httpStatus == 400 && source.pagination.ends.contains(.notFound)
    }

    // MARK: Offsets

    private func fetchOffset(_ asked: AskedPage) throws(ToolFailure) {
        let page = asked.page
        var length = page.size ?? 0
        var found = try answer(page.position(length), asked)
        if found.listed < length {
            // The end of the list, or pages that are shorter than asked for and begin elsewhere.
            let first = try answer(page.start, asked, isFirst: true)
            guard case .page(let start) = first, start.page.listed > 0, !endsList(start.page) else { return }
            if start.page.listed < length {
                guard !source.pagination.mayLeaveOut else { throw isShort(start.page.listed, asked) }
                length = start.page.listed
                found = try answer(page.position(length), asked)
            }
        }
        guard let second = page.second(length) else { return try write(found, asked, length: length) }
        if case .page(let fetched) = found, fetched.page.listed > 0 {
            let next = try answer(second, asked)
            if next.listed == 0, fetched.page.listed == 1, !isRefused(next) { return }
            if let rest = try rest(of: fetched, before: next) { return try write(rest, asked) }
        } else if !isRefused(found) {
            return
        }
        // Pages begin at multiples of their length alone.
        try write(try answer(page.position(length, plain: true), asked), asked, length: length)
    }

    /// The service may send fewer records than it is asked for, or leave some out: only a whole run finds that out.
    private func isShort(_ listed: Int, _ asked: AskedPage) -> ToolFailure {
        ToolFailure(
            .protocolError,
            "\(asked.about): the first page has \(listed) records and not \(asked.page.size ?? 0), so nothing says where this "
                + "one begins; if the service sends no more, add --page-size \(listed)")
    }

    private func isRefused(_ answer: PageAnswer) -> Bool { if case .refusedOffset = answer { true } else { false } }

    /// Whether the first page says that no other follows.
    private func endsList(_ page: Page) -> Bool {
        if page.lead.hasMore == false { return true }
        guard let count = page.lead.count, let unit = source.pagination.count?.unit else { return false }
        return unit == .pages ? count <= 1 : count <= page.listed
    }

    /// The page without its first record, which the page before has too.
    /// - Parameter next: the response that begins with the record after that.
    /// - Returns: nil if that begins elsewhere, as the service rounds offsets.
    private func rest(of fetched: FetchedPage, before next: PageAnswer) throws(ToolFailure) -> FetchedPage? {
        let rest = fetched.page.records.dropFirst()
        guard let first = rest.first, case .page(let next) = next, let other = next.page.records.first else {
            return nil
        }
        let own = fetched.body.span.extracting(first.range).array
        let others = next.body.span.extracting(other.range).array
        let isSame = own == others ? true : try haveSameID(own, others)
        guard isSame else { return nil }
        var outline = RecordOutline()
        for record in rest { outline.add(record.range, of: fetched.body.span) }
        let page = Page(outline: outline, text: fetched.page.text, listed: rest.count)
        return FetchedPage(page: page, response: fetched.response, completion: fetched.completion)
    }

    private func haveSameID(_ record: [UInt8], _ other: [UInt8]) throws(ToolFailure) -> Bool {
        let ids = try writer.mapper.ids(of: record.span)
        let others = try writer.mapper.ids(of: other.span)
        return zip(ids, others).contains { !$0.isEmpty && $0 == $1 }
    }

    // MARK: Writing

    /// Writes the page if its response is the one with the number.
    private func write(_ answer: PageAnswer, _ asked: AskedPage, length: Int) throws(ToolFailure) {
        guard case .page(let fetched) = answer, fetched.page.listed > 0, !isPastEnd(fetched.page, asked.page),
            try !isRepeated(fetched, asked, length: length)
        else { return }
        try write(fetched, asked)
    }

    private func write(_ fetched: FetchedPage, _ asked: AskedPage) throws(ToolFailure) {
        if let wrapping = fetched.page.wrapping, !wrapping.mayBeRecord {
            throw ToolFailure(
                .protocolError,
                "\(asked.about) is one object with \(wrapping.count) objects in \(wrapping.path); describe the records as "
                    + "\(wrapping.path)")
        }
        let counts = try write(fetched, asked.requests, number: asked.page.number)
        try writer.checkIDs(counts, "\(asked.about): ")
    }

    private func isPastEnd(_ page: Page, _ numbered: NumberedPage) -> Bool {
        guard let count = page.lead.count, source.pagination.count?.unit == .pages else { return false }
        return numbered.before >= count
    }

    /// Whether the page is the one before it once more, which services send for numbers past the end.
    private func isRepeated(
        _ fetched: FetchedPage, _ asked: AskedPage, length: Int
    ) throws(ToolFailure) -> Bool {
        guard !asked.page.isFirst, !isWithin(fetched.page, asked.page) else { return false }
        let position = asked.page.position(length, plain: true, pagesEarlier: 1)
        guard case .page(let previous) = try answer(position, asked) else { return false }
        return sequence(of: previous) == sequence(of: fetched)
    }

    /// Whether the response says that the list goes as far as this page.
    private func isWithin(_ page: Page, _ numbered: NumberedPage) -> Bool {
        if page.lead.hasMore == true { return true }
        guard let count = page.lead.count, let unit = source.pagination.count?.unit else { return false }
        if unit == .pages { return numbered.before < count }
        guard let size = numbered.size else { return false }
        let end = numbered.before * size + page.listed
        return page.listed == size ? end <= count : end == count
    }
}
