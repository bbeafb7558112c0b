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
    package struct Search: Sendable {
        package enum Escape: String, CaseIterable, Sendable {
            case none
            /// The API treats the text as a regular expression.
            case regex
        }

        package let parameter: Placement
        package let escape: Escape
        /// What is searched instead of the list: another path, which may have a query, with records and pages of
        /// its own. Nil for those that are the list's.
        package let path: String?
        package let records: Records?
        package let pagination: Pagination?
    }

    /// A value of the user's, set by `--param`.
    package struct Param: Sendable {
        package let name: String
        /// Used if the user gives none.
        package let standard: String?
        package let help: String?
    }

    /// A value that `--each` takes from a record.
    package struct Each: Equatable, Sendable {
        /// What `--each NAME=PATH` calls it.
        package let name: String
        package let placement: Placement
    }

    /// Where the records of an answer are.
    package struct Records: Sendable {
        package enum Format: String, CaseIterable, Sendable {
            case json
            /// A value on each line.
            case lines
        }

        /// The path to an array, to one object, or to an object of records if there is a `key`.
        package let path: JSONPath
        /// The member that a record's name in that object becomes.
        package let key: String?
        package let format: Format
    }

    /// Records come in parts: further pages have the same ones with other members.
    package struct Merge: Sendable {
        /// Finds something, even if it is empty, in the page that completes the records before it. Nil if they are complete
        /// once a page has none of them.
        package let complete: JSONPath?
    }

    /// What makes an answer with a successful status a refusal, if there is anything at these paths.
    package struct Refusals: Sendable {
        /// The service refuses the request, and says why.
        package let errors: JSONPath?
        /// The service has no time for it now, as if it answered 429.
        package let busy: JSONPath?
    }

    /// A further request for each record, to a URL found in the previous response.
    package struct Step: Sendable {
        package let name: String
        /// The places of the URL. The first one that has a text wins.
        package let urls: [TextPlace]
        /// Its response replaces the record.
        package let isRecord: Bool
        /// Origins besides the API's own that it may request.
        package let origins: [String]
    }

    /// Where a text is found in a record.
    package enum TextPlace: Sendable {
        case path(JSONPath)
        case composed(ComposedText)

        /// As written.
        package var text: String {
            switch self {
            case .path(let path): path.text
            case .composed(let text): text.text
            }
        }
    }

    /// The location of a common member.
    package struct MemberLocation: Sendable {
        /// The index of the step whose response the place refers to. Nil for the record.
        package let step: Int?
        package let place: TextPlace
        /// A part of the text, and its replacement.
        package let replacement: (old: String, new: String)?
    }

    /// A common member, and its locations in the API's record. The first one that has a text wins.
    package struct CommonMember: Sendable {
        package let name: CommonName
        package let locations: [MemberLocation]
        /// No record need have it.
        package let isOptional: Bool
    }

    /// The members that records of every source have, in their order after `source`.
    package enum CommonName: String, CaseIterable, Sendable {
        case id, name, description, imageURL, pageURL

        /// Whether white space around the value is a mistake of the API's editors and is trimmed.
        var isTrimmed: Bool { self != .name && self != .description }

        /// Whether it is a URL, and made absolute if it is a relative one.
        var isURL: Bool { self == .imageURL || self == .pageURL }
    }

    package let name: String
    /// What it gives, for a list of sources.
    package let summary: String?
    /// Empty if it describes answers of no service.
    package let baseURL: String
    package internal(set) var path: String
    package let headers: [Parameter]
    /// The parameters of every request for a list.
    package let query: [Parameter]
    package let params: [Param]
    /// Lists are requested with POST.
    package let isPost: Bool
    /// The body of every request for a list. Nil for none.
    package let content: RequestContent?
    /// The texts of the files that it names.
    package let files: [String: String]
    package internal(set) var records: Records
    /// Nil if each record comes whole.
    package let merge: Merge?
    /// How an answer says that it isn't one.
    package let refusals: Refusals
    /// The statuses that mean that nothing was found, for a search, a single record and a list of `--each`.
    package let absent: [Int]
    package internal(set) var pagination: Pagination
    package let search: Search?
    /// The path of one record, with `{id}` for its id.
    package let item: String?
    /// The values of `--each`, in the description's order.
    package let each: [Each]
    package let since: Since?
    package let rate: Rate?
    package let keys: [Key]
    package let token: Token?
    /// In the order of `CommonName`.
    package let members: [CommonMember]
    package let expand: [Step]
}

extension Source {
    /// The source of a search: what the description says of the search takes the place of what it says of the list.
    package var searched: Source {
        guard let search else { return self }
        var searched = self
        searched.path = search.path ?? path
        searched.records = search.records ?? records
        searched.pagination = search.pagination ?? pagination
        return searched
    }

    /// Whether it describes the answers of no service: saved ones, and those of other programs.
    package var isOfNoService: Bool { baseURL.isEmpty }

    /// Whether records come out as they are.
    package var isVerbatim: Bool { isOfNoService && members.isEmpty }

    /// The placeholders that `--param` may set: those of its texts that the pagination doesn't set.
    package var placeholders: [String] {
        let item = item.map { Placeholders.names(in: $0).filter { $0 != "id" } } ?? []
        let texts = [baseURL, token?.url ?? "", path, search?.path ?? ""] + (headers + query).map(\.value)
        let paging = pagination.placements + (search?.pagination?.placements ?? [])
        var set = (paging + [search?.parameter].compactMap(\.self)).compactMap(\.placeholder)
        if case .parameter(let placement, _)? = since?.means { set += [placement.placeholder].compactMap(\.self) }
        var names = params.map(\.name)
        for name in texts.flatMap({ Placeholders.names(in: $0) }) + item + stepNames where !names.contains(name) {
            names.append(name)
        }
        return names.filter { !set.contains($0) || params.map(\.name).contains($0) }
    }

    /// The placeholders in the URLs of `expand`.
    fileprivate var stepNames: [String] {
        expand.flatMap(\.urls).flatMap { place in
            if case .composed(let text) = place { text.placeholders } else { [String]() }
        }
    }
}

extension Source {
    /// Whether the value may stand for this placeholder in the base URL, whose host takes few characters.
    /// - Parameter isReplaced: by `--base-url`.
    package func canBeInBase(_ name: String, _ value: String, isReplaced: Bool) -> Bool {
        let hosts = [isReplaced ? "" : baseURL, token?.url ?? ""].flatMap {
            $0.split(separator: "/", maxSplits: 3, omittingEmptySubsequences: false).prefix(3)
        }
        let isInHost = hosts.contains { Placeholders.names(in: String($0)).contains(name) }
        return !isInHost || Placeholders.isHostPart(value)
    }

    /// The values of the placeholders.
    /// - Parameter parameters: the user's own.
    func placeholderValues(_ parameters: [Parameter]) -> [String: String] {
        let names = placeholders
        var values: [String: String] = [:]
        for param in params { values[param.name] = param.standard }
        for parameter in parameters where names.contains(parameter.name) {
            values[parameter.name] = parameter.value
        }
        return values
    }

    /// Whether a request for a single record has the placeholder.
    package func isInItem(_ name: String) -> Bool {
        let texts = [baseURL, token?.url ?? "", item ?? ""] + headers.map(\.value)
        return stepNames.contains(name) || texts.contains { Placeholders.names(in: $0).contains(name) }
    }

    /// Whether the placeholder is in a path, where it can't be empty.
    package func isInPath(_ name: String) -> Bool {
        let paths = [path, search?.path ?? "", item ?? ""].map { $0.prefix { $0 != "?" } }
        return stepNames.contains(name)
            || ([baseURL, token?.url ?? ""] + paths.map(String.init)).contains {
                Placeholders.names(in: $0).contains(name)
            }
    }
}

extension Placement {
    /// The placeholder that it is, if it is one.
    var placeholder: String? { if case .path(let name) = self { name } else { nil } }
}
