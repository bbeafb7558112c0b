// The records whose pictures are settled, on their way out: each with its member, its readable name, its tile in the
// gallery and its place in the counts.

import PipelineCore
import PipelineHTTP

/// Writes records with the outcomes of their pictures.
struct SettledRecords: ~Copyable {
    private static let usualMemberBytes = 768

    private let settings: ImagesSettings
    private let inputName: String
    private let diagnostics: Diagnostics
    private var output = OutputBuffer(.standardOutput)
    private var names: NamedLinks
    /// The picture that stands in for those that can't be had.
    var placeholder: StoredImage?
    var gallery: Gallery?
    var pruning: Pruning?
    var counts = RunCounts()

    init(_ settings: ImagesSettings, inputName: String, _ diagnostics: Diagnostics) {
        self.settings = settings
        self.inputName = inputName
        self.diagnostics = diagnostics
        names = NamedLinks(settings.directory, diagnostics)
        pruning = settings.pruneSeconds.map { Pruning(ageSeconds: $0) }
    }

    /// The figures of what was written.
    var report: RunReport {
        var report = counts.report
        report.bytesOut = output.bytesWritten
        if let pruning { report.members.append(("pruned", pruning.removed.json)) }
        return report
    }

    /// Writes a record, unless `--on-error` drops it.
    mutating func write(_ entry: ReorderBuffer.Entry, _ result: ImageOutcome) throws(ToolFailure) {
        var outcome = result
        if outcome.status == .failed {
            if let placeholder {
                outcome = outcome.standingIn(placeholder)
            } else {
                guard try isWritten(entry, outcome) else { return }
            }
        }
        try writeRecord(entry, outcome)
    }

    private mutating func writeRecord(
        _ entry: ReorderBuffer.Entry, _ outcome: ImageOutcome
    ) throws(ToolFailure) {
        if let template = settings.nameTemplate, let image = outcome.image, outcome.status != .placeholder {
            try names.name(image, template.text(entry.record.labels))
        }
        if let image = outcome.image { pruning?.keep(image) }
        var member = ByteBuffer(capacity: Self.usualMemberBytes)
        outcome.write(settings.memberName, url: entry.url, tellsFetch: settings.tellsFetch, to: &member)
        try gallery?.add(entry.record, member.span, outcome.image)
        let image = settings.embeds ? outcome.image : nil
        if let image {
            member.append(text: ",\"\(ImagesRun.dataName)\":\"")
            let bytes = try ImageStore.bytes(of: image)
            Base64.append(bytes.span, to: &member)
            member.append(UInt8(ascii: "\""))
        }
        entry.record.write(adding: member.span, hasData: image != nil, to: &output)
        output.append(0x0A)
        counts.write(outcome)
        try output.endRecord()
    }

    /// Applies `--on-error` to a record without its picture.
    private mutating func isWritten(
        _ entry: ReorderBuffer.Entry, _ outcome: ImageOutcome
    ) throws(ToolFailure) -> Bool {
        counts.count(outcome, line: entry.lineNumber)
        let message = "\(inputName):\(entry.lineNumber): \(outcome.fault?.text ?? "")"
        switch settings.errorPolicy {
        case .keep: return true
        case .drop:
            diagnostics.warning("a record is dropped: \(message)")
            return false
        case .stop: throw ToolFailure(outcome.exitStatus, message)
        }
    }

    /// Appends a line that isn't a record.
    mutating func append(_ line: Span<UInt8>) { output.append(line) }

    mutating func flush() throws(ToolFailure) {
        try output.flush()
    }
}
