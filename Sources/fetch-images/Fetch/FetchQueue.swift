// Which pictures are asked for now, and which wait for their turn: that many at once, and that many at one host. The same
// URL is asked once, for all the records that wait for it.
//
//     a.example  ●●●●○○○○○      ● running, at most --per-host        all ● together: at most --jobs
//     b.example  ●○             ○ queued, in the order of the input

import PipelineHTTP

/// Pictures to be fetched.
struct FetchQueue {
    private struct Fetch {
        let url: HTTPURL
        /// What is to be asked, and what the cache has for it; nil when it was.
        var request: (HTTPRequest, CacheLookup?)?
        /// Of its host.
        let location: Int
        /// Numbers of the records that wait for it.
        var records: [Int]
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

        /// What is to be asked next, nil where nothing may be.
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
    /// Nil where a place is free.
    private var hosts: [Host?] = []
    private var locations: [Authority: Int] = [:]
    private var running = 0
    private var nextTag = 0

    init(limit: Int, perHost limitPerHost: Int) {
        self.limit = limit
        self.limitPerHost = limitPerHost
    }

    /// Lets a record wait for a URL that is under way.
    /// - Returns: false where it isn't.
    mutating func join(_ url: HTTPURL, for record: @autoclosure () -> Int) -> Bool {
        guard let tag = tags[url] else { return false }
        fetches[tag]?.records.append(record())
        return true
    }

    /// Queues a request for a record, one whose URL isn't under way.
    mutating func add(_ request: HTTPRequest, _ lookup: CacheLookup?, for record: Int) {
        let url = request.url
        tags[url] = nextTag
        let location = location(of: Authority(host: url.host, port: url.port))
        fetches[nextTag] = Fetch(url: url, request: (request, lookup), location: location, records: [record])
        hosts[location]?.queued.append(nextTag)
        nextTag += 1
    }

    /// The place of a host, a new one where none of its pictures is under way.
    private mutating func location(of authority: Authority) -> Int {
        if let location = locations[authority] { return location }
        let location = hosts.firstIndex { $0 == nil } ?? hosts.count
        if location == hosts.count { hosts.append(nil) }
        hosts[location] = Host(authority: authority)
        locations[authority] = location
        return location
    }

    /// What is to be asked next, with its tag; nil where nothing may be.
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

    /// The response has come: the next one may be asked for.
    mutating func release(_ tag: Int) {
        guard let location = fetches[tag]?.location else { return }
        running -= 1
        hosts[location]?.running -= 1
        guard let host = hosts[location], host.isIdle else { return }
        locations[host.authority] = nil
        hosts[location] = nil
    }

    /// The outcome is known.
    /// - Returns: the URL and the records that waited for it.
    mutating func finish(_ tag: Int) -> (url: HTTPURL, records: [Int])? {
        guard let fetch = fetches.removeValue(forKey: tag) else { return nil }
        tags[fetch.url] = nil
        return (fetch.url, fetch.records)
    }
}
