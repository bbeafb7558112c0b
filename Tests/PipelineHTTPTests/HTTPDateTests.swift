// Dates of services: three spellings of HTTP, ISO 8601, and what isn't a date.

import Foundation
import PipelineHTTP
import Testing

struct HTTPDateTests {
    @Test(arguments: [
        "Sun, 06 Nov 1994 08:49:37 GMT", "Sunday, 06-Nov-94 08:49:37 GMT", "Sun Nov  6 08:49:37 1994",
    ])
    func `the three spellings are one moment`(text: String) {
        #expect(HTTPDate.epochSeconds(text) == 784_111_777)
    }

    @Test(arguments: [
        ("2023-11-14T22:13:20Z", 1_700_000_000.0), ("2023-11-14T22:13:20.123Z", 1_700_000_000),
        ("2023-11-14T23:13:20+01:00", 1_700_000_000), ("2023-11-14T19:43:20-02:30", 1_700_000_000),
        ("2023-11-14 22:13:20z", 1_700_000_000),
    ])
    func `dates of ISO 8601 are read with their zone`(text: String, seconds: Double) {
        #expect(HTTPDate.epochSeconds(iso: text) == seconds)
    }

    @Test(arguments: [
        "", "0", "-1", "60", "tomorrow", "Sun, 06 Nov 1994 24:00:00 GMT", "Sun, 06 Foo 1994 08:49:37 GMT",
        "Sun, 00 Nov 1994 08:49:37 GMT", "Sun, 06 Nov 1994 08:49:61 GMT", "2023-11-14T22:13:20Z",
        "Fri, 01 Jan 10000 00:00:00 GMT",
    ])
    func `anything else is no date`(text: String) {
        #expect(HTTPDate.epochSeconds(text) == nil)
    }

    @Test(arguments: ["", "2023-11-14", "2023-11-14T22:13:20", "2023-13-14T22:13:20Z", "2023-11-14T22:13:20+0100"])
    func `anything else is no date of ISO 8601`(text: String) { #expect(HTTPDate.epochSeconds(iso: text) == nil) }

    @Test func `every day of 140 years is the one that Foundation counts`() {
        let formatter = DateFormatter()
        formatter.locale = Locale(identifier: "en_US_POSIX")
        formatter.timeZone = TimeZone(identifier: "GMT")
        formatter.dateFormat = "EEE, dd MMM yyyy HH:mm:ss 'GMT'"
        for day in stride(from: -3_650, to: 47_000, by: 7) {
            let seconds = Double(day) * 86_400 + 3_661
            let text = formatter.string(from: Date(timeIntervalSince1970: seconds))
            #expect(HTTPDate.epochSeconds(text) == seconds, "\(text)")
        }
    }
}
