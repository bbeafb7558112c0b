// Decides in which order an API's description is worked out from its responses, and whether it is proved: what a later run
// will request is requested, and what comes has to be what the description says.
//
//     request ──► records ──► start of the list ──► a way to other pages ──► its end ──► members ──► description
//                                               └─► the smaller page ──► one response has all
//
// Names only say what is tried first. What no experiment shows is asked: the description says "assumed", and a person decides.

import PipelineCore
import PipelineHTTP

struct LearnRun: ~Copyable {
    let diagnostics: Diagnostics
    var probe: ListProbe
    var description: LearntDescription
    /// The pages that are found and proved: the first one of the list, the second, others.
    var pages: [LearntPage] = []
    /// The path to the records' ids, by which they are compared. Nil compares all of their text.
    var id: [JSONTree.Step]?
    /// Other places of records, which may turn out to be the list's.
    var otherPlaces: [RecordsPlace] = []
    /// One of them whose records change where those of the chosen place don't.
    var changingPlace: RecordsPlace?
    /// The parameter of the request that selected a page, by its name.
    var typed: TypedPosition?
    /// Header fields and parameters without which the service refuses the request, whatever they are called.
    var neededPlaces: [Placement] = []
    /// What stands beside the records and changes from request to request, once that was looked at.
    var changingValues: Set<String>?
    /// The records are within an object with an id, as parts of one record are.
    var isPart = false
    /// A parameter leads behind the end of the list's only page, so that other ones needn't be tried.
    var onePage: OnePage?
    /// The first page of half the size, and of twice the size.
    var halfPage: LearntPage?
    var largerPage: LearntPage?
    var tried = LearnAttempts()
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
        for place in neededPlaces { description.request.makeKey(place, of: description.name) }
        if !description.isProved { description.pagination = LearntPagination(type: .none) }
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
        try cutHeaders(answer)
        try findStart(answer)
        let way = try findProof()
        listFindings.insert("records are \(place.shown)", at: 0)
        var doubt: String?
        if let way {
            take(way)
            doubt = try doubtOfPlace(way)
            if doubt == nil { doubt = try doubtOfEnd(way) }
            description.isProved = doubt == nil
        }
        if let onePage = onePage?.pagination {
            description.pagination = onePage
            description.request = description.request.removing(onePage.places)
        } else if way == nil || doubt != nil {
            describeBeside()
        }
        try chooseMembers()
        guard description.isProved else { throw question(doubt) }
        let hasID = description.members.first?.name == .id
        if description.pagination.type == .offset, way != nil, !hasID {
            listFindings.append(
                "without an id in members, only --twice finds records that shift between pages while they are read")
        } else if way?.isNumbered == true, description.pagination.type != .offset {
            listFindings.append("--twice finds records that shift between numbered pages while they are read")
        }
    }

    /// The likelier proof first: that one response has all, or a way to further pages.
    private mutating func findProof() throws(ToolFailure) -> LearntWay? {
        if isLikelyWhole { description.isProved = try proveWhole() }
        if description.isProved { return nil }
        if let way = try findWay() { return way }
        description.isProved = onePage?.pagination != nil
        if !description.isProved, halfPage == nil { description.isProved = try proveWhole() }
        if description.isProved { return nil }
        return try wayByLastRecord()
    }

    var place: RecordsPlace { description.place }

    var start: LearntPage { pages[0] }

    /// Of two places with records that change from page to page, a person has to choose one.
    private func doubtOfPlace(_ way: LearntWay) throws(ToolFailure) -> String? {
        for other in otherPlaces where place.isHard(toTellFrom: other) {
            guard !place.isBetterNamed(than: other), let first = try start.keys(at: other, description),
                let second = try way.second.keys(at: other, description), second.fresh(beside: first) > 0
            else { continue }
            return "the response has two lists, \(place.shown) and \(other.shown)"
        }
        return nil
    }

    // MARK: Pages

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

    /// Asks for a page as a description requests it, the first one without a position.
    /// - Parameter places: what it leaves out of the list's request: a parameter without which it is refused is a key.
    /// - Returns: nil if no request is left.
    mutating func ask(
        _ described: LearntDescription, _ position: PagePosition? = nil, for purpose: String,
        without places: [Placement] = []
    ) throws(ToolFailure) -> Answer? {
        switch try probe.result(of: described, position, for: purpose, mayBeRefused: places.count == 1) {
        case nil: return nil
        case .failure(let failure)?:
            let status = failure.httpStatus ?? 0
            if places.count == 1, ListRequest.isRefusal(status) { neededPlaces += places }
            try confirmRecording()
            tried.refused(purpose, status)
            return .refused(status)
        case .success(let response)?:
            guard let page = try LearntPage(response, described, id: id) else {
                tried.refused(purpose, nil)
                return .other(response)
            }
            if !pages.isEmpty { try compare(page, described, purpose) }
            return .page(page)
        }
    }

    /// A HAR's request may be refused now, as a HAR has no cookies: then nothing can be learnt from it.
    mutating func confirmRecording() throws(ToolFailure) {
        do throws(ToolFailure) { try probe.confirmRecording(description) } catch {
            // No description of it works.
            description.records = nil
            throw error
        }
    }

    /// Notes what has other records, and whether another place has.
    private mutating func compare(
        _ page: LearntPage, _ described: LearntDescription, _ purpose: String
    ) throws(ToolFailure) {
        guard page.keys.fresh(beside: start.keys) == 0 else { return tried.others = tried.others ?? purpose }
        for place in otherPlaces where changingPlace == nil {
            let (before, after) = (try start.keys(at: place, described), try page.keys(at: place, described))
            if let before, after?.fresh(beside: before) ?? 0 > 0 { changingPlace = place }
        }
    }

    /// The position after a page; nil if it leads to none that a run would request.
    func position(after page: LearntPage, _ described: LearntDescription) throws(ToolFailure) -> PagePosition? {
        guard page.page.lead.hasMore != false else { return nil }
        return try? lead(of: page, described).get()
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
}

/// A parameter of the list's request that may be a position, and the page that it requested.
struct TypedPosition {
    let place: Placement
    let value: String
    let given: (request: ListRequest, response: HTTPResponse)

    /// Without a value it was left out before anything showed that it selects a page.
    var selecting: Placement? { value.isEmpty ? nil : place }
}

/// A list with one page. The pagination is there where experiments showed that this page has all.
enum OnePage {
    case likely
    case proved(LearntPagination)

    var pagination: LearntPagination? { if case .proved(let pagination) = self { pagination } else { nil } }
}

enum Answer {
    case page(LearntPage)
    /// The service refuses it with that status.
    case refused(Int)
    /// Something else, as the service sent it.
    case other(HTTPResponse)

    var page: LearntPage? { if case .page(let page) = self { page } else { nil } }

    /// There is no such page.
    var isNothing: Bool {
        if case .refused(let status) = self { return [204, 404].contains(status) }
        return page?.keys.isEmpty ?? false
    }
}

/// What was tried to get to a second page, and didn't lead there.
struct LearnAttempts {
    /// What was requested when records came that aren't on the first page: then one page isn't the whole list.
    var others: String?
    private var names: [String] = []
    private var findings: [String] = []

    /// - Returns: nil, for a way that leads to no proof.
    mutating func inVain(_ names: String..., because finding: String? = nil) -> LearntWay? {
        if let finding { findings.append(finding) } else { self.names += names }
        return nil
    }

    mutating func inVain(_ proposal: Proposal) -> LearntWay? {
        names += proposal.places.map(\.name)
        return nil
    }

    mutating func refused(_ purpose: String, _ status: Int?) {
        let answer = status.map { "is answered with \($0)" } ?? "gets a response without the list"
        if findings.count < 3 { findings.append("\(purpose) \(answer)") }
    }

    /// For a message.
    var text: String? {
        let shown = names.withoutRepeats
        var list = shown.prefix(5).joined(separator: ", ")
        if shown.count > 5 { list += " and \(shown.count - 5) others" }
        let vain = list.nonEmpty.map { [$0 + " led to no other records"] } ?? []
        return (vain + findings.withoutRepeats.prefix(3)).nonEmpty?.joined(separator: "; ")
    }
}

extension ToolFailure {
    /// Status 76: a response shows too little, and a person has to go on.
    static func unlearnt(_ finding: Message) -> ToolFailure { ToolFailure(.protocolError, finding) }
}
