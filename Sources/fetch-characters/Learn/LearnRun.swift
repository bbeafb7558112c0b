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
    let typedPosition: PageParameter?
    /// The first page of the list, for what it says beside its records.
    var envelope = AnswerValue.null

    init(_ description: LearntDescription, _ probe: consuming ListProbe, _ diagnostics: Diagnostics) {
        self.description = description
        self.diagnostics = diagnostics
        self.probe = probe
        typedPosition = description.address.position
    }

    /// Writes the description, as far as it is known, to stdout, and what was seen to stderr.
    mutating func run() throws(ToolFailure) -> ExitStatus {
        let result = Result { () throws(ToolFailure) in try learn() }
        Signals.settle()
        if description.records != nil {
            var output = OutputBuffer(.standardOutput)
            output.append(description.text)
            try ToolFailure.onSystemError { () throws(SystemError) in try output.flush() }
        }
        for line in findings.lines { diagnostics.note("\(diagnostics.tool): \(line)") }
        try result.get()
        diagnostics.note(
            "\(diagnostics.tool): next: keep it in a file, and try fetch-characters --source \(description.name).json --limit 3"
        )
        return .done
    }

    private mutating func learn() throws(ToolFailure) {
        let answer = try probe.firstAnswer(description)
        try findRecords(in: answer)
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
        var figures = MemberFigures(origin: start.url.origin)
        start.addRecords(to: &figures)
        proof?.second.addRecords(to: &figures)
        try chooseMembers(figures, beside: start.url)
        try proveItem(figures)
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
