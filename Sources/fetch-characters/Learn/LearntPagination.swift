// How a list is paged, as far as it was found out, in the words of a description.

import PipelineCore
import PipelineHTTP

/// The pagination of a description that is being found out.
struct LearntPagination: Sendable {
    enum Kind: Sendable {
        case none
        case linkHeader
        /// A path, or `{"header": NAME}`.
        case nextURL(JSONTree)
        case cursor(parameter: String, next: String)
        /// Parameters that go on together, each with its path.
        case cursors([(parameter: String, path: String)])
        case page(parameter: String, first: Int)
        case offset(parameter: String)
    }

    var kind: Kind
    /// The parameter for the size of a page; `limit` where the service gives no more.
    var size: (parameter: String, value: Int, limit: Int?)?
    var total: TotalPlace?
    /// The path to a flag that says whether another page follows.
    var more: String?
    var ends: [Pagination.End] = []
    /// The links to the next page lack parameters of the list.
    var keepsQuery = false

    init(_ kind: Kind) { self.kind = kind }

    /// As a description has it.
    var tree: JSONTree {
        var members: [(name: String, value: JSONTree)] = kind.members
        if let size {
            var parts: [(name: String, value: JSONTree)] = [
                ("parameter", .string(size.parameter)), ("value", .integer(size.value)),
            ]
            if let limit = size.limit { parts.append(("max", .integer(limit))) }
            members.append(("size", .object(parts)))
        }
        if keepsQuery { members.append(("keepQuery", .boolean(true))) }
        if let total { members.append((total.unit == .records ? "total" : "pages", total.location)) }
        if let more { members.append(("more", .string(more))) }
        if !ends.isEmpty { members.append(("end", .array(ends.map { .string($0.rawValue) }))) }
        return .object(members)
    }
}

extension LearntPagination.Kind {
    fileprivate var members: [(name: String, value: JSONTree)] {
        switch self {
        case .none: [("type", .string("none"))]
        case .linkHeader: [("type", .string("link-header"))]
        case .nextURL(let location): [("type", .string("next-url")), ("next", location)]
        case .cursor(let parameter, let next):
            [("type", .string("cursor")), ("parameter", .string(parameter)), ("next", .string(next))]
        case .cursors(let cursors):
            [
                ("type", .string("cursor")),
                ("next", .object([("values", .object(cursors.map { ($0.parameter, .string($0.path)) }))])),
            ]
        case .page(let parameter, let first):
            [("type", .string("page")), ("parameter", .string(parameter)), ("first", .integer(first))]
        case .offset(let parameter): [("type", .string("offset")), ("parameter", .string(parameter))]
        }
    }
}
