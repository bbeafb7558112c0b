// A run: lock, take the records in, write the new store, then let it replace the old one, or leave that as it was.

import PipelineCore

/// One run of store-plist.
struct StoreRun: ~Copyable {
    private let settings: StoreSettings
    private let diagnostics: Diagnostics
    private let target: StoreTarget
    private var writer: StoreWriter
    private var update: StoreUpdate
    private var input: StoreInput
    /// Whether the incoming records wait until all have come.
    private let waits: Bool
    private var report = RunReport(tool: "store-plist")
    /// What is wrong with the old file that is to be replaced all the same.
    private var oldFault: String?

    static func run(_ settings: StoreSettings, _ diagnostics: Diagnostics) throws(ToolFailure) -> ExitStatus {
        var reportFile: ReportFile?
        if let path = settings.reportPath { reportFile = try ReportFile(path) }
        var report = RunReport(tool: "store-plist")
        let result: Result<ExitStatus, ToolFailure>
        do throws(ToolFailure) {
            var run = try begun(settings, diagnostics)
            do throws(ToolFailure) {
                result = .success(try run.run())
            } catch {
                result = .failure(error)
            }
            report = run.report
        } catch {
            result = .failure(error)
        }
        try reportFile?.write(report, result)
        return try result.get()
    }

    private static func begun(_ settings: StoreSettings, _ diagnostics: Diagnostics) throws(ToolFailure) -> StoreRun
    {
        let target = try StoreTarget.opened(settings)
        let writer = try target.begin()
        let input = try StoreInput(settings, diagnostics)
        return StoreRun(settings, diagnostics, target, writer, input)
    }

    private init(
        _ settings: StoreSettings, _ diagnostics: Diagnostics, _ target: consuming StoreTarget,
        _ writer: consuming StoreWriter, _ input: consuming StoreInput
    ) {
        if target.old.content == .unreadable, settings.mode == .replace {
            oldFault = "\(settings.file) isn't a property list"
        }
        self.settings = settings
        self.diagnostics = diagnostics
        update = StoreUpdate(
            settings.mode, key: settings.key, format: writer.format, rules: settings.rules, beside: target.place)
        self.target = target
        self.writer = writer
        self.input = input
        waits = settings.key != nil && settings.mode != .append
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

    /// Reads all there is, and writes the new store up to its end.
    private mutating func takeIn() throws(ToolFailure) {
        var members: [UInt8] = []
        if waits {
            try input.read(&writer, &update, waits: true)
            members = try writeOld()
            do throws(StoreWriteError) {
                try update.writeNew(isKeyed: settings.layout.isKeyed, to: &writer)
            } catch {
                throw .notStored(error, settings.file)
            }
        } else {
            members = try writeOld()
            try input.read(&writer, &update, waits: false)
        }
        do throws(SystemError) { try writer.endRecords() } catch { throw .notStored(error, settings.file) }
        do throws(StoreWriteError) {
            try writer.finish(members: members)
        } catch {
            throw .notStored(error, settings.file)
        }
    }

    /// What can't be read of the old store is an error, but where it is to be replaced anyway.
    private mutating func writeOld() throws(ToolFailure) -> [UInt8] {
        let file = try target.openOld()
        do throws(StoreWriteError) {
            let members = try update.writeOld(file, layout: settings.layout, to: &writer)
            try close(file)
            return members
        } catch {
            guard settings.mode == .replace, case .old(let fault) = error, fault.isOfData else {
                throw .notStored(error, settings.file)
            }
            oldFault = ToolFailure.unreadable(fault, settings.file).message
            update.forgetOld()
        }
        guard !writer.isBegun else { return [] }
        do throws(StoreWriteError) {
            return try update.writeOld(nil, layout: settings.layout, to: &writer)
        } catch {
            throw .notStored(error, settings.file)
        }
    }

    private func close(_ file: Descriptor?) throws(StoreWriteError) {
        do throws(SystemError) { try file?.close() } catch { throw .system(error) }
    }

    // MARK: The end

    /// Tells what was stored otherwise than it was, and notes the figures.
    private mutating func note() {
        report.recordsIn = input.records
        report.recordsOut = writer.records
        report.badLines = input.badLines
        report.bytesIn = input.bytesRead
        var choices = writer.choices
        choices.add(update.choices)
        if let summary = choices.summary { diagnostics.warning(summary) }
        let lossy = choices.parts.map { "\"\($0.member)\":\($0.count)" }.joined(separator: ",")
        report.members.append(("lossy", "{\(lossy)}"))
        if update.replaced > 0 {
            diagnostics.warning(
                "records with a key that came again: \(update.replaced); the last of each is stored")
        }
    }

    private mutating func replace() throws(ToolFailure) -> ExitStatus {
        try refuseTooFew()
        if settings.verifies { try verify() }
        if let oldFault { diagnostics.warning("\(oldFault); it is replaced") }
        do throws(SystemError) {
            let hasReceipt = settings.file != "-" && !settings.isTeeing
            if hasReceipt { try Descriptor.standardOutput.probe() }
            report.bytesOut = writer.file.bytesAppended
            let isWritten = try target.replace(with: &writer.file)
            let receipt = receipt(isWritten: isWritten)
            if hasReceipt { receipt.write(diagnostics) }
            report.members.append(("receipt", receipt.json))
            return .done
        } catch {
            throw .notStored(error, settings.file)
        }
    }

    private func receipt(isWritten: Bool) -> Receipt {
        Receipt(
            stored: settings.file, format: writer.format.rawValue, records: writer.records,
            skipped: settings.input.badLines == .skip ? input.badLines : nil,
            counts: settings.key == nil ? nil : update.counts, bytes: writer.file.bytesAppended,
            isWritten: isWritten)
    }

    /// Keeps an input without records, which most often is an upstream that failed, from wiping a store.
    private func refuseTooFew() throws(ToolFailure) {
        if settings.needsSeal, !input.isSealed {
            throw ToolFailure(
                .badData,
                "the input doesn't end with a seal that says it is complete; \(settings.file) is as it was, run the source "
                    + "again with --seal")
        }
        if writer.records < settings.leastRecords {
            throw ToolFailure(
                .badData,
                "got \(writer.records) of at least \(settings.leastRecords) records; \(settings.file) is as it was, check "
                    + "the source and --min-records")
        }
        guard writer.records == 0, !settings.allowsEmpty else { return }
        let counts = update.counts
        let known = counts.same + counts.changed + counts.removed
        let isFilled = target.old.content == .filled || target.old.content == .unreadable
        guard known > 0 || isFilled && settings.layout.root == nil else { return }
        throw ToolFailure(
            .badData, "no records came, and \(settings.file) has some; it is as it was, --allow-empty replaces it")
    }

    private mutating func verify() throws(ToolFailure) {
        let count: Int
        do throws(StoreReadError) {
            guard let file = try readBack() else {
                throw .unfit("a stream can't be read back", path: "$")
            }
            count = try StoreCheck.count(file, layout: settings.layout)
        } catch {
            throw ToolFailure(.inputOutput, "the new file can't be read back; \(settings.file) is as it was")
        }
        guard count == writer.records else {
            throw ToolFailure(
                .inputOutput,
                "the new file has \(count) of \(writer.records) records; \(settings.file) is as it was")
        }
    }

    private mutating func readBack() throws(StoreReadError) -> Descriptor? {
        do throws(SystemError) { return try writer.file.readBack() } catch { throw .system(error) }
    }
}
