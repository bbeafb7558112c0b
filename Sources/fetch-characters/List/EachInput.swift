// The values that --each takes from the records of stdin.

import PipelineCore

/// Reads records and takes one member's text from each.
struct EachInput: ~Copyable {
    private var evaluator: JSONPathEvaluator
    private var input: RecordInput
    /// Nothing waits for the input, so nothing is ever in it.
    private var output = OutputBuffer()

    /// - Throws: status 73 where the file for bad lines can't be made.
    init(_ settings: InputSettings, _ member: JSONPath, _ diagnostics: Diagnostics) throws(ToolFailure) {
        evaluator = JSONPathEvaluator(member)
        input = try RecordInput(settings, diagnostics)
    }

    var badLineCount: Int { input.badLineCount }

    /// Whether the input doesn't end with a seal that says it isn't complete.
    var isWhole: Bool { input.seal.isEmpty || input.seal.isComplete }

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

    /// The value of the record that was read, nil for one that is passed over.
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
