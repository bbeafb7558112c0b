// The run of fetch-images: one loop that reads ahead, keeps pictures on their way, and writes what is settled.
//
//     stdin ──► window of records ──────────────────────────► stdout
//                  │        ▲ outcome
//                  ▼        │
//               queue ──► client ──► worker ──► store

import PipelineCore
import PipelineHTTP

struct ImagesRun: ~Copyable {
    /// Records that are read before requests and responses get their turn.
    private static let recordsPerTurn = 256
    static let dataName = "imageData"

    private let settings: ImagesSettings
    private let diagnostics: Diagnostics
    private var input: RecordInput
    private var reader: ImageRecordReader
    private var window: ReorderBuffer
    private var queue: FetchQueue
    private var answered: AnsweredURLs
    private var client: HTTPClient
    private var worker: ImageWorker
    private let store: StoreDirectory
    private var settled: SettledRecords
    private var placeholder: StoredImage?
    private var key: PictureKey?
    /// A failure under `--on-error=stop` is known: nothing more is read.
    private var isStopping = false
    /// Why nothing more can be read; the run ends with it once everything read before is settled.
    private var inputFailure: ToolFailure?

    init(
        _ settings: ImagesSettings, _ client: consuming HTTPClient, _ key: PictureKey?,
        _ store: StoreDirectory, _ diagnostics: Diagnostics
    ) throws(ToolFailure) {
        // What can throw comes first: a noncopyable struct can't be left half initialized.
        input = try RecordInput(settings.input, diagnostics)
        reader = ImageRecordReader(
            fields: settings.fields, labels: settings.nameTemplate?.fields ?? [],
            pictures: settings.pictures, data: settings.embeds ? Self.dataName : nil)
        self.settings = settings
        self.diagnostics = diagnostics
        self.client = client
        self.key = key
        worker = ImageWorker(settings, store)
        window = ReorderBuffer()
        answered = AnsweredURLs(store.path)
        queue = FetchQueue(limit: settings.jobs, perHost: settings.jobsPerHost)
        self.store = store
        settled = SettledRecords(settings, store, diagnostics)
    }

    /// Runs to the end of the input. What was settled before a failure is still written.
    mutating func run() throws(ToolFailure) -> ExitStatus {
        do throws(ToolFailure) {
            if let path = settings.placeholderPath { placeholder = try worker.saver.placeholder(path) }
            if let path = settings.galleryPath { settled.gallery = try Gallery(settings, path) }
            try fetchAll()
        } catch {
            try finish()
            throw error
        }
        if !Signals.isRequested {
            let dropped: Message? =
                settled.lacksRecords ? "records were dropped whose pictures may be there later" : nil
            // Under --prune, pruning itself reports why it doesn't run.
            let isSilent = settled.pruning != nil && (input.skipped != nil || !input.seals.isComplete)
            let seal = isSilent ? [] : input.sealToPassOn(loss: input.skipped ?? dropped)
            settled.output.append(seal.span)
        }
        try finish()
        try settled.gallery?.finish(diagnostics)
        if !Signals.isRequested {
            settled.pruning?.finish(store, input, records: settled.counts.records, diagnostics)
        }
        warn()
        return input.badLineCount > 0 ? settled.counts.status.combined(with: .badData) : settled.counts.status
    }

    /// Says what is odd about the whole, and sums up the failures.
    private mutating func warn() {
        for message in reader.missingLabels() { diagnostics.warning(message) }
        // A record without a picture is usual; where none has one, most often the field has another name.
        if settled.counts.isNameless, let warning = reader.missing(in: settled.counts.records) {
            diagnostics.warning(warning)
        } else if reader.recordsWithOther > 0 {
            diagnostics.warning(
                "\(reader.otherField) is no text in \(reader.recordsWithOther.grouped) of "
                    + "\(settled.counts.records.grouped) records; --field names the member with the picture's URL, "
                    + "such as \(reader.otherField)[*]")
        }
        if let count = settled.counts.staleCount {
            diagnostics.warning(
                "\(settled.stale.finding), so \(count == 1 ? "a picture" : "\(count.grouped) pictures") of earlier runs "
                    + "\(count == 1 ? "is" : "are") kept; run it again later for present ones")
        }
        if reader.recordsWithMore > 0 {
            let those = FailureCauses.those(reader.recordsWithMore, of: settled.counts.records)
            diagnostics.warning(
                "\(those) more pictures; only the first is fetched; write --pictures all for all of them")
        }
        if let placeholders = settled.counts.placeholderNote, Descriptor.standardError.isTerminal {
            diagnostics.note("\(placeholders)")
        }
        if store.hasUnmarkedFiles {
            diagnostics.warning(
                "pictures in \(settings.directory) keep their times, as another user owns them; a run with "
                    + "--prune may remove them")
        }
        if let summary = settled.counts.summary(input.name) {
            diagnostics.error("\(summary)")
        }
    }

    var figures: RunReport {
        var report = settled.report
        report.badLines = input.badLineCount
        report.bytesIn = input.bytesRead
        report.fetch?.requests = client.requestCount
        report.fetch?.retries = client.retryCount
        report.fetch?.fromCache = client.fromCacheCount
        report.fetch?.isComplete = input.isAtEnd && window.isEmpty && settled.counts.causes.count == 0
        return report
    }

    private mutating func finish() throws(ToolFailure) {
        input.tellBadLines()
        try settled.output.flush()
        try input.close()
    }

    private mutating func fetchAll() throws(ToolFailure) {
        while true {
            let mayHaveMore = try beginRecords()
            while let (request, tag) = queue.takeNext() { client.submit(request, tag: tag) }
            for (tag, outcome) in try worker.take() { settle(tag, outcome) }
            while let entry = window.takeSettled() { try settled.write(entry) }
            diagnostics.progress?.update { progress in
                progress.records = settled.counts.recordsWritten
                progress.totalRecords = input.isAtEnd ? settled.counts.records : nil
                progress.bytes = client.bytesReceived
            }
            guard !window.isEmpty || !input.isAtEnd && inputFailure == nil else {
                if let inputFailure { throw inputFailure }
                return
            }
            guard !window.isEmpty || !client.isPastDeadline else { throw deadlineFailure }
            if mayHaveMore, !client.hasCompleted {
                guard !Signals.isRequested else { return }
                client.progress()
            } else {
                guard try pause() else { return }
            }
        }
    }

    /// Begins records that have been read, at most a turn's.
    /// - Returns: whether there may be another one that needs no waiting.
    private mutating func beginRecords() throws(ToolFailure) -> Bool {
        for _ in 0..<Self.recordsPerTurn {
            guard wantsInput, let (record, urls) = nextRecord() else { return false }
            try begin(record, urls)
        }
        return wantsInput
    }

    /// What was read before the deadline is settled and written by then; reading more would exceed it.
    private var deadlineFailure: ToolFailure {
        ToolFailure(
            .tryLater, "the deadline passed before the end of \(input.name); raise --deadline or try later")
    }

    private mutating func pause() throws(ToolFailure) -> Bool {
        let (bell, isReady) = worker.bell()
        guard !isReady else { return true }
        if !client.hasCompleted { client.progress() }
        if !client.hasCompleted { try settled.output.flush() }
        switch client.next(orInputFrom: wantsInput ? .standardInput : nil, bell: bell) {
        case .completed(let completion):
            queue.release(completion.tag)
            // One that waited past the deadline is too late: checking a large picture takes up to a second.
            if case .success = completion.result, client.isPastDeadline {
                settle(completion.tag, ImageOutcome(completion.failure(.deadline)))
            } else if let outcome = try worker.outcome(of: completion) {
                settle(completion.tag, outcome)
            }
        case .inputReady: break
        case .idle:
            // Only the second thread is busy, or nothing is: then the input is all there is to wait for.
            if let bell { _ = bell.isReady(toRead: true, withinMilliseconds: 250) } else { try waitForInput() }
        case .interrupted: return false
        }
        return !Signals.isRequested
    }

    private var wantsInput: Bool {
        guard !input.isAtEnd, !isStopping, inputFailure == nil else { return false }
        return window.hasRoom(isStarved: queue.isStarved) && !client.isPastDeadline
    }

    // MARK: Input

    /// The next available record. A failure is reported at once, and kept until the records before it are settled.
    private mutating func nextRecord() -> (record: ImageRecord, urls: [String])? {
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

    private mutating func waitForInput() throws(ToolFailure) {
        guard wantsInput else { return }
        try settled.output.flush()
        while !Signals.isRequested {
            guard !client.isPastDeadline else { throw deadlineFailure }
            if Descriptor.standardInput.isReady(toRead: true, withinMilliseconds: 250) { return }
        }
    }

    private mutating func begin(_ record: consuming ImageRecord, _ urls: [String]) throws(ToolFailure) {
        let pictures = try pictures(of: urls)
        settled.counts.records += 1
        settled.counts.pictures += pictures.list.count
        window.add(ReorderBuffer.Entry(record: record, lineNumber: input.lineNumber, pictures: pictures))
    }

    // MARK: Pictures

    /// Begins a record's pictures, each URL once.
    private mutating func pictures(of texts: [String]) throws(ToolFailure) -> RecordPictures {
        var pictures = RecordPictures(choice: settings.pictures)
        var seen: Set<String> = []
        for text in texts {
            let target = target(of: text)
            guard texts.count == 1 || seen.insert(target.identity(of: text)).inserted else { continue }
            guard pictures.list.count < RecordPictures.limit else {
                let fault = ImageFault(
                    "more than \(RecordPictures.limit.grouped) pictures in one record; divide it")
                pictures.list.append(RecordPicture(url: nil, outcome: judged(ImageOutcome(fault))))
                break
            }
            var picture = try begin(target, text, for: (entry: window.added, picture: pictures.list.count))
            picture.outcome = judged(picture.outcome)
            pictures.list.append(picture)
        }
        // Whoever asks for a placeholder wants every record to have a picture.
        if pictures.list.isEmpty, placeholder != nil {
            pictures.list.append(RecordPicture(url: nil, outcome: judged(ImageOutcome(.noURL))))
        }
        return pictures
    }

    /// What a text of a record asks for, without the key.
    private mutating func target(of text: String) -> ImageURL {
        let target = ImageURL(text, base: settings.baseURL)
        guard case .http(let url) = target else { return target }
        if let message = key?.bind(to: url) { diagnostics.note(message) }
        return .http(key?.stripped(url) ?? url)
    }

    private mutating func begin(
        _ target: ImageURL, _ text: String, for slot: ReorderBuffer.Slot
    ) throws(ToolFailure) -> RecordPicture {
        switch target {
        case .data: return RecordPicture(url: nil, outcome: try worker.saver.outcome(ofData: text))
        case .refused(let failure):
            return RecordPicture(url: shown(text), outcome: shown(ImageOutcome(failure)))
        case .http(let url):
            let isAsWritten = settings.baseURL == nil && (key == nil || ImageURL(text, base: nil) == target)
            let asked = shown(isAsWritten ? text : url.plainText)
            guard let outcome = outcome(of: url, for: slot) else {
                return RecordPicture(url: asked, isWaiting: true)
            }
            return RecordPicture(url: asked, outcome: outcome)
        }
    }

    /// The outcome of a URL that needs no request any more; nil if it comes later.
    private mutating func outcome(of url: HTTPURL, for slot: ReorderBuffer.Slot) -> ImageOutcome? {
        if let outcome = answered.outcome(of: url) { return outcome }
        if queue.join(url, for: slot) { return nil }
        let request: HTTPRequest
        do throws(HTTPFailure) { request = try self.request(url) } catch { return shown(ImageOutcome(error)) }
        guard let fresh = client.source.fresh(request), let outcome = worker.saver.outcome(ofFresh: fresh.note)
        else {
            queue.add(request, for: slot)
            return nil
        }
        client.fromCacheCount += 1
        return earlier(url, insteadOf: outcome)
    }

    private func request(_ url: HTTPURL) throws(HTTPFailure) -> HTTPRequest {
        var request = HTTPRequest(url, limitBytes: settings.pictureLimitBytes)
        try key?.add(to: &request)
        return request
    }

    /// A text for the record and for messages, which never hold the key.
    private func shown(_ text: String) -> String { key?.hiding(text) ?? text }

    private func shown(_ found: ImageOutcome) -> ImageOutcome {
        guard key != nil, let fault = found.fault else { return found }
        var outcome = found
        outcome.fault = ImageFault(shown(fault.text), kind: shown(fault.kind), exitStatus: fault.exitStatus)
        return outcome
    }

    /// A failure gets the placeholder; without one it ends the reading under --on-error=stop.
    private mutating func judged(_ found: ImageOutcome) -> ImageOutcome {
        var outcome = found
        if outcome.fault != nil { outcome.image = placeholder }
        if outcome.status == .failed, settings.errorPolicy == .stop { isStopping = true }
        return outcome
    }

    private mutating func settle(_ tag: Int, _ found: ImageOutcome) {
        guard let (url, slots) = queue.finish(tag) else { return }
        let answer = earlier(url, insteadOf: shown(found))
        answered.add(url, answer)
        let outcome = judged(answer)
        for slot in slots { window.settle(slot, outcome) }
    }

    private mutating func earlierNote(_ url: HTTPURL) -> (content: [UInt8], mayStandIn: Bool)? {
        do throws(HTTPFailure) { return client.source.note(for: try request(url)) } catch { return nil }
    }

    /// What the record gets, and the host is remembered if it is a picture of an earlier run.
    private mutating func earlier(_ url: HTTPURL, insteadOf outcome: ImageOutcome) -> ImageOutcome {
        let kept = keepEarlier(url, outcome)
        if kept.origin == HTTPProvenance.stale.rawValue { settled.stale.add(url, since: nil) }
        return kept
    }

    /// If a picture can't be fetched now, its earlier file is kept, which is better than a placeholder or none; with
    /// --stale-if-error only within its time. A 404 or 410 has taken the place of its note.
    private mutating func keepEarlier(_ url: HTTPURL, _ outcome: ImageOutcome) -> ImageOutcome {
        let limit = settings.client.cache.staleIfErrorSeconds
        guard outcome.fault != nil,
            let note = earlierNote(url),
            let image = StoredImage(note: note.content, in: settings.directory), store.holds(image)
        else { return outcome }
        settled.pruning?.keep(image)
        var earlier = worker.saver.outcome(ofStored: image, HTTPProvenance.stale.rawValue)
        guard limit == nil ? placeholder != nil : note.mayStandIn, earlier.fault == nil else {
            earlier = outcome
            earlier.hadPicture = true
            return earlier
        }
        client.fromCacheCount += 1
        return earlier
    }
}
