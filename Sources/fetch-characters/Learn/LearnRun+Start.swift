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
            let positions = description.request.typedPositions
            guard error.status == .protocolError, let position = positions.first else { throw error }
            let given = description.request
            description.request = given.removing(positions)
            // Any answer will do: its records aren't known yet.
            let response: HTTPResponse
            switch try ask(description, for: "the list from its start") {
            case .page(let page)?: response = page.response
            case .other(let other)?: response = other
            case .refused?, nil: throw error
            }
            typed = TypedPosition(place: position, value: "", given: (given, answer))
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
        guard let place = places.first else {
            if let instead = RecordsPlace.instead(in: answer) { throw .unlearnt(instead) }
            let words = (try? JSONTree.read(response.body.span))?.message?.prefix(200)
            let isShown = words.map { SecretWalk.sign(of: String($0), named: "") == nil } ?? false
            let saying = words.flatMap { isShown ? " and says '\($0)'" : nil }
            throw .unlearnt(
                "the response has no array of objects\(saying ?? ""); --learn takes the URL of a list")
        }
        description.records = place
        otherPlaces = Array(places.dropFirst().prefix(3))
        isPart = place.isPart(of: answer)
    }

    private static func unreadable(_ response: HTTPResponse) -> ToolFailure {
        do throws(SourcePage.Fault) {
            _ = try JSONDocument.checked(response)
        } catch .foreign(let text) {
            return .unlearnt("the service answered \(text); --learn takes the URL of a list in JSON")
        } catch {}
        return ToolFailure(.unavailable, "the service answered JSON that is cut short; try again later")
    }

    // MARK: Header fields

    /// Cuts the header fields and keys of a command down to those that the answer needs: all of them, then what browsers send
    /// anyway, then half of the rest at a time, as far as requests reach.
    mutating func cutHeaders(_ answer: HTTPResponse) throws(ToolFailure) {
        let names = description.request.cuttableNames
        guard !names.isEmpty, let page = try LearntPage(answer, description, id: nil) else { return }
        let noise = names.filter { UsualNames.is($0, .noise) || UsualNames.plain($0).hasPrefix("sec") }
        let rest = names.filter { !noise.contains($0) }
        let status = try cut(names, page)
        if let status, !noise.isEmpty, !rest.isEmpty {
            var groups = [rest]
            // If none of the noise is needed, the rest is, as a whole.
            if try cut(noise, page) == nil { groups = rest.halves } else { groups += noise.halves }
            if groups.isEmpty { takeKey(rest, status) }
            try cut(groups, page)
        } else if let status {
            takeKey(names, status)
            try cut(names.halves, page)
        }
        let left = description.request.cuttableNames.joined(separator: ", ")
        let keepsKey = description.request.keys.contains { $0.headerName != nil } && !page.isCounted
        let reason = keepsKey ? " (without a key the list may be shorter, and nothing counts its records)" : ""
        tell("header fields that the description keeps: \(left.isEmpty ? "none" : left)\(reason)")
    }

    private mutating func cut(_ all: [[String]], _ page: LearntPage) throws(ToolFailure) {
        var groups = all
        while !groups.isEmpty {
            let group = groups.removeFirst()
            guard let status = try cut(group, page) else { continue }
            takeKey(group, status)
            groups += group.halves
        }
    }

    /// Whatever it is called, what turns an answer into a refusal by being left out lets the request in.
    private mutating func takeKey(_ names: [String], _ status: Int) {
        guard names.count == 1, ListRequest.isRefusal(status) else { return }
        neededPlaces.append(.header(names[0]))
    }

    /// - Returns: nil if the response stays the same without them; else the status that came, or 0.
    private mutating func cut(_ names: [String], _ page: LearntPage) throws(ToolFailure) -> Int? {
        // Without its key a list may be shorter, and only what stands beside its first page would show it.
        let hasKey = description.request.keys.contains { $0.headerName.map(names.contains) ?? false }
        guard probe.left > ListProbe.usualLimit - 1, !hasKey || page.isCounted else { return 0 }
        var described = description
        described.request.cut(names)
        let (request, purpose) = (try probe.request(described), "the list without \(names.joined(separator: ", "))")
        let response: HTTPResponse
        do throws(HTTPFailure) { response = try probe.response(to: request, for: purpose) } catch {
            try confirmRecording()
            return error.httpStatus ?? 0
        }
        guard let found = try LearntPage(response, described, id: nil), found.keys.isSame(as: page.keys),
            try isSame(found.extent, page.extent)
        else { return response.status }
        try probe.know(response, described)
        description = described
        return nil
    }

    /// Whether nothing says of one response that its list is another one. Some numbers change with each request, which the
    /// same request shows.
    private mutating func isSame(_ extent: [String: String], _ own: [String: String]) throws(ToolFailure) -> Bool {
        let changes = Self.changes(extent, own)
        if changes.isEmpty { return true }
        if changingValues == nil {
            guard probe.left > ListProbe.usualLimit - 1 else { return false }
            changingValues = []
            let request = try probe.request(description)
            let again: HTTPResponse
            do throws(HTTPFailure) { again = try probe.response(to: request, for: "the list again") } catch {
                return false
            }
            if let page = try LearntPage(again, description, id: nil) {
                changingValues = Self.changes(page.extent, own)
            }
        }
        return changes.isSubset(of: changingValues ?? [])
    }

    private static func changes(_ one: [String: String], _ other: [String: String]) -> Set<String> {
        Set(one.keys).union(other.keys).filter { one[$0] != other[$0] }
    }

    // MARK: The first page

    /// Goes to the start of the list, if a parameter that usually selects a page may have led further.
    mutating func findStart(_ answer: HTTPResponse) throws(ToolFailure) {
        let positions = description.request.typedPositions
        guard let position = positions.first else { return try takeStart(answer) }
        let given = description.request
        let value = given.parameters.first { $0.place == position }?.value ?? ""
        try takeStart(answer)
        let page = start
        let isNumber = Int(value) != nil
        let bare = given.removing(positions)
        var firsts = isNumber ? ["0"] : ["*", "-1"]
        // Where pages count from 0, 1 is the second one.
        if isNumber, UsualNames.is(position.name, .page) { firsts.append("1") }
        for request in [bare] + firsts.map({ bare.setting(position, to: $0) }) where probe.left > 2 {
            var described = description
            described.request = request
            let left = request.parameters.count == bare.parameters.count ? positions : []
            guard let start = try ask(described, for: "the list from its start", without: left)?.page,
                !start.keys.isEmpty
            else { continue }
            // The parameter may be what cuts a list into pages that comes whole without it.
            let isCut = page.keys.fresh(beside: start.keys) == 0 && start.keys.count > page.keys.count
            if isCut, isNumber, request.parameters.count == bare.parameters.count { continue }
            // Without an effect it selects nothing, unless it names the first page.
            if start.keys.isSame(as: page.keys), isNumber, !["0", "1"].contains(value) { return }
            description = described
            typed = TypedPosition(place: position, value: value, given: (given, answer))
            return try takeStart(start.response)
        }
        guard isNumber else {
            throw .unlearnt(
                "without \(position.name) the response isn't the list's start; use the URL of its first page")
        }
    }
}

extension ListRequest {
    /// The parameters that may select a page, by their names. A first cursor that the service gives a name to, such as `*`, is
    /// part of the list's address.
    var typedPositions: [Placement] {
        let numbers = parameters.filter { parameter in
            (Int(parameter.value) ?? -1) >= 0
                && (UsualNames.is(parameter.name, .page) || UsualNames.is(parameter.name, .offset))
        }
        let cursors = parameters.filter { parameter in
            !parameter.value.isEmpty && !["*", "-1"].contains(parameter.value)
                && (UsualNames.is(parameter.name, .cursor)
                    || UsualNames.plain(parameter.name).hasSuffix("continue"))
        }
        return (numbers.prefix(1) + cursors).map(\.place)
    }
}

extension Array {
    fileprivate var halves: [[Element]] {
        count > 1 ? [Array(prefix(count / 2)), Array(dropFirst(count / 2))] : []
    }
}
