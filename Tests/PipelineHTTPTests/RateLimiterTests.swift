// The pace under a rate, by a clock of the test's own.

import Foundation
import PipelineHTTP
import Testing

@Suite struct RateLimiterTests {
    private static let folder = FileManager.default.temporaryDirectory.path + "/castline-rate-\(UUID().uuidString)"

    /// Asks again whenever it is told to, `count` times with success.
    private static func moments(_ paces: [RateLimiter], _ count: Int, from start: Int64) -> [Int64] {
        var now = start
        var moments: [Int64] = []
        while moments.count < count {
            if let due = paces[moments.count % paces.count].take("http://a", now: now) {
                #expect(due > Double(now) / 1e9)
                now = max(Int64(due * 1e9), now + 1)
            } else {
                moments.append(now)
            }
        }
        return moments
    }

    @Test(arguments: [1, 3])
    func `requests keep their distance, alone and with other processes`(processes: Int) throws {
        let rate = try #require(Rate("5/second"))
        for directory in [nil, Self.folder + "-\(processes)"] where directory != nil || processes == 1 {
            let paces = (0..<processes).map { _ in RateLimiter(rate, directory: directory) }
            let moments = Self.moments(paces, 50, from: 1_000_000_000_000)
            // One that comes late by 10 ms at the most is counted as on time.
            for (earlier, later) in zip(moments, moments.dropFirst()) { #expect(later - earlier >= 190_000_000) }
            let span = moments[49] - moments[0]
            #expect(span >= 49 * 200_000_000 - 10_000_000 && span <= 49 * 200_000_000 + 1_000_000)
        }
    }

    @Test func `lateness doesn't add up, and an idle time gives nothing away`() throws {
        let pace = RateLimiter(try #require(Rate("10/second")), directory: nil)
        let start: Int64 = 1_000_000_000_000
        #expect(pace.take("http://a", now: start) == nil)
        // 5 ms late: the next is due 95 ms later.
        #expect(pace.take("http://a", now: start + 105_000_000) == nil)
        #expect(pace.take("http://a", now: start + 199_000_000) != nil)
        #expect(pace.take("http://a", now: start + 200_000_000) == nil)
        // A minute without a request: then one, and not six hundred.
        #expect(pace.take("http://a", now: start + 60_000_000_000) == nil)
        #expect(pace.take("http://a", now: start + 60_080_000_000) != nil)
    }

    @Test func `a process that was held up gets no place before the one that another has taken`() throws {
        let rate = try #require(Rate("10/second"))
        let paces = (0..<3).map { _ in RateLimiter(rate, directory: Self.folder + "-held") }
        let start: Int64 = 1_000_000_000_000
        #expect(paces[0].take("http://a", now: start) == nil)
        #expect(paces[1].take("http://a", now: start - 5_000_000) == 1000.1)
        // The machine was started again.
        #expect(paces[2].take("http://a", now: 7_000_000_000) == nil)

        // The clock goes on between the call and the lock.
        var readings = [start + 100_000_000, start + 200_000_000]
        #expect(paces[0].take("http://b", now: start + 150_000_000) == nil)
        #expect(paces[1].take("http://b", now: readings.removeFirst()) == 1000.25)
    }

    @Test func `where somebody removes the file of a pace the processes meet at a new one`() throws {
        let directory = Self.folder + "-removed"
        let rate = try #require(Rate("1/minute"))
        let (first, second) = (RateLimiter(rate, directory: directory), RateLimiter(rate, directory: directory))
        let start: Int64 = 1_000_000_000_000
        #expect(first.take("http://a", now: start) == nil)
        for name in try FileManager.default.contentsOfDirectory(atPath: directory) {
            try FileManager.default.removeItem(atPath: directory + "/" + name)
        }
        #expect(second.take("http://a", now: start + 60_000_000_000) == nil)
        // The first look finds the file gone, the next one the other's moment.
        #expect(first.take("http://a", now: start + 61_000_000_000) != nil)
        #expect(first.take("http://a", now: start + 62_000_000_000) == 1120)
    }

    @Test func `the file of a pace stays as long as a rate may need it`() throws {
        let directory = Self.folder + "-kept"
        let rate = try #require(Rate("1/hour"))
        _ = RateLimiter(rate, directory: directory).take("http://a", now: 1_000_000_000_000)
        let path =
            directory + "/" + (try #require(FileManager.default.contentsOfDirectory(atPath: directory).first))
        for (hours, isKept) in [(1.5, true), (3, false)] {
            let past = Date(timeIntervalSinceNow: -hours * 3600)
            try FileManager.default.setAttributes([.modificationDate: past], ofItemAtPath: path)
            _ = RateLimiter(rate, directory: directory)
            #expect(FileManager.default.fileExists(atPath: path) == isKept)
        }
    }

    @Test func `each origin has its own pace, however many there are`() throws {
        for directory in [nil, Self.folder + "-origins"] {
            let pace = RateLimiter(try #require(Rate("1/hour")), directory: directory)
            for number in 0..<200 { #expect(pace.take("http://\(number)", now: 1_000_000_000_000) == nil) }
            if directory != nil { #expect(pace.take("http://0", now: 1_000_000_000_001) != nil) }
            #expect(pace.take("http://199", now: 1_000_000_000_001) != nil)
        }
    }

    @Test func `what an earlier start of the machine left is nothing to wait for`() throws {
        let directory = Self.folder + "-restart"
        let rate = try #require(Rate("1/minute"))
        #expect(RateLimiter(rate, directory: directory).take("http://a", now: 9_000_000_000_000) == nil)
        #expect(RateLimiter(rate, directory: directory).take("http://a", now: 9_000_000_000_001) != nil)
        #expect(RateLimiter(rate, directory: directory).take("http://a", now: 5_000_000_000) == nil)
    }

    @Test(arguments: ["1000/second", "101/second", "1000000/second"])
    func `after an idle time no more go at once than may be late`(text: String) throws {
        let rate = try #require(Rate(text))
        let pace = RateLimiter(rate, directory: nil)
        let start: Int64 = 1_000_000_000_000
        #expect(pace.take("http://a", now: start) == nil)
        let later = start + 60_000_000_000
        let atOnce = (0..<50).count { _ in pace.take("http://a", now: later) == nil }
        #expect(atOnce == 2)
        let moments = Self.moments([RateLimiter(rate, directory: nil)], 200, from: start)
        let span = Double(moments[199] - moments[0]) / 1e9
        #expect(span >= 198 * rate.intervalSeconds * 0.999)
    }

    @Test(arguments: [(119.0, true), (121.0, false)])
    func `a slow rate is kept over the runs of two hours, and its file goes after that`(
        minutes: Double, isKept: Bool
    ) throws {
        let directory = Self.folder + "-slow-\(Int(minutes))"
        let start: Int64 = 1_000_000_000_000
        #expect(RateLimiter(try #require(Rate("1/hour")), directory: directory).take("http://a", now: start) == nil)
        let path =
            directory + "/" + (try #require(try FileManager.default.contentsOfDirectory(atPath: directory).first))
        for sign in [1.0, -1.0] where FileManager.default.fileExists(atPath: path) {
            let date = Date(timeIntervalSinceNow: sign * minutes * 60)
            try FileManager.default.setAttributes([.modificationDate: date], ofItemAtPath: path)
            // Another process, with another rate, cleans up.
            #expect(
                RateLimiter(try #require(Rate("5/second")), directory: directory).take(
                    "http://b\(sign)", now: start)
                    == nil)
            #expect(FileManager.default.fileExists(atPath: path) == isKept)
        }
        let again = RateLimiter(try #require(Rate("1/hour")), directory: directory)
        #expect((again.take("http://a", now: start + 3_599_000_000_000) != nil) == isKept)
    }
}

// Rates as they are written.

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

    @Test(arguments: [("5/s", "5/second"), ("5/sec", "5/second"), ("60/min", "60/minute"), ("1000/h", "1000/hour")])
    func `a rate may be written short`(short: String, long: String) { #expect(Rate(short)?.description == long) }

    private static let others = [
        "", "5", "5/", "/second", "0/second", "-1/second", "+5/second", "5/seconds", "5/Second", "5 / second",
        "5/day", "5/m", "5/mins", "5/S",
        "5/second/", "1.5/second", "1000001/second", "99999999999999999999/hour", "５/second",
    ]

    @Test(arguments: others)
    func `what isn't a rate is refused`(text: String) { #expect(Rate(text) == nil) }
}
