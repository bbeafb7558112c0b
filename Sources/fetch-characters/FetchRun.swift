// The run of fetch-characters: page after page from the API to the output, and the status that comes of it.
//
//     URL ──► page ──► record ──► line ──► stdout
//                      each id once        flushed after each page

import PipelineCore
import PipelineHTTP

/// One run.
struct FetchRun: ~Copyable {
    private let settings: FetchSettings
    private let diagnostics: Diagnostics
    private let urls: SourceURL
    private var pages: PageFetcher
    private var mapper: RecordMapper
    private var filter: TextQuery?
    private var output = OutputBuffer(.standardOutput)
    /// The ids of all records so far, and of those of a second reading of the list.
    private var ids: Set<[UInt8]> = []
    private var idsReadAgain: Set<[UInt8]>?
    private var report = RunReport(tool: "fetch-characters")
    private var figures = RunReport.Fetch()

    /// - Parameters:
    ///   - urls: of the source that the settings name.
    ///   - pages: fetches from them.
    init(
        _ settings: FetchSettings, _ urls: SourceURL, _ pages: consuming PageFetcher, _ diagnostics: Diagnostics
    ) {
        self.settings = settings
        self.urls = urls
        self.pages = pages
        self.diagnostics = diagnostics
        mapper = RecordMapper(settings.source, isRaw: settings.isRaw, addsPage: settings.addsPage)
        filter = settings.search.map { TextQuery(Array($0.utf8).span) }
    }

    /// Fetches everything that was asked for. Whole pages that came before a failure have been written.
    mutating func run() throws(ToolFailure) -> ExitStatus {
        let status = settings.ids.isEmpty ? try fetchList() : try fetchItems()
        guard status == .done else { return status }
        try checkCount()
        if settings.addsSeal { output.append("{\"$seal\":{\"records\":\(report.recordsOut),\"complete\":true}}\n") }
        try flush()
        figures.isComplete = true
        return .done
    }

    /// The figures of the run, however it ended.
    consuming func closedReport() -> RunReport {
        report.bytesIn = pages.client.bytesReceived
        report.bytesOut = output.bytesWritten
        figures.requests = pages.client.requestCount
        figures.retries = pages.client.retryCount
        figures.fromCache = pages.client.fromCacheCount
        report.fetch = figures
        return report
    }

    private var isAtLimit: Bool { report.recordsOut >= settings.limit ?? .max }

    private mutating func fetchList() throws(ToolFailure) -> ExitStatus {
        let paging = settings.source.paging
        let size = settings.pageSize ?? paging.size
        var ledger = PageLedger(first: paging.first, size: size)
        var number = paging.first
        var pagesRead = 0
        while pagesRead < settings.maxPages ?? .max, !isAtLimit {
            let page = try pages.list(
                try ToolFailure.onHTTPFailure { () throws(HTTPFailure) in try urls.page(number, size: size) },
                number)
            pagesRead += 1
            let (unseen, distinct) = try write(page.records, of: pages.body, number: number)
            let verdict = ledger.enter(
                page: number, count: page.records.count, unseen: unseen, distinct: distinct, pages: page.pages ?? 0,
                digest: Self.digest(page.records, of: pages.body))
            figures.expected = ledger.expected
            show(most: page.pages.map { $0 * size })
            switch verdict {
            case .next(let next):
                if next <= number {
                    idsReadAgain = []
                    diagnostics.warning("the list changed while it was read; it is read again for what was missed")
                }
                number = next
            case .incomplete(let finding) where !isAtLimit:
                throw ToolFailure(.broken, "\(finding); run it again, or ask those who run the service")
            case .complete, .incomplete:
                return .done
            }
        }
        return .done
    }

    /// - Returns: `.answerIsNo` where one of them isn't there.
    private mutating func fetchItems() throws(ToolFailure) -> ExitStatus {
        var status = ExitStatus.done
        for id in settings.ids {
            let url = try ToolFailure.onHTTPFailure { () throws(HTTPFailure) in try urls.item(id) }
            guard let url else {
                throw ToolFailure(.usage, "\(settings.source.name) gives no single records; leave out --id")
            }
            if let page = try pages.item(url, id), !page.records.isEmpty {
                try write(page.records, of: pages.body, number: nil)
            } else {
                diagnostics.error("no record has the id \(id); find the right one with --search")
                status = .answerIsNo
            }
        }
        return status
    }

    /// Writes the records of a page that haven't come before and that are asked for.
    /// - Returns: how many hadn't come before, and how many hadn't in this reading of the list.
    @discardableResult
    private mutating func write(
        _ records: [Range<Int>], of body: [UInt8], number: Int?
    ) throws(ToolFailure) -> (unseen: Int, distinct: Int) {
        report.recordsIn += records.count
        var unseen = 0
        var distinct = 0
        for range in records where !isAtLimit {
            do throws(JSONError) {
                try mapper.map(body.span.extracting(range), page: number)
            } catch {
                throw ToolFailure(.defect, "a record that was checked is none: \(error); report this")
            }
            let isUnseen = mapper.id.map { ids.insert($0).inserted } ?? true
            distinct += mapper.id.flatMap { idsReadAgain?.insert($0).inserted } ?? isUnseen ? 1 : 0
            guard isUnseen else { continue }
            unseen += 1
            let (name, line) = (mapper.name, mapper.line)
            guard filter?.matches(name.span) ?? true else { continue }
            output.append(line.span)
            output.append(0x0A)
            report.recordsOut += 1
        }
        try flush()
        return (unseen, distinct)
    }

    /// Shows how far the run is.
    /// - Parameter most: records there can be by the number of pages.
    private func show(most: Int?) {
        diagnostics.progress?.update { progress in
            progress.records = report.recordsOut
            progress.totalRecords = settings.search == nil ? settings.limit ?? figures.expected ?? most : nil
            progress.bytes = pages.client.bytesReceived
        }
    }

    private mutating func flush() throws(ToolFailure) {
        do throws(SystemError) { try output.flush() } catch { throw ToolFailure(error) }
    }

    private static func digest(_ records: [Range<Int>], of body: [UInt8]) -> Int {
        var hasher = Hasher()
        for range in records { body.span.extracting(range).hash(into: &hasher) }
        return hasher.finalize()
    }

    private func checkCount() throws(ToolFailure) {
        let count = report.recordsOut
        if let expected = settings.expected, count != expected {
            throw ToolFailure(.broken, "got \(count) of \(expected) records; check the service and --expect")
        }
        if count < settings.leastRecords {
            throw ToolFailure(
                .broken,
                "got \(count) of at least \(settings.leastRecords) records; check the service and --min-records")
        }
    }
}
