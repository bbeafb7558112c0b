// The path of one request through the client, hop by hop.
//
//     start ─► visit ─► cache? ──────────────────► settle ─► complete
//                ▲        └► send ─► finish ─► 304? ─┤ │
//                └──────────────── follow ◄──────────┘ └► fail ─► start again later, or complete

import CCurl
import PipelineCore

extension HTTPClient {
    /// How often it looks for room for what was displaced.
    private static let roomSeconds = 0.1

    // MARK: Starting

    package mutating func submit(_ request: HTTPRequest, tag: Int) {
        if let transfer = transfer(for: request, tag: tag, RetryPolicy.History()) { visit(transfer) }
    }

    /// Sends a request again from its own URL, after a wait, because its response was unusable. Fails if there are no
    /// retries left. Removes a response that came from the cache.
    /// - Parameter completion: of the request. Its attempts count.
    package mutating func retry(
        _ request: HTTPRequest, after completion: Completion, because reason: HTTPFailure.Reason
    ) {
        guard let transfer = transfer(for: request, tag: completion.tag, completion.history) else { return }
        var headers = HTTPHeaders()
        if case .success(let response) = completion.result {
            transfer.redirectChain = response.redirectChain
            headers = response.headers
        }
        source.forget(completion)
        // The cache's entry under this key may replace a failure.
        transfer.key = completion.key
        fail(transfer, reason, headers)
    }

    mutating func resumeDue(now: Double) {
        let due = waiting.filter { $0.dueSeconds <= now }
        waiting.removeAll { $0.dueSeconds <= now }
        for transfer in due {
            if transfer.stop == .displaced, !budget.hasRoom(for: transfer), !loop.transfers.isEmpty {
                wait(transfer, until: now + Self.roomSeconds)
                continue
            }
            if transfer.isVisiting {
                send(transfer)
            } else {
                transfer.rewind()
                visit(transfer)
            }
        }
    }

    private mutating func transfer(for request: HTTPRequest, tag: Int, _ history: RetryPolicy.History) -> Transfer?
    {
        guard let transfer = spare.popLast() ?? Transfer(request, options: options, loop.connections, budget) else {
            completions.append(
                Completion(
                    tag: tag, result: .failure(HTTPFailure(.libcurl("it can't begin"))), history: history,
                    provenance: .fetched, reservation: nil, key: nil, currentSeconds: nil, sentSecret: nil))
            return nil
        }
        transfer.begin(request, tag: tag, history)
        return transfer
    }

    /// Looks for a response in the recording or the cache, and sends a request if there is none.
    private mutating func visit(_ transfer: Transfer) {
        // What is stored comes without delay, and only the caller makes room.
        if hasCompleted, transfer.redirectChain.count == 1, !budget.hasRoom(for: transfer) {
            transfer.isVisiting = false
            return wait(transfer, until: MonotonicClock.seconds)
        }
        if source.isPlayed { return play(transfer) }
        if let entry = source.visit(transfer) { return settle(transfer, entry, .cached) }
        guard !options.cache.isOffline else { return complete(transfer, .notCached) }
        send(transfer)
    }

    private mutating func play(_ transfer: Transfer) {
        let played: RecordedResponse?
        do throws(ToolFailure) { played = try source.played(transfer) } catch {
            return complete(transfer, .unusable(error))
        }
        guard let response = played else { return complete(transfer, .notRecorded(transfer.url.plainText)) }
        count(transfer)
        if let status = response.status { transfer.response.head.take(status: status, response.headers) }
        if let failure = response.failure { return fail(transfer, failure) }
        guard let status = response.status else { return }
        settle(transfer, status, response.headers, response.body)
    }

    private mutating func send(_ transfer: Transfer) {
        do throws(HTTPFailure) {
            // Before the request's turn comes, as this may take as long as a request.
            for secret in transfer.hop.hiddenSecrets { try secret.prepare() }
        } catch {
            return fail(transfer, error.reason)
        }
        if let due = schedule.takeTurn(transfer.url) { return wait(transfer, until: due) }
        sendNow(transfer)
    }

    private mutating func sendNow(_ transfer: Transfer) {
        guard MonotonicClock.seconds < deadline else { return complete(transfer, .deadline) }
        do throws(HTTPFailure) { try transfer.prepare(proxies: proxies) } catch {
            return fault(transfer, error.reason)
        }
        if let reason = loop.add(transfer) { return complete(transfer, reason) }
        begunCount += 1
        count(transfer)
    }

    private mutating func count(_ transfer: Transfer) {
        guard !transfer.isCounted else { return }
        transfer.isCounted = true
        transfer.history.attempts += 1
        if transfer.history.attempts > 1 { retryCount += 1 }
    }

    private mutating func wait(_ transfer: Transfer, until due: Double) {
        guard due < deadline else { return complete(transfer, .deadline) }
        transfer.dueSeconds = due
        waiting.append(transfer)
    }

    // MARK: Responses

    mutating func finish(_ transfer: Transfer, _ code: CURLcode) {
        switch transfer.stop {
        case .unsent:
            // The schedule has counted it already.
            begunCount -= 1
            return sendNow(transfer)
        case .displaced:
            transfer.isVisiting = false
            return wait(transfer, until: MonotonicClock.seconds + Self.roomSeconds)
        case nil: break
        }
        let response = transfer.response
        if let fault = response.fault { return self.fault(transfer, fault) }
        let status = response.head.status
        guard code == CURLE_OK || response.head.isComplete && !response.hasContent else {
            let reason = transfer.reason(for: code)
            // Nothing was sent.
            if reason == transfer.refusal { begunCount -= 1 }
            return fault(transfer, reason)
        }
        guard response.head.isComplete else { return fault(transfer, .malformed("no header")) }
        if status == 304, transfer.validator != nil {
            if let entry = source.confirmed(transfer) { return settle(transfer, entry, .revalidated) }
            // The 304 is about another version: request that one, without a condition.
            transfer.entry = nil
            return send(transfer)
        }
        if let fault = response.endFault { return self.fault(transfer, fault) }
        if let reason = source.record(transfer) { return complete(transfer, reason) }
        source.keep(transfer)
        let body = transfer.takeBody()
        if response.hasContent { bytesReceived += body.count }
        settle(transfer, status, response.head.headers, body)
    }

    private mutating func settle(_ transfer: Transfer, _ entry: CacheEntry, _ provenance: HTTPProvenance) {
        let isNote = options.notedBody != nil
        if provenance == .cached || provenance == .stale {
            let now = WallClock.epochSeconds
            let current = now - entry.ageSeconds(now: now)
            transfer.currentSeconds = min(transfer.currentSeconds ?? .infinity, current)
        }
        settle(
            transfer, entry.status, entry.headers, isNote ? [] : entry.content, note: isNote ? entry.content : nil,
            provenance)
    }

    private mutating func settle(
        _ transfer: Transfer, _ status: Int, _ headers: HTTPHeaders, _ body: [UInt8], note: [UInt8]? = nil,
        _ provenance: HTTPProvenance = .fetched
    ) {
        transfer.provenance = transfer.provenance?.followed(by: provenance) ?? provenance
        if HTTPRequest.redirectStatuses.contains(status), let location = headers["Location"] {
            return follow(transfer, location, status)
        }
        guard transfer.response.isContent(status) else {
            transfer.refusalBody = body
            if provenance == .fetched { return fail(transfer, .status(status)) }
            return complete(transfer, .status(status), httpStatus: status)
        }
        guard body.count <= transfer.request.limitBytes else {
            return complete(transfer, .tooLarge(limitBytes: transfer.request.limitBytes))
        }
        let response = HTTPResponse(
            status: status, headers: headers, body: body, redirectChain: transfer.redirectChain)
        complete(transfer, .success(response), note: note)
    }

    private mutating func follow(_ transfer: Transfer, _ location: String, _ status: Int) {
        do throws(HTTPFailure) {
            let hop = try transfer.hop.redirected(to: location, status: status, after: transfer.redirectChain)
            guard !transfer.request.leaksSecret(to: hop) else { return complete(transfer, .refusedKey) }
            guard transfer.request.mayBeRedirected(to: hop.url) else { return complete(transfer, .refusedOrigin) }
            transfer.arrive(hop)
        } catch {
            return complete(transfer, error.reason)
        }
        visit(transfer)
    }

    // MARK: Failures

    mutating func fault(_ transfer: Transfer, _ reason: HTTPFailure.Reason) {
        if let reason = source.record(transfer, failure: reason) { return complete(transfer, reason) }
        fail(transfer, reason)
    }

    /// Retries later, or gives up.
    /// - Parameter answered: the headers of a response that the transfer no longer has.
    private mutating func fail(_ transfer: Transfer, _ reason: HTTPFailure.Reason, _ answered: HTTPHeaders? = nil) {
        let headers = answered ?? transfer.response.head.headers
        // It may wait for a while, and nobody needs what came of the body.
        _ = transfer.takeBody()
        let decision = options.retry.decision(
            after: reason, &transfer.history, headers: headers, body: transfer.refusalBody,
            now: WallClock.epochSeconds, using: &generator)
        switch decision {
        case .retry(let seconds, let holdsOrigin, let isSlow):
            transfer.isVisiting = false
            let due = MonotonicClock.seconds + (source.isPlayed ? 0 : seconds)
            if holdsOrigin, !source.isPlayed { schedule.coolDown(transfer.url.origin, until: due, isSlow: isSlow) }
            wait(transfer, until: due)
        case .giveUp(let reason):
            if let entry = source.standIn(transfer, for: reason) { return settle(transfer, entry, .stale) }
            complete(transfer, reason)
        }
    }

    mutating func giveUpAll() {
        for transfer in loop.transfers {
            loop.remove(transfer)
            complete(transfer, .deadline)
        }
        for transfer in waiting { complete(transfer, .deadline) }
        waiting.removeAll()
    }

    /// - Parameter httpStatus: if it isn't that of the last response of the service.
    private mutating func complete(_ transfer: Transfer, _ reason: HTTPFailure.Reason, httpStatus: Int? = nil) {
        let head = transfer.response.head
        var failure = HTTPFailure(
            reason, at: transfer.url, transfer.history.attempts, transfer.redirectChain,
            httpStatus: httpStatus ?? (head.isComplete ? head.status : nil))
        if case .status = reason { failure.body = transfer.refusalBody }
        complete(transfer, .failure(failure))
    }

    private mutating func complete(
        _ transfer: Transfer, _ result: Result<HTTPResponse, HTTPFailure>, note: [UInt8]? = nil
    ) {
        let provenance = transfer.provenance ?? .fetched
        if provenance != .fetched { fromCacheCount += 1 }
        _ = transfer.takeBody()
        let completion = Completion(
            tag: transfer.tag, result: result, history: transfer.history, provenance: provenance, note: note,
            reservation: transfer.reservation, key: transfer.key, currentSeconds: transfer.currentSeconds,
            sentSecret: transfer.sentSecret)
        budget.take(completion.bodyBytes)
        completions.append(completion)
        spare.append(transfer)
    }
}
