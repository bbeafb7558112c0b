// What links and the query of GraphQL show of a list's request.

import PipelineCore
import PipelineHTTP

extension ListRequest {
    /// The query of a URL, absolute or relative.
    static func parameters(of link: String) -> [Source.Parameter] {
        let query = link.prefix(4096).drop { $0 != "?" }.dropFirst().prefix { $0 != "#" }
        return query.split(separator: "&", maxSplits: 50).map(parameter)
    }

    /// Whether a URL may be that of another page: one of the list's own path with another query, or of any path if its
    /// name says that it is the next page's.
    func leadsOn(_ link: String, from response: HTTPURL, rank: Int) -> Bool {
        guard let url = try? response.resolving(link), let target = Self.target(of: url.text) else { return false }
        let own = Self.target(of: response.text) ?? ""
        guard target != own, target != self.target else { return false }
        let path = { (text: String) in text.prefix { $0 != "?" } }
        let isOwnPath = path(target) == path(own) || path(target) == path(self.target)
        return isOwnPath ? target.contains("?") : rank == 0
    }

    /// Of a URL from its path on. Nil for an origin alone.
    static func target(of url: String) -> String? {
        url.firstRange(of: "://").flatMap { start in
            url[start.upperBound...].firstIndex(of: "/").map { String(url[$0...].prefix { $0 != "#" }) }
        }
    }

    /// The variables that a query in GraphQL binds to an argument of one of these names: `friends(after: $place)`.
    func variables(of arguments: [String]) -> [Placement] {
        guard isGraphQL, case .json(let tree)? = content, let query = tree["query"]?.string else { return [] }
        return arguments.flatMap { argument in
            query.prefix(1 << 20).matches(of: /([A-Za-z_][A-Za-z_0-9]*)\s*:\s*\$([A-Za-z_][A-Za-z_0-9]*)/)
                .filter { $0.1 == argument }
                .map { Placement.body([.name("variables"), .name(String($0.2))]) }
        }.withoutRepeats
    }
}

/// A number in the link to the second page, by which any other page can be requested.
struct LinkNumber: Sendable {
    private let link: HTTPURL
    private let place: Placement
    /// The number of the second page, and by how much the next one's is larger.
    private let (second, step): (Int, Int)

    /// - Parameters:
    ///   - next: the link of the second page to the third.
    ///   - size: the number of records of a page.
    init?(_ link: HTTPURL, next: HTTPURL?, size: Int) {
        let numbers = ListRequest(link).parameters.compactMap { parameter in
            Int(parameter.value).map { (place: parameter.place, value: $0) }
        }
        let following = next.map { ListRequest($0).parameters }
        for number in numbers {
            let after = following?.first { $0.place == number.place }.flatMap { Int($0.value) }
            let step = after.map { $0 - number.value } ?? (number.value == size ? size : 1)
            // A page's number, or a number of records.
            let isOfPages = step == 1 && (0...2).contains(number.value)
            let isOfRecords = step == size && [size, size + 1].contains(number.value)
            guard following == nil || after != nil, isOfPages || isOfRecords else { continue }
            self.link = link
            (place, second, self.step) = (number.place, number.value, step)
            return
        }
        return nil
    }

    /// The link to a page, counted from 1.
    func page(_ number: Int) -> PagePosition? {
        ListRequest(link).url(setting: place, to: second + step * (number - 2)).map { .link($0.text) }
    }
}
