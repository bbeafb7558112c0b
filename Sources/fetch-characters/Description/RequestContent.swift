// The body of a POST: JSON or a form.
//
//     {"query": {"$file": "characters.graphql"}, "variables": {"page": 1, "type": "{type}"}}

import PipelineCore
import PipelineHTTP

enum RequestContent: Sendable {
    case json(JSONTree)
    case form([Source.Parameter])

    /// The object that stands for a file's text: `{"$file": "characters.graphql"}`.
    static let fileMember = "$file"

    /// Files have no placeholders.
    func filled(_ values: [String: String], files: [String: String]) -> RequestContent {
        mapped(files) { Placeholders.filled($0) { values[$0] } }
    }

    var texts: [String] {
        var texts: [String] = []
        _ = mapped([:]) { text in
            texts.append(text)
            return text
        }
        return texts
    }

    private func mapped(_ files: [String: String], _ map: (String) -> String) -> RequestContent {
        switch self {
        case .json(let tree): .json(tree.mapped(files, map))
        case .form(let fields): .form(fields.map { Source.Parameter($0.name, map($0.value)) })
        }
    }

    var body: HTTPRequest.Body {
        switch self {
        case .json(let tree): HTTPRequest.Body(mediaType: "application/json", bytes: Array(tree.json.utf8))
        case .form(let fields):
            HTTPRequest.Body(
                mediaType: "application/x-www-form-urlencoded", bytes: Array(Source.Parameter.encoded(fields).utf8))
        }
    }
}

extension JSONTree {
    var file: String? {
        guard case .object(let members) = self, members.count == 1, members[0].name == RequestContent.fileMember
        else { return nil }
        return members[0].value.string
    }

    /// As it is written where there is no JSON.
    var text: String { string ?? json }

    fileprivate func mapped(_ files: [String: String], _ map: (String) -> String) -> JSONTree {
        if let file { return .string(files[file] ?? "") }
        return switch self {
        case .string(let text): .string(map(text))
        case .array(let elements): .array(elements.map { $0.mapped(files, map) })
        case .object(let members): .object(members.map { ($0.name, $0.value.mapped(files, map)) })
        case .integer, .number, .boolean, .null: self
        }
    }
}
