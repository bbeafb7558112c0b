// Decides where a list begins: where its records are, which header fields it needs, and what its first page is, whichever
// page the request names.

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
        let isUpgraded = url.host == first.host && url.scheme != "http"
        guard url.origin == first.origin || isUpgraded || description.request.keys.isEmpty else {
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
        guard let answer = try? JSONTree.shape(of: response.body.span) else {
            description.records = RecordsPlace.lines(of: response.body)
            if description.records == nil { throw Self.unreadable(response) }
            return
        }
        let places = RecordsPlace.all(in: answer)
        guard let place = places.first else {
            if let instead = RecordsPlace.instead(in: answer) { throw .unlearnt(instead) }
            var words = ""
            let message = (try? JSONTree.read(response.body.span))?.message.map { String($0.prefix(200)) }
            if let message, !SecretWalk.isSecret(message, named: "") { words = " and says '\(message)'" }
            throw .unlearnt("the response has no array of objects\(words); --learn takes the URL of a list")
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

    /// Cuts the header fields and keys of a command down to those that the answer needs, as far as requests reach.
    mutating func cutHeaders(_ answer: HTTPResponse) throws(ToolFailure) {
        let names = description.request.cuttableNames
        guard !names.isEmpty, let page = try LearntPage(answer, description, id: nil) else { return }
        if let status = try cut(names, page) {
            // What browsers send whatever they ask for is cut first.
            let noise = names.filter(UsualNames.isNoise)
            let parts = [noise, names.filter { !noise.contains($0) }]
            try cut(parts.contains([]) ? names.halves : parts, of: names, page, status)
        }
        let left = description.request.cuttableNames.joined(separator: ", ")
        var finding = "header fields that the description keeps: \(left.nonEmpty ?? "none")"
        if !page.isCounted, description.request.keys.contains(where: { $0.headerName != nil }) {
            finding += " (without a key the list may be shorter, and nothing counts its records)"
        }
        tell(finding)
    }

    /// Cuts what can be cut of several fields, without all of which the answer is another one.
    /// - Parameter status: that came without them, or 0.
    private mutating func cut(
        _ halves: [[String]], of names: [String], _ page: LearntPage, _ status: Int
    ) throws(ToolFailure) {
        guard halves.count == 2 else {
            // Whatever it is called, what turns an answer into a refusal by being left out lets the request in.
            if ListRequest.isRefusal(status) { neededPlaces += names.map { .header($0) } }
            return
        }
        let first = try cut(halves[0], page)
        if let first { try cut(halves[0].halves, of: halves[0], page, first) }
        // Where nothing of the first half is needed, the other one is.
        var other: Int? = status
        if first != nil { other = try cut(halves[1], page) }
        if let other { try cut(halves[1].halves, of: halves[1], page, other) }
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
        let changes = { (other: [String: String]) in
            Set(own.keys).union(other.keys).filter { own[$0] != other[$0] }
        }
        let changed = changes(extent)
        if changed.isEmpty { return true }
        if changingValues == nil {
            guard probe.left > ListProbe.usualLimit - 1 else { return false }
            let request = try probe.request(description)
            let again = try? probe.response(to: request, for: "the list again")
            let page = try again.flatMap { response throws(ToolFailure) in
                try LearntPage(response, description, id: nil)
            }
            changingValues = page.map { changes($0.extent) } ?? []
        }
        return changed.isSubset(of: changingValues ?? [])
    }

    // MARK: The first page

    /// Goes to the start of the list, if a parameter that usually selects a page may have led further.
    mutating func findStart(_ answer: HTTPResponse) throws(ToolFailure) {
        try takeStart(answer)
        let (positions, given, page) = (description.request.typedPositions, description.request, start)
        guard let position = positions.first else { return }
        let value = given.parameters.first { $0.place == position }?.value ?? ""
        let isNumber = Int(value) != nil
        let bare = given.removing(positions)
        // Where pages count from 0, 1 is the second one.
        var firsts = ["*", "-1"]
        if isNumber { firsts = UsualNames.is(position.name, .page) ? ["0", "1"] : ["0"] }
        let numbered = firsts.map { (request: bare.setting(position, to: $0), left: [Placement]()) }
        for (request, left) in [(bare, positions)] + numbered where probe.left > 2 {
            var described = description
            described.request = request
            guard let start = try ask(described, for: "the list from its start", without: left)?.page,
                !start.keys.isEmpty
            else { continue }
            if isNumber, !left.isEmpty, page.isPart(of: start) { continue }
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

extension LearntPage {
    /// Whether the other one has more than these records, as a parameter may be what cuts a list into pages that comes whole
    /// without it.
    fileprivate func isPart(of whole: LearntPage) -> Bool {
        Set(whole.keys).isStrictSuperset(of: keys)
    }
}

extension ListRequest {
    /// The parameters that may select a page, by their names. A first cursor that the service gives a name to, such as `*`, is
    /// part of the list's address.
    var typedPositions: [Placement] {
        let numbers = parameters.filter { parameter in
            guard let number = Int(parameter.value), number >= 0 else { return false }
            return UsualNames.is(parameter.name, .page, .offset)
        }
        let cursors = parameters.filter { parameter in
            guard !["", "*", "-1"].contains(parameter.value) else { return false }
            return UsualNames.is(parameter.name, .cursor) || UsualNames.plain(parameter.name).hasSuffix("continue")
        }
        return (numbers.prefix(1) + cursors).map(\.place)
    }
}

extension Array {
    fileprivate var halves: [[Element]] {
        guard count > 1 else { return [] }
        return [Array(prefix(count / 2)), Array(dropFirst(count / 2))]
    }
}
