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
        var totals = TotalPlace.all(in: envelope)
        if !proof.jump.isPosition, let round = totals.first(where: \.isRound) {
            findings.leftOut.append("\(round.text), \(round.value), which may be the most that the service counts")
            totals.removeAll(where: \.isRound)
        }
        if try proveTotal(totals, proof) { return }
        let seen = proof.start.count + proof.second.count
        if let total = totals.first(where: { $0.unit == .records && $0.value > seen }) {
            // A run compares it with what comes.
            description.pagination.total = total
            guard case .none = proof.jump, description.pagination.ends.isEmpty, !hasReadAll else {
                let finding =
                    probe.left == 0
                    ? "no request is left to prove it"
                    : "the pages have another number: the service sends fewer, or counts something else"
                throw .unlearnt(
                    "\(total.text) says \(total.value), and \(finding); see to total and pagination by hand")
            }
            findings.total = "\(total.text) is \(total.value), which a run has to reach"
            return
        }
        switch proof.jump {
        case .none:
            takeFlag(proof)
            try readOn(proof)
        case .link: try findEmptyEnd(proof)
        case .position: try proveFarEnd(proof)
        }
    }

    /// Takes a flag that both pages have, and that says of both that another page follows: GraphQL's connections have a
    /// cursor on their last page too.
    private mutating func takeFlag(_ proof: LearnProof) {
        let flags = proof.second.envelope(place).filter(\.isMoreFlag).map(\.names)
        guard let flag = envelope.first(where: { $0.isMoreFlag && flags.contains($0.names) }) else { return }
        description.pagination.more = flag.path
        findings.total = "\(flag.path) says whether another page follows"
    }

    private mutating func proveTotal(_ totals: [TotalPlace], _ proof: LearnProof) throws(ToolFailure) -> Bool {
        let size = proof.start.count
        let possible = totals.filter { total in
            total.unit == .pages ? (2...Self.mostPages).contains(total.value) : total.value > size
        }
        let most = possible.filter { $0.unit == .records }.map(\.value).max() ?? 0
        var read: [Int: LearntPage] = [2: proof.second]
        for total in possible.prefix(3) {
            let pages = total.unit == .pages ? total.value : (total.value - 1) / size + 1
            // A number of pages that has no room for a total is that of something else.
            guard total.unit == .records || most <= pages * size || most > 1000 * size * pages else { continue }
            if read[pages] == nil { read[pages] = try lastPage(pages, proof) }
            let rest = total.value - size * (pages - 1)
            // Some services repeat the last page past the end.
            let before = pages == 2 ? [proof.start] : [proof.start, proof.second]
            guard let last = read[pages], !last.keys.isEmpty,
                before.allSatisfy({ last.keys.fresh(beside: $0.keys) == last.keys.count }),
                total.unit == .pages ? last.count <= size : last.count == rest,
                try isLast(last, pages, total, proof),
                try isSaid(total, by: [proof.second, last])
            else { continue }
            lastPage = last
            take(total, pages, last)
            return true
        }
        return try proveByReading(possible, proof)
    }

    /// The page that a total says to be the last one, as a run gets to it: by its own position, or by the link in the page
    /// before it. Nil if it can't be requested or doesn't come.
    private mutating func lastPage(_ number: Int, _ proof: LearnProof) throws(ToolFailure) -> LearntPage? {
        guard case .link = proof.jump else {
            return probe.left > 0 ? try farPage(number, proof, "the last page, \(number)") : nil
        }
        var before = proof.second
        if number > 3 {
            guard probe.left > 2,
                let far = try farPage(number - 1, proof, "the page before the last, \(number - 1)"),
                far.keys.fresh(beside: proof.start.keys) == far.keys.count, !far.keys.isEmpty
            else { return nil }
            before = far
        }
        guard probe.left > 0, let position = try probe.position(after: before, proof.description) else {
            return nil
        }
        return try probe.ask(proof.description, position, for: "the last page, \(number)")?.page
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
            "\(total.text) is \(total.value); proved: the last page, \(pages), has \(last.count)"
    }

    /// Whether no page with records follows: some services lead on for ever, and some don't count further than they give.
    /// A short page shows the end only with a total that isn't round and has no more.
    private mutating func isLast(
        _ last: LearntPage, _ number: Int, _ total: TotalPlace, _ proof: LearnProof
    ) throws(ToolFailure) -> Bool {
        let isCounted = proof.jump.isPosition
        let following: PagePosition?
        if isCounted {
            guard total.unit == .pages || last.count >= proof.start.count || total.isRound else { return true }
            following = try position(of: number + 1, proof)
        } else {
            guard last.page.lead.next != nil else { return true }
            following = try probe.position(after: last, proof.description)
        }
        guard probe.left > 0, let following else { return false }
        switch try probe.ask(proof.description, following, for: "what follows the last page") {
        case .page(let next)? where isCounted: return next.keys.fresh(beside: last.keys) == 0
        case .page(let next)? where next.keys.isEmpty:
            description.pagination.ends = [.emptyPage]
            return true
        case .refused(404)?: return isCounted
        case .other(let response)?: return isCounted && lacksList(response)
        case .page?, .refused?, nil: return false
        }
    }

    /// Whether an answer is JSON in which what has the records is missing.
    private func lacksList(_ response: HTTPResponse) -> Bool {
        guard let answer = try? AnswerValue.read(response.body.span) else { return false }
        let value = place.names.reduce(Optional(answer)) { $0?[$1] }
        let isNothing = if case .null? = value { true } else { value == nil }
        return answer.isObject && isNothing && RecordsPlace.all(in: answer).isEmpty
    }

    /// The page of that number, nil if it can't be requested or doesn't come.
    private mutating func farPage(_ number: Int, _ proof: LearnProof, _ purpose: String) throws(ToolFailure)
        -> LearntPage?
    {
        guard let position = try position(of: number, proof) else { return nil }
        return try probe.ask(proof.description, position, for: purpose)?.page
    }

    /// The position of the page of that number, from 1; nil if only the page before it leads to it.
    private func position(of number: Int, _ proof: LearnProof) throws(ToolFailure) -> PagePosition? {
        guard number <= Self.mostPages else { return nil }
        let size = proof.start.count
        switch proof.jump {
        case .none: return nil
        case .position:
            var first = 0
            if case .offset(_, let own) = proof.description.pagination.kind { first = own }
            return try LearntPage.source(proof.description).pagination.position(
                pagesBefore: number - 1, offset: first + size * (number - 1))
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
        let size = proof.start.count
        var count = size + proof.second.count
        var position = proof.following
        var pages = 2
        var last = proof.second
        guard total.value >= count, (total.value - count) / size < probe.left else { return false }
        while let next = position, probe.left > 0 {
            guard let page = try probe.ask(proof.description, next, for: "page \(pages + 1)")?.page else {
                return false
            }
            if page.keys.isEmpty || page.keys == last.keys {
                description.pagination.ends = [.emptyPage]
                position = nil
                break
            }
            pages += 1
            count += page.count
            last = page
            position = try probe.position(after: page, proof.description)
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
            description.request = description.request.setting(size.place, to: "\(size.value)")
        }
        guard probe.left > 0, let position = try position(of: Self.farPages + 1, proof) else {
            throw Self.noEnd("no request is left to look for it")
        }
        switch try probe.ask(description, position, for: "a page past the end") {
        case .page(let far)?:
            guard far.keys.isEmpty else { throw Self.noEnd("a page past it has records too") }
            findings.total = "the list ends with an empty page"
        case .refused(404)?:
            description.pagination.ends = [.notFound]
            findings.total = "the list ends with 404 after its last page"
        case .refused(let status)?: throw Self.noEnd("a page past it is answered with \(status)")
        case .other(let response)?:
            let path = place.path
            guard place.container == .array, lacksList(response) else {
                throw Self.noEnd("a page past it has no \(path)")
            }
            description.records?.mayLack = true
            description.pagination.ends = [.emptyPage]
            guard let far = try LearntPage(response, description, id: nil), far.keys.isEmpty,
                try LearntPage(proof.second.response, description, id: probe.id)?.keys == proof.second.keys
            else { throw Self.noEnd("a page past it has no \(path)") }
            findings.total = "the list ends with a page without \(path)"
        case nil: throw Self.noEnd("no request is left to look for it")
        }
    }

    /// Reads on where each page leads to the next: some lead on for ever, and their lists end with an empty page.
    private mutating func readOn(_ proof: LearnProof) throws(ToolFailure) {
        var position = proof.following
        for number in 3...4 where probe.left > 2 {
            guard let wanted = position, let page = try probe.ask(description, wanted, for: "page \(number)")?.page
            else {
                return
            }
            position = try probe.position(after: page, description)
            guard page.keys.isEmpty else { continue }
            guard position != nil else { return }
            description.pagination.ends = position == wanted ? [.sameCursor, .emptyPage] : [.emptyPage]
            findings.total = "the list ends with an empty page"
            return
        }
    }

    /// Links that lead on for ever end a list with an empty page.
    private mutating func findEmptyEnd(_ proof: LearnProof) throws(ToolFailure) {
        guard probe.left > 0, let far = try farPage(Self.farPages, proof, "a page past the end"), far.keys.isEmpty,
            far.page.lead.next != nil
        else { return }
        description.pagination.ends = [.emptyPage]
        findings.total = "the list ends with an empty page"
    }

    private static func noEnd(_ finding: String) -> ToolFailure {
        ToolFailure.unlearnt(
            "nothing shows where the list ends: no total holds, and \(finding); describe its end by hand")
    }
}

/// A list that came in one answer, as far as anything shows.
extension LearnRun {
    /// - Throws: status 76 if there may be more records than came.
    mutating func checkIsWhole(_ start: LearntPage) throws(ToolFailure) {
        let count = start.count
        let totals = TotalPlace.all(in: envelope)
        let end = ListEnd(start.answer, beside: place, start.response.headers, description.request, count: count)
        if let reason = reasonForMore(totals, end, count) { throw unproved(reason) }
        let total = totals.first { $0.unit == .records && $0.value == count }
        let isSaid = end.saysEnd || endsAfterFirst
        if !isSaid, let unknown = end.unknown {
            throw unproved(unknown)
        }
        try checkSizes(start)
        if let other = probe.otherPlaces.first, place.isHard(toTellFrom: other) {
            description.unproved = [.records, .pagination]
            throw twoLists(other)
        }
        if !isSaid { try checkCount(count) }
        _ = try probe.startAgain(description, start)
        description.pagination.total = total
        findings.paging = "one response has them all, as " + (isSaid ? "it says" : "far as anything shows")
        if end.isBare { findings.paging += "; nothing says that this is all" }
        if let total { findings.total = "\(total.text) is \(total.value)" }
    }

    /// What says, or may say, that there are more.
    private func reasonForMore(_ totals: [TotalPlace], _ end: ListEnd, _ count: Int) -> String? {
        if let total = totals.first(where: { $0.unit == .records && $0.value > count }) {
            return "\(total.text) is \(total.value), and the response has \(RecordStream.count(count))"
        }
        if let pages = totals.first(where: { $0.unit == .pages && $0.value > 1 }) {
            return "\(pages.text) says that there are \(pages.value) pages"
        }
        if let more = end.more { return more }
        if let purpose = probe.othersSeen { return "\(purpose) had other records" }
        if findings.hasDeadEnd { return "the response names a next page" }
        if endsAfterFirst { return nil }
        if let size = description.request.parameters.first(where: { $0.value == "\(count)" }) {
            return "\(size.name)=\(count) requests \(count), and as many arrived, so there may be more"
        }
        return typedPosition.map { "\($0.name) in the URL leads to no page of the list" }
    }

    /// - Throws: status 76 if the records may be one page of several, where nothing says that they are all.
    private func checkCount(_ count: Int) throws(ToolFailure) {
        if let refusal = probe.refusals.first {
            throw unproved("nothing says that the \(count) are all, and \(refusal)")
        }
        guard ListEnd.isUsualPageSize(count) else { return }
        throw unproved(
            "the response has \(RecordStream.count(count)), as on one page of several, and nothing shows that they are all"
        )
    }

    /// Asks for larger pages, under all the usual names at once.
    private mutating func checkSizes(_ start: LearntPage) throws(ToolFailure) {
        guard probe.left > 2, !description.request.isPost, description.request.size == nil, !endsAfterFirst else {
            return
        }
        let names = [
            "limit", "per_page", "pageSize", "page_size", "perPage", "size", "count", "rows", "page[size]", "take",
        ]
        var described = description
        for name in names {
            described.request = described.request.setting(.query(name), to: "\(start.count * 2 + 1)")
        }
        guard let answer = try probe.ask(described, for: "larger pages")?.page,
            answer.keys.fresh(beside: start.keys) > 0
        else { return }
        throw unproved("larger pages have more records")
    }

    private func unproved(_ finding: String) -> ToolFailure {
        let tried = findings.triedInVain.isEmpty ? "" : " (\(findings.triedInVain.joined(separator: "; ")))"
        return ToolFailure.unlearnt(
            "nothing proves how the list continues: \(finding)\(tried); write pagination by hand, {\"type\": \"none\"} if they are all; see man castline-source"
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
        ToolFailure.unlearnt(
            "the response has two lists, \(place.path) (\(place.count)) and \(other.path) (\(other.count)), and either "
                + "may be meant; write records by hand")
    }
}
