// The values that --each takes from the records of stdin.

import PipelineCore
import PipelineHTTP

struct EachList {
    let values: EachValues
    let requests: SourceRequests
    /// The request for its first page. Nil if the values name another place in a path: nothing is requested.
    let first: HTTPRequest?
    let origin: ReadingOrigin

    init(values: EachValues, requests: SourceRequests, first: HTTPRequest?) {
        self.values = values
        self.requests = requests
        let origin = ReadingOrigin.asked()
        self.origin = origin
        self.first = first.map { origin.marked($0) }
    }
}

/// Reads records, and takes the texts of one or more members from each.
struct EachInput: ~Copyable {
    private let parameters: [Source.Each]
    private let requests: SourceRequests
    private let walk: ListWalk
    private var evaluators: [JSONPathEvaluator]
    var records: RecordInput
    /// More values of the latest record, the next ones last.
    private var pending: [EachValues] = []
    private static let combinationLimit = 100_000

    /// - Parameter requests: without the values.
    /// - Throws: status 73 if the file for bad lines can't be created.
    init(
        _ settings: InputSettings, _ selection: EachSelection, _ requests: SourceRequests, _ walk: ListWalk,
        _ diagnostics: Diagnostics
    ) throws(ToolFailure) {
        self.requests = requests
        self.walk = walk
        parameters = selection.values.map(\.parameter)
        evaluators = selection.values.map { JSONPathEvaluator($0.path) }
        records = try RecordInput(settings, diagnostics)
    }

    /// Why its own seals don't speak for all of the input, which was read to its end.
    var doubt: Message? { records.seals.doubt }

    /// What the seals say of the records, so that lists for only some of them are incomplete too. A pipe without a seal may be
    /// that of a source that failed; a file was written before.
    var claim: SealClaim? {
        if let claim = records.seals.claim { return claim }
        guard Descriptor.standardInput.fileSize == nil else { return nil }
        return SealClaim(records: nil, isOfUnsealed: true)
    }

    enum Event {
        case list(EachList)
        case later
        case end
    }

    /// The next list. Records whose values can't be sent are reported and left out.
    mutating func next(waiting: Bool) throws(ToolFailure) -> Event {
        while true {
            while let values = pending.popLast() {
                if let list = try list(of: values) { return .list(list) }
            }
            switch waiting ? try records.next() : try records.nextWithoutWaiting() {
            case .later: return .later
            case .end: return .end
            case .record: pending = try values().reversed()
            }
        }
    }

    private mutating func list(of values: EachValues) throws(ToolFailure) -> EachList? {
        let requests = values.values.reduce(requests) { $0.setting($1.parameter.placement, to: $1.value) }
        do throws(HTTPFailure) {
            let first = try requests.page(walk.position, size: walk.size)
            return EachList(values: values, requests: requests, first: first)
        } catch {
            if error.reason == .dotSegment { return EachList(values: values, requests: requests, first: nil) }
            // No option is to blame.
            let fault = if case .invalidRequest(let fault) = error.reason { fault } else { error.description }
            try records.reject("its values can't be requested: \(fault)")
            return nil
        }
    }

    /// The values of the current record, each with each of the others; empty if the record is skipped.
    private mutating func values() throws(ToolFailure) -> [EachValues] {
        var found: [[JSONTree]] = []
        do throws(JSONError) {
            var reader = JSONReader(records.record)
            try reader.beginRecord()
            try reader.skipToEnd()
            for index in evaluators.indices {
                try evaluators[index].evaluate(records.record, isChecked: true)
                let isJSON = if case .body = parameters[index].placement { true } else { false }
                found.append(evaluators[index].textsAndNumbers(in: records.record, isJSON: isJSON))
            }
        } catch {
            try records.reject(error)
            return []
        }
        if let missing = found.firstIndex(where: \.isEmpty) {
            try records.reject(missing: "a text or a number", at: evaluators[missing].path)
            return []
        }
        var combinations: [[(parameter: Source.Each, value: JSONTree)]] = [[]]
        for (parameter, values) in zip(parameters, found) {
            guard combinations.count * values.count <= Self.combinationLimit else {
                try records.reject("the paths of --each find more than \(Self.combinationLimit) values together")
                return []
            }
            combinations = combinations.flatMap { before in values.map { before + [(parameter, $0)] } }
        }
        return combinations.map { EachValues(values: $0) }
    }
}

extension JSONPathEvaluator {
    /// The non-empty texts and the numbers among the nodes found, each once.
    /// - Parameter isJSON: a number and its text are two values.
    fileprivate func textsAndNumbers(in line: Span<UInt8>, isJSON: Bool) -> [JSONTree] {
        var values: [JSONTree] = []
        var known: Set<[UInt8]> = []
        for node in nodes {
            var bytes: [UInt8] = []
            guard node.appendScalar(in: line, to: &bytes), !bytes.isEmpty else { continue }
            let isNumber = node.kind == .number
            let mark = isNumber && isJSON ? [0xFF] : [UInt8]()
            guard known.insert(mark + bytes).inserted else { continue }
            let text = bytes.span.text
            values.append(isNumber ? .number(text) : .string(text))
        }
        return values
    }
}

/// Which members of stdin's records --each takes, and where their values go.
///
///     --each id                                {"each": {"parameter": "breed_ids"}}
///     --each owner=$.owner.login --each repo=name   {"each": {"owner": {"path": "owner"}, "repo": {"path": "repo"}}}
struct EachSelection {
    /// In the description's order.
    private(set) var values: [(parameter: Source.Each, path: JSONPath)] = []

    /// - Parameter texts: of the options. Not empty.
    /// - Throws: for a value that the description doesn't name, or that isn't given.
    init(_ texts: [String], _ source: Source) throws(UsageError) {
        guard !source.each.isEmpty else {
            throw UsageError("the description of \(source.name) names no parameter for --each; leave it out")
        }
        var paths: [String: JSONPath] = [:]
        for text in texts {
            let (name, path) = try Self.named(text, source)
            guard paths.updateValue(path, forKey: name) == nil else {
                throw UsageError("--each sets \(name) twice; leave one of them out")
            }
        }
        for parameter in source.each {
            guard let path = paths[parameter.name] else {
                throw UsageError(
                    "\(source.name) needs a member for \(parameter.name); add --each \(parameter.name)=PATH")
            }
            values.append((parameter, path))
        }
    }

    /// Takes apart `NAME=PATH`. A path alone will do where there is one name; it may have a `=` of its own.
    private static func named(_ text: String, _ source: Source) throws(UsageError) -> (String, JSONPath) {
        let names = source.each.map(\.name)
        if let pair = ArgumentValue.pair(text, at: "="), names.contains(pair.name) {
            return (pair.name, try ArgumentValue.path(pair.value, option: "--each"))
        }
        guard names.count == 1 else {
            throw UsageError("--each takes NAME=PATH for \(names.joined(separator: ", ")), not '\(text)'")
        }
        return (names[0], try ArgumentValue.path(text, option: "--each"))
    }
}

/// Numbers are as the record has them: a JSON body takes them so, and anything else their digits.
struct EachValues {
    let values: [(parameter: Source.Each, value: JSONTree)]

    /// In messages: `owner pellow, repo lighthouse`.
    var subject: String {
        values.map { "\($0.parameter.name) \($0.value.text.prefix(100))" }.joined(separator: ", ")
    }

    var refusal: Message { "\(subject): ., .. and empty segments name another place in a path; correct the record" }

    /// Equal for the same values only.
    var key: String {
        let texts = values.map { parameter, value in
            if case .body = parameter.placement { value.json } else { value.text }
        }
        return texts.count == 1 ? texts[0] : texts.map { "\($0.utf8.count):\($0)" }.joined()
    }

    var json: String { JSONTree.object(values.map { ($0.parameter.name, .string($0.value.text)) }).json }
}
