// The records whose pictures are settled, on their way out: each with its member, its readable name, its tile in the
// gallery and its place in the counts.

import PipelineCore
import PipelineHTTP

struct SettledRecords: ~Copyable {
    private static let usualMemberBytes = 768
    private static let mostMessages = 10

    private let settings: ImagesSettings
    private let diagnostics: Diagnostics
    private var output = OutputBuffer(.standardOutput)
    private let display = RecordDisplay()
    private var names: NamedLinks
    var placeholder: StoredImage?
    var gallery: Gallery?
    var pruning: Pruning?
    var counts = RunCounts()
    /// A record was dropped because of a service that may be there again later.
    private(set) var lacksRecords = false

    init(_ settings: ImagesSettings, _ diagnostics: Diagnostics) {
        self.settings = settings
        self.diagnostics = diagnostics
        names = NamedLinks(settings.directory, diagnostics)
        pruning = settings.pruneSeconds.map { Pruning(ageSeconds: $0) }
    }

    var report: RunReport {
        var report = counts.report
        report.bytesOut = output.bytesWritten
        if let pruning { report.members.append(("pruned", pruning.removed.json)) }
        return report
    }

    mutating func write(_ entry: ReorderBuffer.Entry, _ result: ImageOutcome) throws(ToolFailure) {
        var outcome = result
        if let fault = outcome.fault {
            outcome.image = placeholder
            if placeholder == nil { guard try isWritten(entry, fault) else { return } }
        }
        if let template = settings.nameTemplate, let image = outcome.image, outcome.fault == nil {
            try names.name(image, template.text(entry.record.labels))
        }
        if let image = outcome.image { pruning?.keep(image) }
        var member = ByteBuffer(capacity: Self.usualMemberBytes)
        outcome.write(settings.memberName, url: entry.url, tellsFetch: settings.tellsFetch, to: &member)
        try gallery?.add(entry.record, member.span, outcome.image)
        let image = settings.embeds ? outcome.image : nil
        if let image {
            member.append(text: ",\"\(ImagesRun.dataName)\":\"")
            let bytes = try image.contents()
            Base64.append(bytes.span, to: &member)
            member.append(UInt8(ascii: "\""))
        }
        if display.isPlain {
            // Without a copy: a record may be large.
            entry.record.write(adding: member.span, hasData: image != nil, to: &output)
            output.append(0x0A)
        } else {
            output.append(entry.record.adding(member.span, hasData: image != nil).span, as: display)
        }
        counts.write(outcome)
        try output.endRecord()
    }

    private mutating func isWritten(
        _ entry: ReorderBuffer.Entry, _ fault: ImageFault
    ) throws(ToolFailure) -> Bool {
        counts.count(fault, line: entry.lineNumber)
        let message: Message = "\(Descriptor.standardInput.name):\(entry.lineNumber): \(fault.text)"
        switch settings.errorPolicy {
        case .keep: return true
        case .drop:
            // The last message of the run counts them all.
            if counts.causes.count <= Self.mostMessages { diagnostics.warning("a record is dropped: \(message)") }
            lacksRecords = lacksRecords || [.unavailable, .tryLater].contains(fault.exitStatus)
            return false
        case .stop: throw ToolFailure(fault.exitStatus, message)
        }
    }

    mutating func append(_ line: Span<UInt8>) { output.append(line) }

    mutating func flush() throws(ToolFailure) { try output.flush() }
}

/// The records that were read and not yet written. As they are written in input order, however long a picture takes, no more
/// are read past a limit of their number and their bytes.
///
///     written │ settled  waiting  settled  settled  waiting │ not read
///              ^ first to be written                         ^ next to be added
struct ReorderBuffer {
    struct Entry {
        let record: ImageRecord
        let lineNumber: Int
        let url: String?
        var outcome: ImageOutcome?

        var byteCount: Int { record.byteCount + (url?.utf8.count ?? 0) }
    }

    private let limit: Int
    /// The most bytes of lines and URLs, unless a single line has more.
    private static let limitBytes = 16 << 20

    private let isOrdered: Bool
    /// By number, as they were added.
    private var entries: [Int: Entry] = [:]
    private var added = 0
    /// Numbers in the order of writing: that of the input, or that of settling.
    private var queue: [Int] = []
    private var next = 0
    private var byteCount = 0

    init(limit: Int, isOrdered: Bool) {
        self.limit = limit
        self.isOrdered = isOrdered
        entries.reserveCapacity(limit)
        queue.reserveCapacity(2 * limit)
    }

    var isEmpty: Bool { entries.isEmpty }
    var hasRoom: Bool { entries.count < limit && byteCount < Self.limitBytes }

    mutating func add(_ entry: consuming Entry) -> Int {
        byteCount += entry.byteCount
        if isOrdered || entry.outcome != nil { queue.append(added) }
        entries[added] = consume entry
        added += 1
        return added - 1
    }

    mutating func settle(_ number: Int, _ outcome: ImageOutcome) {
        entries[number]?.outcome = outcome
        if !isOrdered { queue.append(number) }
    }

    mutating func takeSettled() -> (Entry, ImageOutcome)? {
        guard next < queue.count, let outcome = entries[queue[next]]?.outcome,
            let entry = entries.removeValue(forKey: queue[next])
        else { return nil }
        byteCount -= entry.byteCount
        next += 1
        if next == queue.count || next >= limit {
            queue.removeFirst(next)
            next = 0
        }
        return (entry, outcome)
    }
}
