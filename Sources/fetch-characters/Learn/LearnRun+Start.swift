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
        guard places.isEmpty else { return places }
        let scalars = RecordsPlace.scalars(in: answer).map { path, count in
            "\(path) has \(count) values that aren't objects, which a person has to describe; see records and expand in "
                + "man castline-source"
        }
        throw ToolFailure(
            .protocolError,
            "the answer has no array of objects; "
                + (scalars ?? "--learn takes the URL of a list"))
    }

    /// The place of records that stand on lines.
    private static func lines(of response: HTTPResponse) -> RecordsPlace? {
        let lines = response.body.split(separator: 0x0A).filter { $0.contains { $0 > 0x20 } }
        let areObjects = lines.prefix(50).allSatisfy { line in
            do throws(JSONError) { return try AnswerValue.read(Array(line).span).isObject } catch { return false }
        }
        return lines.count > 1 && areObjects ? .lines(count: lines.count) : nil
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
        guard let position = typed.position else { return try takeStart(answer) }
        // A first cursor that the service gives a name to is part of the list's address.
        if position.kind == .cursor, typed.hasFirst(position) { return try takeStart(answer) }
        let bare = typed.withoutPositions
        // Some services refuse a list without a position, or give no cursor without a first one.
        let addresses = [bare] + position.firstValues.map { bare.setting(position.name, to: $0) }
        for address in addresses where probe.left > 1 {
            var described = description
            described.address = address
            guard let start = try probe.page(described, nil, for: "the list from its start"), !start.keys.isEmpty,
                position.kind != .cursor || address.position != nil || leadsOn(start, position)
            else { continue }
            description = described
            return try takeStart(start.response)
        }
        throw ToolFailure(
            .protocolError, "the list's start didn't come without \(position.name); use the URL of its first page")
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
