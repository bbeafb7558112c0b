// Decides whether a response with a successful status is a refusal, as services of GraphQL and many others send it:
//
//     {"errors":[{"message":"no such field","locations":[…]}],"data":null}          {"error":"too many requests"}

import PipelineCore
import PipelineHTTP

enum Refusal {
    /// What the body of a failure says. Nil for pages for people.
    static func words(_ body: [UInt8]) -> String? {
        guard let text = (try? JSONTree.read(body.span))?.message else { return nil }
        return text.hasSuffix(".") ? String(text.dropLast()) : text
    }

    /// - Throws: `.busy` or `.refused`.
    static func check(_ text: Span<UInt8>, _ source: Source) throws(Page.Fault) {
        if let busy = source.busy, try busy.nodes(in: text).contains(where: { $0.isSomething(in: text) }) {
            throw .busy
        }
        guard let found = try source.errors?.nodes(in: text).first(where: { $0.isSomething(in: text) }) else {
            return
        }
        let error = text.extracting(found.range)
        throw .refused((try? JSONTree.read(error))?.message ?? error.text)
    }
}

extension JSONTree {
    /// What it says: the first `message`, `detail` or `title` (RFC 9457), or else the first text. Nil without a text. An address
    /// says nothing.
    var message: String? {
        let texts = Self.texts(in: self, nil).filter { !$0.text.contains("://") }
        let named = ["message", "detail", "title"].compactMap { name in texts.first { $0.name == name } }
        return (named.first ?? texts.first)?.text
    }

    private static func texts(in tree: JSONTree, _ name: String?) -> [(name: String?, text: String)] {
        switch tree {
        case .string(let text): text.isEmpty ? [] : [(name, text)]
        case .array(let elements): elements.flatMap { texts(in: $0, nil) }
        case .object(let members): members.flatMap { texts(in: $0.value, $0.name) }
        case .integer, .number, .boolean, .null: []
        }
    }

    /// Whether it isn't null, false, 0, empty, nor the text `false`.
    var isSomething: Bool {
        switch self {
        case .null, .boolean(false), .string(""), .string("false"), .integer(0): false
        case .number(let digits): Double(digits) != 0
        case .array(let elements): !elements.isEmpty
        case .object(let members): !members.isEmpty
        default: true
        }
    }
}

extension JSONNode {
    /// - Parameter text: the checked JSON that has it.
    func isSomething(in text: Span<UInt8>) -> Bool {
        let value = text.extracting(range)
        if kind == .object || kind == .array { return !value.isEmptyContainer }
        return (try? JSONTree.read(value))?.isSomething ?? false
    }
}
