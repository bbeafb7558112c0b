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
