// Which options --learn can be combined with.

import PipelineCore
import PipelineHTTP

extension FetchSettings {
    /// Checks the options of a run that learns.
    func checkLearning() throws(UsageError) {
        guard learntURL != nil else {
            if learntKey != nil { throw UsageError("--learn-key is about the key of --learn; leave it out") }
            return
        }
        guard action == .fetch || action == .plan else {
            throw UsageError("--learn finds a description out; leave out --list-sources and --show-source")
        }
        if let option = optionsOfLists.first(where: \.isGiven)?.name {
            throw UsageError("--learn finds a description out and fetches no list; leave out \(option)")
        }
        if let option = optionsOfClients.first(where: \.isGiven)?.name {
            throw UsageError("--learn sends each request once and uses no cache; leave out \(option)")
        }
        if keyFile != nil, learntKey == nil {
            throw UsageError(
                "--key-file needs --learn-key, which says where the key goes: header:NAME or query:NAME")
        }
        try client.check()
    }

    private var optionsOfLists: [(name: String, isGiven: Bool)] {
        [
            ("--source", namesSource), ("--input", inputPath != nil), ("--search", search != nil),
            ("--param", !parameters.isEmpty), ("--id", !ids.isEmpty), ("--each", !each.isEmpty),
            ("--with-each", addsEach), ("--on-error", onError != nil), ("--since", since != nil),
            ("--on-bad-line, --rejects and --max-line", hasInputOptions), ("--limit", limit != nil),
            ("--page-size", pageSize != nil), ("--max-pages", maxPages != nil), ("--twice", readsTwice),
            ("--raw", isRaw),
            ("--with-page", addsPage), ("--seal", addsSeal), ("--state", statePath != nil),
            ("--expect", expected != nil), ("--min-records", leastRecords > 0), ("--jobs", jobs != 4),
        ]
    }

    private var optionsOfClients: [(name: String, isGiven: Bool)] {
        let usual = HTTPClient.Options(userAgent: "")
        return [
            ("--retries", client.retry.retries != usual.retry.retries),
            ("--max-retry-after", client.retry != usual.retry), ("--offline", client.cache.isOffline),
            ("--max-age", client.cache.maxAgeSeconds != nil),
            ("--stale-if-error", client.cache.staleIfErrorSeconds != nil),
            ("--cache", client.cache.location != usual.cache.location),
        ]
    }
}
