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
        return try doubtOfNumbers(way) ?? doubtOfTotal([start, way.second], isWhole: false)
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

    /// A number with a usual name that says more than the pages show may be right, and the service give no more.
    /// - Parameter isWhole: all pages were read.
    private func doubtOfTotal(_ read: [LearntPage], isWhole: Bool) -> String? {
        let seen = read.reduce(0) { $0 + $1.count }
        let known = totals(Array(read.dropFirst())).first { total in
            let isUsual = UsualNames.is(total.place.name, total.unit == .records ? .total : .pages)
            return isUsual && (!isWhole || total.value > (total.unit == .records ? seen : read.count))
        }
        return known.map { "\($0.place.text) is \($0.value), and the pages have another number" }
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
            return try takeEmptyEnd(far, way)
        case .page(let far)?:
            let next = try page(Self.farPages + 2, way, "the page after it")?.page
            guard let next, next.keys.isSame(as: far.keys), far.keys.fresh(beside: start.keys) > 0 else {
                return "a page past the end has records too"
            }
            if let flag = flag(of: [start, way.second] + way.samples, endedBy: [far, next]) { return take(flag) }
            guard far.count < start.count else {
                return "its last page comes again, as long as the others, and a run can't take that for an end"
            }
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
                continue
            }
            let end = [read[read.count - 1]] + [answer.page].compactMap(\.self)
            pages += read.dropFirst(2)
            if read.count > 2, let flag = flag(of: read.dropLast() + way.samples, endedBy: end) {
                take(flag)
                return true
            }
            switch answer {
            case .page: description.pagination.ends = [.emptyPage]
            case .refused(let status) where [204, 400, 404].contains(status):
                description.pagination.ends = [.notFound]
            case .refused, .other: return false
            }
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

    private struct Flag {
        let path: String
        /// True as long as another page follows; else true at the end.
        let isMore: Bool
    }

    /// A flag that is the same on all pages that others follow, and the other way on all that none follows. What turns with
    /// each request for a reason of its own hardly does both.
    private func flag(of earlier: [LearntPage], endedBy last: [LearntPage]) -> Flag? {
        for value in last[0].values where value.header == nil {
            guard let path = value.path, let flag = value.value.flag else { continue }
            let isTurned =
                last.allSatisfy { $0.value(at: path)?.value.flag == flag }
                && earlier.allSatisfy { $0.value(at: path)?.value.flag == !flag }
            if isTurned { return Flag(path: path, isMore: !flag) }
        }
        return nil
    }

    /// - Returns: nil, for no doubt.
    @discardableResult
    private mutating func take(_ flag: Flag) -> String? {
        if flag.isMore { description.pagination.more = flag.path } else { description.pagination.done = flag.path }
        listFindings.append("proved: \(flag.path) says whether another page follows")
        return nil
    }

    /// A list whose pages are empty behind its end, and perhaps before it: where a flag tells these apart, a run goes by that.
    /// - Returns: nil, for no doubt.
    private mutating func takeEmptyEnd(_ far: LearntPage, _ way: LearntWay) throws(ToolFailure) -> String? {
        let (followed, second) = ([start] + way.samples, way.second)
        let isSecondLast = flag(of: followed, endedBy: [second, far]) != nil
        let mayBeFlagged = isSecondLast || flag(of: followed + [second], endedBy: [far]) != nil
        if mayBeFlagged, let other = try page(Self.farPages + 2, way, "the page after it")?.page {
            let flag =
                flag(of: followed + [second], endedBy: [far, other])
                ?? flag(of: followed, endedBy: [second, far, other])
            if let flag { return take(flag) }
        }
        listFindings.append("the list ends with an empty page")
        return nil
    }

    // MARK: Chains

    /// What a chain of pages showed.
    private struct Chain {
        var read: [LearntPage]
        /// The page that followed the last one with records, if one did.
        var end: End?

        /// - `broken`: the flag of the page before says that none follows, and the service fails when asked for one.
        enum End { case noPosition, empty(LearntPage), refused(Int), same, earlier, broken }
    }

    /// Follows the pages' own positions, as far as requests reach.
    private mutating func doubtOfChain(_ way: LearntWay) throws(ToolFailure) -> String? {
        // A guess of the way, which only its pages prove.
        description.pagination.more = nil
        let chain = try follow(way, description)
        let last = chain.read[chain.read.count - 1]
        let seen = chain.read.reduce(0) { $0 + $1.count }
        let total = totals(Array(chain.read.dropFirst())).first { $0.unit == .records && $0.value == seen }
        let flag = flag(of: chain.read.dropLast(), endedBy: [last])
        pages += chain.read.dropFirst(2)
        guard let end = chain.end else { return try doubtOfLongChain(way, chain.read) }
        if let total { take(total, "\(chain.read.count) pages have as many") }
        if total == nil, let doubt = doubtOfTotal(chain.read, isWhole: true) { return doubt }
        switch end {
        case .noPosition:
            let isShown =
                total != nil || flag != nil || last.count < start.count || chain.read.count > 2 || saysNoNext(last)
            if !isShown { return "the second page is as long as the first one, and nothing leads on from it" }
            if let new = newLead(on: last) { return "\(new) is on the last page alone" }
            return try unvisited(chain.read)
        case .empty(let page):
            if let flag = self.flag(of: chain.read.dropLast(), endedBy: [last, page]) { return take(flag) }
            description.pagination.ends = [.emptyPage]
            listFindings.append("the list ends with an empty page")
        case .refused(let status):
            if chain.read.count > 2, let flag { return take(flag) }
            description.pagination.ends = [.notFound]
            listFindings.append("the list ends with \(status) after its last page")
        case .same:
            guard total != nil || flag != nil else {
                return "a page leads to itself, and nothing says that it is the last"
            }
            if let flag { return take(flag) }
            description.pagination.ends = [.sameCursor, .emptyPage]
        case .broken: if let flag { return take(flag) }
        case .earlier:
            guard total == nil else { return nil }
            guard let flag else { return "a page leads to records of an earlier one" }
            return take(flag)
        }
        return nil
    }

    /// Whether what leads to the next page is there, and without a value.
    private func saysNoNext(_ page: LearntPage) -> Bool {
        if description.pagination.type == .linkHeader { return !page.response.headers.values("Link").isEmpty }
        guard let path = description.pagination.next?.string, let value = page.value(at: path) else { return false }
        return value.isNothing || value.value.flag == false
    }

    /// Some services send empty pages between others, and lead on from them; others lead on for ever behind the last one.
    private static let emptyPagesAtEnd = 3

    private mutating func follow(_ way: LearntWay, _ described: LearntDescription) throws(ToolFailure) -> Chain {
        var chain = Chain(read: [start, way.second])
        let second = try LearntPage(way.second.response, described, id: id) ?? way.second
        var (position, before) = (try position(after: second, described), way.position)
        var (empty, empties): (LearntPage?, Int) = (nil, 0)
        while probe.left > 0 || chain.read.count < 2 {
            guard let wanted = position else {
                chain.end = empty.map { .empty($0) } ?? .noPosition
                return chain
            }
            if wanted == before {
                chain.end = .same
                return chain
            }
            let asked: Answer?
            do throws(ToolFailure) { asked = try ask(described, wanted, for: "page \(chain.read.count + 1)") } catch
            {
                let last = chain.read[chain.read.count - 1]
                let isBehindEnd = chain.read.count > 2 && flag(of: chain.read.dropLast(), endedBy: [last]) != nil
                guard error.status == .unavailable, isBehindEnd else { throw error }
                chain.end = .broken
                return chain
            }
            guard let answer = asked else { return chain }
            guard let page = answer.page else {
                if case .refused(let status) = answer { chain.end = .refused(status) }
                return chain
            }
            (before, position) = (wanted, try self.position(after: page, described))
            if page.keys.isEmpty {
                empties += 1
                empty = page
                if empties == Self.emptyPagesAtEnd || position == nil || position == wanted {
                    chain.end = .empty(page)
                    return chain
                }
                continue
            }
            if chain.read.contains(where: { $0.keys.isSame(as: page.keys) }) {
                chain.end = .earlier
                return chain
            }
            (empty, empties) = (nil, 0)
            chain.read.append(page)
        }
        return chain
    }

    /// The service's own positions lead on, further than requests reach: a run follows them to their end.
    private mutating func doubtOfLongChain(_ way: LearntWay, _ read: [LearntPage]) throws(ToolFailure) -> String? {
        let keys = read.flatMap(\.keys)
        guard Set(keys).count == keys.count else {
            return "its pages have \(keys.count - Set(keys).count) records twice"
        }
        // The last record's id comes with each page, so it takes a flag to end the list.
        if let next = description.pagination.next?.string, next.hasPrefix(place.lastRecord ?? "-") {
            let flags = start.values.filter { value in
                value.header == nil && read.allSatisfy { $0.value(at: value.text)?.value.flag == true }
            }
            guard flags.count == 1, read.count > 3 else { return "no request was left to look for the end" }
            description.pagination.more = flags[0].path
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
