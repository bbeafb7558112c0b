// What a failure is to a tool: the status that its run ends with.

import PipelineCore
import PipelineHTTP
import Testing

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
