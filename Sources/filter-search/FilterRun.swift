// The run of filter-search: from each input line by line to the output, and the status that comes of it.

import PipelineCore

/// One run, over one input or several.
struct FilterRun: ~Copyable {
    let settings: FilterSettings
    private let diagnostics: Diagnostics
    private var filter: RecordFilter
    private var output: OutputBuffer
    private var badLines: BadLines
    private var rejects: Rejects
    private var matches = 0
    private var records = 0
    private var bytesRead = 0
    private var seal = HeldSeal()
    private var status = ExitStatus.done
    /// What is found is kept, for the run that this one is a part of.
    private let isPart: Bool
    private var faults: [Findings.Fault] = []
    /// Whether all lines so far were blank.
    private var isBlank = true

    init(
        _ settings: FilterSettings, _ filter: consuming RecordFilter, _ rejects: consuming Rejects,
        _ diagnostics: Diagnostics, isPart: Bool = false
    ) {
        self.settings = settings
        self.diagnostics = diagnostics
        self.filter = filter
        self.isPart = isPart
        output = isPart ? OutputBuffer() : OutputBuffer(.standardOutput)
        badLines = BadLines(policy: settings.input.badLines)
        self.rejects = rejects
    }

    /// Reads all the inputs. What was found before a failure is written all the same.
    mutating func run() throws(ToolFailure) -> ExitStatus {
        Descriptor.standardOutput.widenPipe()
        do throws(ToolFailure) {
            try readAll()
        } catch {
            try finish()
            throw error
        }
        if !settings.isQuiet {
            if settings.counts {
                output.append("{\"count\":\(matches)}\n")
            } else if status == .done {
                // Behind a file that can't be read the list isn't whole, whatever the last one says.
                output.append(seal.line)
            }
        }
        try finish()
        return verdict()
    }

    private mutating func readAll() throws(ToolFailure) {
        let files = settings.files
        guard !files.isEmpty else { return try read(.standardInput) }
        diagnostics.progress?.update { $0.totalBytes = FileParts.size(of: files) }
        if settings.mayReadAhead, WorkerThread.processorCount > 1, FileParts.areLarge(files) {
            return try readAtOnce(files)
        }
        for path in files where !isFinished { try read(path) }
    }

    mutating func read(_ path: String) throws(ToolFailure) {
        if path == "-" {
            try read(.standardInput)
        } else if let file = opened(path) {
            try read(file)
            try ToolFailure.onSystemError(file.close)
        }
    }

    /// Hands on what is still held.
    private mutating func finish() throws(ToolFailure) {
        do throws(SystemError) { try output.flush() } catch { throw ToolFailure(error) }
        try rejects.close()
    }

    /// Nothing that is still to be read can change what this run says.
    private var isFinished: Bool { matches >= settings.limit || (settings.isQuiet && matches > 0) }

    private mutating func opened(_ path: String) -> Descriptor? {
        do throws(SystemError) {
            return try Descriptor.reading(path)
        } catch {
            // Most often that is a query without its quotes.
            let isWord = error.isNotFound && settings.queries.isEmpty && !path.contains { "/.".contains($0) }
            diagnostics.error(error.advice + (isWord ? ", or put quotes around a query of several words" : ""))
            status = status.combined(with: .noInput)
            return nil
        }
    }

    private mutating func read(_ input: Descriptor) throws(ToolFailure) {
        input.widenPipe()
        var lines = LineReader(
            input, limitBytes: settings.input.lineLimitBytes, progress: diagnostics.progress)
        diagnostics.progress?.update { show(input, in: &$0) }
        defer { bytesRead += lines.bytesRead }
        try read(&lines)
    }

    private mutating func read(_ lines: inout LineReader) throws(ToolFailure) {
        while !isFinished, try advance(&lines) {
            try look(lines)
            try sift(&lines)
        }
    }

    /// Reads the line that is lent.
    private mutating func look(_ lines: borrowing LineReader) throws(ToolFailure) {
        guard !lines.line.isBlank else { return }
        isBlank = false
        guard !seal.take(lines.line) else { return }
        let isFound: Bool
        do throws(JSONError) {
            isFound = try filter.matches(lines.line)
        } catch {
            return try reject(lines, error)
        }
        records += 1
        guard isFound != settings.isInverted else { return }
        try keep(lines.line)
        try explain(lines)
    }

    /// Passes over the lines that have come and need no reading.
    private mutating func sift(_ lines: inout LineReader) throws(ToolFailure) {
        let limitBytes = settings.input.lineLimitBytes
        while !isFinished {
            let wanted = settings.isQuiet ? 1 : settings.limit - matches
            let sifted = filter.sift(lines.ahead, limitBytes: limitBytes, wanted: wanted)
            guard sifted.lines > 0 else { return }
            isBlank = false
            seal.void()
            records += sifted.lines
            matches += sifted.matches
            if sifted.matches > 0, !settings.counts, !settings.isQuiet {
                try write(lines.ahead.extracting(sifted.matching))
            }
            lines.pass(lines: sifted.lines, bytes: sifted.bytes)
        }
    }

    /// Writes records with their line ends.
    private mutating func write(_ records: Span<UInt8>) throws(ToolFailure) {
        do throws(SystemError) { try output.write(records) } catch { throw ToolFailure(error) }
    }

    private func show(_ input: Descriptor, in figures: inout ProgressFigures) {
        if settings.files.isEmpty { figures.totalBytes = input.bytesLeft }
        if settings.files.count > 1 { figures.subject = input.name }
    }

    /// Searches a part of a file.
    mutating func findings(in part: FileParts.Part, _ lines: inout LineReader) -> Findings {
        var findings = Findings()
        do throws(ToolFailure) {
            do throws(SystemError) {
                try lines.begin(part.file, part: part.bytes)
            } catch {
                throw ToolFailure(error)
            }
            try read(&lines)
        } catch {
            findings.failure = error
        }
        findings.output = output.take()
        findings.faults = faults
        findings.lines = lines.lineNumber
        findings.bytes = part.isLast ? lines.bytesRead - min(part.bytes.lowerBound, 1) : part.bytes.count
        findings.records = records
        findings.matches = matches
        findings.seal = seal
        findings.isBlank = isBlank
        faults = []
        seal.void()
        (records, matches, isBlank) = (0, 0, true)
        return findings
    }

    /// Joins what was found in the next part of a file.
    /// - Parameter lines: the lines of the file before the part.
    mutating func add(_ findings: Findings, of part: FileParts.Part, behind lines: Int) throws(ToolFailure) {
        bytesRead += findings.bytes
        records += findings.records
        matches += findings.matches
        diagnostics.progress?.update { figures in
            figures.records += findings.lines
            figures.bytes += findings.bytes
        }
        if !findings.isBlank { seal = findings.seal }
        output.append(findings.output)
        do throws(SystemError) { try output.endRecord() } catch { throw ToolFailure(error) }
        for fault in findings.faults {
            let line = lines + fault.line
            if let error = fault.error {
                try badLines.report(error, line: line, of: part.file.name, to: diagnostics)
            } else {
                try badLines.reportTooLong(
                    line: line, of: part.file.name, limitBytes: settings.input.lineLimitBytes, to: diagnostics)
            }
        }
        if let failure = findings.failure { throw failure }
    }

    private mutating func reject(_ lines: borrowing LineReader, _ error: JSONError) throws(ToolFailure) {
        guard !isPart else { return faults.append(Findings.Fault(line: lines.lineNumber, error: error)) }
        do throws(SystemError) { try rejects.append(line: lines.line) } catch { throw ToolFailure(error) }
        try badLines.report(error, line: lines.lineNumber, of: lines.name, to: diagnostics)
    }

    /// Says where the record matched, if that is asked for.
    private func explain(_ lines: borrowing LineReader) throws(ToolFailure) {
        guard settings.explains, !settings.isInverted else { return }
        let file = settings.files.count > 1 ? lines.name : nil
        do throws(JSONError) {
            let text = try filter.location?.explanation(
                file: file, line: lines.lineNumber, of: lines.line, rule: settings.rule)
            diagnostics.note(json: text ?? FoundText.explanation(file: file, line: lines.lineNumber))
        } catch {
            throw ToolFailure(.software, "a record that matched can't be read: \(error)")
        }
    }

    /// The figures of the run so far.
    func figures(in report: RunReport) -> RunReport {
        var report = report
        report.recordsIn = records
        report.recordsOut = settings.counts || settings.isQuiet ? 0 : matches
        report.badLines = badLines.count
        report.bytesIn = bytesRead
        report.bytesOut = output.bytesWritten
        return report
    }

    /// Goes to the next line that can be had.
    private mutating func advance(_ lines: inout LineReader) throws(ToolFailure) -> Bool {
        while true {
            switch try events(&lines) {
            case .end: return false
            case .line: return true
            case .tooLong:
                seal.void()
                isBlank = false
                guard !isPart else {
                    faults.append(Findings.Fault(line: lines.lineNumber, error: nil))
                    continue
                }
                try badLines.reportTooLong(
                    line: lines.lineNumber, of: lines.name, limitBytes: settings.input.lineLimitBytes,
                    to: diagnostics)
            }
        }
    }

    private mutating func events(_ lines: inout LineReader) throws(ToolFailure) -> LineReader.Event {
        do throws(SystemError) {
            return try lines.advance(flushing: &output, rejects: &rejects)
        } catch {
            throw ToolFailure(error)
        }
    }

    private mutating func keep(_ line: Span<UInt8>) throws(ToolFailure) {
        matches += 1
        guard !settings.counts, !settings.isQuiet else { return }
        output.append(line)
        output.append(0x0A)
        do throws(SystemError) { try output.endRecord() } catch { throw ToolFailure(error) }
    }

    /// Under `-q` a match is all that counts; else what went wrong comes first, then the response.
    private func verdict() -> ExitStatus {
        if settings.isQuiet, matches > 0 { return .done }
        if matches == 0, status == .done, !settings.isQuiet, !settings.counts, Descriptor.standardOutput.isTerminal
        {
            diagnostics.note("Sorry, there are no characters.")
        }
        var status = status
        if badLines.count > 0 { status = status.combined(with: .badData) }
        let isAsked = settings.isQuiet || settings.answersByStatus
        return isAsked && matches == 0 ? status.combined(with: .noMatch) : status
    }
}
