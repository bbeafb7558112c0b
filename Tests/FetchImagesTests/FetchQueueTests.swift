// Which picture is requested next: against a list that is looked through from its start.

import PipelineCore
import PipelineHTTP
import TestSupport
import Testing

@testable import fetch_images

@Suite("The queue of pictures")
struct FetchQueueTests {
    private struct Plain {
        var queued: [HTTPURL] = []
        var running: [HTTPURL] = []

        func next(_ limit: Int, _ perHost: Int) -> HTTPURL? {
            guard running.count < limit else { return nil }
            return queued.first { url in running.count { $0.authority == url.authority } < perHost }
        }
    }

    @Test(arguments: 0..<60)
    func `the first in the order of the input whose host has room comes next`(seed: Int) throws {
        var generator = SplitMix64(seed: UInt64(seed))
        let limit = Int.random(in: 1...6, using: &generator)
        let perHost = Int.random(in: 1...4, using: &generator)
        var queue = FetchQueue(limit: limit, perHost: perHost)
        var plain = Plain()
        var tags: [HTTPURL: Int] = [:]
        for number in 0..<300 {
            switch Int.random(in: 0..<3, using: &generator) {
            case 0:
                let host = Int.random(in: 0..<5, using: &generator)
                let url = try HTTPURL("http://h\(host).example/\(number)")
                queue.add(HTTPRequest(url), for: (number, 0))
                let isJoined = queue.join(url, for: (number, 1))
                #expect(isJoined)
                plain.queued.append(url)
            case 1:
                let expected = plain.next(limit, perHost)
                #expect(queue.isStarved == (expected == nil && plain.running.count < limit))
                let next = queue.takeNext()
                #expect(next?.request.url == expected)
                guard let next else { continue }
                tags[next.request.url] = next.tag
                plain.queued.removeAll { $0 == next.request.url }
                plain.running.append(next.request.url)
            default:
                guard let url = plain.running.randomElement(using: &generator), let tag = tags[url] else {
                    continue
                }
                queue.release(tag)
                plain.running.removeAll { $0 == url }
                let end = queue.finish(tag)
                #expect(end?.url == url && end?.slots.map(\.picture) == [0, 1])
                let isKnown = queue.join(url, for: (0, 0))
                #expect(!isKnown)
            }
        }
    }
}

@Suite("The URLs that were answered")
struct AnsweredURLTests {
    @Test func `an outcome is what it was, however many came since`() throws {
        var answered = AnsweredURLs("d")
        var replaced = ImageOutcome(
            StoredImage(directory: "d", sha256: "ab", bytes: 1, facts: ImageInfo(type: .gif, size: nil)))
        replaced.image?.replaced = FileLocation.status(ofPath: "/")
        func outcome(_ number: Int) -> ImageOutcome {
            let digits = String(number, radix: 16)
            let image = StoredImage(
                directory: "d", sha256: String(repeating: "0", count: 64 - digits.count) + digits, bytes: number,
                facts: ImageInfo(type: .png, size: ImageSize(width: number, height: 1)))
            let gone = ImageFault(HTTPFailure(.status(403)))
            return switch number % 3 {
            case 0: ImageOutcome(image, origin: "fetched")
            case 1: ImageOutcome(gone)
            default: replaced
            }
        }
        let urls = try (0..<6000).map { try HTTPURL("http://a.example/\($0)") }
        for (number, url) in urls.enumerated() { answered.add(url, outcome(number)) }
        let wrong = urls.indices.filter { answered.outcome(of: urls[$0]) != outcome($0) }
        #expect(wrong == [])
        #expect(answered.outcome(of: try HTTPURL("http://a.example/none")) == nil)
    }

    @Test func `the oldest are forgotten where memory would grow without end`() throws {
        var answered = AnsweredURLs("d", limitBytes: 100_000)
        let urls = try (0..<2000).map { try HTTPURL("http://a.example/\($0)") }
        for url in urls { answered.add(url, ImageOutcome(ImageFault("f"))) }
        let known = urls.map { answered.outcome(of: $0) != nil }
        let first = try #require(known.firstIndex(of: true))
        #expect(first > 1700 && first < 1950 && known[first...].allSatisfy { $0 })
    }
}
