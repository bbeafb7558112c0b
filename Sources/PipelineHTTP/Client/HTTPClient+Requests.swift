// One request's way through the client, hop by hop.
//
//     start ─► visit ─► cache? ──────────────────► settle ─► complete
//                ▲        └► send ─► finish ─► 304? ─┤ │
//                └──────────────── follow ◄──────────┘ └► fail ─► start again later, or complete

import CCurl
import PipelineCore

extension HTTPClient {
    /// Larger bodies' memory goes back to the system.
    private static let recycledLimitBytes = 1 << 17
    /// Beyond that many origins that are left alone, those are forgotten that needn't be any more.
    private static let holdLimit = 256

    /// A transfer for a request, nil where there can't be one; then the failure comes out of `next`.
    mutating func transfer(for request: HTTPRequest, tag: Int, attempts: Int) -> Transfer? {
        do throws(HTTPFailure) {
            let transfer =
                if let old = spare.popLast() { old } else {
                    try Transfer(request, options: options, loop.connections)
                }
            transfer.begin(request, tag: tag, attempts: attempts)
            return transfer
        } catch {
            completed.append(
                Completion(
                    tag: tag, result: .failure(error), attempts: attempts, provenance: .fetched, slot: nil,
                    key: nil))
            return nil
        }
    }

    /// The first request of a try.
    mutating func start(_ transfer: Transfer) {
        transfer.rewind()
        visit(transfer)
    }

    /// Goes on with what has waited.
    mutating func resume(_ transfer: Transfer) {
        if transfer.isVisiting { send(transfer) } else { start(transfer) }
    }

    /// Looks for a response in the recording or the cache, and asks the service where there is none.
    private mutating func visit(_ transfer: Transfer) {
        transfer.arrive()
        if let recording, recording.isPlayed { return play(transfer, recording) }
        if let cache {
            let glance = transfer.takeGlance() ?? glance(cache, transfer.url, transfer.fields)
            transfer.key = glance.key
            if let entry = glance.entry, isWhole(entry) {
                transfer.entry = entry
                if glance.isUsable { return settle(transfer, entry, .cached) }
            }
        }
        guard !options.cache.isOffline else { return complete(transfer, .notCached) }
        send(transfer)
    }

    mutating func send(_ transfer: Transfer) {
        if let due = waitEnd(transfer.url) { return wait(transfer, until: due) }
        sendNow(transfer)
    }

    private mutating func sendNow(_ transfer: Transfer) {
        guard !isPastDeadline else { return complete(transfer, .deadline) }
        do throws(HTTPFailure) {
            try transfer.prepare(proxies: proxies)
        } catch {
            return fault(transfer, error.reason)
        }
        let code = loop.add(transfer)
        guard code == CURLM_OK else { return complete(transfer, .libcurl("error \(code.rawValue)")) }
        begunCount += 1
        count(transfer)
        transfer.slot = running.count
        running.append(transfer)
    }

    /// Counts the try, once for all its hops.
    mutating func count(_ transfer: Transfer) {
        guard !transfer.isCounted else { return }
        transfer.isCounted = true
        transfer.attempts += 1
        if transfer.attempts > 1 { retryCount += 1 }
    }

    /// When the origin may be asked, nil for now: it may want to be left alone, and the rate is kept.
    private mutating func waitEnd(_ url: HTTPURL) -> Double? {
        guard !holds.isEmpty || pace != nil else { return nil }
        let origin = url.origin
        if let end = holds[origin] {
            if end > MonotonicClock.seconds { return end }
            holds[origin] = nil
        }
        return pace?.take(origin)
    }

    /// Leaves an origin alone.
    private mutating func hold(_ origin: String, until due: Double) {
        if holds.count >= Self.holdLimit { holds = holds.filter { $0.value > MonotonicClock.seconds } }
        holds[origin] = max(due, holds[origin] ?? 0)
    }

    private mutating func wait(_ transfer: Transfer, until due: Double) {
        transfer.dueSeconds = due
        guard due < deadline else { return complete(transfer, .deadline) }
        waiting.append(transfer)
    }

    mutating func detach(_ transfer: Transfer) {
        loop.remove(transfer)
        guard let last = running.popLast() else { return }
        if last !== transfer {
            last.slot = transfer.slot
            running[transfer.slot] = last
        }
        transfer.slot = -1
    }

    mutating func finish(_ transfer: Transfer, _ code: CURLcode) {
        if transfer.connection.isUnsent {
            // The pace has let it go already.
            begunCount -= 1
            return sendNow(transfer)
        }
        if let fault = transfer.fault { return self.fault(transfer, fault) }
        let status = transfer.head.status
        let hasStatus = transfer.head.isComplete && !HTTPResponse.statuses.contains(status)
        guard code == CURLE_OK || hasStatus else {
            let reason = transfer.reason(for: code)
            // Nothing was sent.
            if reason == .refusedAddress { begunCount -= 1 }
            return fault(transfer, reason)
        }
        guard transfer.head.isComplete else { return fault(transfer, .malformed("no header")) }
        if status == 304, let entry = transfer.entry { return confirm(transfer, entry) }
        let hasBody = HTTPResponse.statuses.contains(status)
        if hasBody, let fault = transfer.head.fault(ofBody: transfer.body.count) {
            return self.fault(transfer, fault)
        }
        let headers = transfer.head.headers
        if let reason = record(transfer, failure: nil) { return complete(transfer, reason) }
        let body = hasBody ? transfer.takeBody(spareBodies.popLast() ?? []) : []
        bytesReceived += body.count
        keep(transfer, status, headers)
        settle(transfer, status, headers, body, note: nil, .fetched)
    }

    /// Takes back the memory of a body that nobody needs any more, for one to come.
    package mutating func recycle(_ body: consuming [UInt8]) {
        guard spareBodies.count < options.idleConnections, body.capacity <= Self.recycledLimitBytes else { return }
        body.removeAll(keepingCapacity: true)
        spareBodies.append(body)
    }

    // MARK: Ends

    mutating func settle(_ transfer: Transfer, _ entry: CacheEntry, _ provenance: HTTPProvenance) {
        switch entry.content {
        case .body(let body): settle(transfer, entry.status, entry.headers, body, note: nil, provenance)
        case .note(let note): settle(transfer, entry.status, entry.headers, [], note: note, provenance)
        }
    }

    mutating func settle(
        _ transfer: Transfer, _ status: Int, _ headers: HTTPHeaders, _ body: [UInt8], note: [UInt8]?,
        _ provenance: HTTPProvenance
    ) {
        transfer.provenance = transfer.provenance?.followed(by: provenance) ?? provenance
        if Redirect.statuses.contains(status), let location = headers["Location"] {
            return follow(transfer, location)
        }
        guard HTTPResponse.statuses.contains(status) else {
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

    private mutating func follow(_ transfer: Transfer, _ location: String) {
        do throws(HTTPFailure) {
            let target = try Redirect.target(
                location, after: transfer.redirectChain, limit: options.redirectLimit,
                without: transfer.request.keyParameter)
            guard !transfer.request.leaksSecret(to: target) else { return complete(transfer, .refusedKey) }
            transfer.follow(target)
        } catch {
            return complete(transfer, error.reason)
        }
        visit(transfer)
    }

    /// The network gave no response.
    mutating func fault(_ transfer: Transfer, _ reason: HTTPFailure.Reason) {
        if let reason = record(transfer, failure: reason) { return complete(transfer, reason) }
        fail(transfer, reason)
    }

    /// Tries again later, or gives up.
    mutating func fail(_ transfer: Transfer, _ reason: HTTPFailure.Reason) {
        let decision = options.retry.decision(
            after: reason, attempts: transfer.attempts, headers: transfer.head.headers, now: WallClock.epochSeconds,
            using: &generator)
        switch decision {
        case .retry(let seconds):
            transfer.isVisiting = false
            let due = MonotonicClock.seconds + (recording?.isPlayed == true ? 0 : seconds)
            if options.retry.askedSeconds(reason, transfer.head.headers, now: WallClock.epochSeconds) != nil {
                hold(transfer.url.origin, until: due)
            }
            wait(transfer, until: due)
        case .giveUp(let reason):
            if let cache, let entry = transfer.entry,
                cache.policy.standsIn(entry, for: reason, now: WallClock.epochSeconds)
            {
                return settle(transfer, entry, .stale)
            }
            complete(transfer, reason)
        }
    }

    /// - Parameter httpStatus: where it isn't that of the last response of the service.
    mutating func complete(_ transfer: Transfer, _ reason: HTTPFailure.Reason, httpStatus: Int? = nil) {
        var failure = HTTPFailure(reason)
        failure.authority = transfer.url.authority
        failure.attempts = transfer.attempts
        failure.redirectChain = transfer.redirectChain
        failure.httpStatus = httpStatus ?? (transfer.head.isComplete ? transfer.head.status : nil)
        complete(transfer, .failure(failure))
    }

    private mutating func complete(
        _ transfer: Transfer, _ result: Result<HTTPResponse, HTTPFailure>, note: [UInt8]? = nil
    ) {
        let provenance = transfer.provenance ?? .fetched
        if provenance != .fetched { fromCacheCount += 1 }
        completed.append(
            Completion(
                tag: transfer.tag, result: result, attempts: transfer.attempts, provenance: provenance, note: note,
                slot: transfer.cacheSlot, key: transfer.key)
        )
        transfer.cacheSlot = nil
        spare.append(transfer)
    }
}
