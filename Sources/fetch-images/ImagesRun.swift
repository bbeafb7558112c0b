// The run of fetch-images: one loop that reads ahead, keeps pictures on their way, and writes what is settled.
//
//     stdin ──► window of records ──────────────────────────► stdout
//                  │        ▲ outcome
//                  ▼        │
//               queue ──► client ──► worker ──► store

import PipelineCore
import PipelineHTTP

struct ImagesRun: ~Copyable {
    /// Records read ahead for each picture that may be fetched at once.
    private static let recordsPerJob = 16
    private static let usualMemberBytes = 768
    /// The member of `--embed`.
    static let dataName = "imageData"

    private let settings: ImagesSettings
    private let diagnostics: Diagnostics
    private var input: RecordInput
    private var reader: ImageRecordReader
    private var window: ReorderBuffer
    private var queue: FetchQueue
    private var recent = RecentOutcomes()
    private var client: HTTPClient
    private var worker: ImageWorker
    private var names: NamedLinks
    private var placeholder: StoredImage?
    private var gallery: Gallery?
    private var output = OutputBuffer(.standardOutput)
    private var tally = RunCounts()
    /// A failure under `--on-error=stop` is known: nothing more is read.
    private var isStopping = false
    /// Why nothing more can be read; the run ends with it once everything read before is settled.
    private var inputFailure: ToolFailure?

    /// - Throws: status 73 if the file for bad lines can't be created.
    init(
        _ settings: ImagesSettings, _ client: consuming HTTPClient, _ diagnostics: Diagnostics
    ) throws(ToolFailure) {
        // Everything that can throw comes first: a noncopyable struct can't be left half initialized.
        let worker = ImageWorker(settings)
        let fields = settings.fields.isEmpty ? ImageRecordReader.usualFields : settings.fields
        let input = try RecordInput(settings.input, diagnostics)
        reader = ImageRecordReader(
            fields: fields, labels: settings.nameTemplate?.fields ?? [],
            added: settings.memberName, data: settings.embeds ? Self.dataName : nil)
        self.settings = settings
        self.diagnostics = diagnostics
        self.client = client
        self.input = input
        self.worker = worker
        window = ReorderBuffer(
            limit: max(settings.jobs * Self.recordsPerJob, 1024), isOrdered: settings.isOrdered)
        queue = FetchQueue(limit: settings.jobs, perHost: settings.jobsPerHost)
        names = NamedLinks(settings.directory, diagnostics)
    }

    /// Runs to the end of the input. What was settled before a failure is still written.
    mutating func run() throws(ToolFailure) -> ExitStatus {
        do throws(ToolFailure) {
            try makePlaceholder()
            gallery = try Gallery.begin(settings)
            try fetchAll()
        } catch {
            try finish()
            throw error
        }
        let seal = input.seal.line
        if !Signals.isRequested { output.append(seal.span) }
        try finish()
        try gallery?.finish(diagnostics)
        // A record without a picture is usual; where none has one, most often the field has another name.
        if tally.isNameless,
            let warning = reader.missing(in: tally.records, usesUsualFields: settings.fields.isEmpty)
        {
            diagnostics.warning(warning)
        }
        if let summary = tally.summary(input: input.name) { diagnostics.error(summary) }
        return input.badLineCount > 0 ? tally.status.combined(with: .badData) : tally.status
    }

    /// The figures of the run, however it ended.
    consuming func closedReport() -> RunReport {
        var report = tally.report
        report.badLines = input.badLineCount
        report.bytesIn = input.bytesRead
        report.bytesOut = output.bytesWritten
        report.fetch?.requests = client.requestCount
        report.fetch?.retries = client.retryCount
        report.fetch?.fromCache = client.fromCacheCount
        report.fetch?.isComplete = input.isAtEnd && window.isEmpty && tally.failures == 0
        return report
    }

    /// Passes on what is still buffered.
    private mutating func finish() throws(ToolFailure) {
        input.tellBadLines()
        try flush()
        try input.close()
    }

    private mutating func makePlaceholder() throws(ToolFailure) {
        guard settings.usesPlaceholder else { return }
        placeholder = try worker.placeholder(settings.placeholderPath)
    }

    private mutating func fetchAll() throws(ToolFailure) {
        while true {
            try readAhead()
            startFetches()
            for (tag, outcome) in try worker.take(&client) { settle(tag, outcome) }
            try writeSettled()
            show()
            guard !window.isEmpty || !input.isAtEnd && inputFailure == nil else {
                if let inputFailure { throw inputFailure }
                return
            }
            guard !window.isEmpty || !client.isPastDeadline else { throw deadlineFailure }
            guard try pause() else { return }
        }
    }

    /// What was read before the deadline is settled and written by then; reading more would exceed it.
    private var deadlineFailure: ToolFailure {
        ToolFailure(
            .tryLater, "the deadline came before the end of \(input.name); raise --deadline or try later")
    }

    /// Waits until there is something to do.
    /// - Returns: false if a signal asks the run to end.
    private mutating func pause() throws(ToolFailure) -> Bool {
        let (bell, isReady) = worker.bell()
        guard !isReady else { return true }
        if bell != nil, !client.hasCompleted { client.progress() }
        if !client.hasCompleted {
            if let (tag, outcome) = try worker.help(&client) {
                settle(tag, outcome)
                return true
            }
            try flush()
        }
        switch client.next(orInputFrom: wantsInput ? .standardInput : nil, bell: bell) {
        case .completed(let completion):
            queue.release(completion.tag)
            if let outcome = try outcome(of: completion) { settle(completion.tag, outcome) }
        case .inputReady: break
        case .idle:
            // Only the second thread is busy, or nothing is: then the input is all there is to wait for.
            if let bell { _ = bell.isReady(toRead: true, withinMilliseconds: 250) } else { try waitForInput() }
        case .interrupted: return false
        }
        return !Signals.isRequested
    }

    /// Judges and stores a response. One that waited in the queue past the deadline is too late: checking a large
    /// picture takes up to a second.
    private mutating func outcome(of completion: HTTPClient.Completion) throws(ToolFailure) -> ImageOutcome? {
        guard case .success = completion.result, client.isPastDeadline else {
            return try worker.outcome(of: completion)
        }
        var outcome = ImageSaver.outcome(of: completion.failure(.deadline))
        outcome.attempts = completion.attempts
        return outcome
    }

    /// Shows the progress. The total number of records is known at the end of the input.
    private func show() {
        diagnostics.progress?.update { progress in
            progress.records = tally.recordsWritten
            progress.totalRecords = input.isAtEnd ? tally.records : nil
            progress.bytes = client.bytesReceived
        }
    }

    private var wantsInput: Bool {
        !input.isAtEnd && !isStopping && inputFailure == nil && window.hasRoom && !client.isPastDeadline
    }

    // MARK: Input

    /// Takes the available records, as far as there is room.
    private mutating func readAhead() throws(ToolFailure) {
        while wantsInput, let record = nextRecord() { try begin(record) }
    }

    /// The next available record. A failure is reported at once, and kept until the records before it are settled.
    private mutating func nextRecord() -> ImageRecord? {
        do throws(ToolFailure) {
            while try input.nextWithoutWaiting() == .record {
                do throws(JSONError) { return try reader.read(input.record) } catch { try input.reject(error) }
            }
            return nil
        } catch {
            inputFailure = error.told(by: diagnostics)
            return nil
        }
    }

    /// Waits for input, when nothing else is in progress.
    private mutating func waitForInput() throws(ToolFailure) {
        guard wantsInput else { return }
        try flush()
        repeat {
            guard !client.isPastDeadline else { throw deadlineFailure }
            if Signals.isRequested { return }
            if Descriptor.standardInput.isReady(toRead: true, withinMilliseconds: 250) { return }
            input.tellWaiting()
        } while true
    }

    /// Settles a record at once, or queues its picture.
    private mutating func begin(_ read: consuming ImageRecord) throws(ToolFailure) {
        var record = consume read
        tally.records += 1
        guard let text = record.takeURL() else { return settle(record, nil, ImageOutcome(.none)) }
        switch ImageURL(text, base: settings.baseURL) {
        case .data: settle(record, nil, try worker.outcome(ofData: text))
        case .refused(let failure): settle(record, text, ImageSaver.outcome(of: failure))
        case .http(let url):
            let asked = settings.baseURL == nil ? text : url.plainText
            if let outcome = recent[url] { return settle(record, asked, outcome) }
            let entry = ReorderBuffer.Entry(record: record, lineNumber: input.lineNumber, url: asked)
            if queue.join(url, for: window.add(entry)) { return }
            let request = HTTPRequest(url, limitBytes: settings.pictureLimitBytes)
            let lookup = client.lookup(request)
            if let fresh = lookup?.fresh, let outcome = worker.outcome(ofNote: fresh.note, http: fresh.status) {
                client.countFromCache()
                return settle(record, asked, outcome)
            }
            queue.add(request, lookup, for: window.add(entry))
        }
    }

    private mutating func settle(_ record: ImageRecord, _ url: String?, _ outcome: ImageOutcome) {
        note(outcome)
        _ = window.add(
            ReorderBuffer.Entry(record: record, lineNumber: input.lineNumber, url: url, outcome: outcome))
    }

    private mutating func note(_ outcome: ImageOutcome) {
        if outcome.status == .failed, settings.errorPolicy == .stop, placeholder == nil { isStopping = true }
    }

    // MARK: Pictures

    private mutating func startFetches() {
        while let (request, tag, lookup) = queue.takeNext() { client.submit(request, tag: tag, lookup) }
    }

    private mutating func settle(_ tag: Int, _ outcome: ImageOutcome) {
        guard let (url, waiting) = queue.finish(tag) else { return }
        note(outcome)
        recent.add(outcome, for: url)
        for number in waiting { window.settle(number, outcome) }
    }

    // MARK: Output

    private mutating func writeSettled() throws(ToolFailure) {
        while let (entry, result) = window.takeSettled() {
            var outcome = result
            if outcome.status == .failed {
                if let placeholder {
                    outcome = outcome.standingIn(placeholder)
                } else {
                    guard try isWritten(entry, outcome) else { continue }
                }
            }
            try write(entry, outcome)
        }
    }

    private mutating func write(_ entry: ReorderBuffer.Entry, _ outcome: ImageOutcome) throws(ToolFailure) {
        if let template = settings.nameTemplate, let image = outcome.image, outcome.status != .placeholder {
            try names.name(image, template.text(entry.record.labels))
        }
        var member = ByteBuffer(capacity: Self.usualMemberBytes)
        outcome.write(settings.memberName, url: entry.url, tellsFetch: settings.tellsFetch, to: &member)
        try gallery?.add(entry.record, member.span, outcome.image)
        let image = settings.embeds ? outcome.image : nil
        if let image {
            member.append(text: ",\"\(Self.dataName)\":\"")
            let bytes = try ImageStore.bytes(of: image)
            Base64.append(bytes.span, to: &member)
            member.append(UInt8(ascii: "\""))
        }
        entry.record.write(adding: member.span, hasData: image != nil, to: &output)
        output.append(0x0A)
        tally.write(outcome)
        do throws(SystemError) { try output.endRecord() } catch { throw ToolFailure(error) }
    }

    /// Applies `--on-error` to a record without its picture.
    private mutating func isWritten(
        _ entry: ReorderBuffer.Entry, _ outcome: ImageOutcome
    ) throws(ToolFailure) -> Bool {
        tally.count(outcome, line: entry.lineNumber)
        let message = "\(input.name):\(entry.lineNumber): \(outcome.fault?.text ?? "")"
        switch settings.errorPolicy {
        case .keep: return true
        case .drop:
            diagnostics.warning("a record is dropped: \(message)")
            return false
        case .stop: throw ToolFailure(outcome.exitStatus, message)
        }
    }

    private mutating func flush() throws(ToolFailure) {
        do throws(SystemError) { try output.flush() } catch { throw ToolFailure(error) }
    }
}
