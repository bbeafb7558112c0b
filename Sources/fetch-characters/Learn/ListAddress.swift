// The URL of a list, taken apart as a description has it.
//
//     https://api.example.org/v2/cards?sort=name&page=3&limit=20
//     baseURL                 path     query      position  size

import PipelineCore
import PipelineHTTP

/// The address of a list.
struct ListAddress: Sendable {
    /// A part of the query, between two ampersands.
    private struct Part {
        let text: String
        let parameter: Source.Parameter
        /// Whether a description can have it as a name with its value.
        let isPlain: Bool
    }

    let baseURL: String
    private let ownPath: String
    private var parts: [Part]

    init(_ url: HTTPURL) {
        baseURL = url.origin
        let whole = url.plainText
        let start = whole.firstRange(of: "://").flatMap { whole[$0.upperBound...].firstIndex(of: "/") }
        let target = String(whole[(start ?? whole.endIndex)...])
        ownPath = String(target.prefix { $0 != "?" })
        parts = target.dropFirst(ownPath.count + 1).split(separator: "&").map { Self.part(String($0)) }
    }

    private static func part(_ text: String) -> Part {
        let texts = text.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false).map { part in
            HTTPURL.percentDecoded(String(part.replacing("+", with: " ")).utf8Bytes.span)
        }
        let decoded = texts.map { String(validating: $0, as: UTF8.self) }
        let shown = texts.map { String(decoding: $0, as: UTF8.self) }
        let parameter = Source.Parameter(shown[0], shown.count > 1 ? shown[1] : "")
        let hasBraces = (parameter.name + parameter.value).contains { $0 == "{" || $0 == "}" }
        let isPlain = decoded.count == 2 && !decoded.contains(nil) && !parameter.name.isEmpty && !hasBraces
        return Part(text: text, parameter: parameter, isPlain: isPlain)
    }

    /// Whether the query can be an object.
    private var isPlain: Bool {
        parts.allSatisfy(\.isPlain) && Set(parts.map(\.parameter.name)).count == parts.count
    }

    /// With the query, if that can't be an object of names and values.
    var path: String {
        isPlain ? ownPath : ownPath + "?" + parts.map(\.text).joined(separator: "&")
    }

    /// The parameters that aren't part of the path.
    var query: [Source.Parameter] { isPlain ? parameters : [] }

    /// All parameters.
    var parameters: [Source.Parameter] { parts.map(\.parameter) }

    /// The name of a parameter that seems to hold a secret.
    var secretName: String? { parameters.map(\.name).first(where: LearntNames.isSecret) }

    // MARK: Parameters

    /// The parameter that says which page is meant.
    var position: PageParameter? {
        for parameter in parameters {
            if let found = PageParameter(named: parameter.name, parameter.value) { return found }
        }
        return nil
    }

    /// The parameters that have other values in the link to the next page: they say which page is meant.
    func moved(to next: ListAddress) -> [PageParameter] {
        parameters.compactMap { parameter in
            let others = next.parameters.filter { $0.name == parameter.name }
            guard !others.isEmpty, others.allSatisfy({ $0.value != parameter.value }) else { return nil }
            return PageParameter(named: parameter.name, parameter.value)
                ?? PageParameter(parameter.name, Int(parameter.value) == nil ? .cursor : .page)
        }
    }

    /// A parameter whose value is as many records as came: it may have asked for no more.
    func parameter(asking count: Int) -> String? {
        parameters.first { $0.value == "\(count)" }?.name
    }

    /// Whether it requests the first page by that parameter.
    func hasFirst(_ position: PageParameter) -> Bool {
        parameters.contains { $0.name == position.name && position.firstValues.contains($0.value) }
    }

    /// The parameter for the number of records in a page, and its value.
    var size: (name: String, value: Int)? {
        for parameter in query where LearntNames.sizes.contains(LearntNames.plain(parameter.name)) {
            if let value = Int(parameter.value), Pagination.Size.numbers.contains(value) {
                return (parameter.name, value)
            }
        }
        return nil
    }

    /// The address without parameters of these names.
    func removing(_ names: [String]) -> ListAddress {
        var address = self
        address.parts.removeAll { names.contains($0.parameter.name) }
        return address
    }

    /// The address without parameters that say which page is meant.
    var withoutPositions: ListAddress {
        var address = self
        while let position = address.position { address = address.removing([position.name]) }
        return address
    }

    /// The address with a parameter set.
    func setting(_ name: String, to value: String) -> ListAddress {
        var address = removing([name])
        let text = HTTPURL.percentEncoded(name) + "=" + HTTPURL.percentEncoded(value)
        address.parts.append(Part(text: text, parameter: Source.Parameter(name, value), isPlain: true))
        return address
    }
}

/// A parameter that says which page is meant: a page's number, the number of records before it, or a cursor.
struct PageParameter: Hashable, Sendable {
    enum Kind: Hashable, Sendable {
        case page, offset, cursor
    }

    let name: String
    let kind: Kind

    init(_ name: String, _ kind: Kind) {
        self.name = name
        self.kind = kind
    }

    /// - Returns: nil if neither the name nor the value shows that it is one.
    init?(named name: String, _ value: String) {
        guard name.utf8.count <= 100 else { return nil }
        let plain = LearntNames.plain(name)
        let isNumber = Int(value).map { $0 >= 0 } ?? false
        if isNumber, LearntNames.pages.contains(plain) {
            kind = .page
        } else if isNumber, LearntNames.offsets.contains(plain) {
            kind = .offset
        } else if LearntNames.cursors.contains(plain) {
            kind = .cursor
        } else {
            return nil
        }
        self.name = name
    }

    /// What requests the first page, where something has to.
    var firstValues: [String] {
        switch kind {
        case .page: ["0", "1"]
        case .offset: ["0"]
        case .cursor: ["*"]
        }
    }

    /// The link to the second page, changed to lead to another one.
    /// - Parameters:
    ///   - number: of the page, from 1.
    ///   - size: records in each page.
    /// - Returns: nil if the link doesn't have what the second page's has to have.
    func link(_ second: HTTPURL, to number: Int, size: Int) -> HTTPURL? {
        let parts = second.text.split(separator: "?", maxSplits: 1).map(String.init)
        guard parts.count == 2 else { return nil }
        var query = parts[1].split(separator: "&").map(String.init)
        let place = query.firstIndex { HTTPURL.percentDecoded(String($0.prefix { $0 != "=" })) == name }
        guard let place, let value = Int(query[place].drop { $0 != "=" }.dropFirst()) else { return nil }
        let wanted: Int
        switch kind {
        case .page where value < 1_000_000: wanted = value + number - 2
        case .offset where value == size: wanted = size * (number - 1)
        case .page, .offset, .cursor: return nil
        }
        query[place] = "\(query[place].prefix { $0 != "=" })=\(wanted)"
        do throws(HTTPFailure) {
            return try HTTPURL(parts[0] + "?" + query.joined(separator: "&"))
        } catch {
            return nil
        }
    }

    /// Tried where no answer shows a parameter.
    static let usual = PageParameter("page", .page)
    /// Tried at once, with offsets that differ, so that the answer shows which one counts.
    static let offsets = ["offset", "skip", "start", "from", "startIndex", "page[offset]"]
    /// Tried at once.
    static let pages = ["pageNumber", "p", "page_number", "page[number]", "pageNo", "currentPage"]
    /// Set beside them, as some services take a position with a size only.
    static let sizesBeside = ["limit", "per_page", "pageSize"]
    /// Tried at once, to see whether more records come.
    static let sizes = [
        "limit", "per_page", "pageSize", "page_size", "perPage", "size", "count", "rows", "page[size]", "take",
    ]

    /// The parameters that the links of an answer have, and those that it repeats.
    static func shown(by answer: AnswerValue, beside place: RecordsPlace, _ headers: HTTPHeaders)
        -> [PageParameter]
    {
        var found: [PageParameter] = []
        // A few are tried.
        let add: (PageParameter) -> Void = { if found.count < 8, !found.contains($0) { found.append($0) } }
        for link in headers.values("Link").flatMap({ WebLink.links(in: $0).links }) {
            parameters(of: link.target).forEach(add)
        }
        let values = EnvelopeValue.all(in: answer, beside: place)
        for value in values { value.value.text.map(parameters(of:))?.forEach(add) }
        for value in values {
            let plain = LearntNames.plain(value.name)
            if LearntNames.pages.contains(plain), let number = value.value.wholeNumber, number <= 1 {
                add(PageParameter(plain == "currentpage" ? "page" : value.name, .page))
            }
            if LearntNames.offsets.contains(plain), value.value.wholeNumber == 0 {
                add(PageParameter(value.name, .offset))
            }
        }
        return found
    }

    /// Those of a URL that have a number.
    private static func parameters(of link: String) -> [PageParameter] {
        guard let mark = link.prefix(4096).firstIndex(of: "?") else { return [] }
        return link[link.index(after: mark)...].split(separator: "&", maxSplits: 50).compactMap { pair in
            let parts = pair.split(separator: "=", maxSplits: 1).map { HTTPURL.percentDecoded(String($0)) }
            guard parts.count == 2, Int(parts[1]) != nil else { return nil }
            return PageParameter(named: parts[0], parts[1])
        }
    }
}
