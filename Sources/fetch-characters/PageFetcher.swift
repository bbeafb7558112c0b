// From a URL to a page: asks, reads the answer as JSON, and asks again where it was cut short inside an honest frame.

import PipelineCore
import PipelineHTTP

/// Fetches the pages and records of one source, one at a time.
struct PageFetcher: ~Copyable {
    private let source: Source
    private(set) var client: HTTPClient
    /// The body of the last page; the places in a page are places in it.
    private(set) var body: [UInt8] = []

    init(_ source: Source, _ options: HTTPClient.Options) throws(ToolFailure) {
        self.source = source
        do throws(HTTPFailure) { client = try HTTPClient(options) } catch { throw ToolFailure(error) }
    }

    /// Fetches a page of the list.
    mutating func list(_ url: HTTPURL, _ number: Int) throws(ToolFailure) -> SourcePage {
        do throws(HTTPFailure) {
            return try fetch(url, countsPages: true)
        } catch {
            throw ToolFailure(error, about: "page \(number)")
        }
    }

    /// Fetches one record, nil where there is none.
    mutating func item(_ url: HTTPURL, _ id: String) throws(ToolFailure) -> SourcePage? {
        do throws(HTTPFailure) {
            return try fetch(url, countsPages: false)
        } catch {
            if error.httpStatus == 404 || error.httpStatus == 410 { return nil }
            throw ToolFailure(error, about: "id \(id)")
        }
    }

    private mutating func fetch(_ url: HTTPURL, countsPages: Bool) throws(HTTPFailure) -> SourcePage {
        var request = HTTPRequest(url)
        for header in source.headers { try request.add(header.name, header.value) }
        client.submit(request, tag: 0)
        while true {
            guard case .completed(let completion) = client.next() else { throw HTTPFailure(.interrupted) }
            body = try completion.result.get().body
            do throws(SourcePage.Fault) {
                return try SourcePage(body.span, of: source, countsPages: countsPages)
            } catch {
                switch error {
                case .cutShort: client.retry(request, after: completion, because: .truncated)
                case .broken(let finding):
                    client.forget(completion)
                    throw completion.failure(.malformed(finding))
                }
            }
        }
    }
}
