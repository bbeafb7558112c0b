// Finds the description of an API out from its answers, and proves it: what a later run will request is requested, and
// what comes has to be what the description says.
//
//     URL ──► records ──► start of the list ──► second page ──► last page ──► members ──► description
//
// What isn't proved is left out. A list that may have more than was proved ends the run with 76, and what is known of it
// is written all the same.

import PipelineCore
import PipelineHTTP

/// A run that learns.
struct LearnRun: ~Copyable {
    let diagnostics: Diagnostics
    var probe: ListProbe
    var description: LearntDescription
    var findings = LearnFindings()
    /// The parameter of the list's URL that says which page is meant.
    var typedPosition: PageParameter?
    private var bytesOut = 0
    private var isComplete = false
    /// The last page of the list, if it was requested.
    var lastPage: LearntPage?
    /// All pages of the list were read.
    var hasReadAll = false
    /// The first page of the list, for what it says beside its records.
    var envelope = AnswerValue.null

    init(_ description: LearntDescription, _ probe: consuming ListProbe, _ diagnostics: Diagnostics) {
        self.description = description
        self.diagnostics = diagnostics
        self.probe = probe
    }

    /// Writes the description, as far as it is known, to stdout, and what was seen to stderr.
    mutating func run() throws(ToolFailure) -> ExitStatus {
        let result = Result { () throws(ToolFailure) in try learn() }
        Signals.settle()
        if description.records != nil { try write() }
        for line in findings.lines {
            diagnostics.note("\(diagnostics.tool): \(probe.requests.hiding(line))")
        }
        do throws(ToolFailure) { try result.get() } catch {
            throw ToolFailure(error.status, probe.requests.hiding(error.message))
        }
        isComplete = true
        diagnostics.note(
            "\(diagnostics.tool): next: keep it in a file, and try fetch-characters --source \(description.name).json --limit 3"
        )
        return .done
    }

    /// - Throws: status 77 if it would show a key, 74 if it can't be written.
    private mutating func write() throws(ToolFailure) {
        let text = description.text
        guard !probe.requests.isKeyShown(in: text) else {
            throw ToolFailure(
                .refused, "the answer has the key for a name, and a description with it would show it")
        }
        var output = OutputBuffer(.standardOutput)
        output.append(text)
        try output.flush()
        bytesOut = output.bytesWritten
    }

    /// The figures of the run.
    var report: RunReport {
        var report = probe.requests.report
        report.bytesOut = bytesOut
        report.fetch?.isComplete = isComplete
        return report
    }

    private mutating func learn() throws(ToolFailure) {
        let answer = try answerWithRecords()
        description.unproved = [.pagination]
        var start = try startPage(answer)
        let proof = try proof(&start)
        findings.add(records: description, count: start.page.listed)
        if let proof {
            description = proof.description
            findings.add(proof)
            try checkPlace(proof)
            description.unproved = []
            try proveEnd(proof)
        } else {
            try checkIsWhole(start)
            description.unproved = []
        }
        try chooseMembers([start] + [proof?.second, lastPage].compactMap { $0 })
    }

    /// Where the records are.
    var place: RecordsPlace { description.records ?? .lines(count: 0) }

    /// Takes a response for the first page of the list.
    mutating func takeStart(_ response: HTTPResponse) throws(ToolFailure) -> LearntPage {
        let start = try probe.start(response, description)
        do throws(JSONError) { envelope = try AnswerValue.read(response.body.span) } catch { envelope = .null }
        return start
    }
}

/// The requests that --learn may send. Nothing is sent:
///
///     {"request":1,"method":"GET","for":"the list","url":"https://api.example.org/v2/cards","startSeconds":0.0}
///     {"request":2,"method":"GET","for":"the first page again","startSeconds":0.0}
///     {"requests":8,"seconds":0.0,"rate":null,"more":false}
struct LearnPlan {
    /// What the requests are for. The answers say which of them are needed, and their URLs.
    private static let purposes = [
        "the list", "the list from its start, or the first page again", "the second page",
        "the second page by another parameter", "the first page by its number or offset", "the last page",
        "a page past the end, or larger pages", "a picture, or one record",
    ]

    private let first: HTTPRequest
    private let rate: Rate?
    private let explanation: RequestExplanation?

    /// - Parameter first: the request for the list.
    init(_ first: HTTPRequest, rate: Rate?, _ explanation: RequestExplanation?) {
        self.first = first
        self.rate = rate
        self.explanation = explanation
    }

    func write() throws(ToolFailure) -> ExitStatus {
        explanation?.tell(first)
        var output = OutputBuffer(.standardOutput)
        let secondsBetween = rate?.intervalSeconds ?? 0
        for (index, purpose) in Self.purposes.enumerated() {
            let line = ByteBuffer.object { object in
                object.addMember("request", index + 1)
                object.addMember("method", first.method.name)
                object.addMember("for", purpose)
                if index == 0 { object.addMember("url", first.url.text) }
                object.addMember("startSeconds", seconds: Double(index) * secondsBetween)
            }
            output.append(line.text + "\n")
        }
        let summary = ByteBuffer.object { object in
            object.addMember("requests", Self.purposes.count)
            object.addMember("seconds", seconds: Double(Self.purposes.count - 1) * secondsBetween)
            object.addMember("rate", rate.map { "\($0)" })
            object.addMember("more", false)
        }
        output.append(summary.text + "\n")
        try output.flush()
        return .done
    }
}

/// What proves how a list is paged: its first page, and one that has others.
struct LearnProof {
    /// How a page can be requested without those before it.
    enum Jump {
        case none
        /// By the pagination's own parameter.
        case position
        /// By the number in the link to the second page.
        case link(HTTPURL, PageParameter)
    }

    /// The description with that paging.
    var description: LearntDescription
    let start: LearntPage
    let second: LearntPage
    /// How the next page is got, in words.
    let text: String
    let jump: Jump
    /// The parameters that request the next page.
    var parameters: [String] = []
    /// The position after the second page, where that leads on.
    let following: PagePosition?

    /// Records of the second page that the first doesn't have.
    var others: Int { second.keys.fresh(beside: start.keys) }
}

/// What a run has found out, in the words of a person:
///
///     records are $.data (175); the next page is the URL at $.next_page; proved: page 2 has 175 others
///     members: id at id, name at name; not found: description
struct LearnFindings {
    private var records = ""
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

    mutating func add(records description: LearntDescription, count: Int) {
        records = "records are \(description.records?.path ?? "$") (\(count))"
    }

    mutating func add(_ proof: LearnProof) {
        paging =
            "\(proof.text); proved: the second page has \(proof.others) \(proof.others == 1 ? "other" : "others")"
    }

    /// A line for each subject.
    var lines: [String] {
        let list = [records, paging, total].filter { !$0.isEmpty }.joined(separator: "; ")
        let found = members.isEmpty ? "" : "members: " + members.joined(separator: ", ")
        let missing = missing.isEmpty ? "" : "not found: " + missing.joined(separator: ", ")
        let leftOut = leftOut.map { "left out: \($0)" }
        let each = [found, missing, item].filter { !$0.isEmpty }.joined(separator: "; ")
        return [list, each].filter { !$0.isEmpty } + leftOut
    }
}
