// The HTTP client of the two fetch tools: many requests at once over libcurl's multi interface, in one loop on one
// thread. Callers submit requests with a tag, and get the results with it in the order of completion. The client
// handles redirects, retries, limits and waits.
//
//     submit ──► running ──► next()
//                │    ▲
//                ▼    │ due
//               waiting

import CCurl
package import PipelineCore

/// Fetches over HTTP. Not thread-safe.
@safe
package struct HTTPClient: ~Copyable {
    /// At a millisecond each, so that an endless stream can't delay the check of the others.
    private static let turnsBeforeLook = 64
    /// A wait that is worth telling.
    private static let leastPauseSeconds = 1.0
    /// A silence that is worth telling. Services often think for a second.
    private static let leastSilenceSeconds = 3.0

    let options: Options
    let deadline: Double
    let loop: TransferLoop
    let budget = BodyBudget()
    /// Of the completion that the caller got last, and counts as held until it asks for the next one.
    private var handedBytes = 0
    package let source: ResponseSource
    let proxies = ProxySettings { Environment.value($0) }
    var generator = SystemRandomNumberGenerator()
    var schedule: OriginSchedule
    var spare: [Transfer] = []
    /// Those that wait for the next attempt, or until their origin may get a request.
    var waiting: [Transfer] = []
    var completions: [Completion] = []
    private var lastIdleLook = 0.0

    /// Requests begun, including redirects and retries.
    var begunCount = 0
    package internal(set) var retryCount = 0
    /// Responses from the cache, with or without revalidation, and those that the caller used without a request.
    package var fromCacheCount = 0
    /// Of response bodies.
    package internal(set) var bytesReceived = 0

    /// Requests sent, including redirects and retries. One under way counts once it has a connection.
    package var requestCount: Int { begunCount - loop.transfers.count { !$0.isSent } }

    /// Requests that were submitted and that `next` hasn't returned yet.
    package var count: Int { loop.transfers.count + waiting.count + completions.count }

    /// The deadline of the run has passed: every request fails from now on.
    package var isPastDeadline: Bool { deadline < .infinity && MonotonicClock.seconds >= deadline }

    package var hasCompleted: Bool { !completions.isEmpty }

    /// - Throws: status 73 or 66 if a directory that the user names can't be used.
    package init(_ options: Options) throws(ToolFailure) {
        // Before anything large is allocated: it also keeps glibc from raising the size that it maps by itself.
        castline_keep_freed_memory()
        source = try ResponseSource(options)
        loop = TransferLoop(idleConnections: options.idleConnections, budget)
        self.options = options
        deadline = MonotonicClock.seconds + options.deadlineSeconds
        let rate = source.isPlayed ? nil : options.rate
        schedule = OriginSchedule(rate.map { RateLimiter($0, directory: HTTPCache.usualDirectory("rate")) })
    }

    /// Waits until a request has completed. Returns within a quarter of a second of a signal.
    package mutating func next(orInputFrom input: Descriptor? = nil, bell: Descriptor? = nil) -> Event {
        budget.release(handedBytes)
        handedBytes = 0
        while true {
            if Signals.isRequested { return .interrupted }
            // Whoever takes it holds the only copy of its body.
            if hasCompleted {
                let completion = completions.removeFirst()
                handedBytes = completion.bodyBytes
                return .completed(completion)
            }
            guard count > 0 else { return .idle }
            advance()
            showPause()
            if hasCompleted || count == 0 { continue }
            if loop.isReady(now: MonotonicClock.seconds) { continue }
            if wait(input, bell) { return .inputReady }
        }
    }

    /// Sends what was submitted, and receives what has arrived, without waiting.
    package mutating func progress() {
        guard count > 0 else { return }
        let now = MonotonicClock.seconds
        if !loop.isReady(now: now) { _ = loop.wait(now: now, until: now, others: []) }
        repeat { advance() } while !loop.transfers.isEmpty && loop.isReady(now: now)
    }

    private mutating func advance() {
        let now = MonotonicClock.seconds
        guard now < deadline else { return giveUpAll() }
        resumeDue(now: now)
        for transfer in budget.takeAdmitted() { transfer.resume() }
        act(now: now)
        stopIdle()
    }

    private mutating func act(now: Double) {
        loop.act(now: now)
        while let (transfer, code) = loop.takeEnded() { finish(transfer, code) }
    }

    /// Checks for stalls, at most twenty times a second. First reads what has arrived, within a limited number of
    /// turns: a client that was busy elsewhere must not take its own silence for the service's.
    private mutating func stopIdle() {
        var now = MonotonicClock.seconds
        guard now - lastIdleLook >= 0.05, !loop.transfers.isEmpty else { return }
        if !loop.isReady(now: now) { _ = loop.wait(now: now, until: now, others: []) }
        for _ in 0..<Self.turnsBeforeLook where loop.isReady(now: now) {
            act(now: now)
            now = MonotonicClock.seconds
        }
        lastIdleLook = now
        let limitSeconds = options.idleTimeoutSeconds
        for transfer in loop.transfers
        where transfer.meter.isIdle(now: now, limitSeconds: limitSeconds) {
            loop.remove(transfer)
            fault(transfer, .idleTimeout(seconds: limitSeconds))
        }
    }

    private func wait(_ input: Descriptor?, _ bell: Descriptor?) -> Bool {
        let now = MonotonicClock.seconds
        var end = waiting.reduce(min(now + 0.25, deadline)) { min($0, $1.dueSeconds) }
        if options.idleTimeoutSeconds < 1, !loop.transfers.isEmpty { end = min(end, now + 0.05) }
        return loop.wait(now: now, until: end, others: [input, bell].compactMap { $0 })
    }

    private func showPause() {
        guard let progress = options.progress else { return }
        let now = MonotonicClock.seconds
        let pause = loop.transfers.isEmpty ? wait(now: now) : silence(now: now)
        progress.update { $0.pause = hasCompleted ? nil : pause }
    }

    /// What keeps the next request from being sent; nil for a short wait.
    private func wait(now: Double) -> ProgressFigures.Pause? {
        guard let next = waiting.min(by: { $0.dueSeconds < $1.dueSeconds }),
            next.dueSeconds - now >= Self.leastPauseSeconds
        else { return nil }
        // Requests that wait because another one failed don't have its response.
        let origin = next.url.origin
        let failed = waiting.first { !$0.isVisiting && $0.response.head.isComplete && $0.url.origin == origin }
        let status = failed.map { " (\($0.response.head.status))" } ?? ""
        return .wait(
            seconds: Int((next.dueSeconds - now).rounded(.up)), reason: next.url.authority + status)
    }

    /// The transfer that sent something last, if that is a while ago.
    private func silence(now: Double) -> ProgressFigures.Pause? {
        let last = loop.transfers.min { $0.meter.silentSeconds(now: now) < $1.meter.silentSeconds(now: now) }
        guard let last else { return nil }
        let seconds = last.meter.silentSeconds(now: now)
        return seconds < Self.leastSilenceSeconds
            ? nil : .silence(seconds: Int(seconds), host: last.url.authority)
    }
}

extension HTTPClient {
    package struct Completion: Sendable {
        package let tag: Int
        package let result: Result<HTTPResponse, HTTPFailure>
        let history: RetryPolicy.History
        /// How often it was sent, not counting redirects. 0 for a response from the cache.
        package var attempts: Int { history.attempts }
        package let provenance: HTTPProvenance
        /// The caller's note about a body that it keeps itself. The response's body is then empty.
        package internal(set) var note: [UInt8]?
        /// Where to store the body, or the note about it, once the caller knows that it is usable. Nil without a cache.
        package let reservation: CacheReservation?
        let key: CacheKey?
        /// When the response was current, if it is from the cache and the service wasn't asked or failed, in seconds since
        /// 1970.
        package let currentSeconds: Double?
        /// The number of the renewable secret that was sent, if there is one.
        package let sentSecret: Int?

        var bodyBytes: Int { if case .success(let response) = result { response.body.count } else { 0 } }

        /// The failure of a complete response that can't be used.
        package func failure(_ reason: HTTPFailure.Reason) -> HTTPFailure {
            guard case .success(let response) = result else { return HTTPFailure(reason) }
            return HTTPFailure(
                reason, at: response.redirectChain.last, attempts, response.redirectChain,
                httpStatus: response.status)
        }
    }

    package enum Event: Sendable {
        case completed(Completion)
        /// The input is readable or at its end.
        case inputReady
        case idle
        /// A signal asks the run to end. Dropping the client drops the requests under way.
        case interrupted
    }

    /// Options for every request of a client. Times are in seconds.
    package struct Options: Sendable {
        package var userAgent: String
        /// A response is given up after this long with few bytes or none.
        package var idleTimeoutSeconds = 30.0
        /// From the name lookup to the end of the TLS handshake. A shorter patience with silence counts here too.
        var connectTimeoutSeconds: Double { min(10, idleTimeoutSeconds) }
        /// The time limit of the whole run, from the creation of the client.
        package var deadlineSeconds = 86_400.0
        package var retry = RetryPolicy()
        /// If false, special-purpose addresses are refused, see `AddressGuard`.
        package var allowsPrivateAddresses = true
        /// A redirect to another origin leads to a special-purpose address only from another such one.
        package var guardsRedirects = false
        package var idleConnections = 64
        /// The maximum rate of requests to each origin, by all processes on this machine. Nil for no limit.
        package var rate: Rate?
        package var cache = CachePolicy()
        /// The directories of `--record` and `--replay`. With either of them the cache isn't used.
        package var recordPath: String?
        package var replayPath: String?
        package var progress: Progress?
        /// If set, the cache doesn't store bodies: the caller keeps them, and puts a note that says where into the
        /// completion's reservation. Returns what has become of the body of a note.
        package var notedBody: (@Sendable ([UInt8]) -> NotedBody)?

        package init(userAgent: String) { self.userAgent = userAgent }
    }

    /// A body that the caller keeps itself.
    package enum NotedBody: Sendable {
        case held
        /// The caller no longer has it: it is requested again.
        case lost
        /// The caller couldn't use it. It is requested again; the note is used only offline, or where the service fails.
        case unusable
    }
}
