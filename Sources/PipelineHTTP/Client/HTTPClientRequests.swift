// One request's way through the client: started, sent, finished, followed or failed, completed.

import CCurl
import PipelineCore

extension HTTPClient {
    /// A transfer for a request, nil where there can't be one; then the failure comes out of `next`.
    mutating func transfer(for request: HTTPRequest, tag: Int, attempts: Int) -> Transfer? {
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
    mutating func start(_ transfer: Transfer) {
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
        guard code == CURLM_OK else { return complete(transfer, .libcurl("error \(code.rawValue)")) }
        requestCount += 1
        transfer.slot = running.count
        running.append(transfer)
    }

    mutating func detach(_ transfer: Transfer) {
        unsafe curl_multi_remove_handle(multi, transfer.easy)
        guard let last = running.popLast() else { return }
        if last !== transfer {
            last.slot = transfer.slot
            running[transfer.slot] = last
        }
        transfer.slot = -1
    }

    mutating func finish(_ transfer: Transfer, _ code: CURLcode) {
        if let fault = transfer.fault { return fail(transfer, fault) }
        let status = transfer.head.status
        let hasStatus = transfer.head.isComplete && !HTTPAnswer.statuses.contains(status)
        guard code == CURLE_OK || hasStatus else { return fail(transfer, transfer.reason(for: code)) }
        guard transfer.head.isComplete else { return fail(transfer, .malformed("no header")) }
        if Redirect.statuses.contains(status), let location = transfer.head.headers["Location"] {
            return follow(transfer, location)
        }
        guard HTTPAnswer.statuses.contains(status) else { return fail(transfer, .status(status)) }
        let answer = HTTPAnswer(
            status: status, headers: transfer.head.headers, body: transfer.takeBody(), hops: transfer.hops)
        bytesReceived += answer.body.count
        complete(transfer, .success(answer))
    }

    private mutating func follow(_ transfer: Transfer, _ location: String) {
        do throws(HTTPFailure) {
            let next = try Redirect.target(location, after: transfer.hops, limit: options.redirectLimit)
            transfer.follow(next)
            send(transfer)
        } catch {
            complete(transfer, error.reason)
        }
    }

    /// Tries again later, or gives up.
    mutating func fail(_ transfer: Transfer, _ reason: HTTPFailure.Reason) {
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

    mutating func complete(_ transfer: Transfer, _ reason: HTTPFailure.Reason) {
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
