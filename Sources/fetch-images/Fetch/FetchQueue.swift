// Which pictures are asked for now, and which wait for their turn: so many at once, and so many at one host. The same
// URL is asked once, for all the records that wait for it.
//
//     a.example  ●●●●○○○○○      ● running, at most --per-host        all ● together: at most --jobs
//     b.example  ●○             ○ queued, in the order of the input

import PipelineHTTP

/// Pictures to be fetched.
struct FetchQueue {
    private struct Fetch {
        let request: HTTPRequest
        /// What the cache has for it.
        let glance: CacheGlance?
        /// The key of its host and port.
        let host: String
        /// Numbers of the records that wait for it.
        var records: [Int]
    }

    private struct Host {
        var running = 0
        /// Tags; those before `next` have been sent.
        var queued: [Int] = []
        var next = 0

        var isIdle: Bool { running == 0 && next == queued.count }

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
    /// By host and port.
    private var hosts: [String: Host] = [:]
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
    mutating func add(_ request: HTTPRequest, _ glance: CacheGlance?, for record: Int) {
        let url = request.url
        tags[url] = nextTag
        let host = "\(url.host):\(url.port)"
        fetches[nextTag] = Fetch(request: request, glance: glance, host: host, records: [record])
        hosts[host, default: Host()].queued.append(nextTag)
        nextTag += 1
    }

    /// What is to be asked next, with its tag; nil where nothing may be.
    mutating func takeNext() -> (request: HTTPRequest, tag: Int, glance: CacheGlance?)? {
        guard running < limit else { return nil }
        var best: (key: String, tag: Int)?
        for (key, host) in hosts where host.running < limitPerHost && host.next < host.queued.count {
            let tag = host.queued[host.next]
            if tag < best?.tag ?? .max { best = (key, tag) }
        }
        guard let best, let fetch = fetches[best.tag] else { return nil }
        hosts[best.key]?.start()
        running += 1
        return (fetch.request, best.tag, fetch.glance)
    }

    /// The answer has come: the next one may be asked for.
    mutating func release(_ tag: Int) {
        guard let key = fetches[tag]?.host else { return }
        running -= 1
        hosts[key]?.running -= 1
        if hosts[key]?.isIdle == true { hosts[key] = nil }
    }

    /// The outcome is known.
    /// - Returns: the URL and the records that waited for it.
    mutating func finish(_ tag: Int) -> (url: HTTPURL, records: [Int])? {
        guard let fetch = fetches.removeValue(forKey: tag) else { return nil }
        tags[fetch.request.url] = nil
        return (fetch.request.url, fetch.records)
    }
}
