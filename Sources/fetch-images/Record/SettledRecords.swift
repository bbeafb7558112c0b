// The records whose pictures are settled, on their way out: each with its member, its readable name, its tile in the
// gallery and its place in the counts.

import PipelineCore
import PipelineHTTP

struct SettledRecords: ~Copyable {
    private static let mostMessages = 10

    private let settings: ImagesSettings
    private let store: StoreDirectory
    private let diagnostics: Diagnostics
    var output = OutputBuffer(.standardOutput)
    private let display = RecordDisplay()
    private var names: NamedLinks
    var gallery: Gallery?
    var pruning: Pruning?
    var counts: RunCounts
    /// Hosts that failed, and whose pictures of earlier runs stood in.
    var stale = StaleUse()
    private var dropped = 0
    /// A record was dropped whose picture may be there later: the service failed, or an earlier run had it.
    private(set) var lacksRecords = false

    init(_ settings: ImagesSettings, _ store: StoreDirectory, _ diagnostics: Diagnostics) {
        self.settings = settings
        self.store = store
        self.diagnostics = diagnostics
        counts = RunCounts(settings.pictures)
        names = NamedLinks(settings.directory, diagnostics)
        pruning = settings.pruneSeconds.map { Pruning(ageSeconds: $0) }
    }

    var report: RunReport {
        var report = RunReport()
        report.recordsIn = counts.records
        report.recordsOut = counts.recordsWritten
        report.bytesOut = output.bytesWritten
        report.fetch = RunReport.Fetch()
        report.members = [("images", counts.images)]
        if let pruning { report.members.append(("pruned", pruning.removed.json)) }
        return report
    }

    mutating func write(_ settled: ReorderBuffer.Entry) throws(ToolFailure) {
        var entry = settled
        keepEarlier(&entry)
        // Before any picture gets a readable name.
        let failures = entry.pictures.failures
        let places = failures.map { FailureCauses.Place(line: entry.lineNumber, url: $0.picture.url) }
        for (failure, place) in zip(failures, places) { counts.count(failure.fault, at: place) }
        if let failure = failures.first {
            counts.fail(failure.fault.exitStatus)
            if try drops(failure.fault, at: places[0]) {
                if failures.contains(where: Self.mayBeThereLater) { lacksRecords = true }
                return
            }
        }
        let images = entry.pictures.images
        for picture in entry.pictures.list { try keep(picture.outcome, entry.record.labels) }
        var member = entry.pictures.member()
        try gallery?.add(entry.record, member.span, images)
        if settings.embeds { try entry.pictures.appendData(to: &member) }
        if display.isPlain {
            // Without a copy: a record may be large.
            entry.record.write(adding: member.span, hasData: !images.isEmpty, to: &output)
            output.append(0x0A)
        } else {
            output.append(entry.record.adding(member.span, hasData: !images.isEmpty).span, as: display)
        }
        counts.write(entry.pictures)
        try output.endRecord()
    }

    /// A picture that the record had before stays, where a placeholder would only stand in for it because its host is down.
    private mutating func keepEarlier(_ entry: inout ReorderBuffer.Entry) {
        func isLacking(_ picture: RecordPicture) -> Bool {
            picture.outcome.status == .placeholder && picture.outcome.fault?.exitStatus.mayPass == true
        }
        guard entry.pictures.list.contains(where: isLacking) else { return }
        let earlier = EarlierPictures(entry.record.line.span, settings.pictures, in: store.path)
        for (index, picture) in entry.pictures.list.enumerated() where isLacking(picture) {
            guard let image = picture.url.flatMap(earlier.image), store.holds(image) else { continue }
            entry.pictures.list[index].outcome = ImageOutcome(image, origin: HTTPProvenance.stale.rawValue)
            if let url = picture.url { addStale(url) }
        }
    }

    private mutating func addStale(_ url: String) {
        // One relative to --base-url is shown whole.
        do throws(HTTPFailure) { stale.add(try HTTPURL(url), since: nil) } catch {}
    }

    private static func mayBeThereLater(_ failure: (fault: ImageFault, picture: RecordPicture)) -> Bool {
        failure.fault.exitStatus.mayPass || failure.picture.outcome.hadPicture
    }

    private mutating func keep(_ found: ImageOutcome, _ labels: [String?]) throws(ToolFailure) {
        guard let image = found.image else { return }
        if let template = settings.nameTemplate, found.fault == nil {
            try names.name(image, template.text(labels))
        }
        pruning?.keep(image)
    }

    private mutating func drops(_ fault: ImageFault, at place: FailureCauses.Place) throws(ToolFailure) -> Bool {
        let message: Message = "\(Descriptor.standardInput.name):\(place): \(fault.text)"
        switch settings.errorPolicy {
        case .keep: return false
        case .drop:
            dropped += 1
            // The last message of the run counts them all.
            if dropped <= Self.mostMessages { diagnostics.warning("a record is dropped: \(message)") }
            return true
        case .stop: throw ToolFailure(fault.exitStatus, message)
        }
    }
}
