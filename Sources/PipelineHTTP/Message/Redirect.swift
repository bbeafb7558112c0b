// The target of a redirect, and whether to follow it. Not left to libcurl, which would send secrets to other hosts.

/// The rules for redirects.
package enum Redirect {
    /// The statuses that redirect, if there is a `Location`.
    static let statuses = [301, 302, 303, 307, 308]

    /// The next URL to request.
    /// - Parameters:
    ///   - location: the header's value, relative to the last hop (RFC 9110, section 10.2.2).
    ///   - redirectChain: the URLs requested so far, at least one.
    ///   - limit: the maximum number of redirects.
    ///   - parameters: removed from the query; percent-encoded as in the query.
    /// - Throws: `.malformed`, `.refusedScheme`, `.refusedDowngrade`, `.redirectLoop` or `.tooManyRedirects`.
    package static func target(
        _ location: String, after redirectChain: [HTTPURL], limit: Int, without parameters: [String] = []
    ) throws(HTTPFailure) -> HTTPURL {
        guard let last = redirectChain.last else { throw HTTPFailure(.malformed("a redirect from nowhere")) }
        var next: HTTPURL
        do throws(HTTPFailure) {
            next = try last.resolving(location)
        } catch {
            if case .invalidRequest = error.reason { throw HTTPFailure(.malformed("a redirect to what is no URL")) }
            throw error
        }
        guard last.scheme != "https" || next.scheme == "https" else { throw HTTPFailure(.refusedDowngrade) }
        if next.origin == last.origin { for name in parameters { next = try next.removing(name) } }
        guard !redirectChain.contains(next) else { throw HTTPFailure(.redirectLoop) }
        guard redirectChain.count <= limit else { throw HTTPFailure(.tooManyRedirects(limit: limit)) }
        return next
    }
}
