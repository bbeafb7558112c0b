// Decides how any page of a way is requested, once experiments showed that the way leads to other pages.

import PipelineCore
import PipelineHTTP

/// A way to other pages that experiments showed.
struct LearntWay {
    let description: LearntDescription
    let second: LearntPage
    let text: String
    /// Further responses with records that others follow, as the first page by its number.
    var samples: [LearntPage] = []
    /// The position of the second page, where the first leads to it.
    var position: PagePosition?
    /// The number in its links, by which other pages can be requested.
    var number: LinkNumber?

    var isChain: Bool { description.pagination.leads }

    var isNumbered: Bool { !isChain || number != nil }

    /// The parameters of its link.
    var linked: [ListRequest.Parameter] {
        guard case .link(let text)? = position, let url = try? HTTPURL(text) else { return [] }
        return ListRequest(url).parameters
    }

    /// The parameters that it sets.
    var places: [Placement] { description.pagination.places + linked.map(\.place) }
}

/// A number in the link to the second page, by which any other page can be requested.
struct LinkNumber: Sendable {
    private let link: HTTPURL
    private let place: Placement
    /// The number of the second page, and by how much the next one's is larger.
    private let (second, step): (Int, Int)

    /// - Parameters:
    ///   - next: where the second page leads to.
    ///   - size: the number of records of a page.
    init?(_ link: String, next: PagePosition?, size: Int) {
        guard let url = try? HTTPURL(link) else { return nil }
        var following: [ListRequest.Parameter]?
        if case .link(let text)? = next { following = (try? HTTPURL(text)).map { ListRequest($0).parameters } }
        for parameter in ListRequest(url).parameters {
            guard let value = Int(parameter.value) else { continue }
            let after = following?.first { $0.place == parameter.place }.flatMap { Int($0.value) }
            if following != nil, after == nil { continue }
            let step = after.map { $0 - value } ?? (value == size ? size : 1)
            // A page's number, or a number of records.
            let seconds = step == 1 ? [0, 1, 2] : [size, size + 1]
            guard [1, size].contains(step), seconds.contains(value) else { continue }
            (self.link, place, second, self.step) = (url, parameter.place, value, step)
            return
        }
        return nil
    }

    /// The link to a page, counted from 1.
    func page(_ number: Int) -> PagePosition? {
        let request = ListRequest(link).setting(place, to: "\(second + step * (number - 2))")
        return request.url.map { .link($0.text) }
    }
}
