// Where a request has a value that the tool sets: a page's number, the text of a search, a key.
//
//     "page"                              ?page=2
//     {"header": "X-Page"}                X-Page: 2
//     {"path": "page"}                    /list/2, for "path": "/list/{page}"
//     {"body": "$.variables.page"}        {"query": "…", "variables": {"page": 2}}
//     {"form": "page"}                    page=2 as the body

import PipelineCore
import PipelineHTTP

/// The place of a value in a request.
enum Placement: Hashable, Sendable {
    /// A parameter of the query.
    case query(String)
    /// A header field, in any case.
    case header(String)
    /// The placeholder `{name}`.
    case path(String)
    /// A value of the JSON body: what leads to it.
    case body([JSONLocation.PathStep])
    /// A field of the form that is the body.
    case form(String)

    /// What it is called in messages about `--param` and `--each`: the last name.
    var name: String {
        switch self {
        case .query(let name), .header(let name), .path(let name), .form(let name): name
        case .body(let steps): steps.compactMap { if case .name(let name) = $0 { name } else { nil } }.last ?? ""
        }
    }

    /// Whether two values can't both have their place: header fields are the same in any case, and a body can't
    /// have a member of what is itself a value.
    func clashes(with other: Placement) -> Bool {
        switch (self, other) {
        case (.header(let name), .header(let other)): name.lowercased() == other.lowercased()
        case (.body(let names), .body(let others)): names.starts(with: others) || others.starts(with: names)
        default: self == other
        }
    }
}
