// The values that --each takes from the records of stdin.

import PipelineCore

/// Reads records and takes one member's text from each.
struct EachInput: ~Copyable {
    private let settings: InputSettings
    private let diagnostics: Diagnostics
    private var evaluator: JSONPathEvaluator
    private var lines: LineReader
    private var badLines: BadLines
    private var rejects: Rejects
    private var seal = HeldSeal()
    /// Nothing is held back for it.
    private var output = OutputBuffer(.standardOutput)

    /// - Throws: status 73 where the file for bad lines can't be made.
    init(_ settings: InputSettings, _ member: JSONPath, _ diagnostics: Diagnostics) throws(ToolFailure) {
        self.settings = settings
        self.diagnostics = diagnostics
        evaluator = JSONPathEvaluator(member)
        lines = LineReader(.standardInput, limitBytes: settings.lineLimitBytes)
        badLines = BadLines(policy: settings.badLines)
        rejects = try Rejects(settings.rejectsPath)
    }

    var badLineCount: Int { badLines.count }

    /// Whether the input doesn't end with a seal that says it isn't complete.
    var isWhole: Bool { seal.isEmpty || seal.isComplete }

    /// What was read.
    enum Event {
        case value(String)
        /// More of the input has to come first.
        case later
        case end
    }

    /// The next record's value.
    /// - Parameter waiting: for the input, if need be.
    mutating func next(waiting: Bool) throws(ToolFailure) -> Event {
        while true {
            let event: LineReader.Event?
            do throws(SystemError) {
                event =
                    waiting
                    ? try lines.advance(flushing: &output, rejects: &rejects)
                    : try lines.advanceWithoutWaiting(rejects: &rejects)
            } catch {
                throw ToolFailure(error)
            }
            switch event {
            case nil: return .later
            case .end: return .end
            case .tooLong:
                seal.void()
                try badLines.reportTooLong(
                    line: lines.lineNumber, of: lines.name, limitBytes: settings.lineLimitBytes, to: diagnostics)
            case .line:
                if let value = try value() { return .value(value) }
            }
        }
    }

    mutating func close() throws(ToolFailure) { try rejects.close() }

    /// The value of the line that was read, nil for one that is passed over.
    private mutating func value() throws(ToolFailure) -> String? {
        guard !lines.line.isBlank, !seal.take(lines.line) else { return nil }
        do throws(JSONError) {
            var reader = JSONReader(lines.line)
            try reader.beginRecord()
            try reader.skipToEnd()
            try evaluator.evaluate(lines.line, isChecked: true)
        } catch {
            try reject()
            try badLines.report(error, line: lines.lineNumber, of: lines.name, to: diagnostics)
            return nil
        }
        if let value = evaluator.firstTextOrNumber(in: lines.line) { return value }
        try reject()
        try badLines.report(
            "\(lines.name):\(lines.lineNumber):1: expected a text or a number in '\(evaluator.path.text)'",
            to: diagnostics)
        return nil
    }

    private mutating func reject() throws(ToolFailure) {
        do throws(SystemError) { try rejects.append(line: lines.line) } catch { throw ToolFailure(error) }
    }
}

extension JSONPathEvaluator {
    /// The first text that isn't empty, or number, among what was found.
    fileprivate func firstTextOrNumber(in line: Span<UInt8>) -> String? {
        for node in nodes {
            switch node.kind {
            case .number: return line.extracting(node.range).text
            case .string:
                var bytes: [UInt8] = []
                JSONStringDecoder.append(line.extracting(node.content), to: &bytes)
                if !bytes.isEmpty { return bytes.span.text }
            default: continue
            }
        }
        return nil
    }
}
