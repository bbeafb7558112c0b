// What a GraphQL document does: `query` reads, and `mutation` changes something (GraphQL, section 6.2). It may stand in a
// JSON body, in a form, or in the query of a GET.

import PipelineCore
import PipelineHTTP

enum GraphQLText {
    /// - Throws: where the request has a mutation.
    static func check(_ request: ListRequest) throws(UsageError) {
        var texts = request.allParameters.map(\.value)
        if case .json(let tree)? = request.content { texts += Self.texts(in: tree) }
        guard texts.contains(where: isMutation) else { return }
        throw UsageError("a mutation changes something at the service; --learn takes a query")
    }

    private static func texts(in tree: JSONTree) -> [String] {
        switch tree {
        case .string(let text): [text]
        case .array(let elements): elements.flatMap(texts)
        case .object(let members): members.flatMap { texts(in: $0.value) }
        case .integer, .number, .boolean, .null: []
        }
    }

    /// Whether a definition begins with the word `mutation`: at the start of the text, or behind the brace of another one.
    static func isMutation(_ document: String) -> Bool {
        guard document.contains("{") else { return false }
        var (depth, isStart, rest) = (0, true, document[...])
        while let sign = rest.popFirst() {
            switch sign {
            case "#": rest = rest.drop { !$0.isNewline }
            case "\"": skipText(&rest)
            case "{", "(", "[":
                depth += 1
                isStart = false
            case "}", ")", "]":
                depth = max(0, depth - 1)
                isStart = depth == 0 && sign == "}"
            case _ where depth == 0 && isStart && ShellText.isName(sign):
                let word = String(sign) + rest.prefix(while: ShellText.isName)
                rest = rest.dropFirst(word.count - 1)
                if word == "mutation", rest.contains("{") { return true }
                isStart = false
            default: break
            }
        }
        return false
    }

    /// The rest of `"…"` or `"""…"""`, behind its first quote.
    private static func skipText(_ rest: inout Substring) {
        if rest.hasPrefix("\"\"") {
            rest = rest.dropFirst(2)
            guard let end = rest.firstRange(of: "\"\"\"") else { return rest = "" }
            rest = rest[end.upperBound...]
            return
        }
        while let sign = rest.popFirst(), sign != "\"" {
            if sign == "\\" { _ = rest.popFirst() }
        }
    }
}
