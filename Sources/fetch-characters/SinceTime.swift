// The time of --since: only what is newer is fetched. It may be the text of a record's own member, as
// `store-plist --newest` prints it.

import PipelineCore
import PipelineHTTP

/// A time that records are newer than.
struct SinceTime {
    /// As it was given.
    let text: String
    let instant: Instant

    init(_ text: String) throws(UsageError) {
        guard let instant = Instant(Array(text.utf8).span) else {
            throw UsageError(
                "--since takes a time such as 2026-03-01T10:00:00Z, 2026-03-01 or 1772355600, not '\(text)'")
        }
        self.text = text
        self.instant = instant
    }
}
