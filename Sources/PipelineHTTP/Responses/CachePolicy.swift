// When a stored response may be used: without a request, after revalidation, or in place of a response that doesn't
// arrive. The user's options override the service's headers.

import PipelineCore

package struct CachePolicy: Sendable {
    package enum Location: Equatable, Sendable {
        /// `castline` under `$XDG_CACHE_HOME`, else under `$HOME/.cache`.
        case usual
        case directory(String)
        case none
    }

    package var location = Location.usual
    /// `--max-age`: a stored response up to this age is used without a request, an older one isn't.
    package var maxAgeSeconds: Double?
    /// `--offline`: nothing is sent.
    package var isOffline = false
    /// `--stale-if-error`: how long after it expires a stored response may stand in for a service that fails.
    package var staleIfErrorSeconds: Double?
    /// How long a 404 or 410 is remembered if the service doesn't say. If 0, none stands in for a service that fails.
    package var absenceSeconds = 0.0

    package init() {}

    /// The statuses that are stored: content, redirects, and 404 and 410.
    static func keeps(_ status: Int) -> Bool {
        status == 200 || status == 203 || status == 404 || status == 410
            || HTTPRequest.redirectStatuses.contains(status)
    }

    /// Whether a response may be stored (RFC 9111, section 3).
    package static func mayKeep(_ status: Int, _ headers: HTTPHeaders) -> Bool {
        guard keeps(status), !CacheControl(headers).isNoStore, !HiddenTokens.isIn(headers) else { return false }
        // The key covers all that a request sends, so any other field that `Vary` names is the same.
        return !headers.values("Vary").contains { $0.contains("*") }
    }

    package func isUsable(_ entry: CacheEntry, now: Double) -> Bool {
        if isOffline { return true }
        if let maxAgeSeconds { return entry.ageSeconds(now: now) <= maxAgeSeconds }
        let control = CacheControl(entry.headers)
        guard !control.isNoCache else { return false }
        if let lifetime = entry.lifetimeSeconds(control) { return entry.ageSeconds(now: now) < lifetime }
        return entry.isAbsence && entry.ageSeconds(now: now) < absenceSeconds
    }

    package func standsIn(_ entry: CacheEntry, for reason: HTTPFailure.Reason, now: Double) -> Bool {
        guard !entry.isAbsence || absenceSeconds > 0 else { return false }
        // A service may send its error page with a successful status.
        let isErrorPage = if case .foreign = reason { true } else { false }
        return (isErrorPage || HTTPFailure(reason).exitStatus.mayPass) && mayStandIn(entry, now: now)
    }

    /// Whether `--stale-if-error` lets it stand in for whatever can't be had.
    package func mayStandIn(_ entry: CacheEntry, now: Double) -> Bool {
        guard let staleIfErrorSeconds else { return false }
        let lifetime = entry.lifetimeSeconds(CacheControl(entry.headers)) ?? 0
        return entry.ageSeconds(now: now) - lifetime <= staleIfErrorSeconds
    }
}

extension CacheEntry {
    /// The clocks of machines that share a cache differ by less.
    private static let aheadSeconds = 60.0

    var isAbsence: Bool { status == 404 || status == 410 }

    /// The age (RFC 9111, section 4.2.3). Infinite for an entry from the future: the clock was set back since.
    package func ageSeconds(now: Double) -> Double {
        guard askedSeconds - now <= Self.aheadSeconds else { return .infinity }
        let date = headers["Date"].flatMap { HTTPDate.epochSeconds($0) } ?? askedSeconds
        let onTheWay = headers["Age"].flatMap { Double($0) } ?? 0
        return max(0, askedSeconds - date, onTheWay) + max(0, now - askedSeconds)
    }

    /// How long the service says that the response is fresh (section 4.2.1), nil if it doesn't say.
    func lifetimeSeconds(_ control: CacheControl) -> Double? {
        if let maxAge = control.maxAgeSeconds { return maxAge }
        guard let expires = headers["Expires"] else { return nil }
        let date = headers["Date"].flatMap { HTTPDate.epochSeconds($0) } ?? askedSeconds
        // An invalid date, often "0", means that it has expired (section 5.3).
        return HTTPDate.epochSeconds(expires).map { max(0, $0 - date) } ?? 0
    }

    /// The header field that revalidates the response (section 4.3.1), nil without a validator. It keeps weak tags.
    package var validationField: (name: String, value: String)? {
        if let tag = headers["ETag"], !tag.isEmpty { return ("If-None-Match", tag) }
        return headers["Last-Modified"].flatMap { value in
            HTTPDate.epochSeconds(value) == nil ? nil : ("If-Modified-Since", value)
        }
    }
}

/// What a response's `Cache-Control` says (RFC 9111, section 5.2.2), as far as it matters to a private cache.
///
///     Cache-Control: private, max-age=3600, no-cache="Set-Cookie"
struct CacheControl: Equatable, Sendable {
    private(set) var isNoStore = false
    /// Revalidate before each use.
    private(set) var isNoCache = false
    /// Seconds. 0 for a value that isn't a number: what can't be parsed counts as stale.
    private(set) var maxAgeSeconds: Double?

    init(_ headers: HTTPHeaders) {
        for value in headers.values("Cache-Control") {
            for directive in HTTPHeaders.elements(of: value, at: UInt8(ascii: ",")) {
                let parts = directive.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
                switch parts[0].lowercased() {
                case "no-store": isNoStore = true
                case "no-cache" where parts.count == 1: isNoCache = true
                case "max-age":
                    let text = parts.count == 2 ? parts[1].filter { $0 != "\"" } : ""
                    let seconds = text.utf8.allSatisfy { (0x30...0x39).contains($0) } ? Double(text) ?? 0 : 0
                    // Of two values, the shorter one applies.
                    maxAgeSeconds = min(maxAgeSeconds ?? .infinity, seconds)
                default: break
                }
            }
        }
    }
}
