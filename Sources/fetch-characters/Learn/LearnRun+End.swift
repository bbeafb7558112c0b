// Where a list of several pages ends: by a total, or by a response past the last page.

import PipelineCore
import PipelineHTTP

extension LearnRun {
    /// Positions past the end of any list that is learnt.
    private static let farPages = 100_000
    /// No list that is read page by page has more.
    private static let mostPages = 1_000_000
    private static let emptyEnd = "the list ends with an empty page"
    /// Words in which services say that a page isn't there. Other refusals may mean that they go no further.
    private static let endWords = [
        "no such", "not found", "no more", "no page", "no result", "no record", "no data", "not exist",
        "out of range", "invalid page",
    ]

    /// - Throws: status 76 if a total says that there are more than the pages have, or if nothing shows the end.
    mutating func proveEnd(_ proof: LearnProof) throws(ToolFailure) {
        let leads = description.pagination.leads
        let isChain = leads && proof.number == nil
        let seen = start.count + second.count
        var totals = start.envelope(description).totals
        if leads, let round = totals.first(where: \.isRound) {
            leftOut.append("\(round.place.text), \(round.value), which may be the most that the service counts")
            totals.removeAll(where: \.isRound)
        }
        totals = totals.filter { total in
            total.unit == .pages ? (2...Self.mostPages).contains(total.value) : total.value > start.count
        }
        let isTotalProved = try proveTotal(totals, proof)
        if isTotalProved == true { return }
        let total = totals.first { $0.unit == .records && $0.value >= seen }
        var hasReadAll = false
        if isChain, let total, (total.value - seen) / start.count < probe.left {
            let read = try readOn(proof, isCounted: true)
            if let read, let last = read.last, read.reduce(0, { $0 + $1.count }) == total.value,
                try isSaid(total, by: Array(read.dropFirst()))
            {
                return take(total, read.count, last)
            }
            hasReadAll = read != nil
        }
        if let total, total.value > seen, try isSaid(total, by: [second]) {
            // A run compares it with what comes.
            description.pagination.total = total
            guard isTotalProved == nil || isChain && description.pagination.ends.isEmpty && !hasReadAll else {
                throw wrongCount(
                    total, "the pages have another number: the service sends fewer, or counts something else")
            }
            return listFindings.append("\(total.place.text) is \(total.value), which a run has to reach")
        }
        if let pages = totals.first(where: { $0.unit == .pages }) { try checkPages(pages, proof) }
        guard leads else { return try proveFarEnd(proof) }
        if isChain || proof.leadsToItself {
            // GraphQL's connections have a cursor on their last page too.
            let isLast = proof.leadsToItself
            description.pagination.more =
                description.pagination.more
                ?? (proof.following == nil ? nil : flag(second: true) ?? (isLast ? flag(second: false) : nil))
            if try readOn(proof, isCounted: false)?.count == 2, description.pagination.ends.isEmpty {
                description.pagination.more = description.pagination.more ?? flag(second: false)
            }
        } else if let far = try page(Self.farPages, proof, "a page past the end"), far.keys.isEmpty,
            far.page.lead.next != nil
        {
            description.pagination.ends = [.emptyPage]
        }
        if !description.pagination.ends.isEmpty {
            listFindings.append(Self.emptyEnd)
        } else if let more = description.pagination.more {
            listFindings.append("\(more) says whether another page follows")
        }
    }

    /// The path of a flag that is true on the first page, and this on the second.
    private func flag(second isTrue: Bool) -> String? {
        let flags = second.envelope(description).values.filter { $0.moreFlag == isTrue }
        return start.envelope(description).values.first { flag in
            flag.moreFlag == true && flags.contains { $0.names == flag.names }
        }?.path
    }

    // MARK: Totals

    /// - Returns: nil if no request is left to prove the likeliest of them.
    private mutating func proveTotal(_ totals: [TotalPlace], _ proof: LearnProof) throws(ToolFailure) -> Bool? {
        let size = start.count
        let most = totals.filter { $0.unit == .records }.map(\.value).max() ?? 0
        for total in totals.prefix(3) {
            let pages = total.unit == .pages ? total.value : (total.value - 1) / size + 1
            // A number of pages that is too small for the total counts something else.
            guard total.unit == .records || most <= pages * size || most > 1000 * size * pages else { continue }
            let rest = total.value - size * (pages - 1)
            // Some services repeat the last page past the end.
            let before = pages == 2 ? [start] : [start, second]
            if pages > 2, probe.left == 0 { return nil }
            guard let last = try pages == 2 ? second : lastPage(pages, proof), !last.keys.isEmpty,
                before.allSatisfy({ last.keys.fresh(beside: $0.keys) == last.keys.count }),
                total.unit == .pages ? last.count <= size : last.count == rest,
                try isSaid(total, by: [second, last])
            else { continue }
            guard let isLast = try isLast(last, pages, total, proof) else { return nil }
            guard isLast else { continue }
            if pages > 2 { self.pages.append(last) }
            take(total, pages, last)
            return true
        }
        return false
    }

    /// - Throws: status 76 if even the page before the last one isn't there: the service may not go so far.
    private mutating func checkPages(_ pages: TotalPlace, _ proof: LearnProof) throws(ToolFailure) {
        let number = pages.value - 1
        guard number > 2, let position = position(of: number, proof),
            let answer = try ask(description, position, for: "the page before the last, \(number)"),
            answer.isNothing
        else { return }
        description.pagination.total = pages
        throw wrongCount(pages, "page \(number) has no records: the service sends fewer, or counts something else")
    }

    private func wrongCount(_ total: TotalPlace, _ finding: String) -> ToolFailure {
        let name = total.unit == .pages ? "pages" : "total"
        let flag = start.envelope(description).moreFlag?.path.map { "name \($0) in more" }
        let end = flag ?? "say in end where the list ends"
        return .unlearnt(
            "\(total.place.text) says \(total.value), and \(finding); correct \(name) in the description, or remove it and \(end)"
        )
    }

    private mutating func take(_ total: TotalPlace, _ pages: Int, _ last: LearntPage) {
        description.pagination.total = total
        listFindings.append(
            "\(total.place.text) is \(total.value); proved: the last page, \(pages), has \(last.count)")
    }

    /// The page that a total says to be the last one, by its own position or by the link in the page before it, as in a run.
    private mutating func lastPage(_ number: Int, _ proof: LearnProof) throws(ToolFailure) -> LearntPage? {
        let purpose = "the last page, \(number)"
        guard proof.number != nil else { return try page(number, proof, purpose) }
        var before = second
        if number > 3 {
            guard probe.left > 2,
                let far = try page(number - 1, proof, "the page before the last, \(number - 1)"),
                far.keys.fresh(beside: start.keys) == far.keys.count, !far.keys.isEmpty
            else { return nil }
            before = far
        }
        guard let position = try position(after: before, description) else { return nil }
        return try ask(description, position, for: purpose)?.page
    }

    /// Whether each of the pages says how many there are, as a run demands.
    func isSaid(_ total: TotalPlace, by pages: [LearntPage]) throws(ToolFailure) -> Bool {
        var described = description
        described.pagination.total = total
        for page in pages where try LearntPage(page.response, described, id: nil)?.page.lead.count != total.value {
            return false
        }
        return true
    }

    /// Whether no page with records follows: some services lead on for ever, and some don't count further than they give.
    /// A short page shows the end only with a total that isn't round and has no more. Nil if no request is left.
    private mutating func isLast(
        _ last: LearntPage, _ number: Int, _ total: TotalPlace, _ proof: LearnProof
    ) throws(ToolFailure) -> Bool? {
        let isCounted = !description.pagination.leads
        let isShort = total.unit == .records && last.count < start.count && !total.isRound
        guard isCounted ? !isShort : last.page.lead.next != nil && last.page.lead.hasMore != false else {
            return true
        }
        let following = try isCounted ? position(of: number + 1, proof) : position(after: last, description)
        guard let following else { return false }
        switch try ask(description, following, for: "the page after the last one") {
        case .page(let next)? where !isCounted && next.keys.isEmpty:
            description.pagination.ends = [.emptyPage]
            return true
        case .page(let next)?:
            let hasOthers = next.keys.fresh(beside: last.keys) > 0
            if isCounted || hasOthers { return !hasOthers }
            // A page that leads to itself ends a list that has all.
            return try position(after: next, description) == following
        case .refused(404)?, .refused(204)?: return true
        // What a service counts no further than, it may refuse to go further than, too.
        case .refused(400)?: return isCounted && !total.value.isRoundLimit
        case .other(let response)?: return isCounted && lacksList(text(of: response))
        case .refused?: return false
        case nil: return nil
        }
    }

    /// The response as JSON; nil if it isn't whole.
    private func text(of response: HTTPResponse) -> [UInt8]? {
        try? JSONDocument.checked(response, place.format).body
    }

    private func lacksList(_ text: [UInt8]?) -> Bool {
        guard let answer = text.flatMap({ try? AnswerValue.read($0.span) }) else { return false }
        let value = place.names.reduce(Optional(answer)) { $0?[$1] }
        let isNothing = if case .null? = value { true } else { value == nil }
        return answer.isObject && isNothing && RecordsPlace.all(in: answer).isEmpty
    }

    // MARK: Other pages

    /// - Returns: nil if the page can't be requested or doesn't come.
    private mutating func page(
        _ number: Int, _ proof: LearnProof, _ purpose: String
    ) throws(ToolFailure) -> LearntPage? {
        guard let position = position(of: number, proof) else { return nil }
        return try ask(description, position, for: purpose)?.page
    }

    /// The position of the page of that number, from 1; nil if only the page before it leads to it.
    private func position(of number: Int, _ proof: LearnProof) -> PagePosition? {
        guard number <= Self.mostPages else { return nil }
        let pagination = description.pagination
        switch pagination.type {
        case .page: return .number(pagination.first + number - 1)
        case .offset: return .offset(pagination.first + start.count * (number - 1))
        case .none, .cursor, .nextURL, .linkHeader:
            guard let link = proof.link, let parameter = proof.number else { return nil }
            return parameter.link(link, to: number, size: start.count).map { .link($0.text) }
        }
    }

    /// Reads on where each page leads to the next: some lead on for ever, and their lists end with an empty page.
    /// - Parameter isCounted: a total, which is within reach, will show whether these are all.
    /// - Returns: the pages that have records; nil if their end wasn't reached.
    private mutating func readOn(_ proof: LearnProof, isCounted: Bool) throws(ToolFailure) -> [LearntPage]? {
        var read = [start, second]
        var wasEmpty = false
        var position = proof.following
        if let second = try LearntPage(second.response, description, id: id) {
            position = try self.position(after: second, description)
        }
        while let wanted = position, isCounted || read.count < 4 && probe.left > 2 {
            guard let page = try ask(description, wanted, for: "page \(read.count + 1)")?.page else {
                return isCounted ? nil : read
            }
            position = try self.position(after: page, description)
            let leadsToItself = position == wanted
            // Some services send empty pages between others. Each has a cursor of its own; of URLs, two in a row end the list.
            let isInner = page.page.lead.hasMore == true || description.pagination.type == .cursor || !wasEmpty
            wasEmpty = page.keys.isEmpty
            if wasEmpty, position != nil, !leadsToItself, isInner { continue }
            let isLastAgain = page.keys == read.last?.keys
            let isPast = page.keys.isEmpty || isCounted && isLastAgain
            guard isPast || !read.contains(where: { $0.keys == page.keys }) && (isCounted || !leadsToItself) else {
                throw .unlearnt(
                    "one of the pages leads to \(leadsToItself || isLastAgain ? "itself" : "an earlier one"), and nothing "
                        + "says that it is the last; write pagination by hand, see PAGINATION in man castline-source"
                )
            }
            if !isPast { read.append(page) }
            if isPast && position != nil || leadsToItself {
                description.pagination.ends = leadsToItself ? [.sameCursor, .emptyPage] : [.emptyPage]
            }
            if isPast || leadsToItself { return read }
        }
        return position == nil ? read : nil
    }

    /// Offsets that overlap show more than a flag does.
    private mutating func takeFlag(endedBy far: LearntPage) throws(ToolFailure) {
        guard description.pagination.type == .page, let more = far.envelope(description).growth else { return }
        var described = description
        described.pagination.more = more
        if try LearntPage(start.response, described, id: nil)?.page.lead.hasMore == true { description = described }
    }

    private mutating func end(by flag: String) {
        description.pagination.more = flag
        listFindings.append("\(flag) says whether another page follows")
    }

    private mutating func proveFarEnd(_ proof: LearnProof) throws(ToolFailure) {
        // Without a total a short page doesn't end a list: services leave records out of their pages.
        if let size = description.pagination.size {
            description.pagination.size = nil
            description.request = description.request.setting(size.parameter, to: "\(size.value)")
        }
        let (path, more) = (place.path, start.envelope(description).moreFlag?.path)
        let finding: String
        switch try ask(description, position(of: Self.farPages + 1, proof), for: "a page past the end") {
        case .page(let far)? where far.keys.isEmpty:
            let status = PageStatus(far.text.span)
            let refusal = status.refusal(after: PageStatus(second.text.span), hasRecords: false)
            if let refusal {
                guard Self.endWords.contains(where: refusal.lowercased().contains) else {
                    finding = "a page past it says: \(refusal)"
                    break
                }
                // A run would take an error for a refusal.
                description.pagination.ends = [.emptyPage]
            }
            try takeFlag(endedBy: far)
            // A run is then not to take 404 for the end.
            if description.pagination.type == .page, description.pagination.more == nil {
                description.pagination.ends = [.emptyPage]
            }
            return listFindings.append(Self.emptyEnd)
        case .page(let far)?:
            if let more,
                far.envelope(description).values.contains(where: { $0.path == more && $0.moreFlag == false })
            {
                return end(by: more)
            }
            let next = position(of: Self.farPages + 2, proof)
            if far.count < start.count, try ask(description, next, for: "the page after it")?.page?.keys == far.keys
            {
                return listFindings.append("the list ends where its last page is repeated")
            }
            finding = "a page past it has records too"
        case .refused(let status)? where [204, 400, 404].contains(status):
            // Stack Exchange gives no page so far from the start.
            if let more, description.pagination.type == .page || status == 400 { return end(by: more) }
            if status == 400 { fallthrough }
            description.pagination.ends = [.notFound]
            return listFindings.append("the list ends with \(status) after its last page")
        case .refused(let status)?: finding = "a page past it is answered with \(status)"
        case .other(let response)?:
            // A run takes an object that has no member of the others for an error.
            let text = text(of: response)
            let names = text.map { JSONDocument.memberNames(of: $0.span, limit: 100) } ?? []
            let isAlike =
                names.isEmpty
                || !Set(JSONDocument.memberNames(of: second.text.span, limit: 100)).isDisjoint(with: names)
            if place.isArray, isAlike, lacksList(text) {
                description.records?.mayLack = true
                description.pagination.ends = [.emptyPage]
                if try LearntPage(response, description, id: nil)?.keys.isEmpty == true,
                    try LearntPage(second.response, description, id: id)?.keys == second.keys
                {
                    return listFindings.append("the list ends with a page without \(path)")
                }
            }
            finding = "a page past it has no \(path)"
        case nil: finding = "no request is left to look for it"
        }
        throw .unlearnt(
            "nothing shows where the list ends: no total holds, and \(finding); describe the end by hand, see THE END OF THE "
                + "LIST in man castline-source")
    }
}
