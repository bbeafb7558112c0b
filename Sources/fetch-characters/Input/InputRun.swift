// The run of --input: the records of one response that was saved, or that another program makes.
//
//     file or stdin ──► buffer ──► records ──► stdout, as they come
//
// Each record is written as soon as its last byte is there, so a response that breaks off has given all its whole records;
// the seal alone says that it was whole.

import PipelineCore
import PipelineHTTP

struct InputRun: ~Copyable {
    /// Between two looks at the clock while nothing comes.
    private static let waitMilliseconds: Int32 = 250

    private let settings: FetchSettings
    private let source: Source
    private let diagnostics: Diagnostics
    private let url: HTTPURL?
    private var writer: RecordWriter
    private var bytesRead = 0
    private var figures = RunReport.Fetch()
    private var counts = RecordWriter.PageCounts(isStream: true)
    /// False if the response is one of several.
    private var isWholeList = true
    private var nulls = 0

    /// - Parameter url: what relative URLs in the records are taken against.
    init(_ settings: FetchSettings, _ source: Source, url: HTTPURL?, _ diagnostics: Diagnostics) {
        self.settings = settings
        self.source = source
        self.url = url
        self.diagnostics = diagnostics
        writer = RecordWriter(settings, source, hash: ByteHash())
    }

    /// - Throws: status 65 for a response that isn't as described, after its records before the fault have been written.
    mutating func run(_ path: String) throws(ToolFailure) -> ExitStatus {
        var input = try InputAnswer(path)
        do throws(ToolFailure) {
            try read(&input)
            try writer.checkIDs(counts, "")
        } catch {
            try writer.flush()
            throw error
        }
        let check = RecordCheck(settings: settings, source: source, diagnostics: diagnostics)
        try writer.flush()
        check.tell(nulls: nulls)
        try check.checkMembers(writer.mapper.presence)
        try check.checkCount(writer.recordsOut)
        if let doubt = RecordCheck.doubt(
            of: source, settings, records: writer.recordsOut, isAtLimit: writer.isAtLimit)
        {
            isWholeList = false
            if settings.form.addsSeal { throw ToolFailure(.protocolError, doubt) }
            diagnostics.warning(doubt)
        }
        if settings.form.addsSeal, isWholeList { try writer.seal(by: .answer, after: 0) }
        try writer.flush()
        Signals.settle()
        figures.isComplete = isWholeList
        return .done
    }

    var closedReport: RunReport {
        var report = RunReport()
        report.recordsIn = writer.recordsIn
        report.recordsOut = writer.recordsFlushed
        report.bytesIn = bytesRead
        report.bytesOut = writer.output.bytesWritten
        report.fetch = figures
        if nulls > 0 { report.members.append(("nulls", "\(nulls)")) }
        return report
    }

    private mutating func read(_ input: inout InputAnswer) throws(ToolFailure) {
        guard var stream = RecordStream(source, hasMembers: !writer.isVerbatim) else {
            return try readWhole(&input)
        }
        let check = RecordCheck(settings: settings, source: source, diagnostics: diagnostics)
        var buffer = PieceBuffer()
        var isLast = false
        while true {
            if let fault = try writer.write(&stream, &buffer, isLast: isLast, from: url, &counts) {
                throw failure(fault, input)
            }
            try check.checkMembersEarly(writer.mapper.presence)
            if writer.bytesWaiting >= OutputBuffer.blockSize { try writer.flushPart() }
            guard !writer.isAtLimit else { return }
            guard !isLast else { return try finish(&stream, input) }
            isLast = try !readPiece(of: &input, into: &buffer)
        }
    }

    private mutating func finish(_ stream: inout RecordStream, _ input: borrowing InputAnswer) throws(ToolFailure) {
        let end: Page
        do throws(Page.Fault) { end = try stream.end() } catch { throw failure(error, input) }
        if stream.elements?.isSingle == true, end.listed == 1, source.isVerbatim {
            isWholeList = false
            diagnostics.warning(
                "\(input.name) is one object, and is read as one record without a seal; if its records are in a member, describe that: "
                    + "fetch-characters --show-source array")
        }
        try conclude(end, input)
    }

    /// Reads a response whose description needs the whole of it.
    private mutating func readWhole(_ input: inout InputAnswer) throws(ToolFailure) {
        var buffer = PieceBuffer()
        while try readPiece(of: &input, into: &buffer) {
            guard bytesRead <= RecordStream.limitBytes else {
                throw ToolFailure(
                    .badData,
                    "\(input.name) has more than \(RecordStream.limitBytes >> 20) MiB, and its description needs the whole of "
                        + "it; describe the records by a plain path")
            }
        }
        var reader = PageReader(source)
        let body = buffer.text.array
        let page: Page
        do throws(Page.Fault) {
            page = try reader.read(body, HTTPHeaders(), isList: true, mayLack: reader.finder.isOpen)
        } catch {
            throw failure(error, input)
        }
        let text = page.text ?? body
        guard source.merge != nil else {
            try writer.write(text.span, page.outline, from: url, page: nil, &counts)
            return try conclude(page, input)
        }
        try conclude(page, input)
        var merge = RecordMerge(source, subject: "\(input.name): ", status: .badData)
        for record in page.records {
            try writer.deadline.check(record.range.count)
            let part = text.span.extracting(record.range)
            _ = try merge.add(part, id: try merge.id(of: part))
        }
        let whole = merge.take()
        try writer.write(whole.text.span, whole.outline, from: url, page: nil, &counts)
    }

    /// - Returns: false at the end of the response.
    private mutating func readPiece(
        of input: inout InputAnswer, into buffer: inout PieceBuffer
    ) throws(ToolFailure) -> Bool {
        if !input.isReady {
            try writer.flushPart()
            while !input.isReady(withinMilliseconds: Self.waitMilliseconds), !Signals.isRequested {
                if writer.deadline.isPast { throw writer.deadline.failure }
            }
        }
        let isMore = try input.read(into: &buffer)
        bytesRead = buffer.bytesRead
        let (records, bytes, total) = (writer.recordsOut, input.bytesRead, input.totalBytes)
        diagnostics.progress?.update { progress in
            progress.records = records
            progress.bytes = bytes
            progress.totalBytes = total
        }
        return isMore
    }

    private mutating func conclude(_ page: Page, _ input: borrowing InputAnswer) throws(ToolFailure) {
        let (lead, listed) = (page.lead, page.listed)
        nulls = page.nulls
        if let difference = source.beside?.difference(from: page.beside, listed: listed) {
            throw ToolFailure(.protocolError, Message("\(input.name): \(difference)", cure: BesideShape.cure))
        }
        let unit = source.pagination.count?.unit
        let total = unit == .records ? lead.count : nil
        figures.expected = total
        let isMissing = total.map { $0 > listed } ?? false
        if source.pagination.hasOnePage {
            if let least = lead.least, listed <= least {
                throw ToolFailure(
                    .protocolError,
                    "\(input.name): the service says that there are at least \(least) records; get the whole response"
                )
            }
            guard isMissing || lead.hasMore == true else { return }
            let finding = isMissing ? "got \(listed) of \(total ?? 0)" : "more records follow"
            throw ToolFailure(.protocolError, "\(input.name): \(finding); get the whole response")
        }
        let hasOthers = unit == .pages && (lead.count ?? 0) > 1
        guard lead.hasMore ?? (lead.next != nil) || isMissing || hasOthers else {
            guard lead.count == nil, lead.hasMore == nil, mayGoOn(after: listed), settings.form.addsSeal else {
                return
            }
            isWholeList = false
            return diagnostics.warning(
                "\(input.name) doesn't say how many records there are, so it may be one page of several, and gets no seal"
            )
        }
        guard source.merge == nil else {
            throw ToolFailure(
                .badData,
                "\(input.name) is one page of several, which may have parts of its records; fetch the list")
        }
        isWholeList = false
        diagnostics.warning(
            "\(input.name) is one page of several, and only its records are written"
                + (settings.form.addsSeal ? ", without a seal" : ""))
    }

    /// Whether more records may follow a response that doesn't say so: a saved one has no header Link.
    private func mayGoOn(after listed: Int) -> Bool {
        switch source.pagination.kind {
        case .page, .offset: listed > 0 && listed >= settings.pageSize ?? source.pagination.size?.value ?? 0
        case .link(let places): places.isEmpty
        case .none, .cursor: false
        }
    }

    private var cure: String {
        guard source.isVerbatim else {
            let usual = settings.source == FetchSettings().source
            return "check it and the description"
                + (usual ? ", or add --source array for an array, --source lines for JSON Lines" : "")
        }
        return switch source.records.format {
        case .lines: "check it, or take --source array for an array"
        case .json: "check it, or take --source lines for JSON Lines"
        }
    }

    private func failure(_ fault: Page.Fault, _ input: borrowing InputAnswer) -> ToolFailure {
        let records = RecordStream.count(writer.recordsIn)
        let finding: Message =
            switch fault {
            case .cutShort where bytesRead == 0: " is empty; check the program that writes it"
            case .cutShort: " ends early, after \(records); get it again"
            case .broken(let finding), .foreign(let finding): ": \(finding); \(cure)"
            case .refused(let text): " is a refusal: \(text)"
            case .busy: " is the refusal of a busy service; get it again later"
            }
        return ToolFailure(.badData, "\(input.name)\(finding)")
    }
}
