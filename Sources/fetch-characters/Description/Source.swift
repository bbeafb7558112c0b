// Describes a web API: where its records are, how to request its pages, and which of its members are the common ones.

import PipelineCore
import PipelineHTTP

struct Source: Sendable {
    /// A header field or a query parameter.
    struct Parameter: Equatable, Sendable {
        let name: String
        let value: String

        init(_ name: String, _ value: String) {
            self.name = name
            self.value = value
        }

        func filled(_ values: [String: String]) -> Self {
            Self(name, Placeholders.filled(value) { values[$0] })
        }

        static func encoded(_ parameters: [Self]) -> String {
            parameters.map { "\(HTTPURL.percentEncoded($0.name))=\(HTTPURL.percentEncoded($0.value))" }
                .joined(separator: "&")
        }
    }

    enum TextPlace: Sendable {
        case path(JSONPath)
        case composed(ComposedText)

        var text: String {
            switch self {
            case .path(let path): path.text
            case .composed(let text): text.text
            }
        }

        /// The parameters of a composed URL that are the same for each record.
        var literalQuery: [Parameter] {
            guard case .composed(let text) = self else { return [] }
            return text.text.drop { $0 != "?" }.dropFirst().split(separator: "&").compactMap { parameter in
                let pair = parameter.split(separator: "=", maxSplits: 1).map { HTTPURL.percentDecoded(String($0)) }
                return pair.count == 2 && !parameter.contains("{") ? Parameter(pair[0], pair[1]) : nil
            }
        }
    }

    /// The members that records of every source have, in their order after `source`.
    enum CommonName: String, CaseIterable, Sendable {
        case id, name, description, imageURL, pageURL

        /// White space around the value is a mistake of the API's editors.
        var isTrimmed: Bool { self != .name && self != .description }

        var isURL: Bool { self == .imageURL || self == .pageURL }
    }

    let name: String
    let summary: String?
    /// Empty if it describes answers of no service.
    let baseURL: String
    var path: String
    let headers: [Parameter]
    let query: [Parameter]
    let params: [Param]
    let isPost: Bool
    let content: RequestContent?
    /// The texts of the files that it names.
    let files: [String: String]
    var records: Records
    /// Nil if each record comes whole.
    let merge: Merge?
    /// Finds what the service says in a refusal with a successful status.
    let errors: JSONPath?
    /// Finds something where the service has no time for the request now, as if it answered 429.
    let busy: JSONPath?
    /// The statuses that mean that nothing was found, for a search, a single record and a list of `--each`.
    let absent: [Int]
    var pagination: Pagination
    /// What stood beside the records of one response when the list was learnt. Nil if nobody noted it.
    var beside: BesideShape?
    let search: Search?
    /// The path of one record, with `{id}` for its id.
    let item: String?
    let each: [Each]
    let since: Since?
    let rate: Rate?
    /// The service turns away who doesn't say whom to ask about requests.
    let wantsContact: Bool
    let keys: [Key]
    let token: Token?
    /// In the order of `CommonName`.
    let members: [CommonMember]
    /// In the description's order.
    let ownMembers: [OwnMember]
    let expand: [Step]
}

extension Source {
    /// The source of a search: what the description says of the search takes the place of what it says of the list.
    var searched: Source {
        guard let search else { return self }
        var searched = self
        searched.path = search.path ?? path
        searched.records = search.records ?? records
        searched.pagination = search.pagination ?? pagination
        // A search is echoed beside what it finds, and the list was learnt without one.
        searched.beside = nil
        return searched
    }

    /// It describes saved answers, and those of other programs.
    var isOfNoService: Bool { baseURL.isEmpty }

    var isVerbatim: Bool { isOfNoService && members.isEmpty && ownMembers.isEmpty }

    /// Whether the ids of the first and last records tell pages apart, as the description leaves no record out.
    var hasPlainIDs: Bool {
        let isNewestFirst = since.map { $0.placement == nil } ?? false
        return members.contains { $0.name == .id } && merge == nil && !isNewestFirst && !records.path.isFiltered
            && !records.path.isNested
    }

    fileprivate var listPaths: [String] {
        [path] + [search?.path, pagination.later?.path, search?.pagination?.later?.path].compactMap(\.self)
    }

    /// The placeholders that `--param` may set: those of its texts that the pagination doesn't set.
    var placeholders: [String] {
        let item = item.map { Placeholders.names(in: $0).filter { $0 != "id" } } ?? []
        let later = [pagination.later, search?.pagination?.later].compactMap { $0?.query }.flatMap(\.self)
        let texts = [baseURL, token?.url ?? ""] + listPaths + (headers + query + later).map(\.value)
        let paging = pagination.placements + (search?.pagination?.placements ?? [])
        let set = (paging + [search?.parameter, since?.placement, since?.until].compactMap(\.self)).compactMap(
            \.placeholder)
        let declared = params.map(\.name)
        let names = declared + texts.flatMap { Placeholders.names(in: $0) } + item + stepNames
        return names.withoutRepeats.filter { !set.contains($0) || declared.contains($0) }
    }

    /// Those that get the number of a page, an offset or a size, whatever else the description says of them.
    var numberedPlaceholders: [String] {
        [pagination, search?.pagination].compactMap(\.self).flatMap { pagination in
            let page = pagination.isByPosition ? pagination.pagePlacements : []
            return (page + [pagination.size?.parameter].compactMap(\.self)).compactMap(\.placeholder)
        }
    }

    fileprivate var stepNames: [String] {
        expand.flatMap(\.urls).flatMap { place in
            if case .composed(let text) = place { text.placeholders } else { [String]() }
        }
    }

    /// Whether the value may stand for this placeholder in the base URL, whose host takes few characters.
    /// - Parameter isReplaced: by `--base-url`.
    func canBeInBase(_ name: String, _ value: String, isReplaced: Bool) -> Bool {
        let hosts = [isReplaced ? "" : baseURL, token?.url ?? ""].flatMap {
            $0.split(separator: "/", maxSplits: 3, omittingEmptySubsequences: false).prefix(3)
        }
        let isInHost = hosts.contains { Placeholders.names(in: String($0)).contains(name) }
        return !isInHost || Placeholders.isHostPart(value)
    }

    func placeholderValues(_ parameters: [Parameter]) -> [String: String] {
        let names = placeholders
        var values: [String: String] = [:]
        for param in params { values[param.name] = param.standard }
        for parameter in parameters where names.contains(parameter.name) {
            values[parameter.name] = parameter.value
        }
        return values
    }

    func isInItem(_ name: String) -> Bool {
        isIn([item ?? ""] + headers.map(\.value), name)
    }

    /// Whether its value may have slashes, and so no empty segment.
    func isSlashed(_ name: String) -> Bool {
        ([baseURL, item ?? ""] + listPaths).contains { Placeholders.slashedNames(in: $0).contains(name) }
    }

    func isInPath(_ name: String) -> Bool {
        isIn((listPaths + [item ?? ""]).map { String($0.prefix { $0 != "?" }) }, name)
    }

    /// Whether the placeholder is in these texts, the URLs or the steps.
    private func isIn(_ texts: [String], _ name: String) -> Bool {
        (stepNames + ([baseURL, token?.url ?? ""] + texts).flatMap { Placeholders.names(in: $0) }).contains(name)
    }
}
