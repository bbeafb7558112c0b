// Decides whether a way was followed to the list's end, and what says so, by the other two experiments:
//
//     End?      the way is followed or jumped to the list's end, and ends there
//     Total?    a number is the same on all pages, and is reached

import PipelineCore
import PipelineHTTP

/// What was read of a way, from its first page on, and how that ended. No end where no request was left.
private struct LearntReading {
    enum End {
        /// Nothing leads on, or the position that requested the page, or one whose records came before.
        case noPosition, same, earlier
        case empty(LearntPage)
        case refused(Int)
        /// The flag of the page before says that none follows, and the service fails when asked for one.
        case broken
    }

    var pages: [LearntPage]
    var end: End?
}

/// A flag that turns where the list ends.
private struct TurningFlag {
    let path: String
    /// True as long as another page follows; else true at the end.
    let isMore: Bool

    /// The flag that is the same on all pages that others follow, and the other way on all that none follows. What turns
    /// with each request for a reason of its own hardly does both.
    init?(of earlier: some Sequence<LearntPage>, endedBy last: [LearntPage]) {
        let value = last[0].values.first { value in
            guard value.header == nil, let flag = value.flag else { return false }
            let flags = { (pages: [LearntPage]) in Set(pages.map { $0.value(at: value.text)?.flag }) }
            return (flags(last), flags(Array(earlier))) == ([flag], [!flag])
        }
        guard let value, let path = value.path else { return nil }
        (self.path, isMore) = (path, value.flag == false)
    }
}

extension LearnRun {
    /// Positions past the end of any list that is learnt.
    private static let farPages = 100_000
    /// No list that is read page by page has more.
    private static let mostPages = 1_000_000

    /// - Returns: what speaks against the end of the list; nil if it was shown, or a service's own position leads there.
    mutating func doubtOfEnd(_ way: LearntWay) throws(ToolFailure) -> String? {
        if way.isNumbered, try proveTotal(way) { return nil }
        guard way.isChain else { return try doubtOfJump(way) }
        // A guess of the way, which only its pages prove.
        description.pagination.more = nil
        return try doubt(of: try follow(way), way)
    }

    /// The position of a page, from 1, whatever it is requested by.
    private func position(_ number: Int, _ way: LearntWay) -> PagePosition? {
        let pagination = description.pagination
        return switch pagination.type {
        case .page: .number(pagination.first + number - 1)
        case .offset: .offset(pagination.first + start.count * (number - 1))
        case .none, .cursor, .nextURL, .linkHeader: way.number?.page(number)
        }
    }

    private mutating func page(
        _ number: Int, _ way: LearntWay, _ purpose: String
    ) throws(ToolFailure) -> Answer? {
        guard let position = position(number, way) else { return nil }
        return try ask(description, position, for: purpose)
    }

    // MARK: Totals

    /// The numbers that may count the list: the same on the pages, those with usual names or the first other one.
    private func totals(_ pages: some Sequence<LearntPage>) -> [LearntTotal] {
        let all = LearntTotal.all(in: start.values, atLeast: start.count).filter { total in
            guard total.value <= Self.mostPages * start.count else { return false }
            return pages.allSatisfy { $0.value(at: total.place.text)?.number == total.value }
        }
        let known = all.filter { $0.isUsual || $0.place.name == "value" }
        let other = all.filter { $0.place.header == nil }.prefix(1)
        return Array(known.prefix(3).nonEmpty ?? other)
    }

    /// A number with a usual name that says more than the pages show may be right, and the service give no more.
    /// - Parameter isWhole: all pages were read.
    private func doubtOfTotal(_ read: [LearntPage], isWhole: Bool) -> String? {
        let other = totals(read.dropFirst()).filter(\.isUsual).first { total in
            guard isWhole else { return true }
            return total.value > total.count(of: read)
        }
        return other.map { "\($0.place.text) is \($0.value), and the pages have another number" }
    }

    /// Jumps to the last page that a number says.
    private mutating func proveTotal(_ way: LearntWay) throws(ToolFailure) -> Bool {
        for total in totals([way.second]) where total.value >= total.count(of: [start, way.second]) {
            let count = total.pages(of: start.count)
            let before = [start, way.second].prefix(count - 1)
            let asked = count == 2 ? .page(way.second) : try page(count, way, "the last page, \(count)")
            guard count > 1, let last = asked?.page, !last.keys.isEmpty, total.fits(last, of: start.count),
                // Some services repeat the last page past the end.
                before.allSatisfy({ last.keys.fresh(beside: $0.keys) == last.keys.count }),
                try isLast(last, count, total, way)
            else { continue }
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
        let isShort = total.unit == .records && last.count < start.count
        let leadsOn = try way.isChain ? position(after: last, description) != nil : isRound || !isShort
        guard leadsOn else { return true }
        switch try page(number + 1, way, "the page after the last one") {
        case .page(let next)?:
            if next.keys.isEmpty, way.isChain { description.pagination.ends = [.emptyPage] }
            return next.keys.fresh(beside: last.keys) == 0
        case .refused(400)?: return !isRound
        case .refused(let status)?: return [204, 404].contains(status)
        case .other(let response)?: return place.isLacking(in: response)
        case nil: return false
        }
    }

    // MARK: Numbered pages

    /// Jumps past the end of a list that nothing counts.
    private mutating func doubtOfJump(_ way: LearntWay) throws(ToolFailure) -> String? {
        // Without a total a short page doesn't end a list: services leave records out of their pages.
        if let size = description.pagination.size {
            description.pagination.size = nil
            description.request = description.request.setting(size.parameter, to: "\(size.value)")
        }
        let doubt: String?
        var isLikeEnd = true
        switch try page(Self.farPages + 1, way, "a page past the end") {
        case .page(let far)?:
            let new = newValues(on: far, besides: [start, way.second]).first?.text
            if far.keys.isEmpty, let new {
                (doubt, isLikeEnd) = ("a page past the end has \(new) beside no records", false)
            } else {
                doubt = try self.doubt(behind: far, way)
            }
        case .refused(let status)? where [204, 404].contains(status):
            doubt = nil
            takeEnd(.notFound, "with \(status) after its last page")
        case .refused(let status)?: (doubt, isLikeEnd) = ("a page past the end is answered with \(status)", false)
        case .other(let response)?: doubt = try doubtOfLack(response, way)
        case nil: doubt = "no request was left to look for the end"
        }
        if isLikeEnd { return doubt ?? doubtOfTotal([start, way.second], isWhole: false) }
        // No page far behind the end is like the one behind it, so the list is read page by page.
        if try self.doubt(of: try follow(way), way) == nil { return nil }
        return doubt
    }

    /// Where pages behind the end are empty, or repeat the last one, a flag may say where it is.
    private mutating func doubt(behind far: LearntPage, _ way: LearntWay) throws(ToolFailure) -> String? {
        let followed = [start] + way.samples
        var next: LearntPage?
        if !far.keys.isEmpty || TurningFlag(of: followed, endedBy: [far]) != nil {
            next = try page(Self.farPages + 2, way, "the page after it")?.page
        }
        let isRepeated = far.keys.fresh(beside: start.keys) > 0 && next?.keys.isSame(as: far.keys) == true
        guard far.keys.isEmpty || isRepeated else { return "a page past the end has records too" }
        if let next, let flag = TurningFlag(of: followed, endedBy: [far, next]) {
            take(flag)
        } else if far.keys.isEmpty {
            listFindings.append("the list ends with an empty page")
        } else if far.count < start.count {
            listFindings.append("the list ends where its last page is repeated")
        } else {
            return "its last page comes again, as long as the others, and a run can't take that for an end"
        }
        return nil
    }

    /// Services leave out a list that is empty.
    private mutating func doubtOfLack(_ response: HTTPResponse, _ way: LearntWay) throws(ToolFailure) -> String? {
        var described = description
        described.records?.mayLack = true
        described.pagination.ends = [.emptyPage]
        guard place.isArray, place.isLacking(in: response),
            try LearntPage(response, described, id: nil)?.keys.isEmpty == true,
            try LearntPage(way.second.response, described, id: id)?.keys == way.second.keys
        else { return "a page past the end has no \(place.path)" }
        description = described
        listFindings.append("the list ends with a page without \(place.steps.names.last ?? "records")")
        return nil
    }

    private mutating func takeEnd(_ end: Pagination.End, _ finding: String) {
        description.pagination.ends = [end]
        listFindings.append("the list ends \(finding)")
    }

    private mutating func take(_ flag: TurningFlag) {
        if flag.isMore { description.pagination.more = flag.path } else { description.pagination.done = flag.path }
        listFindings.append("proved: \(flag.path) says whether another page follows")
    }

    // MARK: Pages one after another

    /// Some services send empty pages between others, and lead on from them; others lead on for ever behind the last one.
    private static let emptyPagesAtEnd = 3

    private mutating func follow(_ way: LearntWay) throws(ToolFailure) -> LearntReading {
        var reading = LearntReading(pages: [start, way.second])
        let second = try LearntPage(way.second.response, description, id: id) ?? way.second
        var (page, before) = (second, way.position)
        var empties: [LearntPage] = []
        while reading.end == nil {
            let number = reading.pages.count + 1
            let following = try way.isChain ? position(after: page, description) : position(number, way)
            guard let wanted = following else {
                reading.end = empties.last.map { .empty($0) } ?? .noPosition
                break
            }
            if empties.count == Self.emptyPagesAtEnd || wanted == before {
                reading.end = empties.last.map { .empty($0) } ?? .same
                break
            }
            let answer: Answer?
            do throws(ToolFailure) { answer = try ask(description, wanted, for: "page \(number)") } catch {
                let (earlier, last) = (reading.pages.dropLast(), Array(reading.pages.suffix(1)))
                let isBehindEnd = number > 3 && TurningFlag(of: earlier, endedBy: last) != nil
                guard isBehindEnd, error.status == .unavailable else { throw error }
                reading.end = .broken
                break
            }
            if case .refused(let status)? = answer { reading.end = .refused(status) }
            guard let next = answer?.page else { break }
            (page, before) = (next, wanted)
            if next.keys.isEmpty {
                empties.append(next)
                if !way.isChain { reading.end = .empty(next) }
            } else if reading.pages.contains(where: { $0.keys.isSame(as: next.keys) }) {
                reading.end = .earlier
            } else {
                empties = []
                reading.pages.append(next)
            }
        }
        return reading
    }

    private mutating func doubt(of reading: LearntReading, _ way: LearntWay) throws(ToolFailure) -> String? {
        let (read, keys) = (reading.pages, reading.pages.flatMap(\.keys))
        pages += read.dropFirst(2)
        let repeated = keys.count - Set(keys).count
        guard repeated == 0 else { return "its pages have \(repeated) records twice" }
        guard let end = reading.end else { return doubtOfLongChain(way, read) }
        let counts = totals(read.dropFirst()).filter { $0.unit == .records }
        let total = counts.first { $0.value == $0.count(of: read) }
        if let total { take(total, "\(read.count) pages have as many") }
        if total == nil, let doubt = doubtOfTotal(read, isWhole: true) { return doubt }
        var last = Array(read.suffix(1))
        if case .empty(let page) = end { last.append(page) }
        let flag = TurningFlag(of: read.dropLast() + way.samples, endedBy: last)
        switch (end, flag) {
        case (.noPosition, _):
            let signs = [
                total != nil, flag != nil, read.count > 2, last[0].count < start.count, saysNoNext(last[0]),
            ]
            return try doubtOfLastPage(read, isShown: signs.contains(true))
        case (.earlier, _) where total != nil: break
        case (.refused, let flag?) where read.count > 2: take(flag)
        case (.refused(let status), _) where [204, 400, 404].contains(status):
            takeEnd(.notFound, "with \(status) after its last page")
        case (.refused(let status), _): return "the page after \(read.count) others is answered with \(status)"
        case (_, let flag?): take(flag)
        case (.empty, nil): takeEnd(.emptyPage, "with an empty page")
        case (.same, nil) where total != nil: description.pagination.ends = [.sameCursor, .emptyPage]
        case (.same, nil): return "a page leads to itself, and nothing says that it is the last"
        case (.earlier, nil): return "a page leads to records of an earlier one"
        case (.broken, nil): break
        }
        return nil
    }

    /// Whether the last page may have lost what leads on from it.
    private mutating func doubtOfLastPage(_ read: [LearntPage], isShown: Bool) throws(ToolFailure) -> String? {
        let last = read[read.count - 1]
        guard isShown else {
            return "the second page is as long as the first one, and nothing leads on from it"
        }
        let leads = newValues(on: last, besides: [start]).filter { $0.rank < 2 }
        if let lead = leads.first(where: { ($0.link ?? $0.token) != nil }) {
            return "\(lead.text) is on the last page alone"
        }
        return try unvisited(read)
    }

    /// Whether what leads to the next page is there, and without a value.
    private func saysNoNext(_ page: LearntPage) -> Bool {
        if description.pagination.type == .linkHeader { return !page.response.headers.values("Link").isEmpty }
        let value = description.pagination.next?.string.flatMap { page.value(at: $0) }?.value
        return [.null, .string(""), .boolean(false)].contains(value)
    }

    /// The service's own positions lead on, further than requests reach: a run follows them to their end.
    private mutating func doubtOfLongChain(_ way: LearntWay, _ read: [LearntPage]) -> String? {
        guard way.isChain else { return "no request was left to look for the end" }
        // The last record's id comes with each page, so it takes a flag to end the list.
        if let last = place.lastRecord, description.pagination.next?.string?.hasPrefix(last) == true {
            let flags = start.values.filter { value in
                guard value.header == nil else { return false }
                return read.allSatisfy { $0.value(at: value.text)?.flag == true }
            }
            guard flags.count == 1, read.count > 3 else { return "no request was left to look for the end" }
            description.pagination.more = flags[0].path
        }
        listFindings.append("its end is further than \(read.count) pages, and a run has to find it")
        return nil
    }

    /// Another URL of the list's own path on the first page that leads to records which no page had: what was followed led
    /// past them.
    private mutating func unvisited(_ read: [LearntPage]) throws(ToolFailure) -> String? {
        let (urls, keys) = (Set(read.map(\.response.url.text)), read.flatMap(\.keys))
        let links = start.values.filter { value in
            value.link.map { description.request.leadsOn($0, from: start.response.url, rank: 3) } ?? false
        }
        for value in links where probe.left > 0 {
            guard let link = value.link, let url = try? start.response.url.resolving(link), !urls.contains(url.text)
            else { continue }
            var described = description
            described.pagination = LearntPagination(type: .nextURL, next: value.next)
            let page = try ask(described, .link(url.text), for: "the page at \(value.text)")?.page
            if page?.keys.fresh(beside: keys) ?? 0 > 0 {
                return "\(value.text) leads to records that none of its pages has"
            }
        }
        return nil
    }

    /// The values in the body that a page has, and none of the earlier ones.
    private func newValues(on page: LearntPage, besides earlier: [LearntPage]) -> [BesideValue] {
        page.values.filter { value in
            guard value.header == nil, !value.isNothing, value.flag != false else { return false }
            return earlier.allSatisfy { $0.value(at: value.text)?.isNothing ?? true }
        }
    }
}

extension LearntTotal {
    /// What these pages have of what it counts.
    fileprivate func count(of read: [LearntPage]) -> Int {
        switch unit {
        case .pages: read.count
        case .records: read.reduce(0) { $0 + $1.count }
        }
    }

    fileprivate func pages(of size: Int) -> Int {
        switch unit {
        case .pages: value
        case .records: (value - 1) / size + 1
        }
    }

    /// Whether a page is the last one of as many.
    fileprivate func fits(_ last: LearntPage, of size: Int) -> Bool {
        guard last.value(at: place.text)?.number == value else { return false }
        return switch unit {
        case .pages: last.count <= size
        case .records: last.count == value - size * (pages(of: size) - 1)
        }
    }
}
