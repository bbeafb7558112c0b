// The requests that a run would send, and how long they take at the rate limit. Nothing is sent:
//
//     {"request":1,"method":"GET","url":"https://api.disneyapi.dev/character?page=1&pageSize=50","startSeconds":0.0}
//     {"requests":1,"seconds":0.0,"rate":"5/second","more":true}
//
// `more` says that further requests are known only after a response.

import PipelineCore
import PipelineHTTP

struct FetchPlan: ~Copyable {
    let settings: FetchSettings
    let source: Source
    let requests: SourceRequests
    let each: EachSelection?
    let rate: Rate?
    let explanation: RequestExplanation?
    let diagnostics: Diagnostics
    var output = OutputBuffer(.standardOutput)
    var report = RunReport()
    let start = MonotonicClock.seconds
    var count = 0
    var hasMore = false

    mutating func write() throws(ToolFailure) -> ExitStatus {
        report.fetch = RunReport.Fetch()
        diagnostics.show("\(source.name): \(SourceSummary.text(source, pageSize: settings.pageSize))")
        var status = ExitStatus.done
        if let each {
            status = try writeEach(each)
        } else if settings.ids.isEmpty {
            try writeList(requests)
        } else {
            for id in settings.ids {
                try write(ToolFailure.onHTTPFailure(requests.item(id)))
            }
            add(settings.ids.count, each: source.expand.count)
        }
        let summary = ByteBuffer.object { object in
            object.addMember("requests", count)
            object.addMember("seconds", seconds: seconds(before: count - 1))
            object.addMember("rate", rate.map { "\($0)" })
            object.addMember("more", hasMore)
        }
        try write(line: summary)
        try output.flush()
        report.bytesOut = output.bytesWritten
        return status
    }

    private mutating func writeEach(_ each: EachSelection) throws(ToolFailure) -> ExitStatus {
        let walk = ListWalk(source, pageSize: settings.pageSize, hash: ByteHash())
        var input = try EachInput(settings.input, each, requests, walk, diagnostics)
        var isMissing = false
        // A value that comes again is answered by what its list has written.
        let hash = ByteHash()
        var known = SeenIDs()
        while case .list(let list) = try input.next(waiting: true) {
            if list.first == nil {
                diagnostics.error(list.values.refusal)
                isMissing = true
            } else {
                let key = hash.hash(list.values.key.utf8Bytes.span)
                if known.insert(key) == .new { try writeList(list.requests) }
            }
        }
        try input.records.close()
        if input.records.badLineCount > 0 { return .badData }
        return isMissing ? .noMatch : .done
    }

    private mutating func writeList(_ requests: SourceRequests) throws(ToolFailure) {
        let walk = ListWalk(source, pageSize: settings.pageSize, hash: ByteHash())
        if let page = settings.page { return try write(NumberedPage(page, walk), requests) }
        let pages = pageLimit(walk.size)
        guard pages ?? 1 > 0 else { return }
        var planned = 0
        var next: PagePosition? = walk.position
        while planned < pages ?? 1, let position = next {
            try write(ToolFailure.onHTTPFailure(requests.page(position, size: walk.size)))
            planned += 1
            next = walk.position(afterFull: planned)
        }
        hasMore = hasMore || !source.pagination.hasOnePage && planned != pages
        guard !source.expand.isEmpty else { return }
        guard let limit = settings.limit, settings.search == nil else { return hasMore = true }
        add(limit, each: source.expand.count)
    }

    private mutating func write(_ page: NumberedPage, _ requests: SourceRequests) throws(ToolFailure) {
        let length = page.size ?? 0
        for position in [page.position(length), page.second(length)].compactMap(\.self) {
            try write(ToolFailure.onHTTPFailure(requests.page(position, size: page.size)))
        }
        // The page before may show that this one is past the end.
        hasMore = hasMore || !page.isFirst || !source.expand.isEmpty
    }

    /// The maximum number of pages by `--limit`, nil if only the API knows.
    private func pageLimit(_ size: Int?) -> Int? {
        if settings.limit == 0 { return 0 }
        let byRecords = settings.limit.flatMap { limit in size.map { limit / $0 + (limit % $0 == 0 ? 0 : 1) } }
        let isWhole = settings.search == nil && source.merge == nil
        return isWhole ? byRecords.map { min($0, source.pagination.lastPage ?? $0) } : nil
    }

    /// Counts requests for this many records, up to the limit of `Int`.
    private mutating func add(_ records: Int, each: Int) {
        let (requests, isTooLarge) = records.multipliedReportingOverflow(by: each)
        let (sum, overflow) = count.addingReportingOverflow(requests)
        count = isTooLarge || overflow ? .max : sum
    }

    private mutating func write(_ request: HTTPRequest) throws(ToolFailure) {
        let start = seconds(before: count)
        add(1, each: 1)
        let line = ByteBuffer.object { object in
            object.addMember("request", count)
            object.addMember("method", request.method)
            object.addMember("url", request.url.text)
            if let body = request.body {
                object.addMember("body", String(decoding: body.bytes, as: UTF8.self))
            }
            object.addMember("startSeconds", seconds: start)
        }
        try write(line: line)
        explanation?.tell(request)
    }

    /// The time of the request after this many others, at the rate limit.
    private func seconds(before count: Int) -> Double { Double(max(0, count)) * (rate?.intervalSeconds ?? 0) }

    /// Writes a line, at the latest with those that fill a block: a plan may have any length.
    private mutating func write(line: borrowing ByteBuffer) throws(ToolFailure) {
        output.append(line.span)
        output.append(0x0A)
        guard MonotonicClock.seconds < start + settings.client.deadlineSeconds else {
            throw ToolFailure(
                .tryLater, "the deadline passed before the end of the plan; raise --deadline, or plan less")
        }
        try output.endRecord()
    }
}
