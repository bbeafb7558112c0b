// The outcomes of the last few thousand URLs, so that a list that repeats one picture requests it once. They are
// kept in two halves to bound the memory: when the newer half is full, the older one is dropped.

import PipelineHTTP

/// Outcomes by URL.
struct RecentOutcomes {
    /// Entries in each half.
    private static let limit = 2048

    private var newer: [HTTPURL: ImageOutcome] = [:]
    private var older: [HTTPURL: ImageOutcome] = [:]

    subscript(url: HTTPURL) -> ImageOutcome? { newer[url] ?? older[url] }

    mutating func add(_ outcome: ImageOutcome, for url: HTTPURL) {
        if newer.count >= Self.limit {
            older = newer
            newer = [:]
        }
        newer[url] = outcome
    }
}
