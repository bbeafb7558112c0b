// What the command line of fetch-characters asks for.

import PipelineCore
import PipelineHTTP

/// The settings of a run.
struct FetchSettings {
    var source = Source.disney
    var baseURL: String?
    /// `--search`, nil where every record is wanted.
    var search: String?
    var parameters: [SourceURL.Parameter] = []
    /// `--id`; empty stands for the whole list.
    var ids: [String] = []
    var limit: Int?
    /// Records a page; nil stands for the source's own size.
    var pageSize: Int?
    var maxPages: Int?
    var isRaw = false
    var addsPage = false
    var addsSeal = false
    var expected: Int?
    var leastRecords = 0
    var reportPath: String?
    var messages = MessageSettings()
    var client = HTTPClient.Options(userAgent: "castline/\(Tool.version)")

    /// Checks what no option can check alone.
    func check() throws(UsageError) {
        try client.check()
        if !ids.isEmpty {
            guard search == nil, parameters.isEmpty, limit == nil, maxPages == nil, pageSize == nil, !addsPage
            else {
                throw UsageError(
                    "--id asks for single records; leave out --search, --param, --limit, --max-pages, --page-size "
                        + "and --with-page")
            }
        }
        let own = [source.paging.parameter, source.paging.sizeParameter] + (search == nil ? [] : searchParameter)
        if let taken = parameters.first(where: { own.contains($0.name) }) {
            throw UsageError("--param \(taken.name) is set by the tool itself; use --page-size or --search")
        }
    }

    /// The URLs of what is asked for.
    func urls() throws(ToolFailure) -> SourceURL {
        do throws(HTTPFailure) {
            return try SourceURL(source, base: baseURL, search: search ?? "", parameters: parameters)
        } catch {
            throw ToolFailure(.usage, "--base-url: \(error)")
        }
    }

    private var searchParameter: [String] { source.search.map { [$0.parameter] } ?? [] }
}
