// A run of filter-search: reads the inputs line by line, writes the output, and determines the exit status.

import PipelineCore

struct FilterRun: ~Copyable {
    private let settings: FilterSettings
    private let diagnostics: Diagnostics
    private var filter: RecordFilter
    private var input: RecordInput
    private var output: OutputBuffer
    private let display: RecordDisplay
    /// The best records so far; nil if each match is written at once.
    private var best: BestRecords?
    private var matches = 0
    private var bestWritten = 0
    private var records = 0
    private var status = ExitStatus.done
    private var watch: UnmatchedPaths
    /// What the paths have found in the parts of files.
    private var paths = UnmatchedPaths.Findings()

    /// - Parameter isPart: keep the results for the run that this one is part of.
    /// - Throws: status 73 if the file for bad lines can't be created.
    init(
        _ settings: FilterSettings, _ filter: consuming RecordFilter, _ diagnostics: Diagnostics,
        isPart: Bool = false
    ) throws(ToolFailure) {
        // Do what may fail first: a struct that can't be copied must not be left half initialized.
        let input = try RecordInput(settings.input, diagnostics, showsProgress: true, isPart: isPart)
        self.settings = settings
        self.diagnostics = diagnostics
        watch = UnmatchedPaths(settings.isQuiet ? [] : filter.watchedPaths.map { ($0.path, $0.wanted) })
        self.filter = filter
        self.input = input
        display = settings.display
        best = settings.wantedBest.map { BestRecords(limit: $0) }
        output = OutputBuffer(isPart ? nil : .standardOutput)
    }

    /// Reads all the inputs. Writes what was found before a failure, except under `--best`: a part doesn't have the best.
    mutating func run() throws(ToolFailure) -> ExitStatus {
        Descriptor.standardOutput.widenPipe()
        do throws(ToolFailure) { try readAll() } catch {
            try finish()
            throw error
        }
        if !settings.isQuiet {
            for (index, entry) in (best?.take() ?? []).enumerated() {
                bestWritten += 1
                output.append(entry.output)
                try output.endRecord()
                if let explanation = entry.explanation {
                    diagnostics.show(json: explanation.dropLast() + ",\"rank\":\(index + 1)}")
                }
            }
            if settings.counts {
                output.append("{\"count\":\(matches)}\n")
            } else if status == .done, !isFinished {
                // After a file that can't be read, or where not all was read, the list isn't complete.
                output.append(display.shown(seal: input.sealToPassOn(loss: loss)))
            }
        }
        try finish()
        return verdict()
    }

    /// What the output lacks of the records that match.
    private var loss: Message? {
        if let skipped = input.skipped { return skipped }
        guard best != nil, matches > bestWritten else { return nil }
        let left = matches - bestWritten
        return "--best left out \(left.grouped) record\(left == 1 ? " that matches" : "s that match")"
    }

    private mutating func readAll() throws(ToolFailure) {
        let files = settings.files.isEmpty ? [FileParts.standardInput] : settings.files
        diagnostics.progress?.update { $0.totalBytes = FileParts.size(of: files) }
        if settings.mayReadAhead, WorkerThread.processorCount > 1, FileParts.areLarge(files) {
            return try readAtOnce(files)
        }
        for path in files where !isFinished { try read(path) }
    }

    private mutating func read(_ path: String) throws(ToolFailure) {
        guard path != FileParts.standardInput else {
            try read(.standardInput)
            if isFinished { input.giveBack() }
            return
        }
        let file: Descriptor
        do throws(SystemError) { file = try Descriptor.reading(path) } catch {
            diagnostics.error(error.isNotFound ? settings.cureOfMissing(path) ?? error.advice : error.advice)
            return status = status.combined(with: .noInput)
        }
        try read(file)
        try ToolFailure.of(file.close())
    }

    private mutating func finish() throws(ToolFailure) {
        input.tellBadLines()
        try output.flush()
        try input.close()
    }

    private var isFinished: Bool { matches >= settings.limit || (settings.isQuiet && matches > 0) }

    private mutating func read(_ file: Descriptor) throws(ToolFailure) {
        file.widenPipe()
        try input.begin(file)
        if settings.files.count > 1 { diagnostics.progress?.update { $0.subject = file.name } }
        try read()
    }

    private mutating func read() throws(ToolFailure) {
        while !isFinished, try input.next(flushing: &output) {
            try look()
            try passUnread()
        }
    }

    private mutating func look() throws(ToolFailure) {
        let isFound: Bool
        do throws(JSONError) { isFound = try filter.matches(input.record) } catch { return try input.reject(error) }
        records += 1
        if watch.isWatching { watch.look(input.record) }
        if isFound != settings.matching.isInverted { try keep() }
    }

    /// Skips the buffered lines that need no parsing.
    private mutating func passUnread() throws(ToolFailure) {
        let limitBytes = LineReader.defaultLimitBytes
        while !isFinished {
            let wanted = settings.isQuiet ? 1 : settings.limit - matches
            let decided = filter.decide(
                input.ahead, limitBytes: limitBytes, wanted: wanted, isWatched: watch.isWatching)
            guard decided.lines > 0 else { return }
            records += decided.lines
            matches += decided.matches
            if decided.matches > 0, settings.writesRecords {
                try output.write(input.ahead.extracting(decided.matching))
            }
            if watch.isWatching { watch.look(passedOver: input.ahead.extracting(..<decided.bytes)) }
            input.pass(lines: decided.lines, bytes: decided.bytes)
        }
    }

    private mutating func findings(in part: FileParts.Part) -> Findings {
        var findings = Findings()
        do throws(ToolFailure) {
            // Only the beginning of a file is kept for messages.
            watch.isSampling = part.bytes.lowerBound == 0
            try input.begin(part.file, part: part.bytes, origin: part.origin)
            try read()
        } catch {
            findings.failure = error
        }
        findings.output = output.take()
        findings.best = best?.take() ?? []
        findings.input = input.takePart()
        // Reading a part starts at the byte before it.
        findings.bytes =
            part.isLast ? findings.input.bytesRead - min(part.bytes.lowerBound, 1) : part.bytes.count
        findings.paths = watch.take()
        (findings.records, findings.matches) = (records, matches)
        (records, matches) = (0, 0)
        return findings
    }

    /// Adds the findings of the next part of a file.
    /// - Parameter lines: the lines of the file before the part.
    private mutating func add(_ findings: Findings, of part: FileParts.Part, after lines: Int) throws(ToolFailure) {
        for entry in findings.best {
            var entry = entry
            entry.order += records
            best?.insert(entry)
        }
        records += findings.records
        matches += findings.matches
        diagnostics.progress?.update { figures in
            figures.records += findings.input.lines
            figures.bytes += findings.bytes
        }
        paths.add(findings.paths)
        // The messages come first: a reader that has gone ends the process as the output is written.
        input.join(
            findings.input, of: part.file.name, after: lines, bytes: findings.bytes, isLast: part.isLast)
        output.append(findings.output)
        try output.endRecord()
        if let failure = findings.failure { throw failure }
    }

    /// Where and how the current record matched, under `--explain`: a line of JSON.
    private func explanation() -> String? {
        guard settings.explains, !settings.matching.isInverted else { return nil }
        return ByteBuffer.object { object in
            if settings.files.count > 1 { object.addMember("file", input.name.displayedPath) }
            object.addMember("line", input.lineNumber)
            if let found = filter.location {
                let path = JSONLocation.path(
                    toPart: found.string.range.lowerBound - 1, in: input.record, style: .short)
                let range = found.range(in: input.record)
                object.addMember("field", path)
                object.addMember("start", range.lowerBound)
                object.addMember("end", range.upperBound)
            }
            // Without a place the conditions alone have decided.
            let rule = filter.rank.map { $0.rule == .anywhere ? "inside" : "\($0.rule)" } ?? settings.rule
            object.addMember("rule", filter.location == nil ? "where" : rule)
        }.text
    }

    var figures: RunReport {
        var report = RunReport()
        report.recordsIn = records
        report.recordsOut = settings.writesRecords && best == nil ? matches : bestWritten
        report.badLines = input.badLineCount
        report.bytesIn = input.bytesRead
        report.bytesOut = output.bytesWritten
        return report
    }

    private mutating func keep() throws(ToolFailure) {
        matches += 1
        if best != nil { return try rank() }
        if settings.writesRecords {
            output.append(input.record, filter.finds, as: display)
            try output.endRecord()
        }
        if let explanation = explanation() { diagnostics.show(json: explanation) }
    }

    private mutating func rank() throws(ToolFailure) {
        // Those that match by their conditions alone are all as good.
        let rank = filter.rank ?? MatchRank(.anywhere, place: 0)
        guard best?.admits(rank) == true else { return }
        var shown: [UInt8] = []
        display.append(input.record, filter.finds, to: &shown)
        let entry: BestRecords.Entry = (rank, records, shown, explanation())
        best?.insert(entry)
    }

    /// Under `-q` only a match counts; otherwise errors take precedence over the result.
    private mutating func verdict() -> ExitStatus {
        if settings.isQuiet, matches > 0 { return .done }
        tellUnfound()
        var status = status
        if input.badLineCount > 0 { status = status.combined(with: .badData) }
        let isAsked = settings.isQuiet || settings.answersByStatus
        return isAsked && matches == 0 ? status.combined(with: .noMatch) : status
    }

    /// Says which paths found nothing, and at a terminal that nothing was found at all.
    private mutating func tellUnfound() {
        // What a run that stopped early didn't read may have them.
        guard !isFinished, !settings.isQuiet, !Signals.isRequested else { return }
        paths.add(watch.take())
        for (index, path) in filter.watchedPaths.enumerated() {
            if let message = path.message(index, in: paths) { diagnostics.warning(message) }
        }
        if matches == 0, status == .done, input.badLineCount == 0, !settings.counts,
            Descriptor.standardOutput.isTerminal
        {
            let finding = "no record matches" + (records == 0 ? "" : " (none of \(records.grouped))")
            diagnostics.note(Message(finding, cure: wideningCure))
        }
    }

    /// What would find more, if anything would.
    private var wideningCure: String? {
        if settings.hasPattern { return "write -E for a regular expression" }
        let isStrictText = settings.kind == .text && !settings.matching.isLoose
        guard isStrictText, settings.conditions.isEmpty, records > 0 else { return nil }
        return "--loose ignores punctuation and spaces, -z allows typing errors"
    }

    // MARK: Several parts at once

    /// More threads than this would exceed the memory that a run may take.
    private static let mostThreads = 4

    /// Adds the findings in the order of the files, and hands out two parts for each thread in advance.
    private mutating func readAtOnce(_ files: ArraySlice<String>) throws(ToolFailure) {
        let count = min(WorkerThread.processorCount, Self.mostThreads)
        let settings = settings
        let crew = try ToolFailure.of(WorkerPool(threads: count) { Self.searcher(settings) })
        var parts = FileParts(files)
        var pieces: [FileParts.Piece] = []
        var lines = 0
        var bytes = 0
        while true {
            while pieces.count < 2 * count, let piece = parts.next() {
                if case .part(let part) = piece { crew.submit(part) }
                pieces.append(piece)
            }
            guard !pieces.isEmpty else { return }
            switch pieces.removeFirst() {
            case .stream(let path): try read(path)
            case .part(let part):
                let findings = try ToolFailure.of(crew.nextOutcome())
                if part.bytes.lowerBound == 0 { (lines, bytes) = (0, 0) }
                try add(findings, of: part, after: lines)
                lines += findings.input.lines
                bytes += findings.bytes
                if part.isLast { try ToolFailure.of(part.end(after: bytes)) }
            }
        }
    }

    private static func searcher(_ settings: FilterSettings) -> (FileParts.Part) -> Findings {
        do throws(ToolFailure) {
            let filter = try RecordFilter.checked(settings)
            var run = try FilterRun(
                settings, filter, Diagnostics(tool: Command.filterSearch.name), isPart: true)
            return { part in run.findings(in: part) }
        } catch {
            return { [error] _ in Findings(failure: error) }
        }
    }
}

private struct Findings: Sendable {
    var output: [UInt8] = []
    /// In place of the output: the best of the part.
    var best: [BestRecords.Entry] = []
    var input = RecordInput.Part()
    var bytes = 0
    var records = 0
    var matches = 0
    var paths = UnmatchedPaths.Findings()
    var failure: ToolFailure?
}
