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
    /// What holds for every request of a client. Seconds throughout.
    package struct Options: Sendable {
        package var userAgent: String
        /// From the look-up of the name to the end of the TLS handshake.
        package var connectTimeoutSeconds = 10.0
        /// Without a byte, or with hardly any, an answer is given up.
        package var idleTimeoutSeconds = 30.0
        /// The whole run, from the making of the client on.
        package var deadlineSeconds = 86_400.0
        package var retry = RetryPolicy()
        /// Off, addresses of special purpose are refused, see `AddressGuard`.
        package var allowsPrivateAddresses = true
        package var redirectLimit = 10
        /// Connections kept open for further requests.
        package var idleConnections = 64

        package init(userAgent: String) { self.userAgent = userAgent }
    }

    /// A request that has ended.
    package struct Completion: Sendable {
        /// The number it was submitted with.
        package let tag: Int
        package let result: Result<HTTPAnswer, HTTPFailure>
        /// How often it was sent, redirects apart.
        package let attempts: Int

        /// The failure of an answer that came whole and can't be used.
        package func failure(_ reason: HTTPFailure.Reason) -> HTTPFailure {
            guard case .success(let answer) = result else { return HTTPFailure(reason) }
            var failure = HTTPFailure(reason)
            failure.authority = answer.hops.last?.authority ?? ""
            failure.attempts = attempts
            failure.hops = answer.hops
            failure.httpStatus = answer.status
            return failure
        }
    }

    /// Why `next` returned.
    package enum Event: Sendable {
        case completed(Completion)
        /// The input has something to read, or has ended.
        case inputReady
        /// No request is under way.
        case idle
        /// A signal asks the run to end. Requests under way are dropped with the client.
        case interrupted
    }

    private let multi: UnsafeMutableRawPointer
    private let options: Options
    private let deadline: Double
    private let proxies: ProxyChoice
    private var generator = SystemRandomNumberGenerator()
    private var running: [Transfer] = []
    private var waiting: [Transfer] = []
    private var spare: [Transfer] = []
    private var completed: [Completion] = []
    private var nextCompleted = 0

    /// Requests sent, redirects and retries too.
    package private(set) var requestCount = 0
    package private(set) var retryCount = 0
    /// Bytes of bodies that were answers.
    package private(set) var bytesReceived = 0

    private static let isLibraryReady = curl_global_init(Int(CURL_GLOBAL_DEFAULT)) == CURLE_OK

    /// - Throws: `.library` where libcurl can't begin.
    package init(_ options: Options) throws(HTTPFailure) {
        guard Self.isLibraryReady, let handle = unsafe curl_multi_init() else {
            throw HTTPFailure(.library("it can't begin"))
        }
        unsafe multi = handle
        self.options = options
        deadline = MonotonicClock.seconds + options.deadlineSeconds
        proxies = ProxyChoice { Environment.value($0) }
        unsafe castline_multi_set_long(multi, CURLMOPT_MAXCONNECTS, options.idleConnections)
    }

    deinit {
        for transfer in running { unsafe curl_multi_remove_handle(multi, transfer.easy) }
        unsafe curl_multi_cleanup(multi)
    }

    /// Requests that were submitted and have not come out of `next`.
    package var count: Int { running.count + waiting.count + completed.count - nextCompleted }

    /// Whether `next` has something to give without waiting.
    package var hasCompleted: Bool { nextCompleted < completed.count }

    /// Sends a request, or puts it behind those that wait. Any failure comes out of `next`.
    /// - Parameter tag: comes out again with the answer.
    package mutating func submit(_ request: HTTPRequest, tag: Int) {
        submit(request, tag: tag, attempts: 0)
    }

    /// Sends a request again whose answer turned out to be unusable, as far as retries are left, and after a wait.
    /// - Parameter completion: of the request; its tries count.
    package mutating func retry(
        _ request: HTTPRequest, after completion: Completion, because reason: HTTPFailure.Reason
    ) {
        guard let transfer = transfer(for: request, tag: completion.tag, attempts: completion.attempts) else {
            return
        }
        if case .success(let answer) = completion.result { transfer.resume(at: answer.hops) }
        fail(transfer, reason)
    }

    /// Waits until a request has ended. At most a quarter of a second passes between a signal and the return.
    /// - Parameter input: also return when there is something to read here.
    package mutating func next(orInputFrom input: Descriptor? = nil) -> Event {
        while true {
            if Interruption.isRequested { return .interrupted }
            if let completion = takeCompleted() { return .completed(completion) }
            guard count > 0 else { return .idle }
            advance()
            if nextCompleted < completed.count || count == 0 { continue }
            if wait(input) { return .inputReady }
        }
    }

    private mutating func takeCompleted() -> Completion? {
        guard nextCompleted < completed.count else { return nil }
        defer {
            nextCompleted += 1
            if nextCompleted == completed.count {
                completed.removeAll(keepingCapacity: true)
                nextCompleted = 0
            }
        }
        return completed[nextCompleted]
    }

    /// Does all that can be done without waiting.
    private mutating func advance() {
        let now = MonotonicClock.seconds
        guard now < deadline else { return giveUpAll() }
        for index in waiting.indices.reversed() where waiting[index].dueSeconds <= now {
            start(waiting.remove(at: index))
        }
        var count: Int32 = 0
        unsafe curl_multi_perform(multi, &count)
        while let message = unsafe curl_multi_info_read(multi, &count) {
            guard unsafe message.pointee.msg == CURLMSG_DONE else { continue }
            let code = unsafe castline_result(message)
            guard let transfer = unsafe Transfer.of(castline_private(message.pointee.easy_handle)) else { continue }
            detach(transfer)
            finish(transfer, code)
        }
        stopIdle()
    }

    private mutating func stopIdle() {
        let now = MonotonicClock.seconds
        for transfer in running where transfer.meter.isIdle(now: now, limitSeconds: options.idleTimeoutSeconds) {
            detach(transfer)
            fail(transfer, .idleTimeout(seconds: options.idleTimeoutSeconds))
        }
    }

    private mutating func giveUpAll() {
        for transfer in running + waiting {
            if transfer.isRunning { detach(transfer) }
            complete(transfer, .deadline)
        }
        waiting.removeAll()
    }

    /// - Returns: whether the input is ready.
    private func wait(_ input: Descriptor?) -> Bool {
        let now = MonotonicClock.seconds
        var end = min(now + 0.25, deadline)
        for transfer in waiting { end = min(end, transfer.dueSeconds) }
        if options.idleTimeoutSeconds < 1, !running.isEmpty { end = min(end, now + 0.05) }
        let milliseconds = Int32(max(1, ((end - now) * 1000).rounded(.up)))
        var ready: Int32 = 0
        guard let input else {
            unsafe curl_multi_poll(multi, nil, 0, milliseconds, &ready)
            return false
        }
        var extra = curl_waitfd(fd: input.rawValue, events: Int16(CURL_WAIT_POLLIN), revents: 0)
        unsafe curl_multi_poll(multi, &extra, 1, milliseconds, &ready)
        return extra.revents != 0
    }
}

// One request's way: started, detached, finished, failed or followed, completed.
extension HTTPClient {
    private mutating func submit(_ request: HTTPRequest, tag: Int, attempts: Int) {
        guard let transfer = transfer(for: request, tag: tag, attempts: attempts) else { return }
        start(transfer)
    }

    private mutating func transfer(for request: HTTPRequest, tag: Int, attempts: Int) -> Transfer? {
        do throws(HTTPFailure) {
            let transfer = if let old = spare.popLast() { old } else { try Transfer(request, options: options) }
            transfer.begin(request, tag: tag, attempts: attempts)
            return transfer
        } catch {
            completed.append(Completion(tag: tag, result: .failure(error), attempts: attempts))
            return nil
        }
    }

    /// The first request of a try.
    private mutating func start(_ transfer: Transfer) {
        transfer.attempts += 1
        if transfer.attempts > 1 { retryCount += 1 }
        transfer.rewind()
        send(transfer)
    }

    private mutating func send(_ transfer: Transfer) {
        do throws(HTTPFailure) {
            try transfer.prepare(proxies: proxies)
        } catch {
            return complete(transfer, error.reason)
        }
        let code = unsafe curl_multi_add_handle(multi, transfer.easy)
        guard code == CURLM_OK else { return complete(transfer, .library("error \(code.rawValue)")) }
        requestCount += 1
        transfer.slot = running.count
        running.append(transfer)
    }

    private mutating func detach(_ transfer: Transfer) {
        unsafe curl_multi_remove_handle(multi, transfer.easy)
        guard let last = running.popLast() else { return }
        if last !== transfer {
            last.slot = transfer.slot
            running[transfer.slot] = last
        }
        transfer.slot = -1
    }

    private mutating func finish(_ transfer: Transfer, _ code: CURLcode) {
        if let fault = transfer.fault { return fail(transfer, fault) }
        let status = transfer.head.status
        let hasStatus = transfer.head.isComplete && status >= 300
        guard code == CURLE_OK || hasStatus else { return fail(transfer, transfer.reason(for: code)) }
        guard transfer.head.isComplete else { return fail(transfer, .malformed("no header")) }
        if [301, 302, 303, 307, 308].contains(status), let location = transfer.head.headers["Location"] {
            return follow(transfer, location)
        }
        guard (200..<300).contains(status) else { return fail(transfer, .status(status)) }
        let answer = HTTPAnswer(
            status: status, headers: transfer.head.headers, body: transfer.takeBody(), hops: transfer.hops)
        bytesReceived += answer.body.count
        complete(transfer, .success(answer))
    }

    private mutating func follow(_ transfer: Transfer, _ location: String) {
        do throws(HTTPFailure) {
            let next = try transfer.url.resolving(location)
            guard transfer.url.scheme != "https" || next.scheme == "https" else {
                throw HTTPFailure(.refusedDowngrade)
            }
            guard !transfer.hops.contains(next) else { throw HTTPFailure(.redirectLoop) }
            guard transfer.hops.count <= options.redirectLimit else {
                throw HTTPFailure(.tooManyRedirects(limit: options.redirectLimit))
            }
            transfer.follow(next)
            send(transfer)
        } catch {
            if case .invalidRequest = error.reason {
                complete(transfer, .malformed("a redirect to what is no URL"))
            } else {
                complete(transfer, error.reason)
            }
        }
    }

    /// Tries again later, or gives up.
    private mutating func fail(_ transfer: Transfer, _ reason: HTTPFailure.Reason) {
        let decision = options.retry.decision(
            after: reason, attempts: transfer.attempts, headers: transfer.head.headers, now: WallClock.epochSeconds,
            using: &generator)
        switch decision {
        case .retry(let seconds):
            transfer.dueSeconds = MonotonicClock.seconds + seconds
            guard transfer.dueSeconds < deadline else { return complete(transfer, .deadline) }
            waiting.append(transfer)
        case .giveUp(let reason):
            complete(transfer, reason)
        }
    }

    private mutating func complete(_ transfer: Transfer, _ reason: HTTPFailure.Reason) {
        var failure = HTTPFailure(reason)
        failure.authority = transfer.url.authority
        failure.attempts = transfer.attempts
        failure.hops = transfer.hops
        failure.httpStatus = transfer.head.isComplete ? transfer.head.status : nil
        complete(transfer, .failure(failure))
    }

    private mutating func complete(_ transfer: Transfer, _ result: Result<HTTPAnswer, HTTPFailure>) {
        completed.append(Completion(tag: transfer.tag, result: result, attempts: transfer.attempts))
        spare.append(transfer)
    }
}
