// Dates as texts and as the seconds of a property list.

import Foundation
import PipelineCore
import TestSupport
import Testing

@Suite("The text of a date")
struct DateTextTests {
    @Test
    func `parts of a second come back as the same double, with no more digits than that takes`() throws {
        var random = SplitMix64(seed: 6)
        var moments = (0..<300).map { _ in Double.random(in: -2e9...2e9, using: &random) }
        moments += [0.5, 695_056_245.999_999_9, -0.25, 1e-9, 252_423_993_599.999_98, 695_056_245.678_901_9]
        for seconds in moments {
            let text = try #require(DateText.text(seconds, withFraction: true))
            // Near the epoch a double tells more than nine digits do.
            let seen = DateText.seconds(Array(text.utf8).span)
            let read = try #require(seen)
            #expect(abs(seconds) < 1e7 ? abs(read - seconds) < 1e-9 : read == seconds, "\(seconds) \(text)")
        }
        #expect(DateText.text(695_056_245.25, withFraction: true) == "2023-01-10T15:10:45.25Z")
        #expect(DateText.text(695_056_245.999_999_9, withFraction: true) == "2023-01-10T15:10:45.9999999Z")
        let end = DateText.seconds(Array("9999-12-31T23:59:59.999999Z".utf8).span)
        let last = try #require(end)
        #expect(DateText.writable.contains(last) && !DateText.writable.contains(last.nextUp))
    }

    @Test(arguments: [
        "2023-01-10T15:10:45", "2023-01-10T15:10Z", "2023-01-10", "2023-02-29T15:10:45Z",
        "2023-13-10T15:10:45Z",
        "2023-00-10T15:10:45Z", "2023-01-00T15:10:45Z", "2023-01-10T24:10:45Z", "2023-01-10T15:60:45Z",
        "2023-01-10T15:10:45.Z", "2023-01-10T15:10:45+24:00", "2023-01-10T15:10:45+01:60",
        "2023-01-10T15:10:45+0100", "2023-01-10T15:10:45+01:00x", "2023-01-10T15:10:45Z ",
        "2023-01-10x15:10:45Z",
        "2023-1-10T15:10:45Z", "+023-01-10T15:10:45Z", "1900-02-29T00:00:00Z", "2100-02-29T00:00:00Z",
        "2000-02-30T00:00:00Z", "2016-12-31T23:59:60Z", "2016-04-31T00:00:00Z",
    ])
    func `what is no date of RFC 3339 is none`(text: String) {
        #expect(DateText.seconds(Array(text.utf8).span) == nil)
    }

    @Test
    func `dates of all years agree with Foundation's calendar, leap days and both ends among them`() throws {
        var random = SplitMix64(seed: 5)
        let formatter = ISO8601DateFormatter()
        for _ in 0..<500 {
            let seconds = Double(Int64.random(in: -13_000_000_000...252_000_000_000, using: &random))
            let text = try #require(DateText.text(seconds, withFraction: true))
            #expect(text == formatter.string(from: Date(timeIntervalSinceReferenceDate: seconds)))
            let read = DateText.seconds(Array(text.utf8).span)
            #expect(read == seconds)
        }
        for (text, expected) in [
            ("0000-01-01T00:00:00Z", -63_145_526_400), ("0000-01-01T00:00:00.5Z", -63_145_526_399.5),
            ("9999-12-31T23:59:59Z", 252_423_993_599), ("9999-12-31T23:59:59.999Z", 252_423_993_599.999),
            ("2000-12-31T23:59:59.75Z", -0.25), ("2000-02-29T12:00:00Z", -26_481_600),
            ("0000-02-29T00:00:00Z", -63_140_428_800),
        ] {
            let read = DateText.seconds(Array(text.utf8).span)
            #expect(read == expected, "\(text)")
        }
    }

    @Test(arguments: [
        ("2023-01-10T15:10:45Z", "Z"), ("2023-01-10T16:40:45Z", "-01:30"), ("2023-01-09T15:11:45Z", "+23:59"),
        ("2023-01-10T15:10:45Z", "-00:00"),
    ])
    func `an offset is subtracted`(utc: String, offset: String) {
        let text = "2023-01-10t15:10:45" + offset
        #expect(DateText.seconds(Array(text.utf8).span) == DateText.seconds(Array(utc.utf8).span))
    }
}
