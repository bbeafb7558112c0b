// When a stored response may be used: without asking, after asking, or in place of a response that doesn't come. What the
// user says goes before what the service says.

import PipelineCore

/// How the cache is used.
package struct CachePolicy: Sendable {
    /// Where the cache is.
    package enum Location: Equatable, Sendable {
        /// `castline` under `$XDG_CACHE_HOME`, else under `$HOME/.cache`.
        case usual
        case directory(String)
        case none
    }

    package var location = Location.usual
    /// `--max-age`: a stored response of at most this age is used without asking, any other isn't.
    package var maxAgeSeconds: Double?
    /// `--offline`: nobody is asked.
    package var isOffline = false
    /// `--stale-if-error`: how long after its time a stored response may stand in for a service that fails.
    package var staleIfErrorSeconds: Double?
    /// How long a 404 or 410 is remembered where the service doesn't say.
    package var absenceSeconds = 0.0

    package init() {}

    /// The statuses that are kept: answers, redirects, and what isn't there.
    static func keeps(_ status: Int) -> Bool {
        status == 200 || status == 203 || status == 404 || status == 410 || Redirect.statuses.contains(status)
    }

    /// Whether a response may be kept (RFC 9111, section 3).
    package static func mayKeep(_ status: Int, _ headers: HTTPHeaders) -> Bool {
        guard keeps(status), !CacheControl(headers).isNoStore else { return false }
        // What a request sends is part of its key, so whatever else `Vary` names is the same.
        return !headers.values("Vary").contains { $0.contains("*") }
    }

    /// Whether the entry is used without asking.
    /// - Parameter now: seconds since 1970.
    package func isUsable(_ entry: CacheEntry, now: Double) -> Bool {
        if isOffline { return true }
        if let maxAgeSeconds { return entry.ageSeconds(now: now) <= maxAgeSeconds }
        let control = CacheControl(entry.headers)
        guard !control.isNoCache else { return false }
        if let lifetime = entry.lifetimeSeconds(control) { return entry.ageSeconds(now: now) < lifetime }
        return entry.isAbsence && entry.ageSeconds(now: now) < absenceSeconds
    }

    /// Whether the entry may stand in after that failure.
    package func standsIn(_ entry: CacheEntry, for reason: HTTPFailure.Reason, now: Double) -> Bool {
        guard let staleIfErrorSeconds, !entry.isAbsence else { return false }
        let status = HTTPFailure(reason).exitStatus
        guard status == .unavailable || status == .tryLater else { return false }
        let lifetime = entry.lifetimeSeconds(CacheControl(entry.headers)) ?? 0
        return entry.ageSeconds(now: now) - lifetime <= staleIfErrorSeconds
    }
}

extension CacheEntry {
    /// Clocks of machines that share a cache differ by less.
    private static let aheadSeconds = 60.0

    /// What it says is that there is nothing.
    var isAbsence: Bool { status == 404 || status == 410 }

    /// The age by RFC 9111, section 4.2.3. That of an entry from the future is infinite: the clock has been set back since, and
    /// nobody knows how old it is.
    package func ageSeconds(now: Double) -> Double {
        guard askedSeconds - now <= Self.aheadSeconds else { return .infinity }
        let date = headers["Date"].flatMap { HTTPDate.epochSeconds($0, now: now) } ?? askedSeconds
        let onTheWay = headers["Age"].flatMap { Double($0) } ?? 0
        return max(0, askedSeconds - date, onTheWay) + max(0, now - askedSeconds)
    }

    /// How long the service says that the response holds (section 4.2.1), nil where it doesn't say.
    func lifetimeSeconds(_ control: CacheControl) -> Double? {
        if let maxAge = control.maxAgeSeconds { return maxAge }
        guard let expires = headers["Expires"] else { return nil }
        let date = headers["Date"].flatMap { HTTPDate.epochSeconds($0, now: askedSeconds) } ?? askedSeconds
        // A date that can't be read, often "0", means that it has passed (section 5.3).
        return HTTPDate.epochSeconds(expires, now: askedSeconds).map { max(0, $0 - date) } ?? 0
    }

    /// The header field that asks whether the response still holds, nil where it has no validator (section 4.3.1). A
    /// weak tag is passed on as it is.
    package var validationField: (name: String, value: String)? {
        if let tag = headers["ETag"], !tag.isEmpty { return ("If-None-Match", tag) }
        return headers["Last-Modified"].flatMap { value in
            HTTPDate.epochSeconds(value, now: askedSeconds) == nil ? nil : ("If-Modified-Since", value)
        }
    }
}
