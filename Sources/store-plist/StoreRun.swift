// A run: take the lock, read the records, write the new store, and replace the old one with it or leave that alone.

import PipelineCore

struct StoreRun: ~Copyable {
    private let settings: StoreSettings
    private let diagnostics: Diagnostics
    private let target: StoreTarget
    /// Holds the lock of the file that `--changes` names.
    private let changesTarget: ChangesTarget?
    private var writer: StoreWriter
    private var update: StoreUpdate
    private var input: StoreInput
    /// Whether the incoming records wait until all have come.
    private let waits: Bool
    private var report = RunReport(tool: "store-plist")
    private let reportFile: ReportFile?
    /// Whether the report was written before the store was replaced.
    private var isReported = false
    /// What is wrong with the old file, which is replaced all the same.
    private var oldFault: String?

    static func run(_ settings: StoreSettings, _ diagnostics: Diagnostics) throws(ToolFailure) -> ExitStatus {
        let reportFile = try ReportFile.opened(settings.reportPath)
        var report = RunReport(tool: "store-plist")
        let result: Result<ExitStatus, ToolFailure>
        var isReported = false
        do throws(ToolFailure) {
            var run = try begun(settings, diagnostics, reportFile)
            result = Result { () throws(ToolFailure) in try run.run() }
            report = run.report
            isReported = run.isReported
        } catch {
            result = .failure(error)
        }
        // The report is already written and still true: nothing may fail now that the store is replaced.
        if isReported, case .success = result, Signals.exitStatus == nil { return try result.get() }
        try reportFile?.write(report, result)
        return try result.get()
    }

    private static func begun(
        _ settings: StoreSettings, _ diagnostics: Diagnostics, _ reportFile: ReportFile?
    ) throws(ToolFailure) -> StoreRun {
        let target = try StoreTarget.opened(settings)
        let changesTarget = try settings.changesPath.map { (path) throws(ToolFailure) in
            try ChangesTarget.opened(path, settings)
        }
        let changes = try changesTarget?.begin(settings, beside: target.location)
        let writer = try target.begin()
        let input = try StoreInput(settings, diagnostics)
        let update = StoreUpdate(
            settings.mode, keys: settings.keys, format: writer.format, rules: settings.rules,
            ignoring: settings.ignored, changes: changes,
            shape: settings.keepsShape && settings.mode != .remove ? ShapeCheck() : nil, beside: target.location)
        return StoreRun(settings, diagnostics, reportFile, target, changesTarget, writer, update, input)
    }

    private init(
        _ settings: StoreSettings, _ diagnostics: Diagnostics, _ reportFile: ReportFile?,
        _ target: consuming StoreTarget, _ changesTarget: consuming ChangesTarget?, _ writer: consuming StoreWriter,
        _ update: consuming StoreUpdate, _ input: consuming StoreInput
    ) {
        oldFault = target.oldFault
        self.settings = settings
        self.diagnostics = diagnostics
        self.reportFile = reportFile
        self.update = update
        self.target = target
        self.changesTarget = changesTarget
        self.writer = writer
        self.input = input
        waits = !settings.keys.isEmpty && settings.mode != .append
    }

    private mutating func run() throws(ToolFailure) -> ExitStatus {
        do throws(ToolFailure) {
            try takeIn()
        } catch {
            note()
            throw error
        }
        note()
        return try replace()
    }

    /// Reads the whole input, and writes the new store to its end.
    private mutating func takeIn() throws(ToolFailure) {
        var members: [UInt8] = []
        if waits {
            try input.read(&update)
            members = try writeOld()
            do throws(StoreWriteError) {
                try update.writeNew(to: &writer)
            } catch {
                throw .notStored(error, settings)
            }
        } else {
            members = try writeOld()
            try input.read(&update, to: &writer)
        }
        do throws(SystemError) { try writer.endRecords() } catch { throw .notStored(error, settings) }
        do throws(StoreWriteError) {
            try writer.finish(members: members)
        } catch {
            throw .notStored(error, settings)
        }
    }

    /// An old store that can't be read is an error, unless it is to be replaced anyway.
    private mutating func writeOld() throws(ToolFailure) -> [UInt8] {
        let file = try target.openOld()
        do throws(StoreWriteError) {
            let members = try update.writeOld(file, layout: settings.layout, to: &writer)
            try close(file)
            return members
        } catch {
            guard settings.mode == .replace, settings.changesPath == nil, case .old(let fault) = error,
                fault.isOfData, settings.replacesAnything, !fault.isBelowRoot
            else {
                throw .notStored(error, settings)
            }
            oldFault = ToolFailure.fault(fault, settings.file)
            update.forgetOld()
        }
        guard !writer.isBegun else { return [] }
        do throws(StoreWriteError) {
            return try update.writeOld(nil, layout: settings.layout, to: &writer)
        } catch {
            throw .notStored(error, settings)
        }
    }

    private func close(_ file: Descriptor?) throws(StoreWriteError) {
        do throws(SystemError) { try file?.close() } catch { throw .system(error) }
    }

    // MARK: Ending

    /// Warns about values that were changed, and notes the figures.
    private mutating func note() {
        report.recordsIn = input.records
        // If the file isn't replaced, no record was written.
        report.recordsOut = settings.isStream || settings.isTeeing ? writer.records : 0
        report.badLines = input.badLineCount
        report.bytesIn = input.bytesRead
        var choices = writer.choices
        choices.add(update.choices)
        if let summary = choices.summary { diagnostics.warning(summary) }
        let parts = choices.parts
        let lossy = ByteBuffer.object { for part in parts { $0.addMember(part.member, part.count) } }
        report.members.append(("lossy", lossy.text))
        update.warn(diagnostics)
    }

    private mutating func replace() throws(ToolFailure) -> ExitStatus {
        try refuseTooFew()
        if let shape = update.shape, let failure = ToolFailure.lostMembers(shape, settings) { throw failure }
        if settings.verifies { try verify() }
        do throws(SystemError) {
            if hasReceipt { try Descriptor.standardOutput.probe() }
            report.bytesOut = writer.file.bytesAppended
            let isWritten = try !writer.file.equalsExisting()
            let receipt = receipt(isWritten: isWritten)
            var done = report
            done.recordsOut = writer.records
            done.members.append(("receipt", receipt.json))
            // A stream has no guarantees, so its report is written at the end.
            let (reportFile, ahead) = (target.location == nil ? nil : reportFile, done)
            isReported = reportFile != nil
            let changes = try update.endChanges()
            try commit(changes, isWritten: isWritten) { () throws(SystemError) in
                try reportFile?.writeAhead(ahead, .done)
            }
            if let oldFault { diagnostics.warning("\(oldFault); it is replaced") }
            if hasReceipt { receipt.write(diagnostics) }
            report = done
            return .done
        } catch {
            throw .notStored(error, settings)
        }
    }

    private var hasReceipt: Bool {
        settings.file != "-" && !settings.isTeeing && settings.changesPath != "-" && !settings.messages.isQuiet
    }

    /// The last steps. The changes come first: after a crash between the two the next run finds the same changes again,
    /// so none is lost.
    private mutating func commit(
        _ changes: consuming ChangeLog?, isWritten: Bool, announcing announce: () throws(SystemError) -> Void
    ) throws(SystemError) {
        func store() throws(SystemError) {
            if isWritten { return try target.replace(with: &writer.file, announcing: announce) }
            try announce()
            writer.file.discard()
        }
        guard var changes else { return try store() }
        if isWritten { try writer.file.prepare() }
        if changes.nonfiniteAsText > 0 {
            diagnostics.warning("NaN and infinity were written as text: \(changes.nonfiniteAsText)")
        }
        try changes.commit(before: store)
    }

    private func receipt(isWritten: Bool) -> Receipt {
        Receipt(
            stored: settings.file, format: writer.format.rawValue, records: writer.records,
            skipped: settings.input.badLines == .skip ? input.badLineCount : nil,
            counts: settings.keys.isEmpty ? nil : update.counts, bytes: writer.file.bytesAppended,
            isWritten: isWritten)
    }

    /// Keeps an input without records, most often from an upstream that failed, from wiping a store.
    private func refuseTooFew() throws(ToolFailure) {
        if let failure = ToolFailure.notSealed(input.seals, settings) { throw failure }
        if let part = input.seals.claim?.part, settings.mode == .replace, !settings.isStream {
            throw ToolFailure(
                .badData,
                "the input has only \(part), and a part can't replace the whole; \(settings.aftermath), "
                    + "use --mode merge with --key")
        }
        if writer.records < settings.leastRecords {
            throw ToolFailure(
                .badData,
                "got \(writer.records) of at least \(settings.leastRecords) records; \(settings.aftermath), check the source "
                    + "and --min-records")
        }
        guard writer.records == 0, !settings.allowsEmpty else { return }
        let counts = update.counts
        let known = counts.same + counts.changed + counts.removed
        let isFilled = target.old.content == .filled || target.old.content == .unreadable
        guard known > 0 || isFilled && (settings.layout.root == nil || oldFault != nil) else { return }
        let cause =
            input.records > 0
            ? "none of the records of \(settings.file) would be left"
            : target.old.isDenied
                ? "no records came, and \(settings.file) may not be read"
                : target.old.content == .unreadable || oldFault != nil
                    ? "no records came, and \(settings.file) isn't empty"
                    : "no records came, and \(settings.file) has some"
        throw ToolFailure(.badData, "\(cause); it is unchanged, --allow-empty replaces it")
    }

    private mutating func verify() throws(ToolFailure) {
        let isSame: Bool
        do throws(StoreReadError) {
            isSame = try writer.readsBack()
        } catch {
            throw ToolFailure(
                .inputOutput,
                "the new file can't be read back; \(settings.aftermath), check the disk and memory")
        }
        guard isSame else {
            throw ToolFailure(
                .inputOutput,
                "the new file doesn't hold what came in; \(settings.aftermath), check the disk and memory")
        }
    }
}

// The receipt: one line on stdout that says what was stored.
//
//     {"stored":"characters.plist","format":"xml","records":12,"bytes":8211,"written":true}
//
// The store is replaced before the receipt is written; from then on the run has succeeded, whatever happens to
// stdout. So stdout is checked for write errors beforehand.

/// What a run has stored.
struct Receipt {
    let stored: String
    let format: String
    let records: Int
    /// Bad lines that were skipped, if the options allow that.
    let skipped: Int?
    /// Only if records have keys.
    let counts: StoreCounts?
    let bytes: Int
    let isWritten: Bool

    var json: String {
        ByteBuffer.object { object in
            object.addMember("stored", stored)
            object.addMember("format", format)
            object.addMember("records", records)
            counts?.add(to: &object)
            if let skipped { object.addMember("skipped", skipped) }
            object.addMember("bytes", bytes)
            object.addMember("written", isWritten)
        }.text
    }

    func write(_ diagnostics: Diagnostics) {
        Signals.ignoreBrokenPipe()
        do throws(SystemError) {
            try Descriptor.standardOutput.writeAll(Array((json + "\n").utf8).span)
        } catch {
            diagnostics.warning("\(stored) is stored, but the receipt is lost: \(error)")
        }
    }
}

// The message of `--same-shape`.
//
//     imageURL was in 7290 of 7438 records and is in none; image_url is new in 7290; …

extension ToolFailure {
    /// The most members that are named.
    private static let namedMembers = 3

    /// Records that came lost a member. Nil if they didn't.
    static func lostMembers(_ shape: ShapeCheck, _ settings: StoreSettings) -> ToolFailure? {
        let (lost, gained) = (shape.lost, shape.gained)
        guard !lost.isEmpty else { return nil }
        var parts = lost.prefix(namedMembers).map { member in
            "\(member.name) was in \(member.old) of \(shape.oldRecords) records and is in "
                + (member.new == 0 ? "none" : "\(member.new) of \(shape.newRecords)")
        }
        if lost.count > namedMembers { parts.append("\(lost.count - namedMembers) more are gone too") }
        parts += gained.prefix(namedMembers).map { "\($0.name) is new in \($0.new)" }
        return ToolFailure(
            .badData,
            parts.joined(separator: "; ") + "; \(settings.aftermath), --same-shape=off stores them")
    }
}
