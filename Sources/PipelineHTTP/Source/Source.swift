// A web API described as a value: where its records are, how its pages are asked for, and which of its members are the
// common ones. Built-in sources and the user's own are read from the same JSON, see SourceDescription.

package import PipelineCore

/// The description of an API.
package struct Source: Sendable {
    /// A header field or a query parameter.
    package struct Parameter: Equatable, Sendable {
        package let name: String
        package let value: String

        package init(_ name: String, _ value: String) {
            self.name = name
            self.value = value
        }
    }

    /// The API's own search.
    package struct Search: Equatable, Sendable {
        package enum Escape: String, CaseIterable, Sendable {
            case none
            /// The API takes the text for a regular expression.
            case regex
        }

        package let parameter: String
        package let escape: Escape
        /// Where the search is, nil where the list itself is searched. It may have a query.
        package let path: String?
    }

    /// What lets a client in.
    package struct Key: Equatable, Sendable {
        package enum Location: Equatable, Sendable {
            case header(String)
            case query(String)
        }

        package let location: Location
        /// The environment variable that holds it.
        package let variable: String
        /// The API answers nothing without it.
        package let isRequired: Bool
    }

    /// A further request for each record, which follows a URL found in the response before it.
    package struct Step: Sendable {
        package let name: String
        /// Where the URL is: the first path that gives a text wins.
        package let urls: [JSONPath]
        /// Its answer takes the record's place.
        package let isRecord: Bool
        /// Origins beside the API's own that it may lead to.
        package let origins: [String]
    }

    /// Where a common member is.
    package struct MemberLocation: Sendable {
        /// The step, by its index, in whose answer the path is read; nil for the record.
        package let step: Int?
        package let path: JSONPath
        /// A part of the text, and what stands for it.
        package let replacement: (old: String, new: String)?
    }

    /// A common member, and where the API has it: the first place that gives a text wins.
    package struct CommonMember: Sendable {
        package let name: CommonName
        package let locations: [MemberLocation]
    }

    /// The members that records of every source have, in their order after `source`.
    package enum CommonName: String, CaseIterable, Sendable {
        case id, name, description, imageURL, pageURL

        /// White space around these is a slip of the API's editors.
        var isTrimmed: Bool { self != .name && self != .description }
    }

    package let name: String
    package let baseURL: String
    package let path: String
    package let headers: [Parameter]
    /// Parameters of every request for a list.
    package let query: [Parameter]
    /// Where the records are: an array, or one object.
    package let records: JSONPath
    /// The elements of that array.
    let elements: JSONPath
    package let pagination: Pagination
    package let search: Search?
    /// The path of one record, `{id}` in the place of its id.
    package let item: String?
    /// The parameter that `--each` sets.
    package let each: String?
    package let rate: Rate?
    package let key: Key?
    /// In the order of `CommonName`.
    package let members: [CommonMember]
    package let expand: [Step]
}
