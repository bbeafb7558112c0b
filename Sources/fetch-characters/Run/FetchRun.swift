// The run of fetch-characters: writes page after page from the API to the output, and determines the exit status.
//
//     position ──► request ──► page ──► record ──► line ──► stdout
//                  ahead, within --jobs            each id once, flushed after each page
//
// It is a class because the compiler checks the ownership of each part of a struct at each use of it, which for a run's
// hundreds of parts takes minutes.

import PipelineCore
import PipelineHTTP

final class FetchRun {
    let settings: FetchSettings
    let source: Source
    let diagnostics: Diagnostics
    let requests: SourceRequests
    private let each: EachSelection?
    let pool: RequestPool
    var reader: PageReader
    var merge: RecordMerge
    var writer: RecordWriter
    var report = RunReport()
    var figures = RunReport.Fetch()
    var state: RunState
    /// Whether stdout is a file that holds the output of the run which this one resumes.
    private let appends: Bool
    /// False if the records of `--each` end with a seal that says that some are missing.
    var isInputWhole = true
    /// What is known of the records of `--each`.
    var parents: SealClaim?

    init(
        _ settings: FetchSettings, _ source: Source, _ requests: SourceRequests, each: EachSelection?,
        _ pool: RequestPool, _ state: consuming RunState, _ diagnostics: Diagnostics
    ) {
        self.settings = settings
        self.source = source
        self.requests = requests
        self.each = each
        self.pool = pool
        self.diagnostics = diagnostics
        appends = (Descriptor.standardOutput.fileSize ?? 0) > 0
        reader = PageReader(source)
        merge = RecordMerge(source, subject: "")
        var writer = RecordWriter(settings, source, hash: state.hash)
        state.restore(&writer)
        self.writer = writer
        self.state = state
    }

    /// Fetches everything requested. Complete pages received before a failure have been written.
    func run() throws(ToolFailure) -> ExitStatus {
        if state.recordsOut > 0, !appends {
            diagnostics.warning(
                "the first \(RecordStream.count(state.recordsOut)) went to the output of the earlier run")
        }
        show(most: nil)
        let status = try fetch()
        guard status == .done else {
            try settle()
            // A missing record may be why there are too few, and matters less.
            if status == .noMatch { try checkRecords() }
            return status
        }
        try checkRecords()
        if settings.addsSeal, isInputWhole {
            try writer.seal(by: state.proof ?? .answer, after: appends ? 0 : state.recordsOut, of: parents)
        }
        try settle()
        figures.isComplete = isInputWhole
        return .done
    }

    /// Ends the output. A later signal can't change that all of it is written.
    func settle() throws(ToolFailure) {
        try writer.flush()
        Signals.settle()
        try state.remove()
    }

    private func fetch() throws(ToolFailure) -> ExitStatus {
        if let each { return try fetchEach(each) }
        if !settings.ids.isEmpty { return try fetchItems() }
        try fetchList(requests)
        return .done
    }

    /// Tells the user that the same command resumes a run that failed or was stopped.
    var stopNote: String? {
        guard state.isKept, writer.recordsFlushed > 0 else { return nil }
        let total = figures.expected.map { " of \($0)" } ?? ""
        let condition = Descriptor.standardOutput.fileSize == nil ? "" : " if it appends with >>"
        return
            "stopped after \(writer.recordsFlushed)\(total) records; the same command resumes from there\(condition)"
    }

    func closedReport() -> RunReport {
        // Only of this run, without those of an earlier one.
        report.recordsIn = writer.recordsIn - state.recordsIn
        report.recordsOut = writer.recordsFlushed - state.recordsOut
        report.bytesIn = pool.client.bytesReceived
        report.bytesOut = writer.output.bytesWritten
        figures.requests = pool.requestCount
        figures.retries = pool.client.retryCount
        figures.fromCache = pool.client.fromCacheCount
        report.fetch = figures
        if !writer.repeated.isEmpty { report.members.append(("repeated", "\(writer.repeated.count)")) }
        return report
    }

    /// - Parameter most: the maximum number of records, by the number of pages.
    func show(most: Int?) {
        let (records, earlier, bytes) = (writer.recordsOut, state.recordsOut, pool.client.bytesReceived)
        let all = [settings.limit, figures.expected ?? most].compactMap(\.self).min()
        let total = settings.search == nil ? all : nil
        let isMost = figures.expected == nil && settings.limit == nil
        diagnostics.progress?.update { progress in
            (progress.records, progress.earlier) = (records, earlier)
            progress.totalRecords = total
            progress.isMost = isMost
            progress.bytes = bytes
        }
    }

    private func checkRecords() throws(ToolFailure) {
        if !writer.repeated.isEmpty {
            diagnostics.warning(
                "\(RecordStream.count(writer.repeated.count)) came twice with different content; the first version was kept"
            )
        }
        let check = RecordCheck(settings: settings, source: source, diagnostics: diagnostics)
        do throws(ToolFailure) { try check.checkMembers(writer.mapper.presence) } catch {
            try state.remove()
            throw error
        }
        try check.checkCount(writer.recordsOut)
    }
}
