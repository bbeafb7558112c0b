// Where a list ends: by a total, by an answer past the last page, or because there is nothing else.

import PipelineCore
import PipelineHTTP

extension LearnRun {
    /// Positions past the end of any list that is learnt.
    private static let farPages = 100_000
    /// No list that is read page by page has more.
    private static let mostPages = 1_000_000

    // MARK: A list with pages

    /// Proves how many there are, or how the list ends.
    /// - Throws: status 76 if a total says that there are more than the pages have, or if nothing shows the end.
    mutating func proveEnd(_ proof: LearnProof) throws(ToolFailure) {
        let totals = TotalPlace.all(in: envelope, beside: place, proof.start.response.headers)
        if try proveTotal(totals, proof) { return }
        let seen = proof.start.page.listed + proof.second.page.listed
        if let total = totals.first(where: { $0.unit == .records && $0.value > seen }) {
            // A run compares it with what comes.
            description.pagination.total = total
            guard case .none = proof.jump, description.pagination.ends.isEmpty, !hasReadAll else {
                throw ToolFailure(
                    .protocolError,
                    "\(total.text) says \(total.value), and the pages don't have as many: the service gives fewer, or counts "
                        + "something else; see to total and pagination by hand")
            }
            findings.total = "\(total.text) is \(total.value), which a run has to reach"
            return
        }
        switch proof.jump {
        case .none: break
        case .link: try findEmptyEnd(proof)
        case .position: try proveFarEnd(proof)
        }
    }

    private mutating func proveTotal(_ totals: [TotalPlace], _ proof: LearnProof) throws(ToolFailure) -> Bool {
        let size = proof.start.page.listed
        let possible = totals.filter { total in
            total.unit == .pages ? (2...Self.mostPages).contains(total.value) : total.value > size
        }
        let most = possible.filter { $0.unit == .records }.map(\.value).max() ?? 0
        var read: [Int: LearntPage] = [2: proof.second]
        for total in possible.prefix(3) {
            let pages = total.unit == .pages ? total.value : total.value / size + (total.value % size == 0 ? 0 : 1)
            // A number of pages that has no room for a total is that of something else.
            guard total.unit == .records || most <= pages * size || most > 1000 * size * pages else { continue }
            if read[pages] == nil, probe.left > 1 { read[pages] = try farPage(pages, proof) }
            let rest = total.value - size * (pages - 1)
            guard let last = read[pages], last.keys.fresh(beside: proof.start.keys) == last.keys.count,
                total.unit == .pages ? last.page.listed <= size : last.page.listed == rest, try isLast(last, proof),
                try areAll(pages, last, total, proof), try isSaid(total, by: [proof.second, last])
            else { continue }
            lastPage = last
            take(total, pages, last)
            return true
        }
        return try proveByReading(possible, proof)
    }

    /// Whether each of the pages says how many there are, as a run demands.
    private func isSaid(_ total: TotalPlace, by pages: [LearntPage]) throws(ToolFailure) -> Bool {
        var described = description
        described.pagination.total = total
        for page in pages {
            guard try LearntPage(page.response, described, id: nil)?.page.lead.count == total.value else {
                return false
            }
        }
        return true
    }

    private mutating func take(_ total: TotalPlace, _ pages: Int, _ last: LearntPage) {
        description.pagination.total = total
        findings.total =
            "\(total.text) is \(total.value); proved: the last page, \(pages), has \(last.page.listed)"
    }

    /// Whether no page with records follows. Some services lead on for ever.
    private mutating func isLast(_ page: LearntPage, _ proof: LearnProof) throws(ToolFailure) -> Bool {
        guard let position = try lead(of: page, proof.description) else { return page.page.lead.next == nil }
        guard probe.left > 1,
            let next = try probe.page(proof.description, position, for: "what follows the last page"),
            next.keys.isEmpty
        else { return false }
        description.pagination.ends = [.emptyPage]
        return true
    }

    /// Whether no page follows the last one: some services don't count further than they give, and a short page shows
    /// the end only with a total that has no more.
    private mutating func areAll(
        _ pages: Int, _ last: LearntPage, _ total: TotalPlace, _ proof: LearnProof
    ) throws(ToolFailure) -> Bool {
        guard case .position = proof.jump, total.unit == .pages || last.page.listed >= proof.start.page.listed
        else {
            return true
        }
        guard probe.left > 1, let position = try position(of: pages + 1, proof) else { return false }
        let (answer, status) = try probe.response(proof.description, position, for: "what follows the last page")
        guard let answer else { return status == 404 }
        guard let next = try LearntPage(answer, proof.description, id: probe.id) else { return false }
        return next.keys.fresh(beside: last.keys) == 0
    }

    /// The page of that number, nil if it can't be requested or doesn't come.
    private mutating func farPage(_ number: Int, _ proof: LearnProof) throws(ToolFailure) -> LearntPage? {
        guard let position = try position(of: number, proof) else { return nil }
        return try probe.page(proof.description, position, for: "the last page, \(number)")
    }

    /// The position of the page of that number, from 1; nil if only the page before it leads to it.
    private func position(of number: Int, _ proof: LearnProof) throws(ToolFailure) -> PagePosition? {
        guard number <= Self.mostPages else { return nil }
        let size = proof.start.page.listed
        switch proof.jump {
        case .none: return nil
        case .position:
            return try LearntPage.source(proof.description).pagination.position(
                pagesBefore: number - 1, offset: size * (number - 1))
        case .link(let url, let parameter): return parameter.link(url, to: number, size: size).map { .link($0) }
        }
    }

    /// Reads a short list to its end, where pages can be reached one after another only.
    private mutating func proveByReading(
        _ totals: [TotalPlace], _ proof: LearnProof
    ) throws(ToolFailure) -> Bool {
        guard case .none = proof.jump, let total = totals.first(where: { $0.unit == .records }) else {
            return false
        }
        let size = proof.start.page.listed
        var count = size + proof.second.page.listed
        var position = proof.following
        var pages = 2
        var last = proof.second
        guard total.value >= count, (total.value - count) / size < probe.left else { return false }
        while let next = position, probe.left > 0 {
            guard let page = try probe.page(proof.description, next, for: "page \(pages + 1)") else { return false }
            if page.keys.isEmpty || page.keys == last.keys {
                description.pagination.ends = [.emptyPage]
                position = nil
                break
            }
            pages += 1
            count += page.page.listed
            last = page
            position = try lead(of: page, proof.description)
            if position == next { description.pagination.ends = [.sameCursor, .emptyPage] }
            if position == next { position = nil }
        }
        hasReadAll = position == nil
        guard hasReadAll, count == total.value else { return false }
        take(total, pages, last)
        return true
    }

    /// Asks for a page past the end, which shows how a list without a total ends.
    private mutating func proveFarEnd(_ proof: LearnProof) throws(ToolFailure) {
        // Without a total a short page doesn't end a list: services leave records out of their pages.
        if let size = proof.description.pagination.size {
            description.pagination.size = nil
            description.address = description.address.setting(size.parameter, to: "\(size.value)")
        }
        let pagination = try LearntPage.source(description).pagination
        let position = pagination.position(
            pagesBefore: Self.farPages, offset: proof.start.page.listed * Self.farPages)
        guard probe.left > 0, let position else { throw Self.noEnd("no request is left to look for it") }
        let (answer, status) = try probe.response(description, position, for: "a page past the end")
        guard let response = answer else {
            guard status == 404 else { throw Self.noEnd("a page past it is answered with \(status ?? 0)") }
            description.pagination.ends = [.notFound]
            findings.total = "the list ends with 404 after its last page"
            return
        }
        guard let far = try LearntPage(response, description, id: probe.id) else {
            throw Self.noEnd("a page past it has no \(place.path)")
        }
        guard far.keys.isEmpty else { throw Self.noEnd("a page past it has records too") }
        findings.total = "the list ends with an empty page"
    }

    /// Links that lead on for ever end a list with an empty page.
    private mutating func findEmptyEnd(_ proof: LearnProof) throws(ToolFailure) {
        guard probe.left > 1, let far = try farPage(Self.farPages, proof), far.keys.isEmpty,
            far.page.lead.next != nil
        else { return }
        description.pagination.ends = [.emptyPage]
        findings.total = "the list ends with an empty page"
    }

    private static func noEnd(_ finding: String) -> ToolFailure {
        ToolFailure(
            .protocolError,
            "nothing shows where the list ends: no total holds, and \(finding); describe its end by hand")
    }
}

/// A list that came in one answer, as far as anything shows.
extension LearnRun {
    /// - Throws: status 76 if there may be more records than came.
    mutating func checkIsWhole(_ start: LearntPage) throws(ToolFailure) {
        let count = start.page.listed
        let totals = TotalPlace.all(in: envelope, beside: place, start.response.headers)
        let end = ListEnd(envelope, beside: place, start.response.headers, count: count)
        if let reason = reasonForMore(totals, end, count) { throw unproved(reason) }
        try checkSizes(start)
        if let other = probe.otherPlaces.first, place.isHard(toTellFrom: other) {
            description.unproved = [.records, .pagination]
            throw twoLists(other)
        }
        let total = totals.first { $0.unit == .records && $0.value == count }
        if !end.saysEnd, !(total?.isSure ?? false) { try checkCount(count) }
        _ = try probe.startAgain(description, start)
        description.pagination.total = total
        findings.paging = "one answer has them all, as far as anything shows"
        if let total { findings.total = "\(total.text) is \(total.value)" }
    }

    /// What says, or may say, that there are more.
    private func reasonForMore(_ totals: [TotalPlace], _ end: ListEnd, _ count: Int) -> String? {
        if let total = totals.first(where: { $0.unit == .records && $0.value > count }) {
            return "\(total.text) says \(total.value), and \(count) came"
        }
        if let pages = totals.first(where: { $0.unit == .pages && $0.value > 1 }) {
            return "\(pages.text) says that there are \(pages.value) pages"
        }
        if let more = end.more { return more }
        if let purpose = probe.othersSeen { return "other records came for \(purpose)" }
        if findings.hasDeadEnd { return "the answer names a next page" }
        if let name = description.address.parameter(asking: count) {
            return "\(name)=\(count) asks for the \(count) that came, and there may be more"
        }
        return typedPosition.map { "\($0.name) in the URL leads to no page of the list" }
    }

    /// - Throws: status 76 if the records may be one page of several, where nothing says that they are all.
    private func checkCount(_ count: Int) throws(ToolFailure) {
        if let refusal = probe.refusals.first {
            throw unproved("nothing says that the \(count) are all, and \(refusal)")
        }
        guard ListEnd.isUsualPageSize(count) else { return }
        throw unproved("\(count) came, as on one page of several, and nothing says that they are all")
    }

    /// Asks for larger pages, under all the usual names at once.
    private mutating func checkSizes(_ start: LearntPage) throws(ToolFailure) {
        guard probe.left > 2, description.address.size == nil else { return }
        var described = description
        for name in PageParameter.sizes {
            described.address = described.address.setting(name, to: "\(start.page.listed * 2 + 1)")
        }
        guard let answer = try probe.page(described, nil, for: "larger pages"),
            answer.keys.fresh(beside: start.keys) > 0
        else { return }
        throw unproved("larger pages have more records")
    }

    private func unproved(_ finding: String) -> ToolFailure {
        let tried = findings.triedInVain.isEmpty ? "" : " (\(findings.triedInVain.joined(separator: "; ")))"
        return ToolFailure(
            .protocolError,
            "how the list goes on isn't proved: \(finding)\(tried); write pagination by hand, {\"type\": \"none\"} if they are all; see man castline-source"
        )
    }

    // MARK: Two lists

    /// Checks that the pages show which of an answer's lists is meant.
    mutating func checkPlace(_ proof: LearnProof) throws(ToolFailure) {
        for other in probe.otherPlaces where !place.isBetterNamed(than: other) {
            guard
                try ListProbe.changes(
                    other, from: proof.start.response, to: proof.second.response, proof.description)
            else { continue }
            description.unproved = [.records]
            throw twoLists(other)
        }
    }

    private func twoLists(_ other: RecordsPlace) -> ToolFailure {
        ToolFailure(
            .protocolError,
            "the answer has two lists, \(place.path) (\(place.count)) and \(other.path) (\(other.count)), and either "
                + "may be meant; write records by hand")
    }
}
