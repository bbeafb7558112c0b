// The place of the key of --learn: `header:x-api-key`, `query:api_key`.

import PipelineCore

/// Where a key goes.
struct LearntKey {
    /// `header` or `query`.
    let placement: String
    let name: String

    init(_ text: String) throws(UsageError) {
        let parts = text.split(separator: ":", maxSplits: 1).map(String.init)
        guard parts.count == 2, ["header", "query"].contains(parts[0]) else {
            throw UsageError("--learn-key takes header:NAME or query:NAME, not '\(text)'")
        }
        (placement, name) = (parts[0], parts[1])
    }
}
