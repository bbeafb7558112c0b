// The place of the key of --learn: `header:x-api-key`, `query:api_key`.

import PipelineCore

/// Where a key goes.
struct LearntKey {
    /// `header` or `query`.
    let placement: String
    let name: String

    init(_ text: String) throws(UsageError) {
        guard let pair = ArgumentValue.pair(text, at: ":"), ["header", "query"].contains(pair.name),
            !pair.value.isEmpty
        else {
            throw UsageError("--learn-key takes header:NAME or query:NAME, not '\(text)'")
        }
        (placement, name) = pair
    }
}
