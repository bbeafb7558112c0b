// How an API divides its lists: what requests a page, where the link to the next one is, and where the total is.

package import PipelineCore

/// The pagination of a source.
package struct Pagination: Sendable {
    package enum Kind: Sendable {
        /// One response has all records.
        case none
        /// Pages by number.
        case page(parameter: Placement, first: Int)
        /// Pages by the number of records before them.
        case offset(parameter: Placement)
        /// Each response has a text that requests the next page.
        case cursor(parameter: Placement, next: JSONPath)
        /// Each response has the URL of the next page in its body.
        case nextURL(next: JSONPath)
        /// Each response has the URL of the next page in a `Link` header (RFC 8288).
        case linkHeader
    }

    /// The parameter for the number of records per page.
    package struct Size: Equatable, Sendable {
        package let parameter: Placement
        package let value: Int
    }

    /// What the API counts.
    package enum Unit: Sendable {
        case records
        case pages
    }

    /// The location of a count.
    package enum Location: Sendable {
        case path(JSONPath)
        /// A header field. A missing one says nothing.
        case header(String)
    }

    package let kind: Kind
    package let size: Size?
    /// Where the API gives the total, nil if it doesn't.
    package let count: (unit: Unit, location: Location)?
    /// Links to the next page lack the query, so its parameters are added again.
    package let keepsQuery: Bool

    /// The parameter that says which page is requested. Nil if a link does, or if there is one page.
    var parameter: Placement? {
        switch kind {
        case .page(let parameter, _), .offset(let parameter), .cursor(let parameter, _): parameter
        case .none, .nextURL, .linkHeader: nil
        }
    }

    /// The places of what the pagination sets itself.
    package var placements: [Placement] { [parameter, size?.parameter].compactMap { $0 } }

    var first: PagePosition {
        switch kind {
        case .page(_, let first): .number(first)
        case .offset: .offset(0)
        case .none, .cursor, .nextURL, .linkHeader: .start
        }
    }
}

/// The position of one page in a list.
package enum PagePosition: Hashable, Sendable {
    /// The list itself, before any page has given the position of the next.
    case start
    case number(Int)
    /// The number of records before it.
    case offset(Int)
    case cursor(String)
    case link(HTTPURL)
}
