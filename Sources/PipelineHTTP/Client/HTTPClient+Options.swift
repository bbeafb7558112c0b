// What a client is made with: its patience, its politeness, and where it may go.

package import PipelineCore

extension HTTPClient {
    /// What holds for every request of a client. Seconds throughout.
    package struct Options: Sendable {
        package var userAgent: String
        /// From the look-up of the name to the end of the TLS handshake.
        package var connectTimeoutSeconds = 10.0
        /// Without a byte, or with hardly any, a response is given up.
        package var idleTimeoutSeconds = 30.0
        /// The whole run, from the making of the client on.
        package var deadlineSeconds = 86_400.0
        package var retry = RetryPolicy()
        /// Off, addresses of special purpose are refused, see `AddressGuard`.
        package var allowsPrivateAddresses = true
        package var redirectLimit = 10
        /// Connections kept open for further requests.
        package var idleConnections = 64
        /// The most requests to each origin, by all processes of this machine; nil for no limit.
        package var rate: Rate?
        package var cache = CachePolicy()
        /// Directories of `--record` and `--replay`; with either of them the cache isn't used.
        package var recordPath: String?
        package var replayPath: String?
        /// Where the client shows what it waits for.
        package var progress: Progress?
        /// Set, bodies of responses aren't kept in the cache: the caller keeps them, puts a note that says where into the
        /// completion's slot, and tells here whether it still has the body of a note.
        package var holdsBody: (@Sendable ([UInt8]) -> Bool)?

        package init(userAgent: String) { self.userAgent = userAgent }
    }
}
