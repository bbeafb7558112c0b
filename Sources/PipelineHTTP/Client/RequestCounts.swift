// The figures of a client, for reports and progress.

/// What a client has done so far.
struct RequestCounts {
    /// Requests started, including redirects and retries.
    var begun = 0
    var retries = 0
    /// Responses from the cache, with or without revalidation.
    var fromCache = 0
    /// Of response bodies.
    var bytesReceived = 0
}
