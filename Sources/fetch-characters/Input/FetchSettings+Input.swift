// Which options --input can be combined with.

import PipelineCore
import PipelineHTTP

extension FetchSettings {
    /// - Throws: if another option has no meaning where no service is asked.
    func checkInput(_ source: Source) throws(UsageError) {
        guard inputPath != nil else {
            guard !source.isOfNoService || baseURL != nil || action == .plan else {
                throw UsageError(
                    "\(source.name) describes the answers of no service; give one with --input, or its URL with --base-url"
                )
            }
            return
        }
        if let option = optionsOfRequests.first(where: \.isGiven)?.name {
            throw UsageError("--input reads an answer and sends no requests; leave out \(option)")
        }
        guard source.expand.isEmpty else {
            throw UsageError("the records of \(source.name) take further requests, and --input sends none")
        }
    }

    private var optionsOfRequests: [(name: String, isGiven: Bool)] {
        [
            ("--search", search != nil), ("--param", !parameters.isEmpty), ("--id", !ids.isEmpty),
            ("--each", !each.isEmpty), ("--since", since != nil), ("--page-size", pageSize != nil),
            ("--max-pages", maxPages != nil), ("--twice", readsTwice), ("--with-page", addsPage),
            ("--with-each", addsEach),
            ("--on-error", onError != nil), ("--on-bad-line, --rejects and --max-line", hasInputOptions),
            ("--jobs", jobs != FetchSettings().jobs), ("--state", statePath != nil), ("--key-file", keyFile != nil),
            ("--plan", action == .plan), ("--explain", explains),
            ("the options about requests, waits and the cache", hasClientOptions),
        ]
    }
}
