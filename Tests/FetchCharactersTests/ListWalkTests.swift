// Walks over random lists of random services: each ends, and has every record or says that some are missing.

import PipelineCore
import PipelineHTTP
import TestSupport
import Testing

@testable import fetch_characters

struct ListWalkTests {
    /// A random service, and a description that is right about it.
    static func service(_ random: inout SplitMix64) -> (service: ListService, members: String) {
        let count = Int.random(in: 0...60, using: &random)
        var service = ListService(places: Array(0..<count))
        service.cap = Int.random(in: 1...12, using: &random)
        service.usualSize = Int.random(in: 1...7, using: &random)
        service.past = ListService.Past.allCases.randomElement(using: &random) ?? .empty
        service.lastCursor = ListService.LastCursor.allCases.randomElement(using: &random) ?? .none
        service.saysMore = true
        var members = ListEndTests.kinds.randomElement(using: &random) ?? ""
        if Bool.random(using: &random) { members += #","size":{"parameter":"n","value":5}"# }
        return (service, members)
    }

    /// Makes holes: in places, and over whole pages.
    static func holes(_ places: [Int?], _ random: inout SplitMix64) -> [Int?] {
        var places = places.map { Int.random(in: 0..<4, using: &random) == 0 ? nil : $0 }
        guard !places.isEmpty else { return places }
        let start = Int.random(in: places.indices, using: &random)
        for place in start..<min(places.count, start + Int.random(in: 0...20, using: &random)) {
            places[place] = nil
        }
        return places
    }

    @Test(arguments: 0..<300) func `a walk ends with every record, or says that some may be missing`(seed: Int)
        throws
    {
        var random = SplitMix64(seed: UInt64(seed))
        var (service, members) = Self.service(&random)
        var hasWords = false
        switch Int.random(in: 0..<6, using: &random) {
        case 0: members += #","total":{"path":"total"}"#
        case 1: members += #","pages":{"path":"pages"}"#
        case 2:
            members += #","more":"more""#
            hasWords = true
        case 3 where service.past == .notFound || service.past == .badRequest:
            members += #","end":["not-found"]"#
            hasWords = true
        case 4 where service.past == .empty: members += #","end":["empty-page"]"#
        default: break
        }
        // An offset counts places, and a client counts what came.
        if hasWords, !members.contains("offset") { service.places = Self.holes(service.places, &random) }
        service.total = service.ids.count
        if Bool.random(using: &random) { service.lastPage = Int.random(in: 1...9, using: &random) }
        if service.lastPage < .max { members += ",\"last\":\(service.lastPage)" }
        let walk = try WalkedList(service, members)
        #expect(walk.end != .endless, "\(members)")
        if walk.end == .complete { #expect(walk.ids == service.ids, "\(members) \(service)") }
    }

    @Test(arguments: 0..<200) func `a list that its description is right about is complete`(seed: Int) throws {
        var random = SplitMix64(seed: UInt64(seed))
        var (service, members) = Self.service(&random)
        (service.past, service.lastCursor) = (.empty, .none)
        switch Int.random(in: 0..<4, using: &random) {
        case 0: members += #","total":{"path":"total"}"#
        case 1:
            members += #","more":"more""#
            if !members.contains("offset") { service.places = Self.holes(service.places, &random) }
        case 2:
            service.past = .notFound
            members += #","end":["not-found"]"#
            if members.contains("page") { service.places = Self.holes(service.places, &random) }
        default: break
        }
        service.total = service.ids.count
        let walk = try WalkedList(service, members)
        #expect(walk.end == .complete && walk.ids == service.ids, "\(members) \(service)")
    }

    @Test(arguments: 0..<100) func `a total that is never reached is told`(seed: Int) throws {
        var random = SplitMix64(seed: UInt64(seed))
        var (service, members) = Self.service(&random)
        service.total = service.ids.count + Int.random(in: 1...20, using: &random)
        members += #","total":{"path":"total"},"end":["empty-page","not-found"]"#
        #expect(try WalkedList(service, members).end != .complete, "\(members) \(service)")
    }

    @Test(arguments: 0..<100) func `pages asked for ahead are those that are asked for next`(seed: Int) throws {
        var random = SplitMix64(seed: UInt64(seed))
        var (service, members) = Self.service(&random)
        guard !members.contains("next") else { return }
        members += [#","total":{"path":"total"}"#, ""].randomElement(using: &random) ?? ""
        service.total = service.places.count
        let source = try Source.having("\"pagination\":{\(members)},\"members\":{\"id\":\"id\"}")
        var reader = PageReader(source)
        let first = ListWalk(source, pageSize: nil, hash: .init(seed: 7))
        let answer = service.answer(first.position, size: first.size)
        let page = try reader.read(Array(answer.body.utf8), .init(), isList: true)
        let ahead = first.ahead(of: page, limit: 4)
        let walked = try WalkedList(service, members).positions.dropFirst()
        // Those after the end are asked for in vain, and none before it is passed over.
        #expect(Array(ahead.prefix(walked.count)) == Array(walked.prefix(ahead.count)), "\(members) \(service)")
    }
}
