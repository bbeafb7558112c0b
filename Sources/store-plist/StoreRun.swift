// A run: take the lock, read the records, write the new store, and replace the old one with it or leave that alone.

import PipelineCore

/// One run that stores. It is a class since the compiler takes ten times as long to check a structure of all its parts.
final class StoreRun {
    private let settings: StoreSettings
    private let diagnostics: Diagnostics
    private let target: RunTarget
    private let old: StoreInspection
    /// Holds the lock of the file that `--changes` names.
    private let changesTarget: RunTarget?
    private var writer: StoreWriter
    private var update: StoreUpdate
    private var input: StoreInput
    private var report = RunReport()
    /// What is wrong with the old file, which is replaced all the same.
    private var oldFault: Message?
    /// Whether all of the old store was read for the new one.
    private var hasReadOld = false
    /// The size of an old file that stays as another program has spelt it.
    private var keptBytes: Int?

    static func run(
        _ settings: StoreSettings, _ diagnostics: Diagnostics, _ report: inout ReportFile
    ) throws(ToolFailure) -> ExitStatus {
        let run = try StoreRun(settings, diagnostics)
        defer { report.figures = run.report }
        try run.takeIn()
        if let summary = run.choices.summary { diagnostics.warning(summary) }
        run.update.warn(diagnostics)
        return try run.replace(&report)
    }

    private init(_ settings: StoreSettings, _ diagnostics: Diagnostics) throws(ToolFailure) {
        self.settings = settings
        self.diagnostics = diagnostics
        target = try RunTarget.opened(settings.file, "stores to", settings)
        old = try ToolFailure.storing(settings, StoreInspection(target.location))
        let format = settings.writtenFormat(over: old.format)
        if let failure = settings.misfit(format, holds: old.format == nil ? "would hold" : "holds") {
            throw failure
        }
        if let fault = old.fault(of: settings.file, in: settings.layout) {
            oldFault = fault.what
            guard settings.replacesAnything else {
                throw ToolFailure(.badData, "\(fault.what); it is unchanged; \(fault.cure)--force replaces it")
            }
        }
        var changes: ChangeLog?
        if let path = settings.changesPath {
            let changesTarget = try RunTarget.opened(path, "writes to", settings)
            // A reader that has gone must not end the run by SIGPIPE, so that it can clean up.
            if changesTarget.location == nil { Signals.ignoreBrokenPipe() }
            changes = ChangeLog(
                try changesTarget.begin(isGathered: true), isOutput: path == "-", beside: target.location,
                writesNonfiniteAsText: settings.rules.isLossy)
            self.changesTarget = consume changesTarget
        } else {
            changesTarget = nil
        }
        var rules = settings.rules
        if old.isFilled, oldFault == nil, !format.keepsLines {
            rules.stored = try Self.storedKinds(at: target.location, settings)
        }
        writer = StoreWriter(
            try target.begin(isGathered: !format.isText), at: target.location, format: format,
            rules: rules, layout: settings.layout, verifies: settings.verifies)
        input = try StoreInput(settings, diagnostics)
        update = StoreUpdate(
            settings.mode, keys: settings.keys, format: writer.format, layout: settings.layout,
            rules: rules, ignoring: settings.ignored, changes: changes,
            shape: settings.keepsShape && settings.mode != .remove ? ShapeCheck() : nil, beside: target.location)
    }

    /// What the old store knows of its values; nil too for one that is to be replaced though it can't be read.
    private static func storedKinds(
        at location: FileLocation?, _ settings: StoreSettings
    ) throws(ToolFailure) -> StoredKinds? {
        let file = try ToolFailure.of(location?.reading(), as: { .notStored($0, settings) })
        guard let file else { return nil }
        defer { file.closeUnchecked() }
        do throws(StoreFailure) { return try StoredKinds.read(file, settings.layout) } catch {
            guard settings.mayGiveUp(error) else { throw .notStored(error, settings) }
            return nil
        }
    }

    private func takeIn() throws(ToolFailure) {
        defer { note() }
        let waits = !settings.keys.isEmpty && settings.mode != .append
        if waits { try input.read(&update) }
        let members = try writeOld()
        if !waits { try input.read(&update, to: &writer) }
        if waits { try ToolFailure.storing(settings, update.writeNew(to: &writer)) }
        try ToolFailure.storing(settings, writer.finish(members: members))
    }

    /// An old store that can't be read is an error, unless it is to be replaced anyway.
    private func writeOld() throws(ToolFailure) -> [UInt8] {
        let isNeeded =
            settings.mode != .replace || !settings.keys.isEmpty || settings.layout.root != nil
            || settings.keepsShape
        let file = isNeeded ? try openedOld() : nil
        defer { file?.closeUnchecked() }
        do throws(StoreFailure) {
            let members = try update.writeOld(file, to: &writer)
            hasReadOld = file != nil
            return members
        } catch {
            try giveUpOld(error)
            update.forgetOld()
        }
        return writer.isBegun ? [] : try ToolFailure.storing(settings, update.writeOld(nil, to: &writer))
    }

    private func openedOld() throws(ToolFailure) -> Descriptor? {
        guard let location = target.location, old.format != nil, oldFault == nil else { return nil }
        return try ToolFailure.of(location.reading(), as: { .notStored($0, settings) })
    }

    /// Ends the run, unless an old store that can't be read is to be replaced anyway.
    private func giveUpOld(_ failure: StoreFailure) throws(ToolFailure) {
        guard settings.mayGiveUp(failure) else { throw .notStored(failure, settings) }
        oldFault = ToolFailure.fault(failure, settings.file)
    }

    private func note() {
        report.recordsIn = input.records
        // If the file isn't replaced, no record was written.
        report.recordsOut = settings.isStream ? writer.records : 0
        report.badLines = input.lines.badLineCount
        report.bytesIn = input.lines.bytesRead
        let lossy = ByteBuffer.object { for part in choices.parts { $0.addMember(part.member, part.count) } }
        report.members.append(("lossy", lossy.text))
    }

    private var choices: Substitutions { writer.choices + update.choices }

    private func replace(_ reportFile: inout ReportFile) throws(ToolFailure) -> ExitStatus {
        try refuse()
        if settings.verifies { try verify() }
        if hasReceipt { try ToolFailure.of(Descriptor.standardOutput.probe(), as: { .notStored($0, settings) }) }
        report.bytesOut = writer.file.bytesAppended
        let isWritten = try !equalsOld()
        let before = try recordsBefore(isWritten: isWritten)
        do throws(SystemError) {
            let receipt = receipt(isWritten: isWritten, before: before)
            var done = report
            done.recordsOut = writer.records
            let evidence = settings.reportPath == nil ? receipt : try self.evidence(receipt)
            done.members.append(("receipt", evidence))
            try commit(try update.endChanges(), isWritten: isWritten) { () throws(SystemError) in
                // A stream has no guarantees, so its report is written at the end.
                if target.location != nil { try reportFile.writeAhead(done) }
            }
            if let oldFault { diagnostics.warning("\(oldFault); it is replaced") }
            if hasReceipt { writeReceipt(receipt, isWritten: isWritten, before: before) }
            report = done
            return .done
        } catch {
            throw .notStored(error, settings)
        }
    }

    /// Whether the old file holds the same: the same bytes, or the same values as another program spells them.
    private func equalsOld() throws(ToolFailure) -> Bool {
        if try ToolFailure.of(writer.file.equalsExisting(), as: { .notStored($0, settings) }) { return true }
        let counts = update.counts
        let appends = settings.mode == .append && input.records > 0
        guard old.isFilled, old.format == writer.format, oldFault == nil, update.collapsed == 0, !appends,
            counts.added + counts.changed + counts.removed == 0,
            let new = try ToolFailure.of(writer.file.readBack(), as: { .notStored($0, settings) }),
            let file = try openedOld()
        else { return false }
        defer { file.closeUnchecked() }
        // What is wrong with an old store is said where its records are counted.
        do throws(StoreFailure) {
            guard try StoredRecords.areSame(file, new, settings.layout) else { return false }
        } catch {
            return false
        }
        keptBytes = file.fileSize
        return true
    }

    private var hasReceipt: Bool {
        settings.file != "-" && settings.changesPath != "-" && !settings.messages.isQuiet
    }

    /// The changes come first: after a crash between the two the next run finds the same changes again.
    private func commit(
        _ changes: consuming ChangeLog?, isWritten: Bool, announcing announce: () throws(SystemError) -> Void
    ) throws(SystemError) {
        func store() throws(SystemError) {
            guard isWritten else {
                try announce()
                return writer.file.discard()
            }
            if let suffix = settings.backupSuffix {
                // What is likely to fail comes first: the backup of an earlier run is only replaced with this one.
                try writer.file.prepare()
                try target.location?.backUp(suffix: suffix)
            }
            try writer.file.commit(settling: target.location != nil, announcing: announce)
        }
        guard var changes else { return try store() }
        if isWritten { try writer.file.prepare() }
        if changes.nonfiniteAsText > 0 {
            diagnostics.warning("NaN and infinity were written as text: \(changes.nonfiniteAsText)")
        }
        try changes.commit(before: store)
    }

    /// How many records the old store has; nil for a stream, and for what can't be read as a store.
    private func recordsBefore(isWritten: Bool) throws(ToolFailure) -> Int? {
        guard target.location != nil, oldFault == nil else { return nil }
        if hasReadOld { return update.oldRecords }
        guard isWritten else { return writer.records }
        guard let file = try openedOld() else { return 0 }
        defer { file.closeUnchecked() }
        do throws(StoreFailure) {
            // One that is damaged may be all that is left of its records, so it isn't replaced unread. Only an empty one
            // can be a dictionary here.
            var layout = settings.layout
            layout.isKeyed = old.isDictionary
            var store = try StoredRecords.opened(file, layout: layout, forUpdate: true)
            let oldSource = try store.firstSource()
            let count = try store.skipRest()
            if let oldSource, let source = input.source, oldSource != source {
                diagnostics.warning(
                    "the records of \(settings.file) were from \(oldSource), the new ones are from \(source)")
            }
            return count
        } catch {
            try giveUpOld(error)
            return nil
        }
    }

    /// Refuses input that would harm the store, most often from an upstream that failed.
    private func refuse() throws(ToolFailure) {
        if let failure = input.notWhole { throw failure }
        if let note = ToolFailure.staleNote(input.lines.seals, settings) { diagnostics.warning(note) }
        if let part = input.lines.seals.claim?.part, settings.mode == .replace, !settings.isStream {
            throw refusal(
                "the input has only \(part), and a part can't replace the whole",
                cure: "use --mode merge with --key")
        }
        if let least = settings.leastRecords, writer.records < least {
            throw refusal(
                "got \(writer.records) of at least \(least) records", cure: "check the source and --min-records")
        }
        try refuseNone()
        if let shape = update.shape { try refuseLoss(shape) }
    }

    /// Keeps an input without records from emptying a store, and from making one that is found as a store from then on.
    private func refuseNone() throws(ToolFailure) {
        guard writer.records == 0, !settings.allowsEmpty else { return }
        let cause =
            input.records > 0 ? "none of the records would be left" : "the input has no records"
        if holdsRecords {
            throw refusal(
                "\(cause), and \(settings.file) \(oldFault == nil ? "has some" : "isn't empty")",
                cure: "--min-records 0 empties it")
        }
        // A store without records is as empty as the input.
        guard !hasStore else { return }
        throw refusal(
            cause, cure: "check the source; --min-records 0 \(settings.isStream ? "writes" : "stores") an empty one"
        )
    }

    /// Whether something would be lost with the old store.
    private var holdsRecords: Bool {
        let counts = update.counts
        if counts.same + counts.changed + counts.removed > 0 { return true }
        return old.isFilled && (settings.layout.root == nil || oldFault != nil)
    }

    /// Whether there is an old store, though perhaps without records.
    private var hasStore: Bool { settings.layout.root == nil ? old.format != nil : update.hasOldRoot }

    /// `--same-shape`:
    ///
    ///     imageURL was in 7290 of 7438 records and is in none; image_url is new in 7290; …
    private func refuseLoss(_ shape: ShapeCheck) throws(ToolFailure) {
        let most = 3
        let (lost, gained) = (shape.lost, shape.gained)
        guard !lost.isEmpty else { return }
        var parts = lost.prefix(most).map { member in
            "\(member.name) was in \(member.old) of \(shape.oldRecords) records and is in "
                + (member.new == 0 ? "none" : "\(member.new) of \(shape.newRecords)")
        }
        if lost.count > most { parts.append("\(lost.count - most) more are gone too") }
        parts += gained.prefix(most).map { "\($0.name) is new in \($0.new)" }
        throw refusal(parts.joined(separator: "; "), cure: "--same-shape=off stores them")
    }

    private func refusal(_ cause: String, cure: String) -> ToolFailure {
        ToolFailure(.badData, Message("\(cause); \(settings.aftermath)", cure: cure))
    }

    private func verify() throws(ToolFailure) {
        let fault: String
        do throws(StoreFailure) {
            if try writer.readsBack() { return }
            fault = "differs from the input"
        } catch {
            fault = "can't be read back"
        }
        throw ToolFailure(
            .inputOutput, "the new file \(fault); \(settings.aftermath); check the disk and memory")
    }
}

/// One line on stdout that says what was stored: JSON, or at a terminal a sentence.
///
///     {"stored":"characters.plist","format":"xml","records":12,"before":11,"bytes":8211,"written":true}
///     characters.plist: 12 records, 11 before
///
/// The store is replaced before the receipt is written; from then on the run has succeeded, whatever happens to
/// stdout. So stdout is checked for write errors beforehand.
extension StoreRun {
    private var counts: StoreCounts? { settings.keys.isEmpty ? nil : update.counts }

    private var skipped: Int? { settings.input.badLines == .stop ? nil : input.lines.badLineCount }

    /// - Parameter before: the records of the old store; nil for a stream.
    private func receipt(isWritten: Bool, before: Int?) -> String {
        ByteBuffer.object { object in
            object.addMember("stored", settings.file.displayedPath)
            object.addMember("format", writer.format.rawValue)
            object.addMember("records", writer.records)
            counts?.add(to: &object)
            if let before { object.addMember("before", before) }
            if let skipped { object.addMember("skipped", skipped) }
            object.addMember("bytes", keptBytes ?? writer.file.bytesAppended)
            object.addMember("written", isWritten)
        }.text
    }

    /// The receipt of the report, by which `check-store` judges the file later: when it was current, what vouches for it, and
    /// what it then held.
    private func evidence(_ receipt: String) throws(SystemError) -> String {
        let hash = try contentHash()
        let seals = input.lines.seals
        let isWhole = seals.isComplete && input.lines.badLineCount == 0
        let members = ByteBuffer.object { object in
            object.addMember("at", UTCCalendar.text(seconds: Int(WallClock.epochSeconds.rounded(.down))))
            object.addMember("seal", json: isWhole ? seals.claim?.json ?? "null" : "null")
            object.addMember("source", input.source)
            if let hash { object.addMember("sha256", hash) }
        }
        return receipt.dropLast() + "," + members.text.dropFirst()
    }

    /// Of the file as the run leaves it; nil for a stream.
    private func contentHash() throws(SystemError) -> String? {
        guard let location = target.location else { return nil }
        guard keptBytes != nil else { return try writer.file.readBack()?.contentHash() }
        let file = try location.reading()
        defer { file?.closeUnchecked() }
        return try file?.contentHash()
    }

    private func sentence(isWritten: Bool, before: Int?) -> String {
        let records = writer.records
        var parts = ["\(settings.file.displayedPath): \(records.grouped) record\(records == 1 ? "" : "s")"]
        if let counts {
            parts += [("added", counts.added), ("changed", counts.changed), ("removed", counts.removed)]
                .filter { $0.1 > 0 }.map { "\($0.1.grouped) \($0.0)" }
        }
        if let before { parts.append(isWritten ? "\(before.grouped) before" : "unchanged") }
        if let skipped, skipped > 0 {
            parts.append("\(skipped.grouped) bad line\(skipped == 1 ? "" : "s") skipped")
        }
        return parts.joined(separator: ", ")
    }

    private func writeReceipt(_ receipt: String, isWritten: Bool, before: Int?) {
        Signals.ignoreBrokenPipe()
        let text =
            Descriptor.standardOutput.isTerminal
            ? Diagnostics.printable(sentence(isWritten: isWritten, before: before)) : receipt
        do throws(SystemError) { try Descriptor.standardOutput.writeAll(Array((text + "\n").utf8).span) } catch {
            diagnostics.warning("\(settings.file) is stored, but the receipt is lost: \(error)")
        }
    }
}

// What a run says and reports of an update, whether it is stored or only compared.

extension StoreUpdate {
    /// Warns of keys that came several times, and of an option that was left out.
    func warn(_ diagnostics: Diagnostics) {
        if let untyped {
            let kind = untyped.option == "--data" ? "data" : "a date"
            diagnostics.warning(
                "\(untyped.path) was \(kind) in the store and is a text in the input; \(untyped.option) makes it one again"
            )
        }
        if replaced > 0 {
            diagnostics.warning("records with a repeated key: \(replaced); the last of each is stored")
        }
        if collapsed > 0 {
            diagnostics.warning(
                "stored records with a key that occurs again in the store: \(collapsed); the last of each counts, in the "
                    + "place of the first")
        }
    }
}

extension StoreCounts {
    func add(to object: inout ByteBuffer) {
        object.addMember("added", added)
        object.addMember("changed", changed)
        object.addMember("same", same)
        object.addMember("removed", removed)
    }
}
