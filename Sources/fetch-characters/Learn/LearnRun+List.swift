// The start of a list: where the records of its answers are, and its first page, whichever page the URL names.

import PipelineCore
import PipelineHTTP

extension LearnRun {
    /// Other places of records that are considered.
    private static let otherPlaces = 3

    // MARK: Records

    /// The answer to the list's URL, or to that of its start if the page of the URL has no records.
    mutating func answerWithRecords() throws(ToolFailure) -> HTTPResponse {
        let answer = try probe.firstAnswer(description)
        do throws(ToolFailure) {
            try findRecords(in: answer)
            return answer
        } catch {
            let bare = description.address.withoutPositions
            guard error.status == .protocolError, description.address.position != nil else { throw error }
            var described = description
            described.address = bare
            let (start, _) = try probe.response(described, nil, for: "the list from its start")
            guard let start else { throw error }
            typedPosition = description.address.position
            description = described
            try findRecords(in: start)
            return start
        }
    }

    /// - Throws: status 76 if the answer has no records, 69 if it was cut short.
    private mutating func findRecords(in response: HTTPResponse) throws(ToolFailure) {
        let places = try Self.places(in: response)
        description.records = places.first
        probe.otherPlaces = Array(places.dropFirst().prefix(Self.otherPlaces))
    }

    private static func places(in response: HTTPResponse) throws(ToolFailure) -> [RecordsPlace] {
        let answer: AnswerValue
        do throws(JSONError) { answer = try AnswerValue.read(response.body.span) } catch {
            guard let lines = lines(of: response) else { throw unreadable(response) }
            return [lines]
        }
        let places = RecordsPlace.all(in: answer)
        if let place = places.first {
            try check(place, of: answer)
            return places
        }
        let scalars = RecordsPlace.scalars(in: answer).map { path, count in
            "\(path) has \(count) values that aren't objects, which a person has to describe; see records and expand in "
                + "man castline-source"
        }
        throw ToolFailure(
            .protocolError,
            "the answer has no array of objects; "
                + (scalars ?? "--learn takes the URL of a list"))
    }

    /// - Throws: status 76 if the likeliest list of an answer isn't what the answer is about.
    private static func check(_ place: RecordsPlace, of answer: AnswerValue) throws(ToolFailure) {
        if let path = RecordsPlace.emptyList(in: answer, besides: place) {
            throw ToolFailure(
                .protocolError, "the list at \(path) is empty now; use the URL of one that has records")
        }
        if place.isPart(of: answer) {
            throw ToolFailure(
                .protocolError,
                "the answer has an id, as one record has, and \(place.path) is a part of it; --learn takes the URL of a list"
            )
        }
    }

    /// The place of records that stand on lines: the first lines show whether they do.
    private static func lines(of response: HTTPResponse) -> RecordsPlace? {
        var lines = 0
        var start = 0
        let body = response.body
        while start < body.count, lines < 50 {
            let end = body[start...].firstIndex(of: 0x0A) ?? body.count
            let line = body[start..<end]
            start = end + 1
            guard line.contains(where: { $0 > 0x20 }) else { continue }
            do throws(JSONError) {
                guard try AnswerValue.read(Array(line).span).isObject else { return nil }
            } catch {
                return nil
            }
            lines += 1
        }
        return lines > 1 ? .lines(count: lines) : nil
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
        return ToolFailure(
            .protocolError, "the service answered \(finding); --learn takes the URL of a list in JSON")
    }

    // MARK: The first page

    /// The first page of the list, whichever page the URL names.
    mutating func startPage(_ answer: HTTPResponse) throws(ToolFailure) -> LearntPage {
        let typed = description.address
        var positions = typed.position.map { [$0] } ?? []
        for moved in typed.moved(to: nextAddress(of: answer))
        where !positions.contains(where: { $0.name == moved.name }) {
            positions.append(moved)
        }
        // A first cursor that the service gives a name to is part of the list's address.
        if let first = positions.first, first.kind == .cursor, typed.hasFirst(first) { positions = [] }
        typedPosition = positions.last ?? typedPosition
        guard let position = positions.last else { return try atStart(try takeStart(answer)) }
        let bare = typed.removing(positions.map(\.name))
        // Some services refuse a list without a position, or give no cursor without a first one.
        let addresses = [bare] + position.firstValues.map { bare.setting(position.name, to: $0) }
        for address in addresses where probe.left > 1 {
            var described = description
            described.address = address
            guard let start = try probe.page(described, nil, for: "the list from its start"), !start.keys.isEmpty,
                position.kind != .cursor || address.position != nil || leadsOn(start, position)
            else { continue }
            description = described
            return try atStart(try takeStart(start.response))
        }
        throw ToolFailure(
            .protocolError, "the list's start didn't come without \(position.name); use the URL of its first page")
    }

    /// - Throws: status 76 if the page has one before it.
    private func atStart(_ page: LearntPage) throws(ToolFailure) -> LearntPage {
        guard let path = place.pathToPrevious(in: envelope) else { return page }
        throw ToolFailure(
            .protocolError,
            "the page has one before it, as \(path) says, and nothing shows how to get there; use the URL of the list's first page"
        )
    }

    /// The address of the next page that an answer names, that of the answer itself without one.
    private func nextAddress(of answer: HTTPResponse) -> ListAddress {
        do throws(JSONError) {
            let value = try AnswerValue.read(answer.body.span)
            for link in NextPlace.links(in: value, beside: place, answer.headers) {
                guard let url = answer.redirectChain.last else { break }
                do throws(HTTPFailure) { return ListAddress(try url.resolving(link)) } catch { continue }
            }
        } catch {
            // JSON Lines have no next page.
        }
        return description.address
    }

    private func leadsOn(_ page: LearntPage, _ position: PageParameter) -> Bool {
        do throws(JSONError) {
            let answer = try AnswerValue.read(page.response.body.span)
            return !NextPlace.all(in: answer, beside: place, page.response.headers, typed: position).isEmpty
        } catch {
            return false
        }
    }
}

/// The requests for one record: below the list's path, or where the record's own URL says.
extension LearnRun {
    /// Takes the path of single records if the last one of a page comes by it.
    mutating func proveItem(
        _ path: [JSONLocation.PathStep], _ choice: MemberChoice, _ page: LearntPage
    ) throws(ToolFailure) {
        guard let record = page.page.records.last,
            let id = RecordKeys.text(at: path, in: page.text.span.extracting(record.range)),
            let item = item(id, choice.ownAddresses(in: page.text.span.extracting(record.range)))
        else { return }
        var described = description
        described.item = item
        guard !probe.requests.hides(item), probe.left > 0, let request = probe.item(id, described) else { return }
        let response: HTTPResponse
        do throws(HTTPFailure) {
            response = try probe.response(to: request, for: "one record").get()
        } catch {
            if error.isRunEnd { throw ToolFailure(error) }
            return
        }
        var reader = PageReader(try LearntPage.source(described))
        do throws(SourcePage.Fault) {
            let page = try reader.read(response.body, response.headers, isList: false)
            let text = page.text ?? response.body
            guard page.records.count == 1, let record = page.records.first,
                RecordKeys.text(at: path, in: text.span.extracting(record.range)) == id
            else { return }
            description.item = item
            findings.item = "one record comes by \(item)"
        } catch {
            // The service answers something else there.
        }
    }

    /// The path of a record, with a placeholder for its id.
    /// - Parameter addresses: of the record, at the API itself.
    private func item(_ id: String, _ addresses: [String]) -> String? {
        let isPlain = id.unicodeScalars.allSatisfy { scalar in
            scalar.isASCII
                && (scalar.properties.isAlphabetic || ("0"..."9").contains(scalar)
                    || "-_.:".contains(Character(scalar)))
        }
        guard isPlain, !id.isEmpty, id.contains(where: { $0 != "." }), !description.address.path.contains("?")
        else {
            return nil
        }
        let base = probe.base(of: description)
        for url in addresses where url.hasPrefix(base + "/") {
            let path = url.dropFirst(base.count)
            for end in ["/\(id)", "/\(id)/"] where path.hasSuffix(end) && !path.contains("?") {
                let item = path.dropLast(end.count) + end.replacing(id, with: "{id}")
                return Placeholders.names(in: String(item)) == ["id"] ? String(item) : nil
            }
        }
        let list = description.address.path
        return list.hasSuffix("/") ? list + "{id}/" : list + "/{id}"
    }
}

extension HTTPFailure {
    /// Nothing else can be requested either.
    var isRunEnd: Bool { reason == .interrupted || reason == .deadline }
}

/// The common members of the records, and the proof that a picture is one.
extension LearnRun {
    /// The most that a picture may have to prove what it is.
    private static let pictureLimitBytes = 64 << 20

    /// Chooses the members by the values of all records that came.
    /// - Parameter pages: the first one first.
    mutating func chooseMembers(_ pages: [LearntPage]) throws(ToolFailure) {
        var figures = MemberFigures(origin: pages[0].url.origin)
        for page in pages { page.addRecords(to: &figures) }
        let isCounted = description.pagination.total != nil || pages.count == 1
        let choice = MemberChoice(figures, isCounted: isCounted)
        var members: [(name: Source.CommonName, path: String)] = []
        for name in Source.CommonName.allCases {
            guard let path = choice.path(of: name), name != .id || areDistinct(path, pages) else {
                findings.missing.append(name.rawValue)
                continue
            }
            let text = MemberChoice.text(of: path)
            // A description would read it as a text with parts.
            guard !text.contains("{$") else { continue }
            if name == .imageURL, let doubt = try doubt(ofPicture: choice.sample(of: path), beside: pages[0].url) {
                findings.leftOut.append("\(name.rawValue) from \(text), \(doubt)")
                continue
            }
            members.append((name, text))
        }
        if let path = choice.addressOfMore {
            findings.leftOut.append(
                "what \(MemberChoice.text(of: path)) of each record leads to; see expand in man castline-source")
        }
        description.members = members
        findings.members = members.map { name, path in "\(name.rawValue) from \(path)" }
        if members.first?.name == .id, let path = choice.path(of: .id), let last = pages.last {
            try proveItem(path, choice, last)
        }
    }

    /// Whether no two records of the pages have one id, however many there are.
    private func areDistinct(_ path: [JSONLocation.PathStep], _ pages: [LearntPage]) -> Bool {
        let keys = pages.map { RecordKeys($0.page.records, in: $0.text.span, id: path) }
        let all = keys.dropFirst().reduce(keys[0]) { $0.joined(with: $1) }
        return all.distinct == all.count
    }

    /// Why a URL isn't proved to be a picture's; nil if its bytes are one.
    private mutating func doubt(ofPicture text: String, beside list: HTTPURL) throws(ToolFailure) -> String? {
        guard !probe.requests.hides(text) else { return "which has the key in it" }
        guard probe.left > 0 else { return "as no request is left to look at one" }
        let result = picture(text, beside: list)
        let response: HTTPResponse
        do throws(HTTPFailure) {
            response = try result.get()
        } catch {
            if error.isRunEnd { throw ToolFailure(error) }
            return "as the picture didn't come: \(error)"
        }
        do throws(ImageError) {
            _ = try ImageInfo(of: response.body.span)
            return nil
        } catch {
            return "whose bytes aren't a picture"
        }
    }

    /// Requests a picture. At another origin than the list's it has to have a public address.
    private mutating func picture(
        _ text: String, beside list: HTTPURL
    ) -> Result<HTTPResponse, HTTPFailure> {
        let url: HTTPURL
        do throws(HTTPFailure) { url = try list.resolving(text) } catch { return .failure(error) }
        var request = HTTPRequest(url, limitBytes: Self.pictureLimitBytes)
        if url.origin == list.origin {
            request.redirectOrigins = []
        } else {
            request.refusesPrivateAddresses = true
        }
        return probe.response(to: request, for: "a picture")
    }
}
