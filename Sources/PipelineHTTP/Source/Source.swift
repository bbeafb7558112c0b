// Describes a web API: where its records are, how to request its pages, and which of its members are the common
// ones. Built-in sources and the user's own are parsed from the same JSON, see SourceDescription.

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
            /// The API treats the text as a regular expression.
            case regex
        }

        package let parameter: String
        package let escape: Escape
        /// The path of the search, nil if the list itself is searched. It may have a query.
        package let path: String?
    }

    /// The API key.
    package struct Key: Equatable, Sendable {
        package enum Location: Equatable, Sendable {
            case header(String)
            case query(String)
        }

        package let location: Location
        /// The environment variable that holds it.
        package let variable: String
        /// The API refuses requests without it.
        package let isRequired: Bool
    }

    /// A further request for each record, to a URL found in the previous response.
    package struct Step: Sendable {
        package let name: String
        /// The paths to the URL. The first one that has a text wins.
        package let urls: [JSONPath]
        /// Its response replaces the record.
        package let isRecord: Bool
        /// Origins besides the API's own that it may request.
        package let origins: [String]
    }

    /// The location of a common member.
    package struct MemberLocation: Sendable {
        /// The index of the step whose response the path refers to. Nil for the record.
        package let step: Int?
        package let path: JSONPath
        /// A part of the text, and its replacement.
        package let replacement: (old: String, new: String)?
    }

    /// A common member, and its locations in the API's record. The first one that has a text wins.
    package struct CommonMember: Sendable {
        package let name: CommonName
        package let locations: [MemberLocation]
    }

    /// The members that records of every source have, in their order after `source`.
    package enum CommonName: String, CaseIterable, Sendable {
        case id, name, description, imageURL, pageURL

        /// Whether white space around the value is a mistake of the API's editors and is trimmed.
        var isTrimmed: Bool { self != .name && self != .description }
    }

    package let name: String
    package let baseURL: String
    package let path: String
    package let headers: [Parameter]
    /// The parameters of every request for a list.
    package let query: [Parameter]
    /// The path to the records: an array, or one object.
    package let records: JSONPath
    /// The elements of that array.
    let elements: JSONPath
    package let pagination: Pagination
    package let search: Search?
    /// The path of one record, with `{id}` for its id.
    package let item: String?
    /// The parameter that `--each` sets.
    package let each: String?
    package let rate: Rate?
    package let key: Key?
    /// In the order of `CommonName`.
    package let members: [CommonMember]
    package let expand: [Step]
}
