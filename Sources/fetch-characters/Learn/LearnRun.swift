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
    var findings = LearnFindings()
    /// The parameter of the list's request that says which page is meant.
    var typedPosition: PageParameter?
    var bytesOut = 0
    var isComplete = false
    /// The last page of the list, if it was requested.
    var lastPage: LearntPage?
    var hasReadAll = false
    var endsAfterFirst = false
    /// What stands beside the records of the first page.
    var envelope: [EnvelopeValue] = []
    /// The command that fetches the list.
    let nextCommand: (LearntDescription) -> String

    /// Writes the description, as far as it is known, to stdout, and what was seen to stderr.
    mutating func run() throws(ToolFailure) -> ExitStatus {
        let result = Result { () throws(ToolFailure) in try learn() }
        Signals.settle()
        if description.records != nil { try write() }
        for line in findings.lines { tell(line) }
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
        var start = try startPage(answer)
        let proof = try proof(&start)
        findings.records = "records are \(place.path) (\(start.count))"
        if let proof {
            description = proof.description
            findings.paging =
                "\(proof.text); proved: the second page has \(proof.others) \(proof.others == 1 ? "other" : "others")"
            try checkPlace(proof)
            try checkWayOn(proof)
            description.unproved = []
            try proveEnd(proof)
        } else {
            try checkIsWhole(start)
            description.unproved = []
        }
        try chooseMembers([start] + [proof?.second, lastPage].compactMap { $0 })
    }

    var place: RecordsPlace { description.records ?? .lines(count: 0) }

    /// Takes a response for the first page of the list.
    mutating func takeStart(_ response: HTTPResponse) throws(ToolFailure) -> LearntPage {
        let start = try probe.start(response, description)
        envelope = start.envelope(place)
        return start
    }

    // MARK: The way to the second page

    /// The proof of the first way to other records that there is. Nil without any.
    private mutating func proof(_ start: inout LearntPage) throws(ToolFailure) -> LearnProof? {
        if let proof = try spend(&start) { return try checked(proof) }
        // Where the records stay the same and those of another place change, the list is there.
        guard let changing = probe.changingPlace else { return nil }
        probe.otherPlaces = [place]
        description.records = changing
        start = try takeStart(start.response)
        return try spend(&start).map { (proof) throws(ToolFailure) in try checked(proof) }
    }

    /// Spends the requests on the ways that there may be, the likeliest first, until one of them is proved.
    private mutating func spend(_ start: inout LearntPage) throws(ToolFailure) -> LearnProof? {
        var ways = ways(start)
        while !ways.isEmpty {
            let way = ways.removeFirst()
            switch probe.left < way.needs ? nil : try way.follow(description, start, &probe) {
            case nil: break
            case .proved(let proof)?: return proof
            case .isWithin(let position)?:
                start = try takeStart(try bareStart([position]).response)
                ways = [PagingWay(position.place, .offset)]
            case .ends(let text)?:
                findings.tried(text)
                endsAfterFirst = true
            case .refuted(let text, let others, let isStartDoubtful)?:
                if let text { findings.tried(text) }
                if case .next = way.kind { findings.hasDeadEnd = true }
                if isStartDoubtful { _ = try probe.startAgain(description, start) }
                ways.insert(contentsOf: others, at: 0)
            }
            if probe.refusesParameters { ways = ways.flatMap(\.single) }
        }
        return nil
    }

    /// The ways that the answer and the request show, then the usual ones.
    private func ways(_ start: LearntPage) -> [PagingWay] {
        let request = description.request
        let headers = start.response.headers
        let nexts = NextPlace.all(in: envelope, headers, request, typed: typedPosition)
        var shown = [typedPosition].compactMap { $0 }
        let add: (PageParameter) -> Void = { if shown.count < 8, !shown.contains($0) { shown.append($0) } }
        PageParameter.shown(by: envelope, headers, request).forEach(add)
        shown.removeAll { $0.kind == .cursor }
        var ways = nexts.filter { !$0.isNumber }.map { PagingWay(.next($0)) }
        ways += shown.prefix(3).map { PagingWay($0.place, $0.kind) }
        ways += nexts.filter(\.isNumber).prefix(1).map { PagingWay(.next($0)) }
        let tried = shown.prefix(3).map(\.place)
        let usual = { (names: [String]) in request.places(names).filter { !tried.contains($0) } }
        let size = max(start.count, 1)
        let unknown = request.parameters.compactMap { parameter -> (way: PagingWay, isMultiple: Bool)? in
            guard let number = Int(parameter.value), number >= 0, parameter.place != request.size?.place,
                !shown.contains(where: { $0.place == parameter.place })
            else { return nil }
            return (PagingWay(.offset(parameter.place, from: number, isKnown: false)), number % size == 0)
        }
        ways += unknown.filter(\.isMultiple).map(\.way).prefix(1)
        let pages = usual(["page"]).map { PagingWay($0, .page) }
        let offsets = usual(["offset"]).map { PagingWay($0, .offset) }
        // Whoever speaks of a limit counts records.
        let names =
            envelope.map(\.plain) + [request.size.map { LearntNames.plain($0.place.name) }].compactMap { $0 }
        let isLimited = names.contains("limit") && !names.contains(where: LearntNames[.page].contains)
        ways += isLimited ? offsets + pages : pages
        ways += unknown.filter { !$0.isMultiple }.map(\.way).prefix(1)
        guard !request.isPost else { return ways + (isLimited ? [] : offsets) }
        let others = usual(["offset", "skip", "start", "from", "startIndex", "page[offset]"])
        ways.append(PagingWay(.several(isLimited ? Array(others.dropFirst()) : others, .offset)))
        let numbers = usual(["pageNumber", "p", "page_number", "page[number]", "pageNo", "currentPage"])
        return ways + [PagingWay(.several(numbers, .page))]
    }

    /// - Throws: status 76 if the pages overlap, or if what the request says of a page isn't what leads to the next one.
    private func checked(_ proof: LearnProof) throws(ToolFailure) -> LearnProof {
        let repeated = proof.second.keys.count - proof.others
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
        let request = proof.description.request
        let values = proof.second.envelope(place)
        let headers = proof.second.response.headers
        let end = ListEnd(proof.second.answer, beside: place, headers, request, count: proof.second.count)
        let next = NextPlace.all(in: values, headers, request, typed: nil).first
        let seen = proof.start.count + proof.second.count
        let isAll = TotalPlace.all(in: values).contains { $0.unit == .records && $0.value <= seen || $0.value == 2 }
        guard let doubt = next?.text ?? (isAll || end.saysEnd ? nil : end.more) else { return }
        throw .unlearnt(
            "the second page leads to the next one in another way than the first: \(doubt); write pagination by hand, see man castline-source"
        )
    }
}

extension ToolFailure {
    /// Status 76: an answer shows too little, and a person has to go on.
    static func unlearnt(_ finding: String) -> ToolFailure { ToolFailure(.protocolError, finding) }
}

extension LearntPagination {
    /// Whether each page leads to the next one.
    fileprivate var leads: Bool {
        switch kind {
        case .linkHeader, .nextURL, .cursor, .cursors: true
        case .none, .page, .offset: false
        }
    }
}

extension PagingWay {
    /// Its parameters one by one, for a service that refuses what it doesn't know.
    fileprivate var single: [PagingWay] {
        guard case .several(let places, let kind) = self.kind else { return [self] }
        return places.map { PagingWay($0, kind) }
    }
}

extension PageParameter {
    /// The parameters that the links of an answer have, and those that it repeats.
    static func shown(
        by values: [EnvelopeValue], _ headers: HTTPHeaders, _ request: ListRequest
    ) -> [PageParameter] {
        let links = headers.values("Link").flatMap { WebLink.links(in: $0).links }.flatMap { all(in: $0.target) }
        let written = values.flatMap { $0.value.text.map(all) ?? [] }
        let echoed = values.flatMap { value -> [PageParameter] in
            guard !value.isElement, let number = value.value.wholeNumber, number <= 1 else { return [] }
            let isPage = LearntNames[.page].contains(value.plain) || value.plain == "number"
            guard isPage || LearntNames[.offset].contains(value.plain) else { return [] }
            let names = ["currentpage", "number"].contains(value.plain) ? ["page", value.name] : [value.name]
            return request.places(names).prefix(2).map { PageParameter($0, isPage ? .page : .offset) }
        }
        return links + written + echoed
    }
}

/// What a run has found out, in the words of a person:
///
///     records are $.data (175); the next page is the URL at $.next_page; proved: page 2 has 175 others
///     members: id at id, name at name; not found: description
struct LearnFindings {
    var records = ""
    /// How the list is paged, or that it isn't.
    var paging = ""
    /// How many there are, or how the list ends.
    var total = ""
    var members: [String] = []
    /// How one record is requested.
    var item = ""
    /// The common members that no record surely has.
    var missing: [String] = []
    /// What may be so and isn't proved.
    var leftOut: [String] = []
    /// Ways to the next page that lead nowhere.
    private(set) var triedInVain: [String] = []
    /// The answer names a next page, and that isn't one.
    var hasDeadEnd = false

    mutating func tried(_ text: String) { if !triedInVain.contains(text) { triedInVain.append(text) } }

    var lines: [String] {
        let list = [records, paging, total].filter { !$0.isEmpty }.joined(separator: "; ")
        let found = members.isEmpty ? "" : "members: " + members.joined(separator: ", ")
        let missing = missing.isEmpty ? "" : "not found: " + missing.joined(separator: ", ")
        let each = [found, missing, item].filter { !$0.isEmpty }.joined(separator: "; ")
        return [list, each].filter { !$0.isEmpty } + leftOut.map { "left out: \($0)" }
    }
}
