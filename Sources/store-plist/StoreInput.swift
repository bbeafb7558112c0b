// The input: records go to the store, and to stdout too with `--tee`.

import PipelineCore

struct StoreInput: ~Copyable {
    private let settings: StoreSettings
    private var input: RecordInput
    /// The output of `--tee`; otherwise empty.
    private var output = OutputBuffer(.standardOutput)
    private(set) var records = 0

    init(_ settings: StoreSettings, _ diagnostics: Diagnostics) throws(ToolFailure) {
        self.settings = settings
        diagnostics.progress?.update { $0.totalBytes = Descriptor.standardInput.bytesLeft }
        input = try RecordInput(settings.input, diagnostics, showsProgress: true) { .notStored($0, settings) }
        // A gone reader mustn't end the run by SIGPIPE, so that it can clean up.
        if settings.isTeeing { Signals.ignoreBrokenPipe() }
    }

    var badLineCount: Int { input.badLineCount }
    var bytesRead: Int { input.bytesRead }

    /// Whether the input ended with a seal that says it is complete.
    var isSealed: Bool { input.seal.isComplete }

    /// The time that the records are newer than, by the seal of their source. Nil for all records.
    var since: String? { input.seal.since }

    /// Reads to the end.
    /// - Parameter waits: keeps records by key; otherwise they are written as they come.
    mutating func read(
        _ writer: inout StoreWriter, _ update: inout StoreUpdate, waits: Bool
    ) throws(ToolFailure) {
        do throws(ToolFailure) {
            while try advance(&writer) { try take(&writer, &update, waits: waits) }
        } catch {
            try input.close()
            // The records before the one that ended the run are passed on, however they came in.
            try flush()
            throw error
        }
        try input.close()
        if settings.isTeeing { output.append(input.seal.line) }
        try flush()
    }

    private mutating func flush() throws(ToolFailure) {
        do throws(SystemError) { try output.flush() } catch { throw .notStored(error, settings) }
    }

    private mutating func advance(_ writer: inout StoreWriter) throws(ToolFailure) -> Bool {
        let isRecord = try input.next(flushing: &output)
        do throws(SystemError) {
            try writer.endRecord(nextBytes: input.record.count)
        } catch {
            throw .notStored(error, settings)
        }
        return isRecord
    }

    private mutating func take(
        _ writer: inout StoreWriter, _ update: inout StoreUpdate, waits: Bool
    ) throws(ToolFailure) {
        let isStored: Bool
        do throws(RecordError) {
            isStored = try store(&writer, &update, waits: waits)
        } catch {
            return try reject(error)
        }
        guard isStored else {
            return try input.reject(
                "expected a string or a number in \(settings.key?.text ?? ""), which --key names")
        }
        records += 1
        do throws(SystemError) {
            if waits { try update.keep() }
            guard settings.isTeeing else { return }
            output.append(input.record)
            output.append(0x0A)
            try output.endRecord()
        } catch {
            throw .notStored(error, settings)
        }
    }

    /// - Returns: false if the record has no key.
    private mutating func store(
        _ writer: inout StoreWriter, _ update: inout StoreUpdate, waits: Bool
    ) throws(RecordError) -> Bool {
        guard settings.key != nil else {
            try writer.append(input.record)
            return true
        }
        guard try update.convert(input.record) else { return false }
        if !waits { try update.put(into: &writer) }
        return true
    }

    private mutating func reject(_ fault: RecordError) throws(ToolFailure) {
        switch fault {
        case .json(let error): try input.reject(error)
        case .value(let fault):
            let path = JSONLocation.path(toPart: fault.offset, in: input.record)
            try input.reject("\(path): \(fault.reason.message)", at: fault.offset)
        }
    }
}
