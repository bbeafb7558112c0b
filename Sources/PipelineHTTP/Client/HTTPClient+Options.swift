// The options of a client: its timeouts and limits, and where it may connect.

package import PipelineCore

extension HTTPClient {
    /// Options for every request of a client. Times are in seconds.
    package struct Options: Sendable {
        package var userAgent: String
        /// From the name lookup to the end of the TLS handshake.
        package var connectTimeoutSeconds = 10.0
        /// A response is given up after this long with few bytes or none.
        package var idleTimeoutSeconds = 30.0
        /// The time limit of the whole run, from the creation of the client.
        package var deadlineSeconds = 86_400.0
        package var retry = RetryPolicy()
        /// If false, special-purpose addresses are refused, see `AddressGuard`.
        package var allowsPrivateAddresses = true
        /// A redirect to another origin leads to a special-purpose address only from another such one.
        package var guardsRedirects = false
        package var redirectLimit = 10
        /// Connections kept open for reuse.
        package var idleConnections = 64
        /// The maximum rate of requests to each origin, by all processes on this machine. Nil for no limit.
        package var rate: Rate?
        package var cache = CachePolicy()
        /// The directories of `--record` and `--replay`. With either of them the cache isn't used.
        package var recordPath: String?
        package var replayPath: String?
        /// Where the client shows what it waits for.
        package var progress: Progress?
        /// If set, the cache doesn't store bodies: the caller keeps them, and puts a note that says where into the
        /// completion's slot. Returns what has become of the body of a note.
        package var notedBody: (@Sendable ([UInt8]) -> NotedBody)?

        package init(userAgent: String) { self.userAgent = userAgent }
    }
    /// A body that the caller keeps itself.
    package enum NotedBody: Sendable {
        case held
        /// The caller no longer has it: it is requested again.
        case lost
        /// The caller couldn't use it. It is requested again; the note is used only where nothing is sent, or where
        /// the service fails.
        case unusable
    }
}
