// How an API divides its lists: what requests a page, what leads to the next one, and what says where the list ends.

import PipelineCore
import PipelineHTTP

/// The pagination of a source.
struct Pagination: Sendable {
    /// What leads from one page to the next.
    enum Kind: Sendable {
        /// One response has all records.
        case none
        /// The pages have numbers.
        case page(parameter: Placement, first: Int)
        /// A page is requested by the number of records before it, or by the number of its first record.
        case offset(parameter: Placement, first: Int)
        /// Each response has the values that request the next page.
        case cursor([Cursor])
        /// Each response has the URL of the next page.
        case link(Link)
    }

    /// A parameter of the next page, and where a response has its value.
    struct Cursor: Sendable {
        let parameter: Placement
        let value: Location
    }

    /// Where a response has the URL of the next page.
    enum Link: Sendable {
        case value(Location)
        /// The relation `next` in a `Link` header (RFC 8288).
        case relation
    }

    /// The parameter for the number of records per page.
    struct Size: Equatable, Sendable {
        let parameter: Placement
        let value: Int
        /// The most that the API gives, nil if it isn't known.
        let limit: Int?
    }

    /// What the API counts.
    enum Unit: Sendable {
        case records
        case pages
    }

    /// The location of a value in a response.
    enum Location: Sendable {
        case path(JSONPath)
        /// A header field. A missing one says nothing.
        case header(String)

        var path: JSONPath? { if case .path(let path) = self { path } else { nil } }

        /// The path, or the header's name, for people.
        var text: String {
            switch self {
            case .path(let path): path.text
            case .header(let name): "the header \(name)"
            }
        }
    }

    /// What is the end of a list, besides what every API means by it.
    enum End: String, CaseIterable, Sendable {
        /// A page without records, even if it leads on.
        case emptyPage = "empty-page"
        /// The cursor that requested the page.
        case sameCursor = "same-cursor"
        /// 404 or 400 for the page after the last one.
        case notFound = "not-found"
    }

    let kind: Kind
    let size: Size?
    /// Where the API gives the total, nil if it doesn't.
    let count: (unit: Unit, location: Location)?
    /// Where the API says whether another page follows, nil if it doesn't.
    let more: JSONPath?
    let ends: Set<End>
    /// The number of pages after which the API gives no more, nil for no limit.
    let lastPage: Int?
    /// Whether the parameters that a link to the next page lacks are added to it. Nil if that depends on the link.
    let keepsQuery: Bool?

    /// Where a response has what leads to the next page, empty if nothing does or a `Link` header.
    var nextLocations: [Location] {
        switch kind {
        case .cursor(let cursors): cursors.map(\.value)
        case .link(.value(let location)): [location]
        case .none, .page, .offset, .link(.relation): []
        }
    }

    var hasOnePage: Bool { if case .none = kind { true } else { false } }

    /// The places of what says which page is requested. Empty if a link does, or if there is one page.
    var pagePlacements: [Placement] {
        switch kind {
        case .page(let parameter, _), .offset(let parameter, _): [parameter]
        case .cursor(let cursors): cursors.map(\.parameter)
        case .none, .link: []
        }
    }

    /// The places of what the pagination sets itself.
    var placements: [Placement] { pagePlacements + [size?.parameter].compactMap { $0 } }

    /// The number of the page after this many others: the API's own, or counted from 1.
    func number(pagesBefore pages: Int) -> Int {
        if case .page(_, let first) = kind { first + pages } else { 1 + pages }
    }
}
