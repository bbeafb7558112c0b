// Which pictures are requested now, and which wait: at most `--jobs` run at once, and at most `--per-host` at one
// host. Each URL is requested once, for all pictures that wait for it.
//
//     a.example  ●●●●○○○○○      ● running, at most --per-host        all ● together: at most --jobs
//     b.example  ●○             ○ queued, in the order of the input

import PipelineHTTP

struct FetchQueue {
    private let limit: Int
    private let limitPerHost: Int
    private var fetches: [Int: (request: HTTPRequest, slots: [ReorderBuffer.Slot])] = [:]
    private var tags: [HTTPURL: Int] = [:]
    /// Hosts with pictures in progress, by name and port. What is queued are tags.
    private var hosts: [String: (running: Int, queued: [Int])] = [:]
    private var running = 0
    private var nextTag = 0

    init(limit: Int, perHost limitPerHost: Int) {
        self.limit = limit
        self.limitPerHost = limitPerHost
    }

    /// - Returns: false if the URL isn't in progress.
    mutating func join(_ url: HTTPURL, for slot: ReorderBuffer.Slot) -> Bool {
        guard let tag = tags[url] else { return false }
        fetches[tag]?.slots.append(slot)
        return true
    }

    /// Queues a request whose URL isn't in progress.
    mutating func add(_ request: HTTPRequest, for slot: ReorderBuffer.Slot) {
        tags[request.url] = nextTag
        fetches[nextTag] = (request, [slot])
        hosts[request.url.authority, default: (0, [])].queued.append(nextTag)
        nextTag += 1
    }

    mutating func takeNext() -> (request: HTTPRequest, tag: Int)? {
        guard running < limit,
            let next = hosts.values.compactMap({ $0.running < limitPerHost ? $0.queued.first : nil }).min(),
            let request = fetches[next]?.request
        else { return nil }
        hosts[request.url.authority]?.queued.removeFirst()
        hosts[request.url.authority]?.running += 1
        running += 1
        return (request, next)
    }

    /// Ends a request whose response has come, so that the next one may be sent.
    mutating func release(_ tag: Int) {
        guard let url = fetches[tag]?.request.url else { return }
        running -= 1
        hosts[url.authority]?.running -= 1
        if let host = hosts[url.authority], host.running == 0, host.queued.isEmpty { hosts[url.authority] = nil }
    }

    /// Ends a fetch whose outcome is known.
    mutating func finish(_ tag: Int) -> (url: HTTPURL, slots: [ReorderBuffer.Slot])? {
        guard let fetch = fetches.removeValue(forKey: tag) else { return nil }
        tags[fetch.request.url] = nil
        return (fetch.request.url, fetch.slots)
    }
}
