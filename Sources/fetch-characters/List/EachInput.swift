// The values that --each takes from the records of stdin.

import PipelineCore

/// Reads records, and takes the text of one member from each.
struct EachInput: ~Copyable {
    private var evaluator: JSONPathEvaluator
    private var input: RecordInput
    /// Always empty, as no output waits for the input.
    private var output = OutputBuffer()

    /// - Throws: status 73 if the file for bad lines can't be created.
    init(_ settings: InputSettings, _ member: JSONPath, _ diagnostics: Diagnostics) throws(ToolFailure) {
        evaluator = JSONPathEvaluator(member)
        input = try RecordInput(settings, diagnostics)
    }

    var badLineCount: Int { input.badLineCount }

    /// False if the input ends with a seal that says that it is incomplete.
    var isWhole: Bool { input.seal.isEmpty || input.seal.isComplete }

    /// The result of reading.
    enum Event {
        case value(String)
        /// No complete record is available yet.
        case later
        case end
    }

    /// The next record's value.
    /// - Parameter waiting: whether to wait for the input.
    mutating func next(waiting: Bool) throws(ToolFailure) -> Event {
        while true {
            let event =
                waiting
                ? try input.next(flushing: &output) ? RecordInput.Event.record : .end
                : try input.nextWithoutWaiting()
            switch event {
            case .later: return .later
            case .end: return .end
            case .record:
                if let value = try value() { return .value(value) }
            }
        }
    }

    mutating func close() throws(ToolFailure) { try input.close() }

    /// The value of the current record, nil if the record is skipped.
    private mutating func value() throws(ToolFailure) -> String? {
        do throws(JSONError) {
            var reader = JSONReader(input.record)
            try reader.beginRecord()
            try reader.skipToEnd()
            try evaluator.evaluate(input.record, isChecked: true)
        } catch {
            try input.reject(error)
            return nil
        }
        if let value = evaluator.firstTextOrNumber(in: input.record) { return value }
        try input.reject("expected a text or a number in '\(evaluator.path.text)'")
        return nil
    }
}

extension JSONPathEvaluator {
    /// The first non-empty text or number among the nodes found.
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
