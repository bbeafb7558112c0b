// Works out an API's description from its responses, and proves it: what a later run will request is requested, and
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
    /// The pages that are found and proved: the first one of the list, the second, the last.
    var pages: [LearntPage] = []
    /// The path to the records' ids, by which they are compared. Nil compares all of their text.
    var id: [JSONLocation.PathStep]?
    /// Other places of records, which may turn out to be the list's.
    var otherPlaces: [RecordsPlace] = []
    /// One of them whose records change where those of the chosen place don't.
    var changingPlace: RecordsPlace?
    var ways: [PagingWay] = []
    var tried = LearnAttempts()
    /// The parameter of the list's request that says which page is meant.
    var typedPosition: PageParameter?
    /// A parameter of an unknown name that changes the list by its number: it may select a page.
    var selecting: String?
    var onePage: OnePage?
    var listFindings: [String] = []
    var recordFindings: [String] = []
    var leftOut: [String] = []
    var bytesOut = 0
    var isComplete = false

    mutating func run() throws(ToolFailure) {
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
    }

    func tell(_ text: String) { diagnostics.note("\(probe.hiding(text))") }

    /// - Throws: status 77 if it would show a key, 74 if it can't be written.
    private mutating func write() throws(ToolFailure) {
        let text = description.text
        guard probe.last?.isShown(in: text) != true else {
            throw ToolFailure(
                .refused, "the response has the key as a name, and a description with it would show it")
        }
        var output = OutputBuffer(.standardOutput)
        output.append(text)
        try output.flush()
        bytesOut = output.bytesWritten
    }

    private mutating func learn() throws(ToolFailure) {
        let answer = try answerWithRecords()
        description.unproved = [.pagination]
        try cutHeaders(answer)
        try findStart(answer)
        let full = try halvePage()
        let proof = try proof()
        if let full, proof == nil {
            description.request = full.request
            try takeStart(full.page.response)
        }
        if let proof { try check(proof) }
        listFindings.append("records are \(place.path) (\(start.count))")
        if let proof {
            description = proof.description
            pages.append(proof.second)
            let others = proof.second.keys.fresh(beside: start.keys)
            listFindings += [
                proof.text, "proved: the second page has \(others) other \(others == 1 ? "record" : "records")",
            ]
            for other in otherPlaces where !place.isBetterNamed(than: other) {
                guard try start.changes(in: second.response, at: other, description) else { continue }
                description.unproved = [.records]
                throw twoLists(other)
            }
            try checkWayOn(proof)
        } else {
            try checkIsWhole()
        }
        description.unproved = []
        if let proof {
            try proveEnd(proof)
            if let full { try restoreSize(full) }
        }
        try chooseMembers()
        let hasID = description.members.first?.name == .id
        if description.pagination.type == .offset && !hasID {
            listFindings.append(
                "without an id in members, only --twice finds records that shift between pages while they are read")
        } else if description.pagination.type == .page || proof?.number != nil {
            listFindings.append("--twice finds records that shift between numbered pages while they are read")
        }
    }

    // MARK: Pages

    var place: RecordsPlace { description.place }

    var start: LearntPage { pages[0] }

    var second: LearntPage { pages[1] }

    /// Takes a response for the first page of the list, by whose records all others are compared.
    /// - Throws: status 76 if it has none.
    mutating func takeStart(_ response: HTTPResponse) throws(ToolFailure) {
        guard let page = try LearntPage(response, description, id: nil) else {
            throw .unlearnt("the response reports an error beside \(place.path); correct the request")
        }
        guard !page.keys.isEmpty else {
            throw .unlearnt("the list is empty; use the URL of a list with records")
        }
        id = MemberChoice([page]).path(of: .id)
        pages = [try LearntPage(response, description, id: id) ?? page]
    }

    /// The first page as the description requests it, which has to be the one that came before.
    /// - Throws: status 76 if it is another one.
    @discardableResult
    mutating func startAgain(_ described: LearntDescription) throws(ToolFailure) -> LearntPage? {
        try probe.repeatOnce(described)
        guard let again = try ask(described, for: "the first page again")?.page else { return nil }
        guard again.keys == start.keys else {
            throw .unlearnt(
                "the first page, requested again, has other records; run it again if the list changed in between, and "
                    + "describe the source by hand if the service picks records at random")
        }
        return again
    }

    /// Asks for a page as a description requests it, the first one without a position.
    /// - Returns: nil if no request is left.
    mutating func ask(
        _ described: LearntDescription, _ position: PagePosition? = nil, for purpose: String
    ) throws(ToolFailure) -> Answer? {
        switch try probe.result(of: described, position, for: purpose) {
        case nil: return nil
        case .failure(let failure)?:
            let status = failure.httpStatus ?? 0
            tried.refusal = tried.refusal ?? "the service refuses \(purpose) with \(status)"
            if [400, 403, 405, 406, 409, 422].contains(status) { tried.refusesParameters = true }
            return .refused(status)
        case .success(let response)?:
            guard let page = try LearntPage(response, described, id: id) else {
                tried.refusal = tried.refusal ?? "\(purpose) gets a response without the list"
                return .other(response)
            }
            if !pages.isEmpty { try compare(page, described, purpose) }
            return .page(page)
        }
    }

    private mutating func compare(
        _ page: LearntPage, _ described: LearntDescription, _ purpose: String
    ) throws(ToolFailure) {
        guard page.keys.fresh(beside: start.keys) == 0 else { return tried.others = tried.others ?? purpose }
        // The links to pages change with each of them.
        for place in otherPlaces where changingPlace == nil && !self.place.isBetterNamed(than: place) {
            if try start.changes(in: page.response, at: place, described) { changingPlace = place }
        }
    }

    /// As a run of the description would go on.
    func lead(
        of page: LearntPage, _ described: LearntDescription
    ) throws(ToolFailure) -> Result<PagePosition?, SourceRequests.LinkError> {
        let requests = try probe.requests(described)
        return Result { () throws(SourceRequests.LinkError) in
            try requests.next(page.page.lead, from: page.response.url, size: requests.source.pagination.size?.value)
        }
    }

    /// The position after a page; nil if it leads to none that a run would request.
    func position(after page: LearntPage, _ described: LearntDescription) throws(ToolFailure) -> PagePosition? {
        let lead = try lead(of: page, described)
        return page.page.lead.hasMore == false ? nil : try? lead.get()
    }

    // MARK: The way to the second page

    private mutating func proof() throws(ToolFailure) -> LearnProof? {
        if let proof = try spend() { return proof }
        // Where the records stay the same and those of another place change, the list is there.
        guard let changingPlace else { return nil }
        otherPlaces = [place]
        description.records = changingPlace
        try takeStart(start.response)
        return try spend()
    }

    private mutating func spend() throws(ToolFailure) -> LearnProof? {
        ways = likelyWays()
        while !ways.isEmpty {
            let way = ways.removeFirst()
            if probe.left >= way.needs, let proof = try follow(way) { return proof }
            if tried.refusesParameters { ways = ways.single }
        }
        return nil
    }

    /// - Throws: status 76 if the pages overlap, or if what the request says of a page isn't what leads to the next one.
    private func check(_ proof: LearnProof) throws(ToolFailure) {
        let repeated = proof.second.keys.count - proof.second.keys.fresh(beside: start.keys)
        guard repeated == 0 else {
            throw .unlearnt(
                "the second page repeats \(RecordStream.count(repeated)) of the first one, or of its own; run it again if the list changed "
                    + "meanwhile, and else describe the source by hand")
        }
        guard proof.second.count <= start.count else {
            throw .unlearnt(
                "the second page has \(proof.second.count) records and the first one \(start.count), so nothing shows how long a "
                    + "page is; write pagination by hand, see PAGINATION in man castline-source")
        }
        let set = proof.description.pagination.places
        let left = proof.description.request.parameters.first {
            set.contains($0.place) && !["", "*", "-1"].contains($0.value)
        }
        if let left {
            throw .unlearnt(
                "\(left.name) in the request selects a later page; use the request for the first page")
        }
        let linked = proof.link.map { ListRequest($0).parameters.map(\.place) } ?? []
        guard let typedPosition, !(set + linked).contains(typedPosition.place) else { return }
        throw .unlearnt(
            "\(typedPosition.name) in the request may select a page, but doesn't lead to the next one; use a URL without it"
        )
    }

    /// - Throws: status 76 if the second page doesn't lead on the way that the first did, and isn't the last one.
    private func checkWayOn(_ proof: LearnProof) throws(ToolFailure) {
        guard proof.following == nil, description.pagination.leads else { return }
        let envelope = second.envelope(description)
        // Facebook's cursors stand beside the next page's URL, and say nothing alone.
        let nexts = envelope.nexts(of: description.request)
        let isBeside = { (next: NextPlace) in next.text.hasSuffix(".cursors.after") }
        let end = ListEnd(envelope, besides: nexts.filter(isBeside).compactMap(\.pagination.next?.string))
        let seen = start.count + second.count
        let isAll = envelope.totals.contains { $0.unit == .records && $0.value <= seen || $0.value == 2 }
        let other = nexts.first { !isBeside($0) }?.text
        guard let doubt = other ?? (isAll || end.saysEnd ? nil : end.more) else { return }
        throw .unlearnt(
            "the second page leads to the next one in another way than the first: \(doubt); write pagination by hand, see PAGINATION in man castline-source"
        )
    }

    func twoLists(_ other: RecordsPlace) -> ToolFailure {
        .unlearnt(
            "the response has two lists, \(place.path) (\(place.count)) and \(other.path) (\(other.count)), and either "
                + "may be meant; write records by hand, such as \"records\": \"\(place.path)\"")
    }
}

enum Answer {
    case page(LearntPage)
    /// The service refuses it with that status. Nothing follows from that but for 404.
    case refused(Int)
    /// Something else, as the service sent it.
    case other(HTTPResponse)

    var page: LearntPage? { if case .page(let page) = self { page } else { nil } }

    var isNothing: Bool {
        if case .refused(let status) = self { return [204, 404].contains(status) }
        return page?.keys.isEmpty ?? false
    }
}

extension ToolFailure {
    /// Status 76: a response shows too little, and a person has to go on.
    static func unlearnt(_ finding: Message) -> ToolFailure { ToolFailure(.protocolError, finding) }
}
