// Rates as they are written.

import PipelineHTTP
import Testing

@Suite struct RateTests {
    private static let rates: [(String, Double)] = [
        ("5/second", 0.2), ("1/second", 1), ("30/minute", 2), ("1000/hour", 3.6), ("1000000/second", 1e-6),
    ]

    @Test(arguments: rates)
    func `a rate says how far apart requests are, and reads back`(text: String, seconds: Double) throws {
        let rate = try #require(Rate(text))
        #expect(abs(rate.intervalSeconds - seconds) < 1e-9)
        #expect(rate.description == text)
    }

    @Test(arguments: [
        ("5/s", "5/second"), ("5/sec", "5/second"), ("60/min", "60/minute"), ("1000/h", "1000/hour"),
    ])
    func `a rate may be written short`(short: String, long: String) { #expect(Rate(short)?.description == long) }

    private static let others = [
        "", "5", "5/", "/second", "0/second", "-1/second", "+5/second", "5/seconds", "5/Second", "5 / second",
        "5/day", "5/m", "5/mins", "5/S",
        "5/second/", "1.5/second", "1000001/second", "99999999999999999999/hour", "５/second",
    ]

    @Test(arguments: others)
    func `what isn't a rate is refused`(text: String) { #expect(Rate(text) == nil) }
}
