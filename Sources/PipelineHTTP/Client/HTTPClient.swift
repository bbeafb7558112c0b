// The HTTP client of the two fetch tools: many requests at once over libcurl's multi interface, in one loop on one
// thread. Requests go in with a number of the caller's, and come out with it in the order in which they end; redirects,
// retries, limits and waits happen in here.
//
//     submit ──► running ──► next()
//                │    ▲
//                ▼    │ due
//               waiting

import CCurl
package import PipelineCore

/// Fetches over HTTP. Not for several threads.
@safe
package struct HTTPClient: ~Copyable {
    let loop: TransferLoop
    let options: Options
    let deadline: Double
    let proxies: ProxySettings
    let cache: HTTPCache?
    let recording: Recording?
    let digest: SHA256
    let pace: RateLimiter?
    /// Whatever the cache has is asked about, however fresh it is, unless nobody may be asked.
    package var revalidatesAll = false
    /// Until when an origin wants to be left alone, in seconds of the monotonic clock.
    var holds: [String: Double] = [:]
    var generator = SystemRandomNumberGenerator()
    var running: [Transfer] = []
    var waiting: [Transfer] = []
    var spare: [Transfer] = []
    /// Memory for bodies, at most as much as the connections that are kept could use at once.
    var spareBodies: [[UInt8]] = []
    /// Those before `nextCompleted` were taken, and are nil: whoever took one holds the only copy of its body.
    var completed: [Completion?] = []
    private var nextCompleted = 0
    /// Requests at once over one connection of HTTP/2: few connections, but not all that is asked after one loss.
    private static let streamsPerConnection = 8
    /// So many that were taken are kept at most.
    private static let takenLimit = 256
    /// At a millisecond each, so that a stream without end can't put off the look at the others.
    private static let turnsBeforeLook = 64
    private var lastIdleLook = 0.0

    /// Requests that were begun, redirects and retries too.
    var begunCount = 0
    /// Requests sent, redirects and retries too. One that is under way counts as soon as it has a connection.
    package var requestCount: Int { begunCount - running.count { !$0.isSent } }
    package internal(set) var retryCount = 0
    /// Requests that the cache answered, alone or after asking.
    package internal(set) var fromCacheCount = 0
    /// Bytes of bodies that were answers.
    package internal(set) var bytesReceived = 0

    private static let isLibraryReady: Bool = {
        castline_keep_freed_memory()
        TextEncoding.useUTF8()
        return curl_global_init(Int(CURL_GLOBAL_DEFAULT)) == CURLE_OK
    }()

    /// - Throws: `.libcurl` where libcurl can't begin, `.unusable` where the cache can't be had.
    package init(_ options: Options) throws(HTTPFailure) {
        let (cache, recording, digest) = try Self.stores(options)
        guard Self.isLibraryReady, let loop = TransferLoop() else {
            throw HTTPFailure(.libcurl("it can't begin"))
        }
        self.loop = loop
        self.options = options
        self.cache = cache
        self.recording = recording
        self.digest = digest
        pace =
            recording?.isPlayed == true
            ? nil : options.rate.map { RateLimiter($0, directory: HTTPCache.usualDirectory("rate")) }
        deadline = MonotonicClock.seconds + options.deadlineSeconds
        proxies = ProxySettings { Environment.value($0) }
        loop.set(CURLMOPT_MAXCONNECTS, options.idleConnections)
        loop.set(CURLMOPT_MAX_CONCURRENT_STREAMS, Self.streamsPerConnection)
    }

    /// Where answers come from and go to beside the network.
    private static func stores(_ options: Options) throws(HTTPFailure) -> (HTTPCache?, Recording?, SHA256) {
        do throws(ToolFailure) {
            let digest = try SHA256()
            if let path = options.recordPath { return (nil, try .recording(path), digest) }
            if let path = options.replayPath { return (nil, try .played(path), digest) }
            return (try HTTPCache.opened(options.cache, keepsNotes: options.holdsBody != nil), nil, digest)
        } catch {
            throw HTTPFailure(.unusable(error))
        }
    }

    deinit {
        for transfer in running { loop.remove(transfer) }
    }

    /// Requests that were submitted and have not come out of `next`.
    package var count: Int { running.count + waiting.count + completed.count - nextCompleted }

    /// The run has lasted as long as it may: every request fails from now on.
    package var isPastDeadline: Bool { deadline < .infinity && MonotonicClock.seconds >= deadline }

    /// Whether `next` has something to give without waiting.
    package var hasCompleted: Bool { nextCompleted < completed.count }

    /// Sends a request, or puts it after those that wait. Any failure comes out of `next`.
    /// - Parameters:
    ///   - tag: comes out again with the response,
    ///   - glance: what the cache has for it, where that was looked at.
    package mutating func submit(_ request: HTTPRequest, tag: Int, _ glance: CacheLookup? = nil) {
        guard let transfer = transfer(for: request, tag: tag, attempts: 0) else { return }
        transfer.glance = glance
        start(transfer)
    }

    /// Sends a request again whose answer turned out to be unusable, as far as retries are left, and after a wait. Where the
    /// cache gave it, it is forgotten there.
    /// - Parameter completion: of the request; its tries count.
    package mutating func retry(
        _ request: HTTPRequest, after completion: Completion, because reason: HTTPFailure.Reason
    ) {
        guard let transfer = transfer(for: request, tag: completion.tag, attempts: completion.attempts) else {
            return
        }
        if case .success(let response) = completion.result { transfer.resume(at: response.redirectChain) }
        forget(completion)
        recall(transfer)
        fail(transfer, reason)
    }

    /// Waits until a request has ended. At most a quarter of a second passes between a signal and the return.
    /// - Parameters:
    ///   - input: also return when there is something to read here,
    ///   - bell: or here.
    package mutating func next(orInputFrom input: Descriptor? = nil, bell: Descriptor? = nil) -> Event {
        while true {
            if Signals.isRequested { return .interrupted }
            if let completion = takeCompleted() { return .completed(completion) }
            guard count > 0 else { return .idle }
            advance()
            showPause()
            if hasCompleted || count == 0 || loop.isReady(now: MonotonicClock.seconds) { continue }
            if wait(input, bell) { return .inputReady }
        }
    }

    /// Sends what was submitted, and takes what has come, without waiting.
    package mutating func progress() {
        guard count > 0 else { return }
        let now = MonotonicClock.seconds
        if !loop.isReady(now: now) { _ = loop.wait(now: now, until: now, others: []) }
        repeat { advance() } while !running.isEmpty && loop.isReady(now: now)
    }

    private mutating func takeCompleted() -> Completion? {
        guard nextCompleted < completed.count else { return nil }
        let completion = completed[nextCompleted].take()
        nextCompleted += 1
        // Where the cache answers, each one that is taken may be followed by another at once: it is never empty.
        if nextCompleted == completed.count || nextCompleted >= Self.takenLimit {
            completed.removeFirst(nextCompleted)
            nextCompleted = 0
        }
        return completion
    }

    /// Does all that can be done without waiting.
    private mutating func advance() {
        let now = MonotonicClock.seconds
        guard now < deadline else { return giveUpAll() }
        if waiting.contains(where: { $0.dueSeconds <= now }) {
            let due = waiting.filter { $0.dueSeconds <= now }
            waiting.removeAll { $0.dueSeconds <= now }
            for transfer in due { resume(transfer) }
        }
        act(now: now)
        stopIdle()
    }

    private mutating func act(now: Double) {
        loop.act(now: now)
        while let (transfer, code) = loop.takeEnded() {
            detach(transfer)
            finish(transfer, code)
        }
    }

    /// Looking twenty times a second is often enough. What has come is read before, as far as that takes few turns:
    /// who was away for a while must not take his own silence for the service's.
    private mutating func stopIdle() {
        var now = MonotonicClock.seconds
        guard now - lastIdleLook >= 0.05, !running.isEmpty else { return }
        if !loop.isReady(now: now) { _ = loop.wait(now: now, until: now, others: []) }
        for _ in 0..<Self.turnsBeforeLook where loop.isReady(now: now) {
            act(now: now)
            now = MonotonicClock.seconds
        }
        lastIdleLook = now
        for transfer in running where transfer.meter.isIdle(now: now, limitSeconds: options.idleTimeoutSeconds) {
            detach(transfer)
            fault(transfer, .idleTimeout(seconds: options.idleTimeoutSeconds))
        }
    }

    private mutating func giveUpAll() {
        for transfer in running + waiting {
            if transfer.isRunning { detach(transfer) }
            complete(transfer, .deadline)
        }
        waiting.removeAll()
    }

    /// - Returns: whether one of the two is ready.
    private func wait(_ input: Descriptor?, _ bell: Descriptor?) -> Bool {
        let now = MonotonicClock.seconds
        var end = min(now + 0.25, deadline)
        for transfer in waiting { end = min(end, transfer.dueSeconds) }
        if options.idleTimeoutSeconds < 1, !running.isEmpty { end = min(end, now + 0.05) }
        return loop.wait(now: now, until: end, others: [input, bell].compactMap { $0 })
    }
}
