// A page of a list that is being learnt, as a description in the making reads it.

import PipelineCore
import PipelineHTTP

struct LearntPage {
    let response: HTTPResponse
    let page: SourcePage
    let keys: RecordKeys

    /// - Returns: nil if the response isn't a page of the list that is described.
    init?(
        _ response: HTTPResponse, _ description: LearntDescription, id: [JSONLocation.PathStep]?
    ) throws(ToolFailure) {
        var reader = PageReader(try description.readable())
        // JSON that is cut short isn't a page either.
        let read = try? reader.read(
            response.body, response.headers, isList: true, mayLack: reader.finder.isOpen)
        guard let page = read, description.records?.isArray != true || reader.finder.object == nil
        else { return nil }
        (self.response, self.page) = (response, page)
        let text = page.text ?? response.body
        keys = RecordKeys(page.records, in: text.span, id: id)
    }

    var text: [UInt8] { page.text ?? response.body }

    var count: Int { page.listed }

    func envelope(_ description: LearntDescription) -> Envelope {
        // JSON Lines say nothing beside their records.
        let answer = (try? AnswerValue.read(response.body.span)) ?? (try? AnswerValue.read(text.span)) ?? .null
        let (own, url) = (description.request.list, ListTarget(response.url, []))
        let list = ListTarget(path: own.path, text: url.text, values: own.values)
        return Envelope(of: answer, beside: description.place.names, response.headers, list, count: count)
    }

    /// What it says of how much the list has.
    func extent(_ description: LearntDescription) -> [String] {
        let envelope = envelope(description)
        return envelope.totals.map { "\($0.place.text) \($0.value)" }
            + envelope.values.filter { $0.moreFlag != nil || $0.isLink(within: envelope.list) }.map(\.text)
            + envelope.linkFields.map { "\(WebLink.links(in: $0).links.map(\.target))" }
    }

    func changes(
        in other: HTTPResponse, at place: RecordsPlace, _ description: LearntDescription
    ) throws(ToolFailure) -> Bool {
        var described = description
        described.records = place
        guard let before = try LearntPage(response, described, id: nil),
            let after = try LearntPage(other, described, id: nil)
        else { return false }
        return after.keys.fresh(beside: before.keys) > 0
    }
}
