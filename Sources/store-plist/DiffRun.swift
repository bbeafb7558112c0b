// `--diff`: what differs between two stores, or between a store and the records that come in. It is a replacement that
// nobody writes.

import PipelineCore

struct DiffRun: ~Copyable {
    private let settings: StoreSettings
    private let oldPath: String
    private let diagnostics: Diagnostics
    private var update: StoreUpdate
    private var report = RunReport()

    static func run(
        _ settings: StoreSettings, _ oldPath: String, _ diagnostics: Diagnostics, _ report: inout RunReport
    ) throws(ToolFailure) -> ExitStatus {
        let old = try StoreReading.opened(oldPath)
        let new = try settings.newStore.map { (path) throws(ToolFailure) in try StoreReading.opened(path) }
        // Records are equal where the new store would hold the same.
        let format =
            if let new {
                try ToolFailure.reading(settings.file, PropertyListFormat.of(new))
            } else if let format = settings.format {
                format
            } else if old.fileSize == 0 {
                PropertyListFormat.xml
            } else {
                try ToolFailure.reading(oldPath, PropertyListFormat.of(old))
            }
        var run = DiffRun(settings, oldPath, diagnostics, format)
        defer { report = run.report }
        return try run.compare(old, new)
    }

    private init(
        _ settings: StoreSettings, _ oldPath: String, _ diagnostics: Diagnostics, _ format: PropertyListFormat
    ) {
        self.settings = settings
        self.oldPath = oldPath
        self.diagnostics = diagnostics
        update = StoreUpdate(
            .replace, keys: settings.keys, format: format, layout: settings.layout, rules: settings.rules,
            ignoring: settings.ignored,
            changes: ChangeLog(
                .stream(.standardOutput), beside: nil, writesNonfiniteAsText: settings.writesNonfiniteAsText),
            beside: nil)
    }

    private mutating func compare(_ old: Descriptor, _ new: Descriptor?) throws(ToolFailure) -> ExitStatus {
        if let new { try takeStore(new) } else { try takeRecords() }
        // An empty file is a store without records.
        try ToolFailure.reading(oldPath, update.compare(old.fileSize == 0 ? nil : old))
        guard var changes = try ToolFailure.of(update.endChanges()) else { return .done }
        report.bytesOut = changes.bytes
        try ToolFailure.of(changes.commit())
        update.warn(diagnostics)
        let counts = update.counts
        let differences = counts.added + counts.changed + counts.removed
        report.recordsOut = differences
        report.members.append(("diff", counts.json))
        return settings.tellsByStatus && differences > 0 ? .noMatch : .done
    }

    private mutating func takeStore(_ new: Descriptor) throws(ToolFailure) {
        report.bytesIn = new.fileSize ?? 0
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

    private mutating func takeRecords() throws(ToolFailure) {
        var input = try StoreInput(settings, diagnostics)
        defer {
            report.recordsIn = input.records
            report.badLines = input.badLineCount
            report.bytesIn = input.bytesRead
        }
        try input.read(&update)
        if let failure = ToolFailure.notSealed(input.seals, settings) { throw failure }
        if let summary = update.choices.summary { diagnostics.warning(summary) }
        guard let part = input.seals.claim?.part else { return }
        update.tellsRemoved = false
        diagnostics.warning("the input has only \(part), so removals are unknown")
    }
}
