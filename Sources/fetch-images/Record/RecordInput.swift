// The records of stdin: lines that aren't any are reported and passed over, and a seal is held back until it is known to
// be the last line.

import PipelineCore

/// Reads the records that are there, without waiting.
struct RecordInput: ~Copyable {
    private let settings: InputSettings
    private let diagnostics: Diagnostics
    private var lines: LineReader
    private var reader: ImageRecordReader
    private var badLines: BadLines
    private var rejects: Rejects
    private(set) var seal = HeldSeal()
    private(set) var isAtEnd = false

    /// - Throws: status 73 where the file for bad lines can't be made.
    init(
        _ settings: InputSettings, _ reader: consuming ImageRecordReader, _ diagnostics: Diagnostics
    ) throws(ToolFailure) {
        self.settings = settings
        self.reader = reader
        self.diagnostics = diagnostics
        lines = LineReader(.standardInput, limitBytes: settings.lineLimitBytes)
        badLines = BadLines(policy: settings.badLines)
        rejects = try Rejects(settings.rejectsPath)
    }

    var name: String { lines.name }
    /// The number of the last line, from 1.
    var lineNumber: Int { lines.lineNumber }
    var badLineCount: Int { badLines.count }
    var bytesRead: Int { lines.bytesRead }

    /// The next record that is there; nil where more of the input has to come first, and at its end.
    mutating func nextWithoutWaiting() throws(ToolFailure) -> ImageRecord? {
        while !isAtEnd {
            let event: LineReader.Event?
            do throws(SystemError) {
                event = try lines.advanceWithoutWaiting(rejects: &rejects)
            } catch {
                throw ToolFailure(error)
            }
            guard let event else { return nil }
            if let record = try record(event) { return record }
        }
        return nil
    }

    /// Writes what is left of the bad lines.
    mutating func close() throws(ToolFailure) { try rejects.close() }

    private mutating func record(_ event: LineReader.Event) throws(ToolFailure) -> ImageRecord? {
        switch event {
        case .end:
            isAtEnd = true
            return nil
        case .tooLong:
            seal.void()
            try badLines.reportTooLong(
                line: lines.lineNumber, of: lines.name, limitBytes: settings.lineLimitBytes, to: diagnostics)
            return nil
        case .line:
            guard !lines.line.isBlank else { return nil }
            return seal.take(lines.line) ? nil : try read()
        }
    }

    private mutating func read() throws(ToolFailure) -> ImageRecord? {
        do throws(JSONError) {
            return try reader.read(lines.line)
        } catch {
            try reject(error)
            return nil
        }
    }

    private mutating func reject(_ error: JSONError) throws(ToolFailure) {
        do throws(SystemError) { try rejects.append(line: lines.line) } catch { throw ToolFailure(error) }
        try badLines.report(error, line: lines.lineNumber, of: lines.name, to: diagnostics)
    }
}
