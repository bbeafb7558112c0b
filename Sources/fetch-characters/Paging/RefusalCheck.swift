// Looks whether an answer with a successful status is a refusal all the same, as services of GraphQL and many others
// send it:
//
//     {"errors":[{"message":"no such field","locations":[…]}],"data":null}          {"error":"too many requests"}

import PipelineCore
import PipelineHTTP

/// Checks the answers of a source. Reuses its buffers.
struct RefusalCheck: Sendable {
    private var errors: JSONPathEvaluator?
    private var busy: JSONPathEvaluator?

    init(_ refusals: Source.Refusals) {
        errors = refusals.errors.map { JSONPathEvaluator($0) }
        busy = refusals.busy.map { JSONPathEvaluator($0) }
    }

    /// - Parameter text: checked JSON.
    /// - Throws: `.busy` or `.refused`.
    mutating func check(_ text: Span<UInt8>) throws(SourcePage.Fault) {
        if try Self.find(&busy, in: text) != nil { throw .busy }
        guard let found = try Self.find(&errors, in: text) else { return }
        throw .refused(Self.message(in: text.extracting(found.range)))
    }

    /// The first node that is something.
    private static func find(
        _ evaluator: inout JSONPathEvaluator?, in text: Span<UInt8>
    ) throws(SourcePage.Fault) -> JSONNode? {
        guard var used = evaluator.take() else { return nil }
        defer { evaluator = used }
        try PageReader.evaluate(&used, text)
        return used.nodes.first { $0.isSomething(in: text) }
    }

    /// What the service says: the first `message`, or else the first text, or else all of it.
    private static func message(in json: Span<UInt8>) -> String {
        var reader = JSONReader(json)
        var first: Range<Int>?
        var isMessage = false
        // The text has been checked.
        do throws(JSONError) {
            while let token = try reader.next() {
                if case .string(let text) = token, !text.range.isEmpty {
                    if isMessage { return shown(json.extracting(text.range)) }
                    first = first ?? text.range
                }
                if case .name(let name) = token {
                    isMessage = json.extracting(name.range).equals("message")
                } else {
                    isMessage = false
                }
            }
        } catch {}
        return first.map { shown(json.extracting($0)) } ?? json.text
    }

    private static func shown(_ content: Span<UInt8>) -> String {
        var text: [UInt8] = []
        JSONStringDecoder.append(content, to: &text)
        return text.span.text
    }
}

extension JSONNode {
    /// Whether the value says something: it isn't null, false, 0, empty, nor the text `false`.
    /// - Parameter text: the checked JSON that has it.
    func isSomething(in text: Span<UInt8>) -> Bool {
        let value = text.extracting(range)
        switch kind {
        case .null: return false
        case .boolean: return value.equals("true")
        case .object, .array: return !value.isEmptyContainer
        case .string:
            return value.count > 2 && !JSONStringDecoder.equals(text.extracting(content), Array("false".utf8).span)
        case .number:
            // 0, -0, 0.00 and 0e5: only the digits before an exponent count.
            for index in 0..<value.count {
                if value[index] | 0x20 == UInt8(ascii: "e") { return false }
                if (UInt8(ascii: "1")...UInt8(ascii: "9")).contains(value[index]) { return true }
            }
            return false
        }
    }
}
