// How an API parts its lists: what asks for a page, where the way to the next one is found, and where it says how many
// there are.

package import PipelineCore

/// The pagination of a source.
package struct Pagination: Sendable {
    package enum Kind: Sendable {
        /// One answer has it all.
        case none
        /// Pages by number.
        case page(parameter: String, first: Int)
        /// Pages by the number of records before them.
        case offset(parameter: String)
        /// Each answer has a text that asks for the next page.
        case cursor(parameter: String, next: JSONPath)
        /// Each answer has the URL of the next page in its body.
        case nextURL(next: JSONPath)
        /// Each answer has the URL of the next page in a `Link` header (RFC 8288).
        case linkHeader
    }

    /// The parameter that asks for that many records a page.
    package struct Size: Equatable, Sendable {
        package let parameter: String
        package let value: Int
    }

    /// What the API counts.
    package enum Unit: Sendable {
        case records
        case pages
    }

    /// Where a count is.
    package enum Location: Sendable {
        case path(JSONPath)
        /// A header field. One that is missing says nothing.
        case header(String)
    }

    package let kind: Kind
    package let size: Size?
    /// Where the API says how many there are, nil where it doesn't.
    package let count: (unit: Unit, location: Location)?
    /// Links to the next page lose the query, so that its parameters are added again.
    package let keepsQuery: Bool

    /// The parameter that says which page is requested, nil where a link does or there is one page.
    var parameter: String? {
        switch kind {
        case .page(let parameter, _), .offset(let parameter), .cursor(let parameter, _): parameter
        case .none, .nextURL, .linkHeader: nil
        }
    }

    /// The parameters that the pagination sets itself.
    package var parameters: [String] { [parameter, size?.parameter].compactMap { $0 } }

    var first: PagePosition {
        switch kind {
        case .page(_, let first): .number(first)
        case .offset: .offset(0)
        case .none, .cursor, .nextURL, .linkHeader: .start
        }
    }
}

/// What asks for one page of a list.
package enum PagePosition: Hashable, Sendable {
    /// The list itself, before any page has told of another.
    case start
    case number(Int)
    /// So many records stand before it.
    case offset(Int)
    case cursor(String)
    case link(HTTPURL)
}
