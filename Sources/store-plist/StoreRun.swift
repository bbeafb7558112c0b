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
    private var report = RunReport()
    /// What is wrong with the old file, which is replaced all the same.
    private var oldFault: String?

    static func run(
        _ settings: StoreSettings, _ diagnostics: Diagnostics, _ report: inout ReportFile
    ) throws(ToolFailure) -> ExitStatus {
        var run = try begun(settings, diagnostics)
        defer { report.figures = run.report }
        return try run.run(&report)
    }

    private static func begun(
        _ settings: StoreSettings, _ diagnostics: Diagnostics
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
        return StoreRun(settings, diagnostics, target, changesTarget, writer, update, input)
    }

    private init(
        _ settings: StoreSettings, _ diagnostics: Diagnostics,
        _ target: consuming StoreTarget, _ changesTarget: consuming ChangesTarget?, _ writer: consuming StoreWriter,
        _ update: consuming StoreUpdate, _ input: consuming StoreInput
    ) {
        oldFault = target.oldFault
        self.settings = settings
        self.diagnostics = diagnostics
        self.update = update
        self.target = target
        self.changesTarget = changesTarget
        self.writer = writer
        self.input = input
        waits = !settings.keys.isEmpty && settings.mode != .append
    }

    private mutating func run(_ reportFile: inout ReportFile) throws(ToolFailure) -> ExitStatus {
        do throws(ToolFailure) {
            try takeIn()
        } catch {
            note()
            throw error
        }
        note()
        return try replace(&reportFile)
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

    private mutating func replace(_ reportFile: inout ReportFile) throws(ToolFailure) -> ExitStatus {
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
            let (isStream, ahead) = (target.location == nil, done)
            let changes = try update.endChanges()
            try commit(changes, isWritten: isWritten) { () throws(SystemError) in
                if !isStream { try reportFile.writeAhead(ahead) }
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
