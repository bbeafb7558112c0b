// Which pictures are requested now, and which wait: at most `--jobs` run at once, and at most `--per-host` at one
// host. Each URL is requested once, for all pictures that wait for it.
//
//     a.example  ●●●●○○○○○      ● running, at most --per-host        all ● together: at most --jobs
//     b.example  ●○             ○ queued, in the order of the input

import PipelineHTTP

struct FetchQueue {
    private struct Fetch {
        let request: HTTPRequest
        let host: Int
        var slots: [ReorderBuffer.Slot]
    }

    /// A host with pictures in progress.
    private struct Host {
        /// Name and port.
        let name: String
        var running = 0
        /// The tags of its queued fetches, from `first` on.
        private var queued: [Int] = []
        private var first = 0
        /// Whether its first queued fetch is among those that may start.
        var isOffered = false

        init(_ name: String) { self.name = name }

        var next: Int? { first < queued.count ? queued[first] : nil }

        mutating func append(_ tag: Int) { queued.append(tag) }

        mutating func removeFirst() {
            first += 1
            // Half of the list is removed at a time, so that each tag is moved once on average.
            guard first > queued.count / 2 else { return }
            queued.removeFirst(first)
            first = 0
        }
    }

    private let limit: Int
    private let limitPerHost: Int
    private var fetches: [Int: Fetch] = [:]
    private var tags: [HTTPURL: Int] = [:]
    private var hosts: [Int: Host] = [:]
    private var hostNumbers: [String: Int] = [:]
    /// The first queued fetch of each host that has room for another one.
    private var startable = LeastFirst()
    private var running = 0
    private var nextTag = 0
    private var nextHost = 0

    init(limit: Int, perHost limitPerHost: Int) {
        self.limit = limit
        self.limitPerHost = limitPerHost
    }

    /// Whether another request could be sent, if one to another host were queued.
    var isStarved: Bool { running < limit && startable.isEmpty }

    /// - Returns: false if the URL isn't in progress.
    mutating func join(_ url: HTTPURL, for slot: ReorderBuffer.Slot) -> Bool {
        guard let tag = tags[url] else { return false }
        fetches[tag]?.slots.append(slot)
        return true
    }

    /// Queues a request whose URL isn't in progress.
    mutating func add(_ request: HTTPRequest, for slot: ReorderBuffer.Slot) {
        let host = number(ofHost: request.url.authority)
        tags[request.url] = nextTag
        fetches[nextTag] = Fetch(request: request, host: host, slots: [slot])
        hosts[host]?.append(nextTag)
        nextTag += 1
        offer(host)
    }

    mutating func takeNext() -> (request: HTTPRequest, tag: Int)? {
        guard running < limit, let tag = startable.takeLeast(), let fetch = fetches[tag] else { return nil }
        hosts[fetch.host]?.isOffered = false
        hosts[fetch.host]?.removeFirst()
        hosts[fetch.host]?.running += 1
        offer(fetch.host)
        running += 1
        return (fetch.request, tag)
    }

    /// Ends a request whose response has come, so that the next one may be sent.
    mutating func release(_ tag: Int) {
        guard let number = fetches[tag]?.host else { return }
        running -= 1
        hosts[number]?.running -= 1
        offer(number)
        if let host = hosts[number], host.running == 0, host.next == nil {
            hosts[number] = nil
            hostNumbers[host.name] = nil
        }
    }

    /// Ends a fetch whose outcome is known.
    mutating func finish(_ tag: Int) -> (url: HTTPURL, slots: [ReorderBuffer.Slot])? {
        guard let fetch = fetches.removeValue(forKey: tag) else { return nil }
        tags[fetch.request.url] = nil
        return (fetch.request.url, fetch.slots)
    }

    private mutating func number(ofHost name: String) -> Int {
        if let number = hostNumbers[name] { return number }
        nextHost += 1
        hostNumbers[name] = nextHost
        hosts[nextHost] = Host(name)
        return nextHost
    }

    private mutating func offer(_ number: Int) {
        guard let host = hosts[number], !host.isOffered, host.running < limitPerHost, let tag = host.next else {
            return
        }
        hosts[number]?.isOffered = true
        startable.insert(tag)
    }
}

/// Numbers of which the least is taken first: a binary heap, as there may be as many hosts as pictures.
///
///          2              each number is less than the two below it
///        ┌─┴─┐
///        5   3
struct LeastFirst {
    private var numbers: [Int] = []

    var isEmpty: Bool { numbers.isEmpty }

    mutating func insert(_ number: Int) {
        numbers.append(number)
        var place = numbers.count - 1
        while place > 0, numbers[place] < numbers[(place - 1) / 2] {
            numbers.swapAt(place, (place - 1) / 2)
            place = (place - 1) / 2
        }
    }

    mutating func takeLeast() -> Int? {
        guard let least = numbers.first else { return nil }
        let last = numbers.removeLast()
        guard !numbers.isEmpty else { return least }
        numbers[0] = last
        var place = 0
        while true {
            var lesser = place
            for child in [2 * place + 1, 2 * place + 2]
            where child < numbers.count && numbers[child] < numbers[lesser] {
                lesser = child
            }
            guard lesser != place else { return least }
            numbers.swapAt(place, lesser)
            place = lesser
        }
    }
}
