// Where a request has a value that the tool sets: a page's number, the text of a search, a key.
//
//     "page"                              ?page=2
//     {"header": "X-Page"}                X-Page: 2
//     {"path": "page"}                    /list/2, for "path": "/list/{page}"
//     {"placeholder": "page"}             {"params": "page=2"}, for "body": {"params": "page={page}"}
//     {"body": "$.variables.page"}        {"query": "…", "variables": {"page": 2}}
//     {"form": "page"}                    page=2 as the body

import PipelineCore
import PipelineHTTP

enum Placement: Hashable, Sendable {
    case query(String)
    case header(String)
    /// The placeholder `{name}`, in a path or any other text of the request.
    case path(String)
    /// A value of the JSON body: what leads to it.
    case body([JSONLocation.PathStep])
    case form(String)

    /// What it is called in messages about `--param` and `--each`: the last name.
    var name: String {
        switch self {
        case .query(let name), .header(let name), .path(let name), .form(let name): name
        case .body(let steps): steps.compactMap { if case .name(let name) = $0 { name } else { nil } }.last ?? ""
        }
    }

    var placeholder: String? { if case .path(let name) = self { name } else { nil } }

    /// Whether two values can't both have their place. In a body a value has no members.
    func clashes(with other: Placement) -> Bool {
        switch (self, other) {
        case (.header(let name), .header(let other)): name.lowercased() == other.lowercased()
        case (.body(let names), .body(let others)): names.starts(with: others) || others.starts(with: names)
        default: self == other
        }
    }

    /// An index in a body is less: the elements before it have to be there.
    private static let indexLimit = 1000

    /// Whether something of a body can be there, rather than all of it.
    static func isBodyPlace(_ steps: [JSONLocation.PathStep]) -> Bool {
        !steps.isEmpty
            && steps.allSatisfy { if case .index(let index) = $0 { index < Self.indexLimit } else { true } }
    }

    /// A text is a parameter of the query; an object has a member for each kind of place, beside others.
    init(of value: DescriptionReader) {
        if let name = value.tree.string ?? value.text("query") {
            self = .query(name)
        } else if let name = value.text("header") {
            self = .header(name)
        } else if let name = value.text("path") ?? value.text("placeholder") {
            self = .path(name)
        } else if let path = value.path("body") {
            let steps = path.location ?? []
            if !Self.isBodyPlace(steps) {
                value.mistake(
                    "body", "takes a path of names and indexes below \(Self.indexLimit), such as $.variables.page")
            }
            self = .body(steps)
        } else {
            self = .form(value.text("form") ?? "")
        }
    }
}
