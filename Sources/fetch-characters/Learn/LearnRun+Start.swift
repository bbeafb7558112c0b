// The start of a list: where its records are, which header fields it needs, and its first page, whichever the request names.

import PipelineCore
import PipelineHTTP

extension LearnRun {
    /// The response to the list's request, or to that of its start if the page that is asked for has no records.
    mutating func answerWithRecords() throws(ToolFailure) -> HTTPResponse {
        let answer = try probe.firstAnswer(description)
        try follow(answer)
        do throws(ToolFailure) {
            try findRecords(in: answer)
            return answer
        } catch {
            let positions = description.request.positions
            guard error.status == .protocolError, let position = positions.first else { throw error }
            var described = description
            described.request = described.request.removing(positions.map(\.place))
            // Any answer will do: its records aren't known yet.
            let response: HTTPResponse
            switch try ask(described, for: "the list from its start") {
            case .page(let page)?: response = page.response
            case .other(let other)?: response = other
            case .refused?, nil: throw error
            }
            typedPosition = position
            description = described
            try findRecords(in: response)
            return response
        }
    }

    /// What redirects the first request says where the list is.
    private mutating func follow(_ answer: HTTPResponse) throws(ToolFailure) {
        guard probe.mirror == nil, answer.redirectChain.count > 1 else { return }
        let (first, url) = (answer.redirectChain[0], answer.url)
        let isElsewhere = url.origin != first.origin && (url.host != first.host || url.scheme == "http")
        guard !isElsewhere || description.request.keys.isEmpty else {
            throw ToolFailure(
                .refused,
                "\(first.authority) leads to \(url.origin), where no key is sent; use the URL of the list there")
        }
        tell("\(first.authority) redirects to \(url.plainText); the description is for that URL")
        description.request.move(to: url)
        try probe.know(answer, description)
    }

    /// - Throws: status 76 if the response has no records, 69 if it was cut short.
    private mutating func findRecords(in response: HTTPResponse) throws(ToolFailure) {
        guard let answer = try? AnswerValue.read(response.body.span) else {
            guard let lines = RecordsPlace.lines(of: response.body) else { throw Self.unreadable(response) }
            description.records = lines
            return
        }
        let places = RecordsPlace.all(in: answer)
        if let path = RecordsPlace.emptyList(
            in: answer, besides: places.first, path: description.request.path)
        {
            let others = places.first.map { ", or write records by hand if they are \($0.path)" } ?? ""
            throw .unlearnt("the list at \(path) is empty; use the URL of a list with records\(others)")
        }
        guard let place = places.first else {
            if let words = PageStatus(response.body.span).refusal(after: nil, hasRecords: false) {
                throw .unlearnt("the response has no list and says '\(words.prefix(200))'; correct the request")
            }
            if let path = RecordsPlace.record(in: answer) {
                throw .unlearnt("the response is one record, at \(path); --learn takes the URL of a list")
            }
            throw .unlearnt(
                RecordsPlace.otherArray(in: answer, "$")
                    ?? "the response has no array of objects; --learn takes the URL of a list")
        }
        if place.isPart(of: answer) {
            throw .unlearnt(
                "the response has an id, as one record has, and \(place.path) is a part of it; --learn takes the URL of a list"
            )
        }
        description.records = place
        otherPlaces = Array(places.dropFirst().prefix(3))
    }

    private static func unreadable(_ response: HTTPResponse) -> ToolFailure {
        do throws(SourcePage.Fault) {
            _ = try JSONDocument.checked(response, .json)
        } catch .broken(let text) {
            return .unlearnt("the service answered \(text); --learn takes the URL of a list in JSON")
        } catch {}
        return ToolFailure(.unavailable, "the service answered JSON that is cut short; try again later")
    }

    /// Cuts the header fields and keys of a command down to those that the answer needs: all of them, then what browsers send
    /// anyway, then half of the rest at a time, as far as requests reach.
    mutating func cutHeaders(_ answer: HTTPResponse) throws(ToolFailure) {
        let names = description.request.cuttableNames
        guard !names.isEmpty, let page = try LearntPage(answer, description, id: nil) else { return }
        let noise = names.filter { WellKnownNames.is($0, .noise) || WellKnownNames.plain($0).hasPrefix("sec") }
        let rest = names.filter { !noise.contains($0) }
        if try !cut(names, page) {
            if !noise.isEmpty, !rest.isEmpty, try !cut(noise, page) {
                // One of those that services ask for more often than for others may be what counts.
                _ = try cut(noise.filter { !["useragent", "referer"].contains(WellKnownNames.plain($0)) }, page)
            }
            var groups = rest.halves
            while let group = groups.first {
                groups.removeFirst()
                if try !cut(group, page) { groups += group.halves }
            }
        }
        let left = description.request.cuttableNames.joined(separator: ", ")
        let isUntried = description.request.keys.contains { $0.headerName != nil } && mayBePage(page)
        let reason = isUntried ? " (without a key the list may be shorter, and nothing counts its records)" : ""
        tell("header fields that the description keeps: \(left.isEmpty ? "none" : left)\(reason)")
    }

    /// - Returns: whether the response stays the same.
    private mutating func cut(_ names: [String], _ page: LearntPage) throws(ToolFailure) -> Bool {
        // Without its key a list may be shorter, and one page may not show it.
        let hasKey = description.request.keys.contains { $0.headerName.map(names.contains) ?? false }
        guard probe.left > ListProbe.usualLimit - 1, !hasKey || !mayBePage(page) else { return false }
        var described = description
        described.request.cut(names)
        let (request, purpose) = (try probe.request(described), "the list without \(names.joined(separator: ", "))")
        guard let response = try? probe.response(to: request, for: purpose),
            let found = try LearntPage(response, described, id: nil), found.keys == page.keys,
            found.extent(described) == page.extent(description)
        else { return false }
        try probe.know(response, described)
        description = described
        return true
    }

    private func mayBePage(_ page: LearntPage) -> Bool {
        page.extent(description).isEmpty && ListEnd.isUsualPageSize(page.count)
    }

    mutating func findStart(_ answer: HTTPResponse) throws(ToolFailure) {
        let request = description.request
        let page = try LearntPage(answer, description, id: nil)
        let envelope = page?.envelope(description)
        // What a cursor of the response sets is a cursor in the request, too.
        let set = (envelope?.nexts(of: request) ?? []).prefix(2).map(\.pagination).filter(\.hasSeveral).flatMap(
            \.places)
        let cursors = request.parameters.filter { parameter in
            !parameter.value.isEmpty
                && (PageParameter(at: parameter.place, parameter.value)?.kind == .cursor
                    || WellKnownNames.is(parameter.name, .place) && parameter.value.contains(where: \.isNumber)
                    || WellKnownNames.plain(parameter.name).hasSuffix("continue") || set.contains(parameter.place))
        }
        let next = (envelope?.links ?? []).lazy.compactMap { try? page?.response.url.resolving($0) }.first
        let moved = next.map { request.moved(to: ListRequest($0)) } ?? []
        let all = request.positions.prefix(1) + cursors.map { PageParameter($0.place, .cursor) } + moved
        var positions: [PageParameter] = []
        for position in all where !positions.contains(where: { $0.place == position.place }) {
            positions.append(position)
        }
        // A first cursor that the service gives a name to is part of the list's address.
        if let first = positions.first, first.kind == .cursor, request.hasFirst(first) { positions = [] }
        typedPosition = positions.last ?? typedPosition
        try takeStart(positions.isEmpty ? answer : try bareStart(positions, given: page?.keys ?? []).response)
        guard let path = start.envelope(description).values.first(where: \.leadsBack)?.path,
            description.request.maySelectPage
        else { return }
        throw .unlearnt(
            "the page has one before it, as \(path) says, and nothing shows how to get there; use the URL of the list's first page"
        )
    }

    private func leadsOn(_ page: LearntPage, by cursor: PageParameter) -> Bool {
        let envelope = page.envelope(description)
        return envelope.moreFlag != nil || !envelope.nexts(of: description.request, typed: cursor).isEmpty
    }

    /// Some services refuse a list without a position, or give no cursor without a first one.
    /// - Parameter given: the response to the request as it was given.
    mutating func bareStart(
        _ positions: [PageParameter], given: RecordKeys = []
    ) throws(ToolFailure) -> LearntPage {
        let bare = description.request.removing(positions.map(\.place))
        let position = positions[positions.count - 1]
        let requests = [bare] + position.firstValues.map { bare.setting(position.place, to: $0) }
        for request in requests where probe.left > 1 {
            var described = description
            described.request = request
            guard let start = try ask(described, for: "the list from its start")?.page, !start.keys.isEmpty,
                position.kind != .cursor || !request.positions.isEmpty || leadsOn(start, by: position)
            else { continue }
            // The parameter may be what cuts the list into pages.
            if !given.isEmpty, start.keys.count > given.count, given.fresh(beside: start.keys) == 0 { continue }
            description = described
            typedPosition = position
            return start
        }
        throw .unlearnt(
            "without \(position.name) the response isn't the list's start; use the URL of its first page")
    }

    // MARK: The whole of a list in one page

    /// A page that is as long as was asked for and says that it is the last, or shorter and as long as pages usually are,
    /// shows no way on. Half of it does.
    /// - Returns: the whole page, and its request.
    mutating func halvePage() throws(ToolFailure) -> (request: ListRequest, page: LearntPage)? {
        let (request, count, end) = (description.request, start.count, ListEnd(start.envelope(description)))
        guard let size = request.size, count > 3, end.more == nil,
            size.value == count && end.saysEnd
                || size.value > count && !end.saysEnd && ListEnd.isUsualPageSize(count)
        else { return nil }
        var described = description
        described.request = request.setting(size.place, to: "\(count / 2)")
        guard let half = try ask(described, for: "half of the list")?.page,
            half.keys.elementsEqual(start.keys.prefix(count / 2))
        else { return nil }
        let whole = start
        description = described
        try takeStart(half.response)
        return (request, whole)
    }

    /// A service that gives fewer than it is asked for may count by what it gives, or by what it was asked for.
    mutating func restoreSize(_ full: (request: ListRequest, page: LearntPage)) throws(ToolFailure) {
        guard let size = full.request.size else { return }
        var described = description
        described.ask(for: size.value, by: size.place)
        if !description.pagination.leads, size.value > full.page.count {
            let (first, count) = (description.pagination.first, full.page.count)
            let next =
                description.pagination.type == .page ? PagePosition.number(first + 1) : .offset(first + count)
            let answer = try ask(described, next, for: "the page after the whole one")
            // A run takes it for a parameter that the service doesn't know.
            if answer?.page?.keys == full.page.keys { return }
            if answer?.isNothing != true { described.ask(for: count, by: size.place) }
        }
        description = described
    }
}

extension Array {
    fileprivate var halves: [[Element]] {
        count > 1 ? [Array(prefix(count / 2)), Array(dropFirst(count / 2))] : []
    }
}
