// The records whose pictures are settled, on their way out: each with its member, its readable name, its tile in the
// gallery and its place in the counts.

import PipelineCore

struct SettledRecords: ~Copyable {
    private static let mostMessages = 10

    private let settings: ImagesSettings
    private let diagnostics: Diagnostics
    var output = OutputBuffer(.standardOutput)
    private let display = RecordDisplay()
    private var names: NamedLinks
    var gallery: Gallery?
    var pruning: Pruning?
    var counts = RunCounts()
    /// A record was dropped whose picture may be there later: the service failed, or an earlier run had it.
    private(set) var lacksRecords = false

    init(_ settings: ImagesSettings, _ diagnostics: Diagnostics) {
        self.settings = settings
        self.diagnostics = diagnostics
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

    mutating func write(_ entry: ReorderBuffer.Entry) throws(ToolFailure) {
        // Before any picture gets a readable name.
        let failures = entry.pictures.failures
        let places = failures.map { FailureCauses.Place(line: entry.lineNumber, url: $0.picture.url) }
        for (failure, place) in zip(failures, places) { counts.count(failure.fault, at: place) }
        if let failure = failures.first, try drops(failure.fault, at: places[0]) {
            lacksRecords =
                lacksRecords
                || failures.contains { $0.fault.exitStatus.mayPass || $0.picture.outcome.hadPicture }
            return
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
            // The last message of the run counts them all.
            if counts.causes.count <= Self.mostMessages { diagnostics.warning("a record is dropped: \(message)") }
            return true
        case .stop: throw ToolFailure(fault.exitStatus, message)
        }
    }
}

/// The records that were read and not yet written. As they are written in input order, however long a picture takes, no more
/// are read past a limit of their number and their bytes.
///
///     written │ settled  waiting  settled  settled  waiting │ not read
///              ^ first to be written                         ^ next to be added
struct ReorderBuffer {
    /// The place of a picture: the number of an entry, and the index of one of its pictures.
    typealias Slot = (entry: Int, picture: Int)

    struct Entry {
        let record: ImageRecord
        let lineNumber: Int
        var pictures: RecordPictures

        var byteCount: Int { record.byteCount + pictures.list.reduce(0) { $0 + ($1.url?.utf8.count ?? 0) } }
    }

    private let limit: Int
    /// The most bytes of lines and URLs, unless a single line has more.
    private static let limitBytes = 16 << 20

    /// By number, as they were added.
    private var entries: [Int: Entry] = [:]
    /// The number of the next entry.
    private(set) var added = 0
    /// The number of the entry to be written next.
    private var next = 0
    private var byteCount = 0

    init(limit: Int) {
        self.limit = limit
        entries.reserveCapacity(limit)
    }

    var isEmpty: Bool { entries.isEmpty }
    var hasRoom: Bool { entries.count < limit && byteCount < Self.limitBytes }

    mutating func add(_ entry: consuming Entry) {
        byteCount += entry.byteCount
        entries[added] = consume entry
        added += 1
    }

    mutating func settle(_ slot: Slot, _ outcome: ImageOutcome) {
        entries[slot.entry]?.pictures.list[slot.picture].outcome = outcome
        entries[slot.entry]?.pictures.list[slot.picture].isWaiting = false
    }

    mutating func takeSettled() -> Entry? {
        guard entries[next]?.pictures.isSettled == true, let entry = entries.removeValue(forKey: next) else {
            return nil
        }
        byteCount -= entry.byteCount
        next += 1
        return entry
    }
}
