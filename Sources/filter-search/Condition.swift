// What `--where` requires of a record: `age >= 3`, `films[0] = 'Ponyo'`, `imageURL exists`.

import PipelineCore

struct Condition {
    enum Value {
        case number([UInt8])
        case text([UInt8])
        case boolean(Bool)
        case null
    }

    struct Comparison {
        let `operator`: JSONComparison
        let value: Value
    }

    private var evaluator: JSONPathEvaluator
    /// The path, if it is the name of an own member that needs no escapes.
    let member: [UInt8]?
    /// Nil if the path only has to find something.
    let comparison: Comparison?
    /// The value as a query for a whole text, for `=` and `!=`.
    private var query: TextQuery
    private var decoded: [UInt8] = []

    /// - Parameter text: `PATH OP VALUE` or `PATH exists`.
    init(_ text: String, strength: TextStrength) throws(UsageError) {
        let prefix = try ArgumentValue.pathPrefix(of: text, option: "--where")
        let rest = Self.trimmed(prefix.rest)
        evaluator = JSONPathEvaluator(prefix.path)
        member = prefix.path.simpleMember.flatMap { FieldName($0) == nil ? nil : $0 }
        comparison = try rest == "exists" ? nil : Self.comparison(rest, text)
        var bytes: [UInt8] = []
        if case .text(let text)? = comparison?.value { bytes = text }
        query = TextQuery(bytes.span, strength: strength, placement: .whole)
    }

    private static func comparison(_ rest: String, _ text: String) throws(UsageError) -> Comparison {
        let scalars = rest.unicodeScalars
        for candidate in JSONComparison.allCases where scalars.starts(with: candidate.sign.unicodeScalars) {
            let behind = scalars.dropFirst(candidate.sign.count)
            // `==` would compare with "= 3", and find nothing.
            if let sign = behind.first, "=<>~".unicodeScalars.contains(sign) {
                let wrong = candidate.sign + String(sign)
                throw UsageError(
                    "--where '\(text)': there is no operator \(wrong); write =, !=, <, <=, > or >=, or a space before the "
                        + "value")
            }
            let value = trimmed(behind)
            guard !value.isEmpty else {
                throw UsageError("--where '\(text)' lacks a value; write \"\" for the empty text")
            }
            guard !joinsConditions(value) else {
                throw UsageError(
                    "--where '\(text)' has several conditions; repeat --where for all of them, and use jq 'select(…)' for any of them"
                )
            }
            return Comparison(operator: candidate, value: try Self.value(Array(value.utf8), text))
        }
        let cure =
            if JSONComparison.allCases.contains(where: { rest.contains(" \($0.sign) ") }) {
                "a name with other characters is written $['my name']"
            } else if text.contains(" ") {
                "to find a text in a field write -f PATH QUERY"
            } else {
                "put quotes around all of it: --where 'age >= 3'"
            }
        throw UsageError(
            "--where takes 'PATH OP VALUE' with =, !=, <, <=, > or >=, or 'PATH exists', not '\(text)'; \(cure)")
    }

    private static let joints = [" and ", " or ", "&&", "||", ","]

    /// Whether a value without quotes goes on with another condition: `100 AND id<110`, `3, b = 4`.
    private static func joinsConditions(_ value: String) -> Bool {
        guard !value.hasPrefix("\"") else { return false }
        let text = value.lowercased().unicodeScalars
        return text.indices.contains { index in
            let rest = text[index...]
            guard let joint = joints.first(where: { rest.starts(with: $0.unicodeScalars) }),
                let next = try? ArgumentValue.pathPrefix(
                    of: trimmed(rest.dropFirst(joint.count)), option: "--where")
            else { return false }
            return JSONComparison.allCases.contains { trimmed(next.rest).hasPrefix($0.sign) }
        }
    }

    /// JSON if it parses as JSON, otherwise the text itself.
    private static func value(_ bytes: [UInt8], _ text: String) throws(UsageError) -> Value {
        do throws(JSONError) {
            switch try JSONTree.read(bytes.span) {
            case .integer, .number: return .number(bytes)
            case .boolean(let value): return .boolean(value)
            case .null: return .null
            case .string(let string): return .text(Array(string.utf8))
            case .array, .object: break
            }
        } catch {
            guard bytes.first != UInt8(ascii: "\"") else {
                throw UsageError(
                    "--where '\(text)' has a text whose quotes aren't right; write it as JSON, or without quotes")
            }
            return .text(bytes)
        }
        throw UsageError("--where '\(text)' compares with an array or an object; write a text or a number")
    }

    var path: JSONPath { evaluator.path }

    private static func trimmed(_ text: Substring.UnicodeScalarView) -> String {
        String(text.trimmed(\.properties.isWhitespace))
    }

    /// - Parameter record: a checked record.
    mutating func holds(for record: Span<UInt8>) throws(JSONError) -> Bool {
        try evaluator.evaluate(record, isChecked: true)
        return holds(for: evaluator.nodes, of: record)
    }

    /// - Parameter member: the only member of the record that the path may find.
    mutating func holds(for member: JSONValidator.OwnMember, of record: Span<UInt8>) -> Bool {
        switch member {
        case .absent: return holds(for: EmptyCollection(), of: record)
        case .value(let range):
            let node = JSONNode(range: range, kind: JSONNode.Kind(firstByte: record[range.lowerBound]))
            return holds(for: CollectionOfOne(node), of: record)
        }
    }

    private mutating func holds(for nodes: some Collection<JSONNode>, of record: Span<UInt8>) -> Bool {
        guard let comparison else { return !nodes.isEmpty }
        let isNegated = comparison.operator == .notEqual
        let isEquality = comparison.isEquality
        var count = 0
        for node in nodes {
            let order = order(of: node, to: comparison.value, isEquality: isEquality, record)
            if isNegated ? order == .equal : comparison.operator.holds(for: order) { count += 1 }
        }
        // A value that is missing or of another type satisfies only `!=`, which is therefore the negation of `=`.
        // If several members have the same name, any one of them may differ.
        guard isNegated else { return count > 0 }
        return count == 0 || evaluator.path.isSingular && count < nodes.count
    }

    /// How a value of the record stands to the condition's; nil if they are neither equal nor ordered.
    private mutating func order(
        of node: JSONNode, to value: Value, isEquality: Bool, _ record: Span<UInt8>
    ) -> JSONNumberOrder? {
        switch (value, node.kind) {
        case (.number(let number), .number): return .between(record.extracting(node.range), number.span)
        case (.text(let text), .string):
            decoded.removeAll(keepingCapacity: true)
            JSONStringDecoder.append(record.extracting(node.content), to: &decoded)
            guard isEquality else { return .between(texts: decoded, text) }
            let text = decoded
            return query.range(in: text.span) == 0..<text.count ? .equal : nil
        case (.boolean(let value), .boolean):
            return isEquality && (record[node.range.lowerBound] == UInt8(ascii: "t")) == value ? .equal : nil
        case (.null, .null): return isEquality ? .equal : nil
        default: return nil
        }
    }
}

extension JSONComparison {
    fileprivate var sign: String { self == .equal ? "=" : rawValue }
}

extension Condition.Comparison {
    var isEquality: Bool { `operator` == .equal || `operator` == .notEqual }

    /// What a path has to find to be compared with the value. Whether anything is null is a question like any other.
    var wanted: Set<JSONNode.Kind> {
        switch value {
        case .number: [.number]
        case .text: [.string]
        case .boolean: [.boolean]
        case .null: .anything
        }
    }

    /// The same condition for values of this kind, if the value may be meant so.
    func remedy(_ path: String, _ kind: JSONNode.Kind) -> String? {
        switch (value, kind) {
        case (.number(let digits), .string):
            suggestion(path, "\"\(digits.span.text)\"")
                + (isEquality ? "" : ", which compares text, character by character")
        case (.boolean(let isTrue), .string): suggestion(path, "\"\(isTrue)\"")
        case (.text(let text), .number), (.text(let text), .boolean):
            Self.kind(ofJSON: text) == kind ? suggestion(path, text.span.text) : nil
        default: nil
        }
    }

    private func suggestion(_ path: String, _ value: String) -> String {
        "write --where " + ShellWord.quoted("\(path) \(`operator`.sign) \(value)")
    }

    /// The kind of a JSON number or word; nil for any other text.
    private static func kind(ofJSON text: [UInt8]) -> JSONNode.Kind? {
        switch try? JSONTree.read(text.span) {
        case .integer?, .number?: .number
        case .boolean?: .boolean
        default: nil
        }
    }
}
