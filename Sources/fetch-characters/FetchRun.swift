// The run of fetch-characters: writes page after page from the API to the output, and determines the exit status.
//
//     position ──► request ──► page ──► record ──► line ──► stdout
//                  ahead, within --jobs            each id once, flushed after each page

import PipelineCore
import PipelineHTTP

/// One run.
struct FetchRun: ~Copyable {
    let settings: FetchSettings
    let source: Source
    let diagnostics: Diagnostics
    let requests: SourceRequests
    /// Nil without --each.
    private let each: EachSelection?
    var pool: RequestPool
    var reader: PageReader
    var writer: RecordWriter
    var report = RunReport(tool: "fetch-characters")
    var figures = RunReport.Fetch()
    var state: RunState
    /// Whether the output is a file that has something in it: that of the run which this one goes on with.
    private let appends: Bool
    /// False if the records of `--each` end with a seal that says that some are missing.
    var isInputWhole = true

    /// - Parameters:
    ///   - requests: to the source that the settings name.
    ///   - pool: sends them.
    ///   - state: where an earlier run ended.
    init(
        _ settings: FetchSettings, _ source: Source, _ requests: SourceRequests, each: EachSelection?,
        _ pool: consuming RequestPool, _ state: consuming RunState, _ diagnostics: Diagnostics
    ) {
        self.settings = settings
        self.source = source
        self.requests = requests
        self.each = each
        self.pool = pool
        self.diagnostics = diagnostics
        appends = (Descriptor.standardOutput.fileSize ?? 0) > 0
        reader = PageReader(source)
        writer = RecordWriter(settings, source, hash: state.hash)
        state.restore(&writer)
        self.state = state
    }

    /// Fetches everything requested. Complete pages received before a failure have been written.
    mutating func run() throws(ToolFailure) -> ExitStatus {
        let status = try fetch()
        guard status == .done else {
            try writer.flush()
            Signals.settle()
            try state.remove()
            // A missing record may be why there are too few, and matters less.
            if status == .noMatch { try checkRecords() }
            return status
        }
        try checkRecords()
        if settings.addsSeal, isInputWhole { try writer.seal(after: appends ? 0 : state.recordsOut) }
        try writer.flush()
        // All output is written: a later signal can't change that.
        Signals.settle()
        try state.remove()
        figures.isComplete = isInputWhole
        return .done
    }

    private mutating func fetch() throws(ToolFailure) -> ExitStatus {
        if let each { return try fetchEach(each) }
        if !settings.ids.isEmpty { return try fetchItems() }
        try fetchList(requests)
        return .done
    }

    /// What a user who stopped the run is told, if the same command goes on from there.
    var stopNote: String? {
        guard Signals.isRequested, state.isKept, !state.isLost, writer.recordsFlushed > 0 else { return nil }
        let total = figures.expected.map { " of \($0)" } ?? ""
        return "stopped after \(writer.recordsFlushed)\(total) records; the same command goes on from there"
    }

    /// The figures of the run, however it ended.
    consuming func closedReport() -> RunReport {
        // Only of this run, without those of an earlier one.
        report.recordsIn = writer.recordsIn - state.recordsIn
        report.recordsOut = writer.recordsFlushed - state.recordsOut
        report.bytesIn = pool.client.bytesReceived
        report.bytesOut = writer.bytesWritten
        figures.requests = pool.requestCount
        figures.retries = pool.client.retryCount
        figures.fromCache = pool.client.fromCacheCount
        report.fetch = figures
        return report
    }

    /// Shows the progress of the run.
    /// - Parameter most: the maximum number of records, by the number of pages.
    func show(most: Int?) {
        diagnostics.progress?.update { progress in
            progress.records = writer.recordsOut
            progress.totalRecords = settings.search == nil ? settings.limit ?? figures.expected ?? most : nil
            progress.bytes = pool.client.bytesReceived
        }
    }

    private mutating func checkRecords() throws(ToolFailure) {
        let check = RecordCheck(settings, source, diagnostics)
        do throws(ToolFailure) { try check.checkMembers(writer.presence) } catch {
            try state.remove()
            throw error
        }
        try check.checkCount(writer.recordsOut)
    }
}
