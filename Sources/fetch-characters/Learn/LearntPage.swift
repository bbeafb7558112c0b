// A page of a list that is being learnt, as a description in the making reads it.

import PipelineCore
import PipelineHTTP

struct LearntPage {
    let response: HTTPResponse
    /// Its URL after redirects.
    let url: HTTPURL
    let page: SourcePage
    let keys: RecordKeys

    /// Reads a response as the description says.
    /// - Parameter id: the path to the records' ids.
    /// - Returns: nil if it isn't a page of that list.
    init?(
        _ response: HTTPResponse, _ description: LearntDescription, id: [JSONLocation.PathStep]?
    ) throws(ToolFailure) {
        guard let url = response.redirectChain.last else { return nil }
        var reader = PageReader(try Self.source(description))
        // JSON that is cut short isn't a page either.
        guard let page = try? reader.read(response.body, response.headers, isList: true, mayLack: reader.isOpen),
            description.records?.container != .array || !reader.hasObject
        else { return nil }
        self.page = page
        self.response = response
        self.url = url
        let text = page.text ?? response.body
        keys = RecordKeys(page.records, in: text.span, id: id)
    }

    static func source(_ description: LearntDescription) throws(ToolFailure) -> Source {
        do throws(DescriptionError) {
            return try description.source()
        } catch {
            throw .unlearnt("the response has names that a description can't have; write it by hand")
        }
    }

    /// The text that the records are in.
    var text: [UInt8] { page.text ?? response.body }

    var count: Int { page.listed }

    func signs(_ description: LearntDescription) -> AnswerSigns {
        // JSON Lines say nothing beside their records.
        let answer = (try? AnswerValue.read(response.body.span)) ?? .null
        return AnswerSigns(
            answer, beside: description.records ?? .lines(count: 0), response.headers, description.request,
            count: count)
    }

    /// Whether another response has other records at a place than this page's.
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

extension MemberChoice {
    /// - Parameters:
    ///   - pages: the first one first.
    ///   - isCounted: a total, or the single page, shows whether ids come twice.
    init(_ pages: [LearntPage], isCounted: Bool = true) {
        self.init(origin: pages[0].url.origin, isCounted: isCounted)
        for page in pages {
            let text = page.text
            for record in page.page.records {
                if let value = try? AnswerValue.read(text.span.extracting(record.range)) { add(value) }
            }
        }
    }
}
