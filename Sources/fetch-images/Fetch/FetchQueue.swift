// Which pictures are requested now, and which wait: at most `--jobs` run at once, and at most `--per-host` at one
// host. Each URL is requested once, for all records that wait for it.
//
//     a.example  ●●●●○○○○○      ● running, at most --per-host        all ● together: at most --jobs
//     b.example  ●○             ○ queued, in the order of the input

import PipelineHTTP

struct FetchQueue {
    private final class Fetch {
        let url: HTTPURL
        /// The request, and what the cache has for it; nil once it was sent.
        var request: (HTTPRequest, CacheLookup?)?
        let location: Int
        var records: [Int]

        init(_ request: HTTPRequest, _ lookup: CacheLookup?, location: Int, record: Int) {
            url = request.url
            self.request = (request, lookup)
            self.location = location
            records = [record]
        }
    }

    private struct Authority: Hashable {
        let host: String
        let port: Int
    }

    private struct Host {
        let authority: Authority
        var running = 0
        /// Tags; those before `next` have been sent.
        var queued: [Int] = []
        var next = 0

        var isIdle: Bool { running == 0 && next == queued.count }

        /// The tag to send next; nil if none may be sent.
        func nextTag(limit: Int) -> Int? { running < limit && next < queued.count ? queued[next] : nil }

        mutating func start() {
            next += 1
            running += 1
            if next > 1024, next > queued.count / 2 {
                queued.removeFirst(next)
                next = 0
            }
        }
    }

    private let limit: Int
    private let limitPerHost: Int
    private var fetches: [Int: Fetch] = [:]
    private var tags: [HTTPURL: Int] = [:]
    /// Nil for a free slot.
    private var hosts: [Host?] = []
    private var locations: [Authority: Int] = [:]
    private var running = 0
    private var nextTag = 0

    init(limit: Int, perHost limitPerHost: Int) {
        self.limit = limit
        self.limitPerHost = limitPerHost
    }

    /// Adds a record to those that wait for a URL in progress.
    /// - Returns: false if the URL isn't in progress.
    mutating func join(_ url: HTTPURL, for record: @autoclosure () -> Int) -> Bool {
        guard let tag = tags[url] else { return false }
        fetches[tag]?.records.append(record())
        return true
    }

    /// Queues a request for a record, whose URL isn't in progress.
    mutating func add(_ request: HTTPRequest, _ lookup: CacheLookup?, for record: Int) {
        let url = request.url
        tags[url] = nextTag
        let location = location(of: Authority(host: url.host, port: url.port))
        fetches[nextTag] = Fetch(request, lookup, location: location, record: record)
        hosts[location]?.queued.append(nextTag)
        nextTag += 1
    }

    /// The slot of a host, a new one if none of its pictures is in progress.
    private mutating func location(of authority: Authority) -> Int {
        if let location = locations[authority] { return location }
        let location = hosts.firstIndex { $0 == nil } ?? hosts.count
        if location == hosts.count { hosts.append(nil) }
        hosts[location] = Host(authority: authority)
        locations[authority] = location
        return location
    }

    mutating func takeNext() -> (request: HTTPRequest, tag: Int, lookup: CacheLookup?)? {
        guard running < limit else { return nil }
        var best: (location: Int, tag: Int)?
        for location in hosts.indices {
            guard let tag = hosts[location]?.nextTag(limit: limitPerHost), tag < best?.tag ?? .max else { continue }
            best = (location, tag)
        }
        guard let best, let (request, lookup) = fetches[best.tag]?.request.take() else { return nil }
        hosts[best.location]?.start()
        running += 1
        return (request, best.tag, lookup)
    }

    /// Ends a request whose response has come, so that the next one may be sent.
    mutating func release(_ tag: Int) {
        guard let location = fetches[tag]?.location else { return }
        running -= 1
        hosts[location]?.running -= 1
        guard let host = hosts[location], host.isIdle else { return }
        locations[host.authority] = nil
        hosts[location] = nil
    }

    /// Ends a fetch whose outcome is known.
    /// - Returns: the URL and the records that waited for it.
    mutating func finish(_ tag: Int) -> (url: HTTPURL, records: [Int])? {
        guard let fetch = fetches.removeValue(forKey: tag) else { return nil }
        tags[fetch.url] = nil
        return (fetch.url, fetch.records)
    }
}

/// The outcomes of the last few thousand URLs, so that a list that repeats one picture requests it once. They are
/// kept in two halves to bound the memory: when the newer half is full, the older one is dropped.
struct RecentOutcomes {
    private static let limit = 2048

    private var newer: [HTTPURL: ImageOutcome] = [:]
    private var older: [HTTPURL: ImageOutcome] = [:]

    subscript(url: HTTPURL) -> ImageOutcome? { newer[url] ?? older[url] }

    mutating func add(_ outcome: ImageOutcome, for url: HTTPURL) {
        if newer.count >= Self.limit {
            older = newer
            newer = [:]
        }
        newer[url] = outcome
    }
}
