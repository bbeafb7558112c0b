// The other two experiments:
//
//     End?      the way is followed or jumped to the list's end, and ends there
//     Total?    a number is the same on all pages, and is reached

import PipelineCore
import PipelineHTTP

extension LearnRun {
    /// Positions past the end of any list that is learnt.
    private static let farPages = 100_000
    /// No list that is read page by page has more.
    private static let mostPages = 1_000_000

    /// - Returns: what speaks against the end of the list; nil if it was shown, or a service's own position leads there.
    mutating func doubtOfEnd(_ way: LearntWay) throws(ToolFailure) -> String? {
        if way.isChain, way.number == nil { return try doubtOfChain(way) }
        if try proveTotal(way) { return nil }
        if way.isChain { return try doubtOfChain(way) }
        return try doubtOfNumbers(way)
    }

    // MARK: Totals

    /// The numbers that may count the list: the same on the pages, those with usual names or the first other one.
    private func totals(_ pages: [LearntPage]) -> [LearntTotal] {
        let all = LearntTotal.all(in: start.values, atLeast: start.count).filter { total in
            total.value <= Self.mostPages * start.count
                && pages.allSatisfy { $0.value(at: total.place.text)?.value.wholeNumber == total.value }
        }
        let known = all.filter { total in
            UsualNames.is(total.place.name, total.unit == .records ? .total : .pages) || total.place.name == "value"
                || UsualNames.is(total.place.names.suffix(2).joined(), total.unit == .records ? .total : .pages)
        }
        return Array(known.isEmpty ? all.filter { $0.place.header == nil }.prefix(1) : known.prefix(3))
    }

    /// Jumps to the last page that a number says.
    private mutating func proveTotal(_ way: LearntWay) throws(ToolFailure) -> Bool {
        let (size, seen) = (start.count, start.count + way.second.count)
        for total in totals([way.second]) {
            let count = total.unit == .pages ? total.value : (total.value - 1) / size + 1
            guard count > 1, total.unit == .pages || total.value >= seen else { continue }
            let rest = total.value - size * (count - 1)
            guard let last = try count == 2 ? way.second : page(count, way, "the last page, \(count)")?.page,
                !last.keys.isEmpty, last.value(at: total.place.text)?.value.wholeNumber == total.value,
                total.unit == .pages ? last.count <= size : last.count == rest
            else { continue }
            // Some services repeat the last page past the end.
            let before = count == 2 ? [start] : [start, way.second]
            guard before.allSatisfy({ last.keys.fresh(beside: $0.keys) == last.keys.count }) else { continue }
            guard try isLast(last, count, total, way) else { continue }
            if count > 2 { pages.append(last) }
            take(total, "the last page, \(count), has \(last.count)")
            return true
        }
        return false
    }

    private mutating func take(_ total: LearntTotal, _ proof: String) {
        description.pagination.total = total
        listFindings.append("\(total.place.text) is \(total.value); proved: \(proof)")
    }

    /// Whether no page with records follows: some services don't count further than they give. A page that is shorter than
    /// the others shows it, unless the number is round.
    private mutating func isLast(
        _ last: LearntPage, _ number: Int, _ total: LearntTotal, _ way: LearntWay
    ) throws(ToolFailure) -> Bool {
        let isRound = total.value >= 1000 && total.value.isRoundLimit
        let isShort = total.unit == .records && last.count < start.count && !isRound
        let leadsOn = way.isChain && last.page.lead.next != nil && last.page.lead.hasMore != false
        if isShort, !leadsOn { return true }
        if way.isChain, !leadsOn { return true }
        switch try page(number + 1, way, "the page after the last one") {
        case .page(let next)?:
            if next.keys.isEmpty, leadsOn { description.pagination.ends = [.emptyPage] }
            return next.keys.fresh(beside: last.keys) == 0
        case .refused(let status)?: return [204, 404].contains(status) || status == 400 && !isRound
        case .other(let response)?: return lacksList(response)
        case nil: return false
        }
    }

    private func lacksList(_ response: HTTPResponse) -> Bool {
        guard let answer = try? AnswerValue.read(response.body.span), answer.isObject else { return false }
        let value = place.names.reduce(Optional(answer)) { $0?[$1] }
        return (value == nil || value?.isNull == true) && RecordsPlace.all(in: answer).isEmpty
    }

    /// The page of that number, from 1, whatever it is requested by.
    private mutating func page(
        _ number: Int, _ way: LearntWay, _ purpose: String
    ) throws(ToolFailure) -> Answer? {
        let pagination = description.pagination
        let position: PagePosition? =
            switch pagination.type {
            case .page: .number(pagination.first + number - 1)
            case .offset: .offset(pagination.first + start.count * (number - 1))
            case .none, .cursor, .nextURL, .linkHeader: way.number?.page(number)
            }
        guard let position else { return nil }
        return try ask(description, position, for: purpose)
    }

    // MARK: Numbered pages

    /// Jumps past the end of a list that nothing counts.
    private mutating func doubtOfNumbers(_ way: LearntWay) throws(ToolFailure) -> String? {
        // Without a total a short page doesn't end a list: services leave records out of their pages.
        if let size = description.pagination.size {
            description.pagination.size = nil
            description.request = description.request.setting(size.parameter, to: "\(size.value)")
        }
        switch try page(Self.farPages + 1, way, "a page past the end") {
        case .page(let far)? where far.keys.isEmpty:
            if let new = newValue(on: far, besides: [start, way.second]) {
                guard try followNumbers(way, from: 3) else {
                    return "a page past the end has \(new) beside no records"
                }
                return nil
            }
            listFindings.append("the list ends with an empty page")
            return nil
        case .page(let far)?:
            let next = try page(Self.farPages + 2, way, "the page after it")?.page
            guard let next, next.keys.isSame(as: far.keys), far.keys.fresh(beside: start.keys) > 0 else {
                return "a page past the end has records too"
            }
            if let flag = flag(turnedOn: far, after: [start, way.second]) { return take(flag) }
            listFindings.append("the list ends where its last page is repeated")
            return nil
        case .refused(let status)? where [204, 404].contains(status):
            description.pagination.ends = [.notFound]
            listFindings.append("the list ends with \(status) after its last page")
            return nil
        case .refused(let status)?:
            if try followNumbers(way, from: 3) { return nil }
            return "a page past the end is answered with \(status)"
        case .other(let response)?:
            if lacksList(response), try takesLack(response, way) { return nil }
            return "a page past the end has no \(place.path)"
        case nil: return "no request was left to look for the end"
        }
    }

    /// Services leave out a list that is empty.
    private mutating func takesLack(_ response: HTTPResponse, _ way: LearntWay) throws(ToolFailure) -> Bool {
        guard place.isArray else { return false }
        var described = description
        described.records?.mayLack = true
        described.pagination.ends = [.emptyPage]
        guard try LearntPage(response, described, id: nil)?.keys.isEmpty == true,
            try LearntPage(way.second.response, described, id: id)?.keys == way.second.keys
        else { return false }
        description = described
        listFindings.append("the list ends with a page without \(place.names.last ?? "records")")
        return true
    }

    /// Reads on page by page, where no page far behind the end is like the one behind it.
    /// - Returns: whether an end was reached.
    private mutating func followNumbers(_ way: LearntWay, from third: Int) throws(ToolFailure) -> Bool {
        var read = [start, way.second]
        for number in third... {
            guard let answer = try page(number, way, "page \(number)") else { return false }
            if let page = answer.page, !page.keys.isEmpty {
                guard page.keys.fresh(beside: read[read.count - 1].keys) == page.keys.count else { return false }
                read.append(page)
                if let flag = flag(turnedOn: page, after: read.dropLast()) {
                    _ = take(flag)
                    return true
                }
                continue
            }
            switch answer {
            case .page: description.pagination.ends = [.emptyPage]
            case .refused(let status) where [204, 400, 404].contains(status):
                description.pagination.ends = [.notFound]
            case .refused, .other: return false
            }
            pages += read.dropFirst(2)
            listFindings.append("the list ends after page \(number - 1)")
            return true
        }
        return false
    }

    // MARK: What changes at the end

    /// A value of a member that had none on earlier pages.
    private func newValue(on page: LearntPage, besides earlier: [LearntPage]) -> String? {
        page.values.first { value in
            guard value.header == nil, !value.isNothing, value.value.flag != false, value.link == nil else {
                return false
            }
            return earlier.allSatisfy { $0.value(at: value.text)?.isNothing ?? true }
        }?.text
    }

    /// A flag that is the same on all pages but this one.
    private func flag(turnedOn page: LearntPage, after earlier: [LearntPage]) -> (path: String, isMore: Bool)? {
        for value in page.values where value.header == nil {
            guard let path = value.path, let flag = value.value.flag else { continue }
            let isTurned = earlier.allSatisfy { $0.value(at: path)?.value.flag == !flag }
            if isTurned { return (path, !flag) }
        }
        return nil
    }

    /// - Returns: nil, for no doubt.
    private mutating func take(_ flag: (path: String, isMore: Bool)) -> String? {
        if flag.isMore { description.pagination.more = flag.path } else { description.pagination.done = flag.path }
        listFindings.append("\(flag.path) says whether another page follows")
        return nil
    }

    // MARK: Chains

    /// What a chain of pages showed.
    private struct Chain {
        var read: [LearntPage]
        /// The page that followed the last one with records, if one did.
        var end: End?

        enum End { case noPosition, empty, refused(Int), same }
    }

    /// Follows the pages' own positions, as far as requests reach.
    private mutating func doubtOfChain(_ way: LearntWay) throws(ToolFailure) -> String? {
        var described = description
        described.pagination.more = nil
        let chain = try follow(way, described)
        let last = chain.read[chain.read.count - 1]
        let seen = chain.read.reduce(0) { $0 + $1.count }
        let total = totals(Array(chain.read.dropFirst())).first { $0.unit == .records && $0.value == seen }
        let flag = flag(turnedOn: last, after: chain.read.dropLast())
        pages += chain.read.dropFirst(2)
        guard let end = chain.end else { return try doubtOfLongChain(way, chain.read) }
        if let total { take(total, "\(chain.read.count) pages have as many") }
        switch end {
        case .noPosition:
            let isShown = total != nil || flag != nil || last.count < start.count || chain.read.count > 2
            if !isShown { return "the second page is as long as the first one, and nothing leads on from it" }
            if let new = newLead(on: last) { return "\(new) is on the last page alone" }
            return try unvisited(chain.read)
        case .empty:
            description.pagination.ends = [.emptyPage]
            listFindings.append("the list ends with an empty page")
        case .refused(let status):
            if let flag { return take(flag) }
            description.pagination.ends = [.notFound]
            listFindings.append("the list ends with \(status) after its last page")
        case .same:
            guard total != nil || flag != nil || last.count < start.count else {
                return "a page leads to itself, and nothing says that it is the last"
            }
            if let flag { return take(flag) }
            description.pagination.ends = [.sameCursor, .emptyPage]
        }
        return nil
    }

    private mutating func follow(_ way: LearntWay, _ described: LearntDescription) throws(ToolFailure) -> Chain {
        var chain = Chain(read: [start, way.second])
        let second = try LearntPage(way.second.response, described, id: id) ?? way.second
        var (position, before) = (try position(after: second, described), way.position)
        var empty = 0
        while probe.left > 0 || chain.read.count < 2 {
            guard let wanted = position else {
                chain.end = empty > 0 ? .empty : .noPosition
                return chain
            }
            if wanted == before {
                chain.end = .same
                return chain
            }
            guard let answer = try ask(described, wanted, for: "page \(chain.read.count + 1)") else { return chain }
            guard let page = answer.page else {
                if case .refused(let status) = answer { chain.end = .refused(status) }
                return chain
            }
            (before, position) = (wanted, try self.position(after: page, described))
            if page.keys.isEmpty {
                empty += 1
                // Some services send empty pages between others, and lead on from them.
                if empty == 2 || position == nil || position == wanted {
                    chain.end = .empty
                    return chain
                }
                continue
            }
            if chain.read.contains(where: { $0.keys.isSame(as: page.keys) }) {
                chain.end = chain.read.last?.keys.isSame(as: page.keys) == true ? .same : nil
                return chain
            }
            empty = 0
            chain.read.append(page)
        }
        return chain
    }

    /// The service's own positions lead on, further than requests reach: a run follows them to their end.
    private mutating func doubtOfLongChain(_ way: LearntWay, _ read: [LearntPage]) throws(ToolFailure) -> String? {
        let keys = read.flatMap(\.keys)
        guard Set(keys).count == keys.count, read.dropFirst().allSatisfy({ $0.count == start.count }) else {
            return "its pages have \(keys.count) records, \(keys.count - Set(keys).count) of them twice"
        }
        listFindings.append("its end is further than \(read.count) pages, and a run has to find it")
        return nil
    }

    /// A text or URL that has a value on the last page, and had none on the first.
    private func newLead(on last: LearntPage) -> String? {
        last.values.first { value in
            guard value.link != nil || value.token != nil, value.header == nil, value.rank < 2 else { return false }
            return start.value(at: value.text)?.isNothing ?? true
        }?.text
    }

    /// Another URL of the list's own path on the first page that leads to records which no page had: what was followed led
    /// past them.
    private mutating func unvisited(_ read: [LearntPage]) throws(ToolFailure) -> String? {
        let urls = Set(read.map(\.response.url.text))
        let keys = read.flatMap(\.keys)
        for value in start.values {
            guard probe.left > 0, let link = value.link,
                description.request.leadsOn(link, from: start.response.url, rank: 3),
                let url = try? start.response.url.resolving(link), !urls.contains(url.text)
            else { continue }
            var described = description
            described.pagination = LearntPagination(type: .nextURL, next: value.next)
            guard let page = try ask(described, .link(url.text), for: "the page at \(value.text)")?.page else {
                continue
            }
            if page.keys.fresh(beside: keys) > 0 {
                return "\(value.text) leads to records that none of its pages has"
            }
        }
        return nil
    }
}
