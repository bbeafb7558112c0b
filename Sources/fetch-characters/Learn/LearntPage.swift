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
        guard let page = try? reader.read(response.body, response.headers, isList: true, lack: .laterPage) else {
            return nil
        }
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

    /// The whole answer, for what it says beside its records. JSON Lines say nothing.
    var answer: AnswerValue {
        (try? AnswerValue.read(response.body.span)) ?? .null
    }

    func envelope(_ place: RecordsPlace) -> [EnvelopeValue] {
        EnvelopeValue.all(in: answer, beside: place, response.headers)
    }

    /// The records, one after another.
    func addRecords(to figures: inout MemberFigures) {
        let text = text
        for record in page.records {
            if let value = try? AnswerValue.read(text.span.extracting(record.range)) { figures.add(value) }
        }
    }
}
