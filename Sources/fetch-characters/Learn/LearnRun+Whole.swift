// Decides whether a list that came in one response is whole. It is asked for again by half of it: what differs then shows how
// the list says that more follow, or a way from that half leads to the records of the whole. Else a person is asked.

import PipelineCore
import PipelineHTTP

extension LearnRun {
    /// Whether the one response is shown to have all records.
    mutating func proveWhole() throws(ToolFailure) -> Bool {
        let count = start.count
        // A run takes a Link to a next page at its word.
        guard tried.others == nil, count > 1, probe.left > 1, !proposals.isLinked,
            let (described, half) = try sized((count + 1) / 2, "half of the list"), half.count < count,
            !half.keys.isEmpty, half.keys.fresh(beside: start.keys) == 0
        else { return false }
        halfPage = half
        // What turns with each request is no sign: these two follow each other.
        var third: LearntPage?
        if count > 3 { third = try sized(count / 3, "a third of the list")?.page }
        guard try hasNoMore() else { return false }
        if let third, third.count < half.count, let sign = sign(of: half, third) {
            listFindings.append("one response has them all; proved: of half of them \(sign) says that more follow")
            return true
        }
        return try reachesWhole(described, half)
    }

    /// The first page in another size: by the parameter of the request, or by all usual ones.
    private mutating func sized(
        _ size: Int, _ purpose: String
    ) throws(ToolFailure) -> (LearntDescription, page: LearntPage)? {
        var described = description
        let places = description.request.size.map { [$0.place] } ?? description.request.places(ProposalRow.sizes)
        for place in places { described.request = described.request.setting(place, to: "\(size)") }
        return try ask(described, for: purpose)?.page.map { (described, $0) }
    }

    /// Whether twice as many are the same. More than came were asked for already where the request has a larger size.
    private mutating func hasNoMore() throws(ToolFailure) -> Bool {
        if let size = description.request.size, size.value > start.count {
            largerPage = start
            return true
        }
        guard let more = try sized(start.count * 2, "twice as many")?.page else { return probe.left > 0 }
        largerPage = more
        return more.keys.isSame(as: start.keys)
    }

    /// What has a value, or turns, beside both parts of the records: neither beside all of them nor where more are asked for.
    private func sign(of half: LearntPage, _ third: LearntPage) -> String? {
        guard let largerPage else { return nil }
        let value = half.values.first { value in
            guard value.header == nil, !value.isNothing else { return false }
            let (other, wholes) = (
                third.value(at: value.text), [start, largerPage].map { $0.value(at: value.text) }
            )
            guard let flag = value.flag else {
                guard other?.isNothing == false else { return false }
                return wholes.allSatisfy { $0?.isNothing ?? true }
            }
            guard other?.flag == flag else { return false }
            return wholes.allSatisfy { $0?.flag == !flag }
        }
        return value?.text
    }

    /// Follows a way from half of the list to its end.
    private mutating func reachesWhole(
        _ described: LearntDescription, _ half: LearntPage
    ) throws(ToolFailure) -> Bool {
        let size = description.request.size?.place.name ?? ""
        for row in ProposalRow.rows(.parameter, size) + ProposalRow.rows(.nothing, "").prefix(2) {
            guard probe.left > 1, let place = description.request.places(row.parameters).first else { continue }
            let numbers = row.kind == .page ? [1, 2, 3] : [0, half.count, 2 * half.count]
            var described = described
            described.request = described.request.setting(place, to: "\(numbers[1])")
            let asked = try ask(described, for: "the other half by \(place.name)")?.page
            guard let other = asked, other.keys.fresh(beside: half.keys) > 0,
                (half.keys + other.keys).isSame(as: start.keys)
            else { continue }
            described.request = described.request.setting(place, to: "\(numbers[2])")
            guard let behind = try ask(described, for: "what follows it"), behind.isNothing else { return false }
            // A list that grows will have further pages by it.
            var pagination = LearntPagination(type: row.kind, places: [place], first: numbers[0])
            if case .refused = behind { pagination.ends = [.notFound] }
            onePage = .proved(pagination)
            listFindings.append(
                "the list has one page; proved: two halves by \(place.name) have its records, and nothing follows them"
            )
            return true
        }
        return false
    }

    /// Whether the first response may well be the whole list, so that this is tried before the ways to further pages: it has
    /// fewer records than were asked for, or a number that is no usual size, and nothing that leads on or counts more.
    var isLikelyWhole: Bool {
        let count = start.count
        // Usual sizes of pages are multiples of these.
        let isSize = [5, 12, 16].contains { count.isMultiple(of: $0) }
        guard description.request.size.map({ $0.value > count }) ?? !isSize, !proposals.leadsOn else {
            return false
        }
        return start.values.filter { UsualNames.is($0.name, .total) }.allSatisfy { !$0.counts(beyond: count) }
    }

    /// Writes down what stands beside the records, so that a run sees where the list grows beyond one response.
    mutating func describeBeside() {
        description.pagination = LearntPagination(type: .none)
        guard place.isArray else { return description.beside = nil }
        let (whole, half, isProved) = (start.count, halfPage, description.isProved)
        description.beside = BesideShape(of: start.page.beside.tree, besides: place.steps.names) { names, value in
            let part = half?.value(at: names.map { JSONTree.Step.name($0) }.path)?.number
            // Some count the list, others the page.
            guard value == whole, let part else { return false }
            return part == half?.count || isProved && part == whole
        }
        if description.beside?.members.isEmpty == true { description.beside = nil }
    }

    // MARK: The question

    /// What a person has to decide, with what speaks against the list being whole.
    func question(_ doubt: String?) -> ToolFailure {
        for sign in against.prefix(3) { tell(sign) }
        if let text = tried.text { tell("tried: \(text)") }
        let several = ("these \(start.count) records are", "these \(start.count) are")
        let (these, are) = start.count == 1 ? ("this record is", "it is") : several
        let finding =
            doubt.map { "nothing shows where the list ends: \($0)" } ?? "nothing shows that \(these) all"
        let page = "see PAGINATION in man castline-source"
        var cure = "if \(are) all, take \"assumed\" out of the description; else write pagination, \(page)"
        if tried.others != nil {
            cure = "the list has more than these \(start.count), so write pagination, \(page)"
        }
        return .unlearnt(Message(finding, cure: "\(cure)"))
    }

    /// What says that there may be more, by its shape, the likeliest first.
    private var against: [String] {
        let count = start.count
        var signs: [String] = []
        if isPart {
            signs.append("the response has an id, as one record has, and \(place.path) may be a part of it")
        }
        if let other = otherPlaces.first(where: place.isHard(toTellFrom:)) {
            signs.append("the response has two lists, \(place.shown) and \(other.shown)")
        }
        if let others = tried.others { signs.append("\(others) had records that the first page lacks") }
        if largerPage?.keys.count ?? 0 > count { signs.append("a larger page has more records") }
        let numbers = start.values.filter { value in
            guard value.counts(beyond: count) else { return false }
            return value.header == nil || UsualNames.is(value.name, .total)
        }
        let ranked = numbers.stablySorted { UsualNames.rank($0.name, .total) }
        signs += ranked.prefix(2).map { "\($0.text) is \($0.number ?? 0)" }
        signs += proposals.leading.prefix(1).map { "\($0.text) is a URL of the list" }
        let sent = Set(description.request.parameters.map(\.value))
        let tokens = start.values.filter { value in
            guard value.header == nil, value.rank < 2, let token = value.token else { return false }
            return !sent.contains(token)
        }
        signs += tokens.prefix(1).map { "\($0.text) could be a position" }
        if count.isMultiple(of: 10) {
            signs.append("\(count) is a round number of records, as of one page of several")
        }
        return signs
    }
}
