// The lines that come in: records go to the store, bad lines to the policy, a seal to be remembered.

import PipelineCore

/// Reads the input of a run.
struct StoreInput: ~Copyable {
    private let settings: StoreSettings
    private let diagnostics: Diagnostics
    private var lines: LineReader
    private var policy: BadLines
    private var rejects: Rejects
    /// What `--tee` hands on; nothing otherwise.
    private var output = OutputBuffer(.standardOutput)
    private var seal = HeldSeal()
    private(set) var records = 0

    init(_ settings: StoreSettings, _ diagnostics: Diagnostics) throws(ToolFailure) {
        self.settings = settings
        self.diagnostics = diagnostics
        lines = LineReader(
            .standardInput, limitBytes: settings.input.lineLimitBytes, progress: diagnostics.progress)
        diagnostics.progress?.update { $0.totalBytes = Descriptor.standardInput.bytesLeft }
        policy = BadLines(policy: settings.input.badLines)
        rejects = try Rejects(settings.input.rejectsPath)
        // A reader that has gone ends the run by its own hand, so that it can tidy up.
        if settings.isTeeing { Signals.ignoreBrokenPipe() }
    }

    var badLines: Int { policy.count }
    var bytesRead: Int { lines.bytesRead }

    /// Whether the input ended with a seal that says it is complete.
    var isSealed: Bool { seal.isComplete }

    /// Reads to the end.
    /// - Parameter waits: records are kept by key; otherwise they are written as they come.
    mutating func read(
        _ writer: inout StoreWriter, _ update: inout StoreUpdate, waits: Bool
    ) throws(ToolFailure) {
        do throws(ToolFailure) {
            while try advance(&writer) { try take(&writer, &update, waits: waits) }
        } catch {
            try rejects.close()
            // The records before the one that ended the run are handed on, however they came in.
            try flush()
            throw error
        }
        try rejects.close()
        if settings.isTeeing { output.append(seal.line) }
        try flush()
    }

    private mutating func flush() throws(ToolFailure) {
        do throws(SystemError) { try output.flush() } catch { throw .notStored(error, settings) }
    }

    /// Goes to the next line that isn't blank.
    private mutating func advance(_ writer: inout StoreWriter) throws(ToolFailure) -> Bool {
        while true {
            let event: LineReader.Event
            do throws(SystemError) {
                try output.endRecord()
                event = try lines.advance(flushing: &output, rejects: &rejects)
                try writer.endRecord(nextBytes: lines.line.count)
            } catch {
                throw .notStored(error, settings)
            }
            switch event {
            case .end: return false
            case .line:
                if !lines.line.isBlank { return true }
            case .tooLong:
                seal.void()
                try policy.reportTooLong(
                    line: lines.lineNumber, of: lines.name, limitBytes: settings.input.lineLimitBytes,
                    to: diagnostics)
            }
        }
    }

    private mutating func take(
        _ writer: inout StoreWriter, _ update: inout StoreUpdate, waits: Bool
    ) throws(ToolFailure) {
        guard !seal.take(lines.line) else { return }
        let isStored: Bool
        do throws(RecordError) {
            isStored = try store(&writer, &update, waits: waits)
        } catch {
            try keepReject()
            return try report(error)
        }
        guard isStored else {
            try keepReject()
            return try policy.report(
                "\(lines.name):\(lines.lineNumber):1: expected a string or a number in \(settings.key?.text ?? ""), which "
                    + "--key names",
                to: diagnostics)
        }
        records += 1
        if waits {
            do throws(SystemError) { try update.keep() } catch { throw .notStored(error, settings) }
        }
        if settings.isTeeing {
            output.append(lines.line)
            output.append(0x0A)
        }
    }

    /// - Returns: false where the record has no key.
    private mutating func store(
        _ writer: inout StoreWriter, _ update: inout StoreUpdate, waits: Bool
    ) throws(RecordError) -> Bool {
        guard settings.key != nil else {
            try writer.append(lines.line)
            return true
        }
        guard try update.convert(lines.line) else { return false }
        if !waits { try update.put(into: &writer) }
        return true
    }

    private mutating func keepReject() throws(ToolFailure) {
        do throws(SystemError) { try rejects.append(line: lines.line) } catch { throw ToolFailure(error) }
    }

    private mutating func report(_ fault: RecordError) throws(ToolFailure) {
        switch fault {
        case .json(let error):
            try policy.report(error, line: lines.lineNumber, of: lines.name, to: diagnostics)
        case .value(let fault):
            let location = "\(lines.name):\(lines.lineNumber):\(fault.offset + 1)"
            let path = JSONLocation.path(toPart: fault.offset, in: lines.line)
            try policy.report("\(location): \(path): \(fault.reason.message)", to: diagnostics)
        }
    }
}
