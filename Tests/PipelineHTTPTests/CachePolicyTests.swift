// When a stored response may be used (RFC 9111), and how it is kept.

import Testing

@testable import PipelineHTTP

@Suite struct CachePolicyTests {
    /// Sun, 06 Nov 1994 08:49:37 GMT.
    private static let date = 784_111_777.0

    static func headers(_ lines: [String]) -> HTTPHeaders {
        var headers = HTTPHeaders()
        for line in lines {
            let parts = line.split(separator: ":", maxSplits: 1).map(String.init)
            headers.append(parts[0], parts.count == 2 ? String(parts[1].drop { $0 == " " }) : "")
        }
        return headers
    }

    private static func entry(_ lines: [String], status: Int = 200) -> CacheEntry {
        CacheEntry(status: status, headers: headers(lines), askedSeconds: date, content: [])
    }

    private static let lifetimes: [(lines: [String], seconds: Double?)] = [
        ([], nil),
        (["Cache-Control: max-age=60"], 60),
        (["Cache-Control: private, MAX-AGE=\"60\""], 60),
        (["Cache-Control: max-age=60, max-age=5"], 5),
        (["Cache-Control: public", "Cache-Control: max-age=7"], 7),
        (["Cache-Control: max-age=x"], 0),
        (["Cache-Control: max-age"], 0),
        (["Cache-Control: max-age=60, no-cache"], 0),
        (["Cache-Control: max-age=60, no-cache=\"Set-Cookie, Via\""], 60),
        (["Cache-Control: s-maxage=60"], nil),
        (["Expires: Sun, 06 Nov 1994 08:50:37 GMT"], 60),
        (["Date: Sun, 06 Nov 1994 08:49:27 GMT", "Expires: Sun, 06 Nov 1994 08:50:37 GMT"], 60),
        (["Expires: 0"], 0),
        (["Expires: Sun, 06 Nov 1994 08:50:37 GMT", "Cache-Control: max-age=5"], 5),
        (["Age: 50", "Cache-Control: max-age=60"], 10),
        (["Last-Modified: Sun, 06 Nov 1983 08:49:37 GMT"], nil),
    ]

    @Test(arguments: lifetimes)
    func `an answer is fresh for as long as the service says`(lines: [String], seconds: Double?) {
        let entry = Self.entry(lines)
        let fresh = seconds ?? 0
        #expect(CachePolicy().isUsable(entry, now: Self.date + fresh - 1) == (fresh > 0))
        #expect(!CachePolicy().isUsable(entry, now: Self.date + fresh + 1))
    }

    @Test func `what the user says goes before`() {
        let entry = Self.entry(["Cache-Control: max-age=60, no-cache"])
        var policy = CachePolicy()
        policy.maxAgeSeconds = 100
        #expect(policy.isUsable(entry, now: Self.date + 99) && !policy.isUsable(entry, now: Self.date + 101))
        policy.maxAgeSeconds = 0
        #expect(!policy.isUsable(Self.entry(["Cache-Control: max-age=60"]), now: Self.date + 0.001))
        policy = CachePolicy()
        policy.isOffline = true
        #expect(policy.isUsable(entry, now: Self.date + 1e9))
    }

    @Test func `what isn't there is remembered for a while, and stands in only where it is remembered`() {
        var policy = CachePolicy()
        policy.absenceSeconds = 600
        policy.staleIfErrorSeconds = 1e6
        for status in [404, 410] {
            let entry = Self.entry([], status: status)
            #expect(policy.isUsable(entry, now: Self.date + 599) && !policy.isUsable(entry, now: Self.date + 601))
            #expect(!CachePolicy().isUsable(entry, now: Self.date + 1))
            #expect(policy.standsIn(entry, for: .connectionFailed, now: Self.date + 1))
            var forgetful = policy
            forgetful.absenceSeconds = 0
            #expect(!forgetful.standsIn(entry, for: .connectionFailed, now: Self.date + 1))
            let told = Self.entry(["Cache-Control: max-age=5"], status: status)
            #expect(!policy.isUsable(told, now: Self.date + 6))
        }
        #expect(!policy.isUsable(Self.entry([], status: 302), now: Self.date + 1))
    }

    @Test func `every limit is met at its moment, and not one beyond`() {
        let fresh = Self.entry(["Cache-Control: max-age=60"])
        #expect(
            CachePolicy().isUsable(fresh, now: Self.date + 59.999)
                && !CachePolicy().isUsable(fresh, now: Self.date + 60))
        var policy = CachePolicy()
        policy.maxAgeSeconds = 100
        #expect(policy.isUsable(fresh, now: Self.date + 100) && !policy.isUsable(fresh, now: Self.date + 100.001))
        policy.absenceSeconds = 600
        policy.maxAgeSeconds = nil
        let gone = Self.entry([], status: 404)
        #expect(policy.isUsable(gone, now: Self.date + 599.999) && !policy.isUsable(gone, now: Self.date + 600))
        policy.staleIfErrorSeconds = 10
        #expect(policy.standsIn(fresh, for: .truncated, now: Self.date + 70))
        #expect(!policy.standsIn(fresh, for: .truncated, now: Self.date + 70.001))
    }

    @Test(arguments: [0, 1, 59, 60, 61, 3600, 1e9])
    func `an entry from the future is asked about: nobody knows how old it is`(seconds: Double) {
        let isNow = seconds <= 60
        let now = Self.date - seconds
        for lines in [["Cache-Control: max-age=31536000"], ["Expires: Sun, 06 Nov 2094 08:49:37 GMT"]] {
            #expect(CachePolicy().isUsable(Self.entry(lines), now: now) == isNow)
        }
        var policy = CachePolicy()
        policy.absenceSeconds = 600
        #expect(policy.isUsable(Self.entry([], status: 404), now: now) == isNow)
        policy.staleIfErrorSeconds = 1e12
        #expect(policy.standsIn(Self.entry([]), for: .connectionFailed, now: now) == isNow)
        policy.maxAgeSeconds = 1e12
        #expect(policy.isUsable(Self.entry([]), now: now) == isNow)
        policy.isOffline = true
        #expect(policy.isUsable(Self.entry([]), now: now))
    }

    private static let failures: [(HTTPFailure.Reason, Bool)] = [
        (.connectionFailed, true), (.nameNotResolved, true), (.status(503), true), (.truncated, true),
        (.idleTimeout(seconds: 1), true), (.rateLimited(seconds: 9), true), (.status(403), false),
        (.status(404), false), (.refusedAddress, false), (.malformed("x"), false),
    ]

    @Test(arguments: failures)
    func `a stale answer stands in for a service that is down, for so long after its time`(
        reason: HTTPFailure.Reason, stands: Bool
    ) {
        let entry = Self.entry(["Cache-Control: max-age=60, must-revalidate"])
        var policy = CachePolicy()
        #expect(!policy.standsIn(entry, for: reason, now: Self.date))
        policy.staleIfErrorSeconds = 10
        #expect(policy.standsIn(entry, for: reason, now: Self.date + 69) == stands)
        #expect(!policy.standsIn(entry, for: reason, now: Self.date + 71))
    }

    private static let kept: [(Int, [String], Bool)] = [
        (200, [], true), (203, [], true), (301, [], true), (302, [], true), (404, [], true), (410, [], true),
        (206, [], false), (304, [], false), (400, [], false), (401, [], false), (500, [], false), (503, [], false),
        (200, ["Cache-Control: max-age=9, No-Store"], false), (200, ["Cache-Control: ext=\"no-store\""], true),
        (200, ["Vary: Accept, *"], false), (200, ["Vary: Accept"], true), (200, ["Cache-Control: private"], true),
    ]

    @Test(arguments: kept)
    func `what may be kept`(status: Int, lines: [String], isKept: Bool) {
        #expect(CachePolicy.mayKeep(status, Self.headers(lines)) == isKept)
    }

    @Test func `the question is the tag as it came, else the date`() {
        let date = "Sun, 06 Nov 1994 08:49:37 GMT"
        let tagged = Self.entry(["Last-Modified: \(date)", "ETag: W/\"a\""]).validationField
        #expect(tagged?.name == "If-None-Match" && tagged?.value == "W/\"a\"")
        let dated = Self.entry(["Last-Modified: \(date)"]).validationField
        #expect(dated?.name == "If-Modified-Since" && dated?.value == date)
        #expect(Self.entry(["Last-Modified: yesterday"]).validationField == nil)
        #expect(Self.entry([]).validationField == nil)
    }

    @Test func `a confirmation brings its fields, but for those of the body`() throws {
        let entry = Self.entry(["ETag: \"a\"", "X: 1", "X: 2", "Content-Length: 5", "Y: 3"])
        let response = Self.headers(["etag: \"a\"", "x: 9", "Content-Length: 0", "Set-Cookie: s", "Z: 4"])
        let confirmed = try #require(entry.confirmed(by: CacheEntry.kept(response), askedSeconds: Self.date + 5))
        #expect(confirmed.headers.fields.map(\.name) == ["Content-Length", "Y", "etag", "x", "Z"])
        #expect(confirmed.headers["Content-Length"] == "5" && confirmed.headers.values("X") == ["9"])
        #expect(confirmed.askedSeconds == Self.date + 5 && confirmed.content == entry.content)
        #expect(entry.confirmed(by: Self.headers(["ETag: \"b\""]), askedSeconds: 0) == nil)
        #expect(entry.confirmed(by: Self.headers(["ETag: W/\"b\""]), askedSeconds: 0) != nil)
        #expect(entry.confirmed(by: Self.headers([]), askedSeconds: 0) != nil)
        let weak = Self.entry(["ETag: W/\"a\""])
        #expect(weak.confirmed(by: Self.headers(["ETag: \"a\""]), askedSeconds: 0) != nil)
        #expect(weak.confirmed(by: Self.headers(["ETag: \"b\""]), askedSeconds: 0) == nil)
    }

    @Test func `a confirmation's fields of the connection aren't kept, nor those that Connection names`() throws {
        let response = Self.headers([
            "Connection: close, X-Hop ,x-more", "X-Hop: 1", "X-More: 2", "Keep-Alive: 5", "X-Hopped: 3",
            "Set-Cookie: s", "connection: last", "Last: 4",
        ])
        let confirmed = try #require(
            Self.entry(["X-Hop: old"]).confirmed(by: CacheEntry.kept(response), askedSeconds: 0))
        #expect(confirmed.headers.fields.map { "\($0.name): \($0.value)" } == ["X-Hop: old", "X-Hopped: 3"])
    }

    @Test func `an entry reads back, and a damaged one doesn't`() throws {
        for content in [Array("a\n\nb: c\n".utf8), [], [0, 255]] {
            let entry = CacheEntry(
                status: 203, headers: Self.headers(["A: ", "B: c: d", "B: \u{FC}"]), askedSeconds: 12.345,
                content: content)
            let bytes = entry.encoded()
            #expect(CacheEntry(bytes) == entry)
            for place in bytes.indices {
                var damaged = bytes
                damaged[place] ^= 0x20
                #expect(CacheEntry(damaged) == nil)
                #expect(CacheEntry(Array(bytes[..<place])) == nil)
            }
        }
    }
}

// Digests against the examples of FIPS 180-4.

@Suite struct SHA256Tests {
    private static let examples = [
        ("", "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"),
        ("abc", "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"),
        (
            "abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq",
            "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1"
        ),
    ]

    @Test func `one digest after another`() {
        for (text, digest) in Self.examples + Self.examples {
            #expect(SHA256.hexadecimal(SHA256.digest(Array(text.utf8).span)) == digest)
        }
    }
}
