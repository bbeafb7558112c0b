// A page of a list that is being learnt.

import PipelineCore
import PipelineHTTP

/// A page.
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
        do throws(SourcePage.Fault) {
            page = try reader.read(response.body, response.headers, isList: true, lack: .laterPage)
        } catch {
            // JSON that is cut short isn't a page either.
            return nil
        }
        self.response = response
        self.url = url
        let text = page.text ?? response.body
        keys = RecordKeys(page.records, in: text.span, id: id)
    }

    /// The source of a description in the making.
    static func source(_ description: LearntDescription) throws(ToolFailure) -> Source {
        do throws(DescriptionError) {
            return try description.source()
        } catch {
            throw ToolFailure(
                .protocolError, "the answer has names that a description can't have; write it by hand")
        }
    }

    /// The text that the records are in.
    var text: [UInt8] { page.text ?? response.body }

    /// The records, one after another.
    func addRecords(to figures: inout MemberFigures) {
        let text = text
        for record in page.records {
            do throws(JSONError) {
                figures.add(try AnswerValue.read(text.span.extracting(record.range)))
            } catch {
                // The page was read before.
            }
        }
    }
}
