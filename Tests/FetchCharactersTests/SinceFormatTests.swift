// Times as services write and take them, held against the C library's strftime.

import Foundation
import PipelineCore
import PipelineHTTP
import TestSupport
import Testing

@testable import fetch_characters

@Suite("Times of --since")
struct SinceFormatTests {
    private static func instant(_ text: String) -> Instant? {
        let bytes = Array(text.utf8)
        return Instant(bytes.span)
    }

    /// What the C library makes of a pattern.
    private static func oracle(_ pattern: String, milliseconds: Int) -> String {
        let seconds = Int((Double(milliseconds) / 1000).rounded(.down))
        let part = String((milliseconds - seconds * 1000) * 1000)
        let own = pattern.replacingOccurrences(of: "%s", with: "\(seconds)")
            .replacingOccurrences(of: "%f", with: String(repeating: "0", count: 6 - part.count) + part)
        var moment = time_t(seconds)
        var fields = unsafe tm()
        unsafe gmtime_r(&moment, &fields)
        var buffer = [CChar](repeating: 0, count: 400)
        let count = unsafe strftime(&buffer, buffer.count, own, &fields)
        return String(decoding: buffer.prefix(count).map { UInt8(bitPattern: $0) }, as: UTF8.self)
    }

    @Test func `are written by a pattern as strftime writes them, in UTC`() throws {
        var random = SplitMix64(seed: 11)
        let pieces = ["%Y", "%m", "%d", "%H", "%M", "%S", "%s", "%f", "%z", "-", "/", ":", " ", "T", "é"]
        for _ in 0..<3000 {
            let pattern =
                "%Y" + (0..<Int.random(in: 0...6, using: &random)).map { _ in random.pick(pieces) }.joined()
            let milliseconds = Int.random(in: -30_000_000_000_000...100_000_000_000_000, using: &random)
            let offset = abs(milliseconds) < 100_000_000_000 ? 100_000_000_000 : 0
            let moment = try #require(Self.instant("\(milliseconds + offset)"))
            let format = try #require(TimeFormat(pattern))
            #expect(
                format.value(moment).string == Self.oracle(pattern, milliseconds: moment.milliseconds),
                "\(pattern) \(moment.milliseconds)")
        }
    }

    @Test(arguments: ["%Y-%m-%dT%H:%M:%SZ", "%Y-%m-%d %H:%M:%S", "%Y-%m-%dT%H:%M:%S.%f%z"])
    func `read back as the moment that was written`(pattern: String) throws {
        var random = SplitMix64(seed: 12)
        for _ in 0..<1000 {
            let seconds = Int.random(in: 0...4_000_000_000, using: &random)
            let moment = try #require(Self.instant("\(seconds)"))
            let text = try #require(TimeFormat(pattern)?.value(moment).string)
            #expect(Self.instant(text)?.milliseconds == seconds * 1000, "\(text)")
        }
    }

    /// What store-plist --newest prints is what a record has, in the words of its service.
    @Test func `are taken however services write them`() throws {
        var random = SplitMix64(seed: 13)
        for _ in 0..<3000 {
            let seconds = Int.random(in: 1_000_000_000...4_000_000_000, using: &random) / 60 * 60
            let hours = Int.random(in: -12...14, using: &random)
            let local = Self.oracle("%Y-%m-%d?%H:%M", milliseconds: (seconds + hours * 3600) * 1000)
                .replacingOccurrences(of: "?", with: random.pick(["T", "t", " "]))
            let fraction = random.pick(["", ".5", ",25", ".000", ".123456789"])
            let clock = random.pick(["", ":00" + fraction])
            let sign = hours < 0 ? "-" : "+"
            let two = abs(hours) < 10 ? "0\(abs(hours))" : "\(abs(hours))"
            let zones = ["\(sign)\(two)", "\(sign)\(two)00", "\(sign)\(two):00", " \(sign)\(two)00"]
            let zone = hours == 0 ? random.pick(zones + ["Z", "z", "", " UTC", "UTC", "GMT"]) : random.pick(zones)
            let text = local + clock + zone
            #expect(Self.instant(text)?.seconds == seconds, "\(text)")
        }
    }

    @Test(
        arguments: [
            ("2026-03-01T10:00:00.000+0000", 1_772_359_200_000), ("2026-03-01 10:00:00", 1_772_359_200_000),
            ("2026-03-01T10:00:00", 1_772_359_200_000), ("1772359200.5", 1_772_359_200_500),
            ("1772359200.123456", 1_772_359_200_123), ("1772359200123.9", 1_772_359_200_123),
            ("1772359200.", nil), ("1772359200.5.5", nil), ("-1.5", nil), (".5", nil),
            ("2026-03-01T10:00:00.", nil),
            ("2026-03-01T10:00:00+", nil), ("2026-03-01T10:00:00+1", nil), ("2026-03-01T10:00:00+24", nil),
            ("2026-03-01T10:00:00 ", nil), ("2026-03-01T10", nil), ("2026-03-01 10:00:00 +01:0", nil),
            ("2026-03-01T24:00:00", nil), ("2026-03-01T10:60", nil), ("2026-02-30 10:00:00", nil),
            ("2026-03-01T10:00:00+01:00x", nil),
        ] as [(String, Int?)])
    func `are read to the millisecond, or not at all`(text: String, milliseconds: Int?) {
        #expect(Self.instant(text)?.milliseconds == milliseconds)
    }

    private static func isOlder(_ time: String, than since: String) throws -> Bool {
        let source = try Source.having(
            #""pagination":{"type":"none"},"since":{"newestFirst":true,"member":"u"}"#)
        var age = try #require(AgeFilter(source.since, instant(since)))
        return try age.isOlder(Array(#"{"u":"\#(time)"}"#.utf8).span)
    }

    @Test func `without an offset are older only if they are so in each zone, or by the same clock`() throws {
        #expect(try !Self.isOlder("2026-03-01 09:00:00", than: "2026-03-01T10:00:00Z"))
        #expect(try Self.isOlder("2026-02-28 19:59:59", than: "2026-03-01T10:00:00Z"))
        #expect(try Self.isOlder("2026-03-01 09:59:59", than: "2026-03-01 10:00:00"))
        #expect(try !Self.isOlder("2026-03-01 10:00:00", than: "2026-03-01 10:00:00"))
    }

    @Test func `go with the time of the run where a service wants both ends`() throws {
        let source = try Source.having(
            #""pagination":{"type":"none"},"since":{"parameter":"from","until":"to","member":"u","format":"epoch"}"#
        )
        let before = Instant.now.seconds
        let request = try SourceRequests(source, since: Self.instant("1772359200")).page(.start, size: nil)
        let parts = request.sent.split(separator: "to=")
        #expect(parts.first == "GET /list?from=1772359200&")
        let until = try #require(Int(parts.last ?? ""))
        #expect((before...Instant.now.seconds).contains(until))
        #expect(try SourceRequests(source).page(.start, size: nil).sent == "GET /list")
    }

    @Test(arguments: [
        (#""until":"to""#, ""), (#""until":{"header":"X-To"}"#, ""), (#""until":{"path":"to"}"#, "/{to}"),
        (#""until":{"body":"$.to"}"#, ""),
    ])
    func `are no part of what identifies a request in a recording`(until: String, place: String) throws {
        let method = until.contains("body") ? #""method":"POST","body":{},"# : ""
        let source = try Source.having(
            #""path":"/l\#(place)",\#(method)"pagination":{"type":"next-url","next":"n"},"#
                + #""since":{"parameter":"from",\#(until),"member":"u","format":"%s.%f"}"#)
        let since = try #require(Self.instant("1772359200"))
        func pages() throws -> [HTTPRequest] {
            let requests = try SourceRequests(source, since: since)
            let time = until.contains(#"l":"to""#) ? "&to=\(Instant.now.milliseconds)" : ""
            let link = "https://h/l?from=1772359200\(time)&page=2"
            return try [PagePosition.start, .link(link)].map { try requests.page($0, size: nil) }
        }
        let first = try pages()
        let time = Instant.now.milliseconds
        while Instant.now.milliseconds == time {}
        let second = try pages()
        #expect(first[0] != second[0])
        #expect(first.map(\.recordedAs) == second.map(\.recordedAs) && first[0].recordedAs != nil)
        guard place.isEmpty else { return }
        let earlier = try SourceRequests(source, since: Self.instant("1772359100")).page(.start, size: nil)
        #expect(earlier.recordedAs != first[0].recordedAs)
        #expect(try SourceRequests(source).page(.start, size: nil).recordedAs == nil)
    }
}
