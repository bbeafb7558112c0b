// The outcomes of the last few thousand URLs: a list that names one picture again and again asks for it once. Two
// halves, of which the older one goes when the newer one is full, so that the memory has a limit.

import PipelineHTTP

/// Outcomes by URL.
struct RecentOutcomes {
    /// Entries in each half.
    private static let limit = 4096

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
