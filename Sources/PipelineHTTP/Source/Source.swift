// A web API described as a value: where its records are, how its pages are asked for, and which of its members are the
// common ones. The built-in sources are such values.

/// The description of a paginated API.
package struct Source: Equatable, Sendable {
    /// A header field that each request has.
    package struct Header: Equatable, Sendable {
        package let name: String
        package let value: String
    }

    /// Pages by number, each of the same size but for the last.
    package struct Paging: Equatable, Sendable {
        /// The query parameter of the page's number.
        package let parameter: String
        /// The number of the first page.
        package let first: Int
        package let sizeParameter: String
        /// Records a page where the user asks for no other size.
        package let size: Int
        /// Where in a page the number of pages stands.
        package let pages: MemberPath
    }

    /// The API's own search.
    package struct Search: Equatable, Sendable {
        package enum Escape: Equatable, Sendable {
            case none
            /// The API takes the text for a regular expression.
            case regex
        }

        package let parameter: String
        package let escape: Escape
    }

    /// A common member, and where the API has it: the first path that gives a text wins.
    package struct CommonMember: Equatable, Sendable {
        package let name: CommonName
        package let paths: [MemberPath]
    }

    /// The members that records of every source have, in their order behind `source`.
    package enum CommonName: String, CaseIterable, Sendable {
        case id, name, description, imageURL, pageURL

        /// White space around these is a slip of the API's editors.
        var isTrimmed: Bool { self != .name && self != .description }
    }

    package let name: String
    package let baseURL: String
    package let path: String
    package let headers: [Header]
    /// Where the records are: an array, or one object.
    package let records: MemberPath
    package let paging: Paging
    package let search: Search?
    /// The path of one record, `{id}` in the place of its id.
    package let item: String?
    /// In the order of `CommonName`.
    package let members: [CommonMember]
}
