// How an API divides its lists: what requests a page, what leads to the next one, and what says where the list ends.

import PipelineCore
import PipelineHTTP

struct Pagination: Sendable {
    enum Kind: Sendable {
        /// One response has all records.
        case none
        case page(parameter: Placement, first: Int)
        /// A page is requested by the number of records before it, or by the number of its first record.
        case offset(parameter: Placement, first: Int)
        /// Each response has the values that request the next page.
        case cursor([Cursor])
        /// Each response has the URL of the next page: in one of these places, or without any in a `Link` header (RFC 8288).
        case link([Location])
    }

    struct Cursor: Sendable {
        let parameter: Placement
        /// Where the value may be; the first place that has one counts.
        let places: [Location]

        /// One cursor, or several that request a page together: `{"values": {PARAMETER: PATH}}`, or an array of cursors.
        fileprivate static func all(in object: DescriptionReader) -> [Self] {
            let values = object.member("next")?.member("values")
            guard let named = values?.members, !named.isEmpty else {
                return (values?.elements ?? [object]).map {
                    Self(parameter: $0.placement("parameter", .cursor), places: Location.all(in: $0))
                }
            }
            return named.map { name, path in
                object.findings.uses.append(.init(location: path.location, placement: .query(name), role: .cursor))
                return Self(parameter: .query(name), places: [Location(of: path)])
            }
        }
    }

    struct Size: Equatable, Sendable {
        let parameter: Placement
        let value: Int
        /// The most that the API gives, nil if it isn't known.
        let limit: Int?
    }

    enum Unit: Sendable {
        case records
        case pages
    }

    enum Location: Sendable {
        case path(JSONPath)
        /// A header field, or what the path finds in its JSON. A missing one says nothing.
        case header(String, JSONPath?)

        /// A path is short for `{"path": PATH}`.
        fileprivate init(of value: DescriptionReader) {
            let path = value.path ?? value.path("path")
            self = value.text("header").map { .header($0, path) } ?? .path(path ?? .whole)
        }

        fileprivate static func all(in object: DescriptionReader) -> [Self] {
            object.elements("next").map { Self(of: $0) }
        }

        var path: JSONPath? { if case .path(let path) = self { path } else { nil } }

        var text: String {
            switch self {
            case .path(let path): path.text
            case .header(let name, nil): "the header \(name)"
            case .header(let name, let path?): "\(path.text) in the header \(name)"
            }
        }
    }

    /// What ends a list, besides what ends one at every API.
    enum End: String, CaseIterable, Sendable {
        /// A page without records, even if it leads on.
        case emptyPage = "empty-page"
        /// The cursor that requested the page.
        case sameCursor = "same-cursor"
        /// 404 or 400 for the page after the last one.
        case notFound = "not-found"
    }

    let kind: Kind
    /// Nothing showed, when the list was learnt, that its one response has all.
    let isAssumed: Bool
    let size: Size?
    let count: (unit: Unit, location: Location)?
    /// Finds something where the total is exact; where it finds nothing, there are at least so many. Nil for one that always is.
    let exact: JSONPath?
    /// Where the API says whether another page follows, nil if it doesn't.
    let more: JSONPath?
    let ends: Set<End>
    /// Each finds something on the last page. One that finds nothing says nothing.
    let done: [JSONPath]
    /// The number of pages after which the API gives no more, nil for no limit.
    let lastPage: Int?
    /// Whether the parameters that a link to the next page lacks are added to it. Nil if that depends on the link.
    let keepsQuery: Bool?
    /// What takes the place of the description's own in requests for later pages. Nil if nothing does.
    let later: Later?

    struct Later: Sendable {
        let path: String?
        let query: [Source.Parameter]?
        let content: RequestContent?
    }

    /// Where a response has what leads to the next page, empty if nothing does or a `Link` header.
    var nextLocations: [Location] {
        switch kind {
        case .cursor(let cursors): cursors.flatMap(\.places)
        case .link(let places): places
        case .none, .page, .offset: []
        }
    }

    var hasOnePage: Bool { if case .none = kind { true } else { false } }

    /// Whether any page can be requested without the one before it.
    var isByPosition: Bool {
        switch kind {
        case .page, .offset: true
        case .none, .cursor, .link: false
        }
    }

    /// Only of services that leave records out of their pages does a description say in other words where a list ends.
    var mayLeaveOut: Bool { more != nil || !ends.isEmpty || !done.isEmpty }

    /// The places of what says which page is requested. Empty if a link does, or if there is one page.
    var pagePlacements: [Placement] {
        switch kind {
        case .page(let parameter, _), .offset(let parameter, _): [parameter]
        case .cursor(let cursors): cursors.map(\.parameter)
        case .none, .link: []
        }
    }

    var placements: [Placement] { pagePlacements + [size?.parameter].compactMap { $0 } }

    /// The API's own number of a page, or one counted from 1.
    func number(pagesBefore pages: Int) -> Int {
        if case .page(_, let first) = kind { first + pages } else { 1 + pages }
    }
}

extension Pagination {
    enum Word: String, CaseIterable {
        case none
        case page
        case offset
        case cursor
        case nextURL = "next-url"
        case linkHeader = "link-header"
    }

    init(in source: DescriptionReader) {
        let object = source.member("pagination") ?? source
        let word: Word = object.word("type") ?? .none
        if object.has("total"), object.has("pages") {
            object.findings.add(object.location, "takes total or pages, not both")
        }
        kind =
            switch word {
            case .none: .none
            case .page:
                .page(parameter: object.placement("parameter", .paging), first: object.integer("first") ?? 1)
            case .offset:
                .offset(parameter: object.placement("parameter", .paging), first: object.integer("first") ?? 0)
            case .cursor: .cursor(Cursor.all(in: object))
            case .nextURL: .link(Location.all(in: object))
            case .linkHeader: .link([])
            }
        isAssumed = object.tree["assumed"]?.boolean ?? false
        size = object.member("size").map { Size(of: $0) }
        count =
            object.member("total").map { (.records, Location(of: $0)) }
            ?? object.member("pages").map { (.pages, Location(of: $0)) }
        exact = object.member("total")?.path("exact")
        more = object.path("more")
        ends = Set(object.elements("end").compactMap { End(rawValue: $0.tree.string ?? "") })
        done = object.elements("end").compactMap { $0.path("where") }
        lastPage = object.integer("last")
        keepsQuery = object.tree["keepQuery"]?.boolean
        later = object.member("later").map { later in
            Later(
                path: later.text("path"), query: later.has("query") ? Source.parameters("query", later) : nil,
                content: RequestContent(in: later, isPost: true) { $0.withFiles })
        }
    }
}

extension Pagination.Size {
    /// The most that a description or `--page-size` may name.
    static let numbers = 1...1_000_000

    fileprivate init(of object: DescriptionReader) {
        parameter = object.placement("parameter", .paging)
        value = object.integer("value") ?? 0
        limit = object.integer("max")
        if let limit, value > limit { object.mistake("value", "is more than max, \(limit)") }
    }
}
