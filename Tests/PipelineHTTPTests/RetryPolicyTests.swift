// When a request is sent again, and after how long.

import PipelineCore
import TestSupport
import Testing

@testable import PipelineHTTP

func headers(_ fields: [(String, String)]) -> HTTPHeaders {
    var headers = HTTPHeaders()
    for (name, value) in fields { headers.append(name, value) }
    return headers
}

struct RetryPolicyTests {
    static let now = 1_700_000_000.0

    func decision(
        _ reason: HTTPFailure.Reason, attempts: Int = 1, _ fields: [(String, String)] = [], body: String = "",
        policy: RetryPolicy = RetryPolicy()
    ) -> RetryPolicy.Decision {
        var generator = SplitMix64(seed: 7)
        var history = RetryPolicy.History(attempts: attempts)
        return policy.decision(
            after: reason, &history, headers: headers(fields), body: Array(body.utf8), now: Self.now,
            using: &generator)
    }

    func isRetried(_ decision: RetryPolicy.Decision) -> Bool {
        if case .retry = decision { true } else { false }
    }

    /// After a wait that the service asks for.
    private static func retry(_ seconds: Double) -> RetryPolicy.Decision {
        .retry(afterSeconds: seconds, holdsOrigin: true, isSlow: false)
    }

    @Test(arguments: [408, 425, 429, 500, 502, 503, 504, 522, 524])
    func `these statuses are tried again`(status: Int) { #expect(isRetried(decision(.status(status)))) }

    @Test(arguments: [300, 304, 400, 401, 403, 404, 405, 410, 418, 451, 501, 505, 511])
    func `these statuses are not`(status: Int) {
        #expect(decision(.status(status)) == .giveUp(.status(status)))
    }

    @Test(arguments: [
        HTTPFailure.Reason.nameNotResolved, .connectionFailed, .connectTimeout, .tlsFailed, .connectionLost,
        .idleTimeout(seconds: 1), .truncated, .damaged,
    ])
    func `faults that can pass are tried again`(reason: HTTPFailure.Reason) { #expect(isRetried(decision(reason))) }

    @Test(arguments: [
        HTTPFailure.Reason.certificateRefused, .refusedAddress, .refusedDowngrade, .refusedScheme("file"),
        .tooLarge(limitBytes: 1), .malformed("x"), .tooManyRedirects(limit: 10), .redirectLoop, .deadline,
        .interrupted, .invalidRequest("x"), .libcurl("x"),
    ])
    func `faults that stay are not`(reason: HTTPFailure.Reason) { #expect(decision(reason) == .giveUp(reason)) }

    @Test func `retries are counted after the first try`() {
        var policy = RetryPolicy()
        policy.retries = 2
        #expect(isRetried(decision(.truncated, attempts: 2, policy: policy)))
        #expect(decision(.truncated, attempts: 3, policy: policy) == .giveUp(.truncated))
        policy.retries = 0
        #expect(decision(.status(500), attempts: 1, policy: policy) == .giveUp(.status(500)))
        #expect(decision(.status(429), attempts: 1, policy: policy) == .giveUp(.rateLimited(seconds: nil)))
    }

    @Test func `waits are spread evenly from nothing to a span that doubles up to the cap`() {
        var generator = SplitMix64(seed: 42)
        let policy = RetryPolicy()
        for (attempt, span) in [(1, 0.25), (2, 0.5), (3, 1), (7, 16), (8, 30), (60, 30)] {
            let waits = (0..<2000).map { _ in policy.backoffSeconds(attempts: attempt, using: &generator) }
            #expect(waits.allSatisfy { (0...span).contains($0) })
            for quarter in 0..<4 {
                let range = Double(quarter) * span / 4..<Double(quarter + 1) * span / 4
                let share = waits.count { range.contains($0) }
                #expect((400...600).contains(share), "\(share) of 2000 in quarter \(quarter) of \(span) s")
            }
        }
    }

    @Test(
        arguments: [
            ([("Retry-After", "2")], 2.0), ([("retry-after", "0")], 0),
            ([("Retry-After", "Tue, 14 Nov 2023 22:13:50 GMT")], 30),
            ([("Retry-After", "Tuesday, 14-Nov-23 22:13:50 GMT")], 30),
            ([("Retry-After", "Tue Nov 14 22:13:50 2023")], 30),
            // The service's clock is an hour late: its own date counts.
            ([("Date", "Tue, 14 Nov 2023 21:13:20 GMT"), ("Retry-After", "Tue, 14 Nov 2023 21:13:25 GMT")], 5),
            ([("RateLimit-Reset", "7")], 7), ([("X-RateLimit-Reset", "1700000009")], 9),
            ([("X-RateLimit-Reset", "1700000009000")], 9), ([("RateLimit-Reset", "2023-11-14T22:13:30Z")], 10),
            ([("RateLimit-Reset", "2023-11-14T23:13:30.5+01:00")], 10),
            ([("RateLimit-Reset", "2023-11-14 22:13:30z")], 10),
            ([("X-RateLimit-Reset", "9"), ("X-RateLimit-Remaining", "0")], 9),
            ([("Retry-After", "3"), ("RateLimit-Reset", "7")], 3),
            ([("Retry-After", "soon"), ("RateLimit-Reset", "7")], 7),
            ([("RateLimit", "\"default\";r=0;t=20")], 20), ([("ratelimit", "limit=9, remaining=0, reset=20")], 20),
            ([("RateLimit", "\"a,b;r=5\";t=4;r=0, \"day\";r=9;t=3600")], 4),
            ([("RateLimit", "\"a\";r=0;t=4"), ("RateLimit", "\"b\";r=0;t=8")], 8),
            ([("RateLimit", "limit=9,reset=3,remaining=0;w=60")], 3),
            ([("X-RateLimit-Reset-After", "0.65")], 0.65), ([("x-ms-retry-after-ms", "1500")], 1.5),
            ([("retry-after-ms", "20")], 0.02),
            // Where another field says when, these don't count.
            ([("Retry-After", "3"), ("RateLimit", "\"a\";r=0;t=20"), ("x-ms-retry-after-ms", "9000")], 3),
            ([("X-RateLimit-Reset", "7"), ("X-RateLimit-Reset-After", "9"), ("RateLimit", "\"a\";r=0;t=20")], 7),
        ] as [([(String, String)], Double)])
    func `a wait that the service asks for is kept exactly`(fields: [(String, String)], seconds: Double) {
        for status in [429, 503] { #expect(decision(.status(status), fields) == Self.retry(seconds)) }
    }

    @Test(
        arguments: [
            [("Retry-After", "-5")], [("Retry-After", "soon")], [("Retry-After", "")],
            [("Retry-After", "Tue, 14 Nov 2023 22:13:10 GMT")], [("X-RateLimit-Reset", "1600000000")],
            [("X-RateLimit-Reset", "9"), ("X-RateLimit-Remaining", "5")],
            [("RateLimit-Reset", "2023-11-14T22:13:30")],
            [("RateLimit", "\"a\";r=1;t=20")], [("RateLimit", "\"a\";t=20")], [("RateLimit", "r;t")],
            [("RateLimit", "limit=9, remaining=3, reset=20")], [("RateLimit", "\"r=0;t=20")],
            [("X-RateLimit-Remaining", "2"), ("X-RateLimit-Reset-After", "9")], [("x-ms-retry-after-ms", "-5")],
        ] as [[(String, String)]])
    func `a wait that is past or can't be read is the usual one`(fields: [(String, String)]) {
        #expect(decision(.status(503), fields) == decision(.status(503)))
    }

    @Test func `a wait above the limit ends the request at once`() {
        let decision = decision(.status(503), [("Retry-After", "301")])
        #expect(decision == .giveUp(.rateLimited(seconds: 301)))
        #expect(self.decision(.status(503), [("Retry-After", "300")]) == Self.retry(300))
        #expect(
            self.decision(.status(503), [("Retry-After", "300.001")]) == .giveUp(.rateLimited(seconds: 300.001)))
    }

    @Test func `a number below a thousand million is a wait, and one from there on a moment`() {
        for (text, seconds) in [
            ("999999999", 999_999_999.0), ("1700000001", 1), ("999999999999", 998_299_999_999),
            ("1700000001000", 1),
        ] {
            let expected = RetryPolicy.Decision.giveUp(.rateLimited(seconds: seconds))
            let decision = decision(.status(503), [("RateLimit-Reset", text)])
            #expect(decision == (seconds > 300 ? expected : Self.retry(seconds)), "\(text)")
        }
    }

    @Test(arguments: [403, 413, 420, 430]) func `a refusal that says when to come back is a rate limit`(status: Int)
    {
        for (fields, seconds) in [
            ([("Retry-After", "2")], 2), ([("Retry-After", "Tue, 14 Nov 2023 22:13:50 GMT")], 30),
            ([("RateLimit", "\"a\";r=0;t=20")], 20), ([("x-ms-retry-after-ms", "500")], 0.5),
            ([("X-RateLimit-Remaining", "0"), ("X-RateLimit-Reset", "1700000009")], 9),
            ([("X-RateLimit-Remaining", "0"), ("X-RateLimit-Reset-After", "7")], 7),
            ([("x-ratelimit-remaining", "4999"), ("Retry-After", "2")], 2),
        ] as [([(String, String)], Double)] {
            #expect(decision(.status(status), fields) == Self.retry(seconds), "\(fields)")
            var none = RetryPolicy()
            none.retries = 0
            let expected = RetryPolicy.Decision.giveUp(.rateLimited(seconds: nil))
            #expect(decision(.status(status), fields, policy: none) == expected)
            #expect(HTTPFailure(.rateLimited(seconds: nil)).exitStatus == .tryLater)
        }
        #expect(isRetried(decision(.status(status), [("Retry-After", "Tue, 14 Nov 2023 22:13:10 GMT")])))
        #expect(isRetried(decision(.status(status), [("x-ratelimit-remaining", "0")])))
    }

    @Test(arguments: [400, 401, 403, 404, 410, 413, 420, 430])
    func `a refusal that doesn't say when is one, whatever its limits say`(status: Int) {
        for fields in [
            [], [("x-ratelimit-remaining", "1")], [("X-RateLimit-Reset", "1700000009")],
            [("X-RateLimit-Remaining", "5"), ("X-RateLimit-Reset-After", "7")], [("Retry-After", "soon")],
            [("Retry-After", "")], [("RateLimit", "\"a\";r=7;t=20")],
        ] as [[(String, String)]] {
            #expect(decision(.status(status), fields) == .giveUp(.status(status)), "\(fields)")
        }
    }

    @Test func `the words of GitHub's second limit make 403 a rate limit, and no other status or words`() {
        let body = #"{"message":"You have exceeded a secondary rate limit."}"#
        let left = [("X-RateLimit-Remaining", "4999")]
        #expect(isRetried(decision(.status(403), left, body: body)))
        #expect(decision(.status(404), left, body: body) == .giveUp(.status(404)))
        let other = #"{"message":"Rate limits don't matter: forbidden, try later"}"#
        #expect(decision(.status(403), left, body: other) == .giveUp(.status(403)))
    }

    @Test func `a wait in the header of a broken transfer doesn't count`() {
        #expect(decision(.truncated, [("Retry-After", "200")]) == decision(.truncated))
    }
}

// What a failure is to a tool: the status that its run ends with.

@Suite struct HTTPFailureTests {
    @Test(
        arguments: [
            (.refused, [401, 403, 407]), (.tryLater, [429]),
            (.unavailable, [408, 425, 500, 502, 503, 504, 507, 599]),
            (.protocolError, [204, 300, 304, 400, 402, 404, 405, 406, 409, 410, 418, 426, 428, 451, 499, 600]),
        ] as [(PipelineCore.ExitStatus, [Int])])
    func `a status of HTTP gives the run's`(exitStatus: PipelineCore.ExitStatus, statuses: [Int]) {
        for status in statuses { #expect(HTTPFailure(.status(status)).exitStatus == exitStatus, "\(status)") }
    }

    /// Failures whose message tells something of this run.
    private static let passing: [HTTPFailure.Reason] = [
        .connectionFailed, .status(503), .status(404), .truncated, .rateLimited(seconds: nil),
        .rateLimited(seconds: 2), .rateLimited(seconds: 3.5), .deadline, .idleTimeout(seconds: 30),
    ]

    @Test(arguments: passing)
    func `what is stored of a failure is the same after any number of tries and any wait`(
        reason: HTTPFailure.Reason
    ) {
        let once = HTTPFailure(reason)
        var often = once
        often.attempts = 7
        #expect(often.lastingDescription == once.lastingDescription)
        #expect(once.isRetryable == often.description.hasSuffix(" (7 tries)"))
        guard case .rateLimited = reason else { return }
        #expect(once.lastingDescription == HTTPFailure(.rateLimited(seconds: nil)).lastingDescription)
    }
}

// Transfers that have stopped, by a clock of the test's own.

struct StallDetectorTests {
    /// The bytes that arrive before each look, a tenth of a second after the one before, and when the transfer is given up.
    private static let transfers: [(bytes: @Sendable (_ seconds: Double) -> Int, end: Double?)] = [
        // Silence from the start, and after a good beginning.
        ({ _ in 0 }, 10), ({ $0 < 3.05 ? 50_000 : 0 }, 13),
        // A drip ends with the first window, and a slow transfer goes on.
        ({ Int($0 * 10) % 5 == 0 ? 1 : 0 }, 10), ({ _ in 11 }, nil),
    ]

    @Test(arguments: transfers.indices) func `a transfer that almost stands still ends at the limit`(index: Int) {
        let (bytes, end) = Self.transfers[index]
        var meter = StallDetector()
        meter.begin(now: 100)
        let idle = (1...600).map { Double($0) / 10 }.first { time in
            meter.receive(bytes(time))
            return meter.isIdle(now: 100 + time, limitSeconds: 10)
        }
        #expect(idle == end)
    }

    @Test func `nothing is idle before it has begun or after it has stopped`() {
        var meter = StallDetector()
        #expect(meter.isIdle(now: 1000, limitSeconds: 1) == false)
        meter.begin(now: 0)
        meter.stop()
        #expect(meter.isIdle(now: 1000, limitSeconds: 1) == false)
    }

    @Test func `an absence of the reader is not the server's`() {
        var meter = StallDetector()
        meter.begin(now: 0)
        #expect(meter.isIdle(now: 60, limitSeconds: 10) == false)
        #expect(meter.isIdle(now: 60.5, limitSeconds: 10) == false)
    }
}
