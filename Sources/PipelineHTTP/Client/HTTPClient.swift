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
    /// Requests at once over one connection of HTTP/2: few connections, but one loss doesn't hold up all requests.
    private static let streamsPerConnection = 8
    /// At a millisecond each, so that a stream without end can't put off the look at the others.
    private static let turnsBeforeLook = 64

    private static let isLibraryReady: Bool = {
        castline_keep_freed_memory()
        TextEncoding.useUTF8()
        return curl_global_init(Int(CURL_GLOBAL_DEFAULT)) == CURLE_OK
    }()

    private let loop: TransferLoop
    private let options: Options
    private let deadline: Double
    private var flow: RequestFlow
    private var lastIdleLook = 0.0

    /// - Throws: `.libcurl` where libcurl can't begin, `.unusable` where the cache can't be had.
    package init(_ options: Options) throws(HTTPFailure) {
        let stored = try StoredResponses(options)
        guard Self.isLibraryReady, let loop = TransferLoop() else {
            throw HTTPFailure(.libcurl("it can't begin"))
        }
        loop.set(CURLMOPT_MAXCONNECTS, options.idleConnections)
        loop.set(CURLMOPT_MAX_CONCURRENT_STREAMS, Self.streamsPerConnection)
        self.loop = loop
        self.options = options
        deadline = MonotonicClock.seconds + options.deadlineSeconds
        flow = RequestFlow(loop, stored, options, deadline: deadline)
    }

    // MARK: Figures

    /// Requests sent, redirects and retries too. One that is under way counts as soon as it has a connection.
    package var requestCount: Int { flow.counts.begun - loop.transfers.count { !$0.isSent } }
    package var retryCount: Int { flow.counts.retries }
    /// Requests that the cache answered, alone or after asking.
    package var fromCacheCount: Int { flow.counts.fromCache }
    /// Bytes of bodies of responses.
    package var bytesReceived: Int { flow.counts.bytesReceived }

    /// Requests that were submitted and have not come out of `next`.
    package var count: Int { flow.count }

    /// The run has lasted as long as it may: every request fails from now on.
    package var isPastDeadline: Bool { deadline < .infinity && MonotonicClock.seconds >= deadline }

    /// Whether `next` has something to give without waiting.
    package var hasCompleted: Bool { flow.completions.count > 0 }

    // MARK: Requests

    /// Sends a request, or puts it after those that wait. Any failure comes out of `next`.
    /// - Parameters:
    ///   - tag: comes out again with the response,
    ///   - lookup: what the cache has for it, where that was looked up.
    package mutating func submit(_ request: HTTPRequest, tag: Int, _ lookup: CacheLookup? = nil) {
        flow.submit(request, tag: tag, lookup)
    }

    /// Sends a request again whose response turned out to be unusable, as far as retries are left, and after a wait. Where
    /// the cache gave it, it is forgotten there.
    /// - Parameter completion: of the request; its tries count.
    package mutating func retry(
        _ request: HTTPRequest, after completion: Completion, because reason: HTTPFailure.Reason
    ) {
        flow.retry(request, after: completion, because: reason)
    }

    /// Takes back the memory of a body that nobody needs any more, for one to come.
    package mutating func recycle(_ body: consuming [UInt8]) { flow.bodies.recycle(body) }

    // MARK: The cache

    /// Whatever the cache has is revalidated, however fresh it is, unless the service isn't asked at all.
    package var revalidatesAll: Bool {
        get { flow.stored.revalidatesAll }
        set { flow.stored.revalidatesAll = newValue }
    }

    /// Looks into the cache; nil where there is none. Give it to `submit` with the request.
    package func lookup(_ request: HTTPRequest) -> CacheLookup? { flow.stored.lookup(request.firstHop) }

    /// Counts a response that was used without a request.
    package mutating func countFromCache() { flow.counts.fromCache += 1 }

    /// Keeps a response that turned out to be of use, for later runs.
    package func keep(_ completion: Completion) { flow.stored.keep(completion) }

    /// Drops a response that turned out to be of no use from the cache, where it came from there.
    package func forget(_ completion: Completion) { flow.stored.forget(completion) }

    // MARK: Waiting

    /// Waits until a request has ended. At most a quarter of a second passes between a signal and the return.
    /// - Parameters:
    ///   - input: also return when there is something to read here,
    ///   - bell: or here.
    package mutating func next(orInputFrom input: Descriptor? = nil, bell: Descriptor? = nil) -> Event {
        while true {
            if Signals.isRequested { return .interrupted }
            if let completion = flow.completions.takeFirst() { return .completed(completion) }
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
        repeat { advance() } while !loop.transfers.isEmpty && loop.isReady(now: now)
    }

    /// Does all that can be done without waiting.
    private mutating func advance() {
        let now = MonotonicClock.seconds
        guard now < deadline else { return flow.giveUpAll() }
        flow.resumeDue(now: now)
        act(now: now)
        stopIdle()
    }

    private mutating func act(now: Double) {
        loop.act(now: now)
        while let (transfer, code) = loop.takeEnded() { flow.finish(transfer, code) }
    }

    /// Looking twenty times a second is often enough. What has come is read before, as far as that takes few turns:
    /// a client that was away for a while must not take its own silence for the service's.
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
        for transfer in loop.transfers where transfer.meter.isIdle(now: now, limitSeconds: limitSeconds) {
            loop.remove(transfer)
            flow.fault(transfer, .idleTimeout(seconds: limitSeconds))
        }
    }

    /// - Returns: whether one of the two is ready.
    private func wait(_ input: Descriptor?, _ bell: Descriptor?) -> Bool {
        let now = MonotonicClock.seconds
        var end = min(now + 0.25, deadline, flow.waiting.dueSeconds)
        if options.idleTimeoutSeconds < 1, !loop.transfers.isEmpty { end = min(end, now + 0.05) }
        return loop.wait(now: now, until: end, others: [input, bell].compactMap { $0 })
    }

    /// Shows whether anything is under way, and what is waited for where nothing is.
    private func showPause() {
        guard let progress = options.progress else { return }
        let isWaiting = loop.transfers.isEmpty && !hasCompleted
        let pause = isWaiting ? flow.waiting.pause(now: MonotonicClock.seconds) : nil
        progress.update { $0.pause = pause }
    }
}
