// `--diff`: what differs between two stores, or between a store and the records that come in. It is a replacement that
// nobody writes.

import PipelineCore

enum DiffRun {
    static func run(
        _ settings: StoreSettings, _ oldPath: String, _ diagnostics: Diagnostics, _ report: inout RunReport
    ) throws(ToolFailure) -> ExitStatus {
        let old = try StoreReading.opened(oldPath, settings)
        let new = try settings.newStore.map { (path) throws(ToolFailure) in try StoreReading.opened(path, settings)
        }
        var rules = settings.rules
        if new == nil, old.fileSize != 0 {
            rules.stored = try ToolFailure.reading(oldPath, StoredKinds.read(old, settings.layout))
        }
        var update = StoreUpdate(
            .replace, keys: settings.keys, format: try format(old, oldPath, new, settings), layout: settings.layout,
            rules: rules, ignoring: settings.ignored,
            changes: ChangeLog(
                .stream(.standardOutput), isOutput: true, beside: nil,
                writesNonfiniteAsText: settings.rules.isLossy),
            beside: nil)
        if let new {
            try takeStore(new, into: &update, settings, diagnostics, &report)
        } else {
            try takeRecords(into: &update, settings, diagnostics, &report)
        }
        // An empty file is a store without records.
        try ToolFailure.reading(oldPath, update.compare(old.fileSize == 0 ? nil : old))
        guard var changes = try ToolFailure.of(update.endChanges()) else { return .done }
        report.bytesOut = changes.bytes
        try ToolFailure.of(changes.commit())
        update.warn(diagnostics)
        let counts = update.counts
        let differences = counts.added + counts.changed + counts.removed
        report.recordsOut = differences
        report.members.append(("diff", ByteBuffer.object { counts.add(to: &$0) }.text))
        return differences > 0 ? .noMatch : .done
    }

    /// Records are equal where the new store would hold the same.
    private static func format(
        _ old: Descriptor, _ oldPath: String, _ new: Descriptor?, _ settings: StoreSettings
    ) throws(ToolFailure) -> StoreFormat {
        if let new { return try ToolFailure.reading(settings.file, StoreFormat.decoder(of: new).format) }
        if let format = settings.format { return format }
        return old.fileSize == 0 ? .default : try ToolFailure.reading(oldPath, StoreFormat.decoder(of: old).format)
    }

    private static func takeStore(
        _ new: Descriptor, into update: inout StoreUpdate, _ settings: StoreSettings, _ diagnostics: Diagnostics,
        _ report: inout RunReport
    ) throws(ToolFailure) {
        report.bytesIn = new.fileSize ?? 0
        // As the old store, an empty file is one without records.
        guard report.bytesIn > 0 else { return }
        let (records, withoutKey) = try ToolFailure.reading(settings.file, update.keep(new))
        report.recordsIn = records
        guard withoutKey > 0 else { return }
        guard withoutKey < records else {
            throw ToolFailure(
                .badData,
                "\(settings.file): \(records == 1 ? "the one record lacks" : "none of \(records) records has") the key; check --key"
            )
        }
        diagnostics.warning("records of \(settings.file) without the key: \(withoutKey); each counts as added")
    }

    private static func takeRecords(
        into update: inout StoreUpdate, _ settings: StoreSettings, _ diagnostics: Diagnostics,
        _ report: inout RunReport
    ) throws(ToolFailure) {
        var input = try StoreInput(settings, diagnostics)
        defer {
            report.recordsIn = input.records
            report.badLines = input.lines.badLineCount
            report.bytesIn = input.lines.bytesRead
        }
        try input.read(&update)
        if let failure = input.notWhole { throw failure }
        if let note = ToolFailure.staleNote(input.lines.seals, settings) { diagnostics.warning(note) }
        if let summary = update.choices.summary { diagnostics.warning(summary) }
        if input.records == 0 {
            diagnostics.warning("the input has no records, so each one of the store counts as removed")
        }
        guard let part = input.lines.seals.claim?.part else { return }
        update.tellsRemoved = false
        diagnostics.warning("the input has only \(part), so removals are unknown")
    }
}
