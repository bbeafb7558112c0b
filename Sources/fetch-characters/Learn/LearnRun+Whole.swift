// A list that came in one response. It is asked for again by half of it: what differs then shows how the list says that more
// follow, or a way from that half leads to the records of the whole. What neither shows is asked of a person.

import PipelineCore
import PipelineHTTP

extension LearnRun {
    /// Whether the one response is shown to have all records.
    mutating func proveWhole() throws(ToolFailure) -> Bool {
        let count = start.count
        // A run takes a Link to a next page at its word.
        guard tried.others == nil, count > 1, probe.left > 1, !proposals.isLinked else { return false }
        let whole = start
        guard let half = try sized((count + 1) / 2, "half of the list"), half.page.count < count,
            !half.page.keys.isEmpty,
            half.page.keys.fresh(beside: whole.keys) == 0
        else { return false }
        halfPage = half.page
        // What turns with each request is no sign: these two follow each other.
        let third = count > 3 ? try sized(count / 3, "a third of the list")?.page : nil
        guard try hasNoMore(whole) else { return false }
        if let third, third.count < half.page.count, let sign = sign(of: [half.page, third], besides: whole) {
            listFindings.append("one response has them all; proved: of half of them \(sign) says that more follow")
            return true
        }
        return try reachesWhole(half.description, whole)
    }

    /// The first page in another size: by the parameter of the request, or by all usual ones.
    private mutating func sized(
        _ size: Int, _ purpose: String
    ) throws(ToolFailure) -> (description: LearntDescription, page: LearntPage)? {
        var described = description
        let own = description.request.size.map { [$0.place] } ?? description.request.places(ProposalRow.sizes)
        for place in own { described.request = described.request.setting(place, to: "\(size)") }
        return try ask(described, for: purpose)?.page.map { (described, $0) }
    }

    /// Whether twice as many are the same. More than came were asked for already where the request has a larger size.
    private mutating func hasNoMore(_ whole: LearntPage) throws(ToolFailure) -> Bool {
        if let size = description.request.size, size.value > whole.count {
            largerPage = whole
            return true
        }
        guard let more = try sized(whole.count * 2, "twice as many")?.page else { return probe.left > 0 }
        largerPage = more
        return more.keys.isSame(as: whole.keys)
    }

    /// What has a value, or turns, beside a part of the records only: neither beside all of them nor where more are asked for.
    private func sign(of parts: [LearntPage], besides whole: LearntPage) -> String? {
        guard let largerPage else { return nil }
        return parts[0].values.first { value in
            guard value.header == nil else { return false }
            let other = parts[1].value(at: value.text)
            let wholes = [whole, largerPage].map { $0.value(at: value.text) }
            if let flag = value.value.flag {
                return other?.value.flag == flag && wholes.allSatisfy { $0?.value.flag == !flag }
            }
            return !value.isNothing && other?.isNothing == false && wholes.allSatisfy { $0?.isNothing ?? true }
        }?.text
    }

    /// Follows a way from half of the list to its end.
    private mutating func reachesWhole(_ half: LearntDescription, _ whole: LearntPage) throws(ToolFailure) -> Bool {
        guard let halfPage else { return false }
        let (own, count) = (description, halfPage.count)
        let rows =
            ProposalRow.rows(.parameter, own.request.size?.place.name ?? "")
            + ProposalRow.rows(.nothing, "").prefix(2)
        for row in rows where probe.left > 1 {
            guard let place = own.request.places(row.parameters).first else { continue }
            let isPage = row.kind == .page
            let numbers = isPage ? [2, 3] : [count, 2 * count]
            var described = half
            described.request = half.request.setting(place, to: "\(numbers[0])")
            guard let second = try ask(described, for: "the other half by \(place.name)")?.page,
                second.keys.fresh(beside: halfPage.keys) == second.keys.count, !second.keys.isEmpty,
                (halfPage.keys + second.keys).isSame(as: whole.keys)
            else { continue }
            described.request = half.request.setting(place, to: "\(numbers[1])")
            guard let third = try ask(described, for: "what follows it"), third.isNothing else { return false }
            // A list that grows will have further pages by it.
            onePage = LearntPagination(type: isPage ? .page : .offset, places: [place], first: isPage ? 1 : 0)
            if case .refused = third { onePage?.ends = [.notFound] }
            listFindings.append(
                "the list has one page; proved: two halves by \(place.name) have its records, and nothing follows them"
            )
            return true
        }
        return false
    }

    /// Usual sizes of pages are multiples of these.
    private static let usualSizes = [5, 12, 16]

    /// Whether the first response may well be the whole list, so that this is tried before the ways to further pages: it has
    /// fewer records than were asked for, or a number that is no usual size, and nothing that leads on or counts more.
    var isLikelyWhole: Bool {
        let count = start.count
        let isShort = description.request.size.map { $0.value > count }
        let isSize = Self.usualSizes.contains { count.isMultiple(of: $0) }
        let countsMore = start.values.contains { value in
            UsualNames.is(value.name, .total) && value.value.wholeNumber ?? 0 > count
        }
        return (isShort ?? !isSize) && !countsMore && !proposals.leadsOn
    }

    // MARK: What stands beside

    /// Writes down what stands beside the records, so that a run sees where the list grows beyond one response.
    mutating func describeBeside() {
        description.pagination = LearntPagination(type: .none)
        guard place.isArray, let half = halfPage else {
            description.beside =
                place.isArray
                ? BesideShape(of: start.page.beside.tree, besides: place.names) { _, _ in false } : nil
            return
        }
        let (whole, start, isProved) = (start.count, start, description.isProved)
        description.beside = BesideShape(of: start.page.beside.tree, besides: place.names) { names, value in
            // Some count the list, others the page.
            let part = half.value(at: BesideValue.path(names))?.value.wholeNumber
            return value == whole && (part == half.count || isProved && part == whole)
        }
    }

    // MARK: The question

    /// What a person has to decide, with what speaks against the list being whole.
    func question(_ doubt: String?) -> ToolFailure {
        let count = start.count
        for sign in against.prefix(3) { tell(sign) }
        if let text = tried.text { tell("tried: \(text)") }
        let finding =
            doubt.map { "nothing shows where the list ends: \($0)" }
            ?? "nothing shows that \(count == 1 ? "this record is" : "these \(count) records are") all"
        let page = "see PAGINATION in man castline-source"
        let cure =
            tried.others == nil
            ? "if \(count == 1 ? "it is" : "these \(count) are") all, take \"assumed\" out of the description; else write pagination, \(page)"
            : "the list has more than these \(count), so write pagination, \(page)"
        return .unlearnt(Message(finding, cure: cure))
    }

    /// What says that there may be more, by its shape, the likeliest first.
    private var against: [String] {
        let count = start.count
        var signs: [String] = []
        if isPart {
            signs.append("the response has an id, as one record has, and \(place.path) may be a part of it")
        }
        if let other = otherPlaces.first(where: place.isHard(toTellFrom:)) {
            signs.append(
                "the response has two lists, \(place.path) (\(place.count)) and \(other.path) (\(other.count))")
        }
        if let others = tried.others { signs.append("\(others) had records that the first page lacks") }
        if let larger = largerPage, larger.keys.count > count { signs.append("a larger page has more records") }
        let numbers = start.values.filter { value in
            value.value.wholeNumber ?? 0 > count && (value.header == nil || UsualNames.is(value.name, .total))
        }
        let ranked = numbers.enumerated().sorted { left, right in
            let (one, other) = (
                UsualNames.rank(left.element.name, .total), UsualNames.rank(right.element.name, .total)
            )
            return (one, left.offset) < (other, right.offset)
        }
        signs += ranked.prefix(2).map { "\($0.element.text) is \($0.element.value.wholeNumber ?? 0)" }
        let links = start.values.filter { value in
            value.link.map { description.request.leadsOn($0, from: start.response.url, rank: value.rank) } ?? false
        }
        signs += links.prefix(1).map { "\($0.text) is a URL of the list" }
        let sent = Set(description.request.parameters.map(\.value))
        let tokens = start.values.filter {
            $0.header == nil && $0.rank < 2 && $0.token.map { !sent.contains($0) } ?? false
        }
        signs += tokens.prefix(1).map { "\($0.text) could be a position" }
        if count.isMultiple(of: 10) {
            signs.append("\(count) is a round number of records, as of one page of several")
        }
        return signs
    }
}
