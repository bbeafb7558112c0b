// The values that --each takes from the records of stdin.

import PipelineCore
import PipelineHTTP

/// Reads records, and takes the texts of one or more members from each.
struct EachInput: ~Copyable {
    private let parameters: [Source.Each]
    private var evaluators: [JSONPathEvaluator]
    private var input: RecordInput
    /// Always empty, as no output waits for the input.
    private var output = OutputBuffer()

    /// - Throws: status 73 if the file for bad lines can't be created.
    init(_ settings: InputSettings, _ selection: EachSelection, _ diagnostics: Diagnostics) throws(ToolFailure) {
        parameters = selection.values.map(\.parameter)
        evaluators = selection.values.map { JSONPathEvaluator($0.path) }
        input = try RecordInput(settings, diagnostics)
    }

    var badLineCount: Int { input.badLineCount }

    /// False if the input ends with a seal that says that it is incomplete.
    var isWhole: Bool { input.seal.isEmpty || input.seal.isComplete }

    /// The result of reading.
    enum Event {
        case values(EachValues)
        /// No complete record is available yet.
        case later
        case end
    }

    /// The next record's values.
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
                if let values = try values() { return .values(values) }
            }
        }
    }

    /// What requests the first page of a record's list.
    enum FirstPage: Equatable {
        case request(HTTPRequest)
        /// Nothing: the values name another place.
        case elsewhere
    }

    /// The request for the first page of the current record's list. Nil after reporting a record whose values can't be
    /// sent.
    /// - Parameter requests: with the values.
    mutating func firstPage(_ requests: SourceRequests, _ walk: Paginator) throws(ToolFailure) -> FirstPage? {
        let finding: HTTPFailure
        do throws(HTTPFailure) { return .request(try requests.page(walk.position, size: walk.size)) } catch {
            finding = error
        }
        if finding.reason == .dotSegment { return .elsewhere }
        try input.reject("its values can't be requested: \(finding.faultOfValue)")
        return nil
    }

    mutating func tellBadLines() { input.tellBadLines() }

    mutating func close() throws(ToolFailure) { try input.close() }

    /// The values of the current record, nil if the record is skipped.
    private mutating func values() throws(ToolFailure) -> EachValues? {
        var texts: [(parameter: Source.Each, text: String)] = []
        do throws(JSONError) {
            var reader = JSONReader(input.record)
            try reader.beginRecord()
            try reader.skipToEnd()
            for index in evaluators.indices {
                try evaluators[index].evaluate(input.record, isChecked: true)
                if let text = evaluators[index].firstTextOrNumber(in: input.record) {
                    texts.append((parameters[index], text))
                }
            }
        } catch {
            try input.reject(error)
            return nil
        }
        if texts.count == parameters.count { return EachValues(texts: texts) }
        let missing = zip(parameters, evaluators).first { parameter, _ in
            !texts.contains { $0.parameter == parameter }
        }
        if let missing { try input.reject(BadLine.MissingMember("a text or a number", at: missing.1.path)) }
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
                // Half of a surrogate pair is no text that can be requested.
                let isText = JSONStringDecoder.append(line.extracting(node.content), to: &bytes)
                if isText, !bytes.isEmpty { return bytes.span.text }
            default: continue
            }
        }
        return nil
    }
}
