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
