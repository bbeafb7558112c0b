// A run: lock, read and encode line by line, then replace the old store, or leave it as it was.

import PipelineCore

/// One run of store-plist.
enum StoreRun {
    static func run(_ settings: StoreSettings, _ diagnostics: inout Diagnostics) throws(ToolFailure) -> ExitStatus {
        let target = try StoreTarget.opened(settings, diagnostics)
        var writer = try target.begin()
        var badLines = BadLines(policy: settings.input.badLines)
        var rejects = try Rejects(settings.input.rejectsPath)
        do throws(ToolFailure) {
            try read(settings, into: &writer, &badLines, &rejects, diagnostics)
        } catch {
            try rejects.close()
            throw error
        }
        try rejects.close()
        if let summary = writer.choices.summary { diagnostics.warning(summary) }
        if writer.records == 0, !settings.allowsEmpty { try target.refuseEmpty() }
        return try target.finish(&writer, skipped: badLines.policy == .skip ? badLines.count : nil, diagnostics)
    }

    private static func read(
        _ settings: StoreSettings, into writer: inout StoreWriter, _ badLines: inout BadLines,
        _ rejects: inout Rejects, _ diagnostics: Diagnostics
    ) throws(ToolFailure) {
        var lines = LineReader(.standardInput, limitBytes: settings.input.lineLimitBytes)
        // Nothing goes to stdout before the end; the reader wants a buffer to flush all the same.
        var noOutput = OutputBuffer(.standardOutput)
        while true {
            let event: LineReader.Event
            do throws(SystemError) {
                event = try lines.advance(flushing: &noOutput, rejects: &rejects)
                try writer.endRecord(nextBytes: lines.line.count)
            } catch {
                throw .notStored(error, settings.file)
            }
            switch event {
            case .end: return
            case .tooLong:
                try badLines.reportTooLong(
                    line: lines.lineNumber, of: lines.name, limitBytes: settings.input.lineLimitBytes,
                    to: diagnostics)
            case .line:
                if lines.line.isBlank || Seal.isSeal(lines.line) { continue }
                try append(lines, to: &writer, &badLines, &rejects, diagnostics)
            }
        }
    }

    private static func append(
        _ lines: borrowing LineReader, to writer: inout StoreWriter, _ badLines: inout BadLines,
        _ rejects: inout Rejects, _ diagnostics: Diagnostics
    ) throws(ToolFailure) {
        do throws(RecordFault) {
            try writer.append(lines.line)
        } catch {
            try ToolFailure.onSystemError { () throws(SystemError) in try rejects.append(line: lines.line) }
            switch error {
            case .json(let error):
                try badLines.report(error, line: lines.lineNumber, of: lines.name, to: diagnostics)
            case .value(let fault):
                let place = "\(lines.name):\(lines.lineNumber):\(fault.offset + 1)"
                let path = ValuePath.path(of: fault.offset, in: lines.line)
                try badLines.report("\(place): \(path): \(fault.reason.message)", to: diagnostics)
            }
        }
    }
}

extension ToolFailure {
    /// The store couldn't be written, or the records not be read; what was there is there still.
    static func notStored(_ error: SystemError, _ file: String) -> ToolFailure {
        ToolFailure(.inputOutput, "\(error); \(file) is as it was")
    }

    static func notCreated(_ error: SystemError) -> ToolFailure {
        ToolFailure(.cannotCreate, "\(error); choose a place where files can be created")
    }
}
