// The URL of a list, taken apart as a description has it.
//
//     https://api.example.org/v2/cards?sort=name&page=3&limit=20
//     baseURL                 path     query      position  size

import PipelineCore

/// The address of a list.
package struct ListAddress: Sendable {
    package let baseURL: String
    /// With the query, if that can't be an object of names and values.
    package let path: String
    package private(set) var query: [Source.Parameter]

    package init(_ url: HTTPURL) {
        baseURL = url.origin
        let whole = url.plainText
        let start = whole.utf8.index(whole.startIndex, offsetBy: whole.utf8.count)
        let authority = whole.firstRange(of: "://").flatMap { whole[$0.upperBound...].firstIndex(of: "/") } ?? start
        let target = String(whole[authority...])
        guard let mark = target.firstIndex(of: "?") else {
            path = target
            query = []
            return
        }
        let parts = target[target.index(after: mark)...].split(separator: "&").map(String.init)
        let parameters = parts.compactMap(Self.parameter)
        let isPlain = parameters.count == parts.count && Set(parameters.map(\.name)).count == parts.count
        path = isPlain ? String(target[..<mark]) : target
        query = isPlain ? parameters : []
    }

    /// Nil for one that a description would write otherwise.
    private static func parameter(_ text: String) -> Source.Parameter? {
        let parts = text.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false).map { part in
            String(validating: HTTPURL.percentDecoded(part.replacing("+", with: " ").utf8Span.span), as: UTF8.self)
        }
        guard parts.count == 2, let name = parts[0], let value = parts[1], !name.isEmpty,
            !(name + value).contains(where: { $0 == "{" || $0 == "}" })
        else { return nil }
        return Source.Parameter(name, value)
    }

    /// The name of a parameter that seems to hold a secret.
    package var secretName: String? {
        let names = query.map(\.name) + (path.contains("?") ? Self.names(in: path) : [])
        return names.first { LearntNames.secrets.contains(LearntNames.plain($0)) }
    }

    private static func names(in target: String) -> [String] {
        target.drop { $0 != "?" }.dropFirst().split(separator: "&").map { pair in
            HTTPURL.percentDecoded(String(pair.prefix { $0 != "=" }))
        }
    }

    // MARK: Parameters

    /// The parameter that says which page is meant.
    package var position: PageParameter? {
        for parameter in query {
            if let found = PageParameter(named: parameter.name, parameter.value) { return found }
        }
        return nil
    }

    /// Whether it requests the first page by that parameter.
    package func hasFirst(_ position: PageParameter) -> Bool {
        query.contains { $0.name == position.name && position.firstValues.contains($0.value) }
    }

    /// The parameter for the number of records in a page, and its value.
    package var size: (name: String, value: Int)? {
        for parameter in query where LearntNames.sizes.contains(LearntNames.plain(parameter.name)) {
            if let value = Int(parameter.value), Pagination.Size.numbers.contains(value) {
                return (parameter.name, value)
            }
        }
        return nil
    }

    /// The address without parameters of these names.
    package func removing(_ names: [String]) -> ListAddress {
        var address = self
        address.query.removeAll { names.contains($0.name) }
        return address
    }

    /// The address without parameters that say which page is meant.
    package var withoutPositions: ListAddress {
        var address = self
        while let position = address.position { address = address.removing([position.name]) }
        return address
    }

    /// The address with a parameter set.
    package func setting(_ name: String, to value: String) -> ListAddress {
        var address = removing([name])
        address.query.append(Source.Parameter(name, value))
        return address
    }
}
