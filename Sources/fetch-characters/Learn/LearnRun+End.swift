// Where a list ends: by a total, by an answer behind the last page, or because there is nothing else.

import PipelineCore
import PipelineHTTP

extension LearnRun {
    /// Positions behind the end of any list that is learnt.
    private static let farPages = 100_000
    /// No list that is read page by page has more.
    private static let mostPages = 1_000_000

    // MARK: A list with pages

    /// Proves how many there are, or how the list ends.
    mutating func proveEnd(_ proof: LearnProof) throws(ToolFailure) {
        let totals = TotalPlace.all(in: envelope, beside: place, proof.start.response.headers)
        if try proveTotal(totals, proof) { return }
        if let total = totals.first(where: { $0.unit == .records && $0.value > proof.start.page.listed }) {
            findings.leftOut.append("\(total.text), \(total.value), which the pages read don't prove")
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
        var read: [Int: LearntPage] = [2: proof.second]
        for total in possible.prefix(3) {
            let pages = total.unit == .pages ? total.value : total.value / size + (total.value % size == 0 ? 0 : 1)
            if read[pages] == nil, probe.left > 1 { read[pages] = try farPage(pages, proof) }
            let rest = total.value - size * (pages - 1)
            guard let last = read[pages], last.keys.fresh(beside: proof.start.keys) > 0,
                total.unit == .pages ? last.page.listed <= size : last.page.listed == rest, try isLast(last, proof),
                total.unit == .pages ? try areAll(pages, last, proof) : true
            else { continue }
            take(total, pages, last)
            return true
        }
        return try proveByReading(possible, proof)
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
            let behind = try probe.page(proof.description, position, for: "what follows the last page"),
            behind.keys.isEmpty
        else { return false }
        description.pagination.ends = [.emptyPage]
        return true
    }

    /// Whether a number of pages, whose last one is full, leaves none out.
    private mutating func areAll(_ pages: Int, _ last: LearntPage, _ proof: LearnProof) throws(ToolFailure) -> Bool
    {
        guard case .position = proof.jump, last.page.listed == proof.start.page.listed else { return true }
        guard probe.left > 1 else { return false }
        let behind = try farPage(pages + 1, proof)
        return behind?.keys.fresh(beside: last.keys) ?? 0 == 0
    }

    /// The page of that number, nil if it can't be requested or doesn't come.
    private mutating func farPage(_ number: Int, _ proof: LearnProof) throws(ToolFailure) -> LearntPage? {
        guard number <= Self.mostPages else { return nil }
        let size = proof.start.page.listed
        var position: PagePosition?
        switch proof.jump {
        case .none: return nil
        case .position:
            position = try LearntPage.source(proof.description).pagination.position(
                pagesBefore: number - 1, recordsBefore: size * (number - 1))
        case .link(let url, let parameter):
            position = parameter.link(url, to: number, size: size).map { .link($0) }
        }
        guard let position else { return nil }
        return try probe.page(proof.description, position, for: "the last page, \(number)")
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
        guard total.value >= count, (total.value - count) / size < probe.left - 2 else { return false }
        while let next = position, probe.left > 1 {
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
        guard position == nil, count == total.value else { return false }
        take(total, pages, last)
        return true
    }

    /// Asks for a page behind the end, which shows how a list without a total ends.
    private mutating func proveFarEnd(_ proof: LearnProof) throws(ToolFailure) {
        // A short page is no end without a total: services leave records out of their pages.
        if let size = proof.description.pagination.size {
            description.pagination.size = nil
            description.address = description.address.setting(size.parameter, to: "\(size.value)")
        }
        let pagination = try LearntPage.source(description).pagination
        let position = pagination.position(
            pagesBefore: Self.farPages, recordsBefore: proof.start.page.listed * Self.farPages)
        guard probe.left > 0, let position else { throw Self.noEnd("no request is left to look for it") }
        let (answer, status) = try probe.response(description, position, for: "a page behind the end")
        guard let response = answer else {
            guard status == 404 else { throw Self.noEnd("a page behind it is answered with \(status ?? 0)") }
            description.pagination.ends = [.notFound]
            findings.total = "the list ends with 404 behind its last page"
            return
        }
        guard let far = try LearntPage(response, description, id: probe.id) else {
            throw Self.noEnd("a page behind it has no \(place.path)")
        }
        guard far.keys.isEmpty else { throw Self.noEnd("a page behind it has records too") }
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
