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
    var tally: StepTally
    var state: RunState
    /// Of `--each`.
    var writtenLists = WrittenLists()
    /// The paths beside the records that had a value on a page of the run. Nil before the first page.
    var valued: Set<String>?
    /// Elements of lists that were null, and so no records.
    var nulls = 0
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
        pool.busy = source.busy
        reader = PageReader(source)
        merge = RecordMerge(source, subject: "")
        tally = StepTally(source)
        var writer = RecordWriter(settings, source, hash: state.hash)
        state.restore(&writer)
        self.writer = writer
        self.state = state
    }

    /// Fetches everything requested. Complete pages received before a failure have been written.
    func run() throws(ToolFailure) -> ExitStatus {
        try takeOutput()
        show(most: nil)
        let status = try fetch()
        tellStale()
        guard status == .done else {
            try settle()
            // A missing record may be why there are too few, and matters less.
            if status == .noMatch { try checkRecords() }
            return status
        }
        try checkRecords()
        if let doubt = RecordCheck.doubt(
            of: source, settings, records: writer.recordsOut, isAtLimit: writer.isAtLimit)
        {
            try settle()
            if settings.form.addsSeal { throw ToolFailure(.protocolError, doubt) }
            diagnostics.warning(doubt)
            return .done
        }
        if settings.since != nil, writer.isAtLimit {
            diagnostics.warning(
                "--limit left records out that are newer than --since; a later --since that begins with the newest of these "
                    + "may pass over them")
        }
        if settings.form.addsSeal {
            try writer.seal(
                by: state.proof ?? .answer, after: state.recordsElsewhere, stale: staleDate, of: parents)
        }
        try settle()
        figures.isComplete = true
        return .done
    }

    /// Takes over the output of the run that this one goes on with.
    private func takeOutput() throws(ToolFailure) {
        if state.recordsElsewhere > 0 {
            diagnostics.warning(
                "the first \(RecordStream.count(state.recordsElsewhere)) went to the output of the earlier run")
        }
        let cut = try state.cutOutput()
        guard cut > 0 else { return }
        diagnostics.warning(
            "cut \(cut) \(cut == 1 ? "byte" : "bytes") off the end of the output, which the earlier run wrote before it "
                + "could save that; their records come again")
    }

    /// An outage that --stale-if-error bridged isn't seen in the records.
    private func tellStale() {
        guard let date = pool.stale.date, let age = pool.stale.age(now: WallClock.epochSeconds) else { return }
        diagnostics.warning(
            "\(pool.stale.finding), so responses of the cache stand in, up to \(age) old (\(date)); run it again later for "
                + "present ones")
    }

    /// When the oldest response was current that stood in for the service, in this run or the one that it goes on with.
    private var staleDate: String? { SealClaim.older(pool.stale.date, state.staleDate) }

    /// Saves that pages were written; see `RunState`.
    func save(_ pages: inout [PageFacts]) throws(ToolFailure) {
        state.staleDate = staleDate
        try state.save(&pages, &writer)
    }

    /// Saves that an id of `--id` or a record of `--each` is done; see `RunState`.
    func saveItem(isMissing: Bool = false, failure: ExitStatus? = nil) throws(ToolFailure) {
        state.staleDate = staleDate
        try state.saveItem(isMissing: isMissing, failure: failure, &writer)
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
        return try itemStatus()
    }

    /// The status of a run whose lists, or the steps of whose records, may have failed.
    /// - Throws: that of a failure. Each was reported when it happened.
    func itemStatus() throws(ToolFailure) -> ExitStatus {
        guard let failed = state.failedStatus else { return state.missesItem ? .noMatch : .done }
        try settle()
        throw ToolFailure(failed, "")
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
        if let date = staleDate { report.members.append(("stale", JSONTree.string(date).json)) }
        if tally.lackingCount > 0 { report.members.append(("lacking", "\(tally.lackingCount)")) }
        if !writer.repeated.isEmpty { report.members.append(("repeated", "\(writer.repeated.count)")) }
        if nulls > 0 { report.members.append(("nulls", "\(nulls)")) }
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

    /// Ends a run at once whose description finds no id or name in any record, as where its path finds what wraps the list.
    func checkMembersEarly() throws(ToolFailure) {
        let check = RecordCheck(settings: settings, source: source, diagnostics: diagnostics)
        do throws(ToolFailure) { try check.checkMembersEarly(writer.mapper.presence) } catch {
            if !settings.skipsFailures { try state.remove() }
            throw error
        }
    }

    private func checkRecords() throws(ToolFailure) {
        if !writer.repeated.isEmpty {
            diagnostics.warning(
                "\(RecordStream.count(writer.repeated.count)) came twice with different content; the first version was kept"
            )
        }
        let check = RecordCheck(settings: settings, source: source, diagnostics: diagnostics)
        check.tell(nulls: nulls)
        do throws(ToolFailure) {
            try checkSteps()
            try check.checkMembers(writer.mapper.presence)
        } catch {
            try state.remove()
            throw error
        }
        try check.checkCount(writer.recordsOut)
    }
}
