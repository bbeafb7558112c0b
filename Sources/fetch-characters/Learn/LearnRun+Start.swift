// The start of a list: where the records of its answers are, which header fields it needs, and its first page, whichever
// page the request names.

import PipelineCore
import PipelineHTTP

extension LearnRun {
    private static let otherPlaces = 3

    // MARK: Records

    /// The answer to the list's request, or to that of its start if the page that is asked for has no records.
    mutating func answerWithRecords() throws(ToolFailure) -> HTTPResponse {
        let answer = try probe.firstAnswer(description)
        try follow(answer)
        do throws(ToolFailure) {
            try findRecords(in: answer)
            return answer
        } catch {
            guard error.status == .protocolError, let position = description.request.position else { throw error }
            var described = description
            described.request = described.request.withoutPositions
            // Any answer will do: its records aren't known yet.
            let response: HTTPResponse
            switch try probe.ask(described, for: "the list from its start") {
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
        guard probe.mirror == nil, answer.redirectChain.count > 1, let first = answer.redirectChain.first,
            let url = answer.redirectChain.last
        else { return }
        let isElsewhere = url.origin != first.origin && (url.host != first.host || url.scheme == "http")
        guard !isElsewhere || description.request.keys.isEmpty else {
            throw ToolFailure(
                .refused,
                "\(first.authority) leads to \(url.origin), where no key is sent; use the URL of the list there")
        }
        tell("\(first.authority) leads to \(url.plainText), which the description is of")
        description.request = description.request.moved(to: url)
        try probe.know(answer, description)
    }

    /// - Throws: status 76 if the answer has no records, 69 if it was cut short.
    private mutating func findRecords(in response: HTTPResponse) throws(ToolFailure) {
        let places = try Self.places(in: response)
        description.records = places.first
        probe.otherPlaces = Array(places.dropFirst().prefix(Self.otherPlaces))
    }

    private static func places(in response: HTTPResponse) throws(ToolFailure) -> [RecordsPlace] {
        guard let answer = try? AnswerValue.read(response.body.span) else {
            guard let lines = lines(of: response) else { throw unreadable(response) }
            return [lines]
        }
        let places = RecordsPlace.all(in: answer)
        if let place = places.first {
            try check(place, of: answer)
            return places
        }
        let scalars = RecordsPlace.scalars(in: answer).map { path, count in
            "\(path) has \(count) values that aren't objects; if this is one record, use the URL of its list, and else "
                + "describe the source by hand (records and expand in man castline-source)"
        }
        throw .unlearnt(
            "the response has no array of objects; "
                + (scalars ?? "--learn takes the URL of a list"))
    }

    /// - Throws: status 76 if the likeliest list of an answer isn't what the answer is about.
    private static func check(_ place: RecordsPlace, of answer: AnswerValue) throws(ToolFailure) {
        if let path = RecordsPlace.emptyList(in: answer, besides: place) {
            throw .unlearnt("the list at \(path) is empty; use the URL of a list with records")
        }
        if place.isPart(of: answer) {
            throw .unlearnt(
                "the response has an id, as one record has, and \(place.path) is a part of it; --learn takes the URL of a list"
            )
        }
    }

    /// The place of records that stand on lines: the first lines show whether they do.
    private static func lines(of response: HTTPResponse) -> RecordsPlace? {
        let lines = response.body.split(separator: 0x0A, maxSplits: 50).prefix(50).filter {
            $0.contains { $0 > 0x20 }
        }
        let areObjects = lines.allSatisfy { (try? AnswerValue.read(Array($0).span))?.isObject ?? false }
        return areObjects && lines.count > 1 ? .lines(count: lines.count) : nil
    }

    private static func unreadable(_ response: HTTPResponse) -> ToolFailure {
        var finding = "text that isn't JSON"
        do throws(SourcePage.Fault) {
            try JSONDocument.check(response.body.span, from: JSONDocument.start(of: response.body.span))
        } catch {
            switch error {
            case .broken(let text), .refused(let text): finding = text
            case .cutShort:
                return ToolFailure(.unavailable, "the service answered JSON that is cut short; try again later")
            case .busy: break
            }
        }
        return ToolFailure.unlearnt("the service answered \(finding); --learn takes the URL of a list in JSON")
    }

    // MARK: Header fields

    /// Cuts the header fields and keys of a command down to those that the answer needs: all of them, what browsers send
    /// anyway, then half of the rest at a time, as far as requests reach beside those for the list.
    mutating func cutHeaders(_ answer: HTTPResponse) throws(ToolFailure) {
        let names = description.request.cuttableNames
        guard !names.isEmpty, let page = try LearntPage(answer, description, id: nil) else { return }
        let noise = names.filter { LearntNames.is($0, .noise) || LearntNames.plain($0).hasPrefix("sec") }
        let rest = names.filter { !noise.contains($0) }
        if try !cut(names, page) {
            if !noise.isEmpty, !rest.isEmpty { _ = try cut(noise, page) }
            var groups = rest.count > 1 ? [Array(rest[..<(rest.count / 2)]), Array(rest[(rest.count / 2)...])] : []
            while let group = groups.first {
                groups.removeFirst()
                if try !cut(group, page), group.count > 1 {
                    groups += [Array(group[..<(group.count / 2)]), Array(group[(group.count / 2)...])]
                }
            }
        }
        let left = description.request.cuttableNames.joined(separator: ", ")
        tell("header fields that the response needs: \(left.isEmpty ? "none" : left)")
    }

    /// Leaves fields out if the answer stays the same.
    private mutating func cut(_ names: [String], _ page: LearntPage) throws(ToolFailure) -> Bool {
        guard probe.left > ListProbe.usualLimit - 1 else { return false }
        var described = description
        described.request.cut(names)
        guard try probe.isSame(described, page, for: "the list without \(names.joined(separator: ", "))") else {
            return false
        }
        description = described
        return true
    }

    // MARK: The first page

    /// The first page of the list, whichever page the request names.
    mutating func startPage(_ answer: HTTPResponse) throws(ToolFailure) -> LearntPage {
        let request = description.request
        let values = try LearntPage(answer, description, id: nil)?.envelope(place) ?? []
        let parameters = request.parameters.filter { !$0.value.isEmpty }
        var positions = [request.position].compactMap { $0 }
        let add: (PageParameter) -> Void = { position in
            if !positions.contains(where: { $0.place == position.place }) { positions.append(position) }
        }
        // What a cursor of the answer sets is a cursor in the request, too.
        let set = NextPlace.all(in: values, answer.headers, request, typed: nil).prefix(2).flatMap { next in
            if case .cursors = next.kind { LearntPagination(next.kind).places } else { [Placement]() }
        }
        for parameter in parameters {
            let found = PageParameter(at: parameter.place, parameter.value)
            let isCursor = found?.kind == .cursor || LearntNames.plain(parameter.name).hasSuffix("continue")
            if isCursor || set.contains(parameter.place) { add(PageParameter(parameter.place, .cursor)) }
        }
        if let next = nextRequest(values, answer) { request.moved(to: next).forEach(add) }
        // A first cursor that the service gives a name to is part of the list's address.
        if let first = positions.first, first.kind == .cursor, request.hasFirst(first) { positions = [] }
        typedPosition = positions.last ?? typedPosition
        guard !positions.isEmpty else { return try atStart(try takeStart(answer)) }
        return try atStart(try takeStart(try bareStart(positions).response))
    }

    /// The page that comes without these parameters. Some services refuse a list without a position, or give no cursor
    /// without a first one.
    mutating func bareStart(_ positions: [PageParameter]) throws(ToolFailure) -> LearntPage {
        let bare = description.request.removing(positions.map(\.place))
        let position = positions[positions.count - 1]
        let requests = [bare] + position.firstValues.map { bare.setting(position.place, to: $0) }
        for request in requests where probe.left > 1 {
            var described = description
            described.request = request
            guard let start = try probe.ask(described, for: "the list from its start")?.page, !start.keys.isEmpty,
                position.kind != .cursor || request.position != nil || leadsOn(start, position)
            else { continue }
            description = described
            typedPosition = position
            return start
        }
        throw .unlearnt(
            "without \(position.name) the response isn't the list's start; use the URL of its first page")
    }

    /// - Throws: status 76 if the page has one before it.
    private func atStart(_ page: LearntPage) throws(ToolFailure) -> LearntPage {
        guard let path = envelope.first(where: \.leadsBack)?.path else { return page }
        throw .unlearnt(
            "the page has one before it, as \(path) says, and nothing shows how to get there; use the URL of the list's first page"
        )
    }

    /// The request for the next page that an answer names, nil without one.
    private func nextRequest(_ values: [EnvelopeValue], _ answer: HTTPResponse) -> ListRequest? {
        guard let url = answer.redirectChain.last else { return nil }
        let links = NextPlace.links(in: values, answer.headers, description.request)
        return links.lazy.compactMap { try? url.resolving($0) }.first.map { ListRequest($0) }
    }

    private func leadsOn(_ page: LearntPage, _ position: PageParameter) -> Bool {
        !NextPlace.all(
            in: page.envelope(place), page.response.headers, description.request, typed: position
        ).isEmpty
    }
}
