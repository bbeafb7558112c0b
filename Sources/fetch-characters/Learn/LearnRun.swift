// Finds the description of an API out from its answers, and proves it: what a later run will request is requested, and
// what comes has to be what the description says.
//
//     request ──► records ──► start of the list ──► second page ──► last page ──► members ──► description
//
// What isn't proved is left out. A list that may have more than was proved ends the run with 76, and what is known of it
// is written all the same.

import PipelineCore
import PipelineHTTP

struct LearnRun: ~Copyable {
    let diagnostics: Diagnostics
    var probe: ListProbe
    var description: LearntDescription
    /// The command that fetches the list.
    let nextCommand: (LearntDescription) -> String
    /// The pages that came: the first one of the list, the second, the last.
    var pages: [LearntPage] = []
    /// The ways to the second page that are left, the likeliest first.
    var ways: [PagingWay] = []
    /// The parameter of the list's request that says which page is meant.
    var typedPosition: PageParameter?
    var endsAfterFirst = false
    /// The answer names a next page, and that isn't one.
    var hasDeadEnd = false
    /// Ways to the next page that lead nowhere, in words.
    var triedInVain: [String] = []
    /// What was found out of the list, and of its records, in words:
    ///
    ///     records are $.data (175); the next page is the URL at $.next_page; proved: page 2 has 175 others
    ///     members: id from id, name from name; not found: description
    var listFindings: [String] = []
    var recordFindings: [String] = []
    /// What may be so and isn't proved.
    var leftOut: [String] = []
    var bytesOut = 0
    var isComplete = false

    /// Writes the description, as far as it is known, to stdout, and what was seen to stderr.
    mutating func run() throws(ToolFailure) -> ExitStatus {
        let result = Result { () throws(ToolFailure) in try learn() }
        Signals.settle()
        if description.records != nil { try write() }
        for findings in [listFindings, recordFindings] where !findings.isEmpty {
            tell(findings.joined(separator: "; "))
        }
        for finding in leftOut { tell("left out: \(finding)") }
        do throws(ToolFailure) { try result.get() } catch {
            throw ToolFailure(error.status, probe.hiding(error.message))
        }
        isComplete = true
        tell("next: \(nextCommand(description))")
        return .done
    }

    func tell(_ text: String) { diagnostics.note("\(diagnostics.tool): \(probe.hiding(text))") }

    /// - Throws: status 77 if it would show a key, 74 if it can't be written.
    private mutating func write() throws(ToolFailure) {
        let text = description.text
        guard !probe.isKeyShown(in: text) else {
            throw ToolFailure(
                .refused, "the response has the key as a name, and a description with it would show it")
        }
        var output = OutputBuffer(.standardOutput)
        output.append(text)
        try output.flush()
        bytesOut = output.bytesWritten
    }

    var report: RunReport {
        var report = probe.report
        report.bytesOut = bytesOut
        report.fetch?.isComplete = isComplete
        return report
    }

    private mutating func learn() throws(ToolFailure) {
        let answer = try answerWithRecords()
        description.unproved = [.pagination]
        try cutHeaders(answer)
        try findStart(answer)
        let proof = try proof()
        listFindings.append("records are \(place.path) (\(start.count))")
        if let proof {
            description = proof.description
            pages.append(proof.second)
            let others = proof.second.keys.fresh(beside: start.keys)
            listFindings += [
                proof.text, "proved: the second page has \(others) \(others == 1 ? "other" : "others")",
            ]
            try checkPlace(proof)
            try checkWayOn(proof)
            description.unproved = []
            try proveEnd(proof)
        } else {
            try checkIsWhole()
            description.unproved = []
        }
        try chooseMembers()
    }

    var place: RecordsPlace { description.records ?? .lines(count: 0) }

    /// The first page of the list, once that is found.
    var start: LearntPage { pages[0] }

    mutating func takeStart(_ response: HTTPResponse) throws(ToolFailure) {
        pages = [try probe.start(response, description)]
    }

    // MARK: The way to the second page

    /// The proof of the first way to other records that there is. Nil without any.
    private mutating func proof() throws(ToolFailure) -> LearnProof? {
        if let proof = try spend() { return try checked(proof) }
        // Where the records stay the same and those of another place change, the list is there.
        guard let changing = probe.changingPlace else { return nil }
        probe.otherPlaces = [place]
        description.records = changing
        try takeStart(start.response)
        return try spend().map { (proof) throws(ToolFailure) in try checked(proof) }
    }

    /// Spends the requests on the ways that there may be, until one of them is proved.
    private mutating func spend() throws(ToolFailure) -> LearnProof? {
        ways = likelyWays()
        while !ways.isEmpty {
            let way = ways.removeFirst()
            if probe.left >= way.needs, let proof = try follow(way) { return proof }
            if probe.refusesParameters { ways = ways.flatMap(\.single) }
        }
        return nil
    }

    /// The ways that the answer and the request show, then the usual ones.
    private func likelyWays() -> [PagingWay] {
        let request = description.request
        let signs = start.signs(description)
        let nexts = signs.nexts(typed: typedPosition)
        let shown = ([typedPosition].compactMap(\.self) + signs.parameters).withoutRepeats.prefix(8)
            .filter { $0.kind != .cursor }
        let unknown = request.parameters.compactMap { parameter -> (place: Placement, number: Int)? in
            guard let number = Int(parameter.value), number >= 0, parameter.place != request.size?.place,
                !shown.contains(where: { $0.place == parameter.place })
            else { return nil }
            return (parameter.place, number)
        }
        let size = max(start.count, 1)
        let counting = { (areMultiples: Bool) in
            unknown.filter { $0.number.isMultiple(of: size) == areMultiples }.prefix(1)
                .map { PagingWay.offset($0.place, from: $0.number, isKnown: false) }
        }
        let usual = { (kind: PageParameter.Kind, names: [String]) in
            request.places(names).filter { place in !shown.prefix(3).contains { $0.place == place } }
                .map { PageParameter($0, kind) }
        }
        let pages = usual(.page, ["page"]).map(PagingWay.init)
        let offsets = usual(.offset, ["offset"]).map(PagingWay.init)
        // Whoever speaks of a limit counts records.
        let names =
            signs.values.map(\.plain) + [request.size.map { LearntNames.plain($0.place.name) }].compactMap(\.self)
        let isLimited = names.contains("limit") && !names.contains(where: LearntNames[.page].contains)
        var ways = nexts.filter { !$0.isNumber }.map { PagingWay.next($0) }
        ways += shown.prefix(3).map(PagingWay.init)
        ways += nexts.filter(\.isNumber).prefix(1).map { PagingWay.next($0) }
        ways += counting(true) + (isLimited ? offsets : []) + pages + counting(false)
        guard request.content == nil else { return ways + (isLimited ? [] : offsets) }
        let others = usual(.offset, ["offset", "skip", "start", "from", "startIndex", "page[offset]"])
        let numbers = usual(.page, ["pageNumber", "p", "page_number", "page[number]", "pageNo", "currentPage"])
        return ways + [.several(isLimited ? Array(others.dropFirst()) : others), .several(numbers)]
    }

    // MARK: What contradicts a proof

    /// - Throws: status 76 if the pages overlap, or if what the request says of a page isn't what leads to the next one.
    private func checked(_ proof: LearnProof) throws(ToolFailure) -> LearnProof {
        let repeated = proof.second.keys.count - proof.second.keys.fresh(beside: start.keys)
        guard repeated == 0 else {
            throw .unlearnt(
                "the second page repeats \(repeated) records of the first one, or of its own; run it again if the list changed "
                    + "meanwhile, and else describe the source by hand")
        }
        let set = proof.description.pagination.places
        let left = proof.description.request.parameters.first {
            set.contains($0.place) && !$0.value.isEmpty && $0.value != "*"
        }
        if let left {
            throw .unlearnt(
                "\(left.name) in the request selects a later page; use the request for the first page"
            )
        }
        guard let typedPosition, !proof.parameters.contains(typedPosition.place) else { return proof }
        throw .unlearnt(
            "\(typedPosition.name) in the URL may select a page, but doesn't lead to the next one; use a URL without it"
        )
    }

    /// - Throws: status 76 if the second page doesn't lead on the way that the first did, and isn't the last one.
    private func checkWayOn(_ proof: LearnProof) throws(ToolFailure) {
        guard proof.following == nil, proof.description.pagination.leads else { return }
        let signs = proof.second.signs(description)
        let end = ListEnd(signs)
        let seen = start.count + proof.second.count
        let isAll = signs.totals.contains { $0.unit == .records && $0.value <= seen || $0.value == 2 }
        guard let doubt = signs.nexts().first?.text ?? (isAll || end.saysEnd ? nil : end.more) else { return }
        throw .unlearnt(
            "the second page leads to the next one in another way than the first: \(doubt); write pagination by hand, see man castline-source"
        )
    }

    /// - Throws: status 76 if another list of the answer has other records on the second page, too.
    private mutating func checkPlace(_ proof: LearnProof) throws(ToolFailure) {
        for other in probe.otherPlaces where !place.isBetterNamed(than: other) {
            guard try start.changes(in: proof.second.response, at: other, description) else { continue }
            description.unproved = [.records]
            throw twoLists(other)
        }
    }

    private func twoLists(_ other: RecordsPlace) -> ToolFailure {
        .unlearnt(
            "the response has two lists, \(place.path) (\(place.count)) and \(other.path) (\(other.count)), and either "
                + "may be meant; write records by hand")
    }

    // MARK: A list that came in one answer

    /// - Throws: status 76 if there may be more records than came.
    private mutating func checkIsWhole() throws(ToolFailure) {
        let count = start.count
        let signs = start.signs(description)
        let end = ListEnd(signs)
        let total = signs.totals.first { $0.unit == .records && $0.value == count }
        let isSaid = end.saysEnd || endsAfterFirst
        if let reason = reasonForMore(signs, end) ?? (isSaid ? nil : end.unknown) { throw unproved(reason) }
        try checkSizes()
        if let other = probe.otherPlaces.first, place.isHard(toTellFrom: other) {
            description.unproved = [.records, .pagination]
            throw twoLists(other)
        }
        if !isSaid, let refusal = probe.refusals.first {
            throw unproved("nothing says that the \(count) are all, and \(refusal)")
        }
        guard isSaid || !ListEnd.isUsualPageSize(count) else {
            throw unproved(
                "the response has \(RecordStream.count(count)), as on one page of several, and nothing shows that they are all"
            )
        }
        _ = try probe.startAgain(description)
        description.pagination.total = total
        listFindings.append(
            isSaid ? "one response has them all, as it says" : "one response seems to have the whole list")
        if end.isBare { listFindings.append("nothing says that this is all") }
        if let total { listFindings.append("\(total.place.text) is \(total.value)") }
    }

    /// What says, or may say, that there are more.
    private func reasonForMore(_ signs: AnswerSigns, _ end: ListEnd) -> String? {
        let count = start.count
        if let total = signs.totals.first(where: { $0.unit == .records && $0.value > count }) {
            return "\(total.place.text) is \(total.value), and the response has \(RecordStream.count(count))"
        }
        if let pages = signs.totals.first(where: { $0.unit == .pages && $0.value > 1 }) {
            return "\(pages.place.text) says that there are \(pages.value) pages"
        }
        if let more = end.more { return more }
        if let purpose = probe.othersSeen { return "\(purpose) had other records" }
        if hasDeadEnd { return "the response names a next page" }
        if endsAfterFirst { return nil }
        if let size = description.request.parameters.first(where: { $0.value == "\(count)" }) {
            return "\(size.name)=\(count) requests \(count), and as many arrived, so there may be more"
        }
        return typedPosition.map { "\($0.name) in the URL leads to no page of the list" }
    }

    /// Asks for larger pages, under all the usual names at once.
    private mutating func checkSizes() throws(ToolFailure) {
        let request = description.request
        guard probe.left > 2, request.content == nil, request.size == nil, !endsAfterFirst else { return }
        let names = [
            "limit", "per_page", "pageSize", "page_size", "perPage", "size", "count", "rows", "page[size]", "take",
        ]
        var described = description
        for name in names {
            described.request = described.request.setting(.query(name), to: "\(start.count * 2 + 1)")
        }
        let answer = try probe.ask(described, for: "larger pages")?.page
        if answer?.keys.fresh(beside: start.keys) ?? 0 > 0 { throw unproved("larger pages have more records") }
    }

    private func unproved(_ finding: String) -> ToolFailure {
        let tried = triedInVain.isEmpty ? "" : " (\(triedInVain.joined(separator: "; ")))"
        return .unlearnt(
            "nothing proves how the list continues: \(finding)\(tried); write pagination by hand, {\"type\": \"none\"} if they are all; see man castline-source"
        )
    }
}

extension ToolFailure {
    /// Status 76: an answer shows too little, and a person has to go on.
    static func unlearnt(_ finding: String) -> ToolFailure { ToolFailure(.protocolError, finding) }
}
