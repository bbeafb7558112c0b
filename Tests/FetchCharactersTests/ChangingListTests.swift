// Lists that change between any two requests, for every kind of paging. The promise is the oracle: what is complete has every
// record that was in the list from the start of the run to its end, as far as the proof says.

import Foundation
import PipelineCore
import PipelineHTTP
import TestSupport
import Testing

@testable import fetch_characters

struct ChangingListTests {
    /// A service whose list changes, and a description that is right about it.
    struct Case: CustomStringConvertible {
        var service = ListService(places: [])
        var members = ""
        var hasIDs = true
        var readsTwice = false
        /// The requests before which the list changes, and how.
        var changes: [Int: [Change]] = [:]

        enum Change {
            case insert(at: Double)
            case remove(at: Double)
            case move(from: Double, to: Double)
        }

        var description: String { "\(members) ids \(hasIDs) twice \(readsTwice) \(changes) \(service)" }
    }

    static func random(_ random: inout SplitMix64) -> Case {
        var made = Case()
        let count = Int.random(in: 0...40, using: &random)
        made.service.places = Array(0..<count)
        made.service.order = Array(0..<count)
        made.service.usualSize = Int.random(in: 1...9, using: &random)
        made.service.past = [.empty, .notFound].randomElement(using: &random) ?? .empty
        made.members = ListEndTests.kinds.randomElement(using: &random) ?? ""
        let isOffset = made.members.contains("offset")
        made.service.hasKeysets = made.members.contains("cursor") && Bool.random(using: &random)
        if isOffset {
            made.service.offsets = ListService.Offsets.allCases.randomElement(using: &random) ?? .any
            made.service.firstOffset = Int.random(in: 0...1, using: &random)
            made.members += #","first":\#(made.service.firstOffset)"#
        }
        made.members += [#","total":{"path":"total"}"#, #","more":"more""#, ""].randomElement(using: &random) ?? ""
        made.service.saysMore = true
        let size = Int.random(in: 1...9, using: &random)
        // Where offsets are multiples of a size that nobody names, one short page can't be told from the first of many.
        let isOdd = made.service.offsets != .any
        if isOdd || Bool.random(using: &random) { made.members += #","size":{"parameter":"n","value":\#(size)}"# }
        made.hasIDs = Int.random(in: 0...3, using: &random) > 0
        made.readsTwice = Int.random(in: 0...3, using: &random) == 0
        for _ in 0..<Int.random(in: 0...4, using: &random) {
            let (from, to) = (Double.random(in: 0..<1, using: &random), Double.random(in: 0..<1, using: &random))
            let change: Case.Change =
                switch Int.random(in: 0...4, using: &random) {
                case 0, 1: .remove(at: from)
                case 2: .insert(at: from)
                case 3: .insert(at: [0, 1].randomElement(using: &random) ?? 0)
                default: .move(from: from, to: to)
                }
            // Some within the first reading, some within those after it.
            let latest = [12, 40].randomElement(using: &random) ?? 12
            made.changes[Int.random(in: 1...latest, using: &random), default: []].append(change)
        }
        return made
    }

    /// What becomes of the list.
    struct Course {
        var isMoved = false
        /// The last request before which it changed.
        var latest = -1
        /// The records that are in it from the start.
        var kept: Set<Int>
        private var new = 1000

        init(_ service: ListService) { kept = Set(service.ids) }

        mutating func apply(_ changes: [Case.Change], to service: inout ListService, number: Int) {
            for change in changes {
                let count = Double(service.places.count)
                switch change {
                case .insert(let place):
                    service.insert(new, at: min(Int(place * (count + 1)), service.places.count))
                    new += 1
                case .remove(let place) where count > 0:
                    if let id = service.places.remove(at: Int(place * count)) { kept.remove(id) }
                case .move(let from, let to) where count > 0:
                    service.move(from: Int(from * count), to: Int(to * count))
                    isMoved = true
                case .remove, .move: continue
                }
                latest = number
            }
            service.total = service.places.count
        }
    }

    /// - Returns: what is wrong with the walk, if anything.
    static func fault(_ made: Case) throws -> String? {
        var service = made.service
        service.total = service.places.count
        var course = Course(service)
        let walk = try WalkedList(service, made.members, hasIDs: made.hasIDs, readsTwice: made.readsTwice) {
            service, number in
            course.apply(made.changes[number] ?? [], to: &service, number: number)
        }
        guard walk.end != .endless else { return "no end" }
        let hasChanged = course.latest >= 0 && course.latest < walk.positions.count
        guard walk.end == .complete else {
            return hasChanged || made.service.past == .lastPage ? nil : "\(walk.end) without a change"
        }
        if walk.proof == .twice, Set(walk.ids).count < walk.ids.count { return "doubled by twice" }
        let lost = course.kept.subtracting(walk.ids)
        guard !lost.isEmpty else { return nil }
        if !hasChanged { return "\(lost) lost without a change" }
        switch walk.proof {
        case .answer: return "\(lost) lost by answer"
        case .cursor: return course.isMoved ? nil : "\(lost) lost by cursor"
        case .overlap: return course.isMoved ? nil : "\(lost) lost by overlap"
        case .twice:
            // A reading that shows a change is no proof, as long as another may follow.
            let isShaken = walk.doubled.count == 2 && !walk.doubled[1].isSubset(of: walk.doubled[0])
            if made.hasIDs, isShaken { return "\(lost) lost by a second reading that shows a change" }
            return course.latest > walk.lastReading ? nil : "\(lost) lost by twice"
        default: return nil
        }
    }

    /// For each seed. CASTLINE_CASES=25000 makes a million.
    static let cases = ProcessInfo.processInfo.environment["CASTLINE_CASES"].flatMap { Int($0) } ?? 200

    @Test(arguments: 0..<40) func `what is complete has what its proof promises`(seed: Int) throws {
        var random = SplitMix64(seed: UInt64(seed))
        for _ in 0..<Self.cases {
            let made = Self.random(&random)
            if let fault = try Self.fault(made) { Issue.record("\(fault): \(made)") }
        }
    }

    static let ids = Array(0..<23)

    @Test(
        arguments: [
            (#""type":"none""#, true, "answer", 1), (#""type":"page","parameter":"p""#, true, "count", 6),
            (#""type":"offset","parameter":"o""#, true, "overlap", 7),
            (#""type":"offset","parameter":"o""#, false, "count", 6),
            (#""type":"offset","parameter":"o","size":{"parameter":"n","value":1}"#, true, "count", 24),
            (#""type":"offset","parameter":"o","more":"more""#, true, "count", 5),
            (#""type":"offset","parameter":"o","total":{"path":"total"}"#, true, "overlap", 6),
            (ListEndTests.cursor, true, "count", 5), (ListEndTests.link, true, "count", 5),
        ] as [(String, Bool, String, Int)])
    func `a list that stays as it is takes so many requests, and is proved by`(
        members: String, hasIDs: Bool, proof: String, requests: Int
    ) throws {
        let usualSize = members.contains("none") ? 23 : 5
        let service = ListService(places: Self.ids, usualSize: usualSize, total: 23, saysMore: true)
        let walk = try WalkedList(service, members, hasIDs: hasIDs)
        #expect(walk.end == .complete && walk.ids == service.ids)
        #expect(walk.proof.text == proof && walk.positions.count == requests)
        let twice = try WalkedList(service, members, hasIDs: hasIDs, readsTwice: true)
        #expect(twice.end == .complete && twice.ids == service.ids && twice.proof == .twice)
    }

    @Test func `a list of numbers that grows at its end is whole where pages overlap`() throws {
        let service = ListService(places: Self.ids, usualSize: 5, total: 23)
        let walk = try WalkedList(service, #""type":"offset","parameter":"o","total":{"path":"total"}"#) {
            service, number in
            guard number % 3 == 2, number < 12 else { return }
            service.places.append(1000 + number)
            service.total = service.places.count
        }
        #expect(walk.end == .complete && walk.proof == .overlap && Set(Self.ids).isSubset(of: walk.ids))
    }

    @Test func `a list that changes in its second reading is read a third time`() throws {
        let service = ListService(places: Self.ids, usualSize: 5)
        var kept = Set(Self.ids)
        let walk = try WalkedList(service, #""type":"page","parameter":"p""#, readsTwice: true) { service, number in
            // Six requests are a reading. In each of two, 15 slips to the page before it.
            if number == 3 || number == 9 { if let id = service.places.remove(at: 0) { kept.remove(id) } }
            if number == 6 { service.insert(1000, at: 0) }
            // What shows it in the second one: a record comes twice.
            if number == 10 { service.insert(1001, at: 0) }
        }
        #expect(walk.doubled.count == 3 && kept.isSubset(of: walk.ids))
        #expect(walk.finding?.hasSuffix("and the list changed each time it was read") ?? false)
    }

    @Test func `a list that has ids on two pages all the time is no changing one`() throws {
        let service = ListService(places: Self.ids + [3], usualSize: 5)
        let walk = try WalkedList(service, #""type":"page","parameter":"p""#)
        #expect(walk.end == .complete && walk.proof == .twice && walk.doubled == [[3], [3]])
    }

    @Test func `a total that differs shows nothing where the service's own cursor leads on`() throws {
        let service = ListService(places: Self.ids, usualSize: 5, total: 23, hasKeysets: true, order: Self.ids)
        let members = #"\#(ListEndTests.cursor),"total":{"path":"total"}"#
        let walk = try WalkedList(service, members) { service, number in
            guard number > 0 else { return }
            service.insert(1000 + number, at: 0)
            service.total = service.places.count
        }
        #expect(walk.end == .complete && walk.proof == .cursor && walk.positions.count == 5)
        #expect(Set(Self.ids).isSubset(of: walk.ids))
    }

    @Test func `an inclusive cursor is no change`() throws {
        let service = ListService(
            places: Self.ids, usualSize: 5, hasKeysets: true, order: Self.ids, isInclusive: true)
        for said in ["", #","total":{"path":"total"}"#] {
            var service = service
            service.total = 23
            let walk = try WalkedList(service, ListEndTests.cursor + said)
            #expect(walk.end == .complete && walk.ids == Self.ids && walk.proof == .cursor)
            #expect(walk.positions.count == 6)
        }
    }

    @Test(arguments: 40...51) func `offsets that overlap reach as far as the service's last page`(count: Int) throws
    {
        let service = ListService(places: Array(0..<count), usualSize: 10, lastPage: 5)
        let walk = try WalkedList(
            service, #""type":"offset","parameter":"o","last":5,"size":{"parameter":"n","value":10}"#)
        #expect(
            count < 50 ? walk.end == .complete && walk.ids == service.ids : walk.end == .pastLastPage, "\(walk.end)"
        )
        #expect(walk.ids == Array(service.ids.prefix(50)))
    }

    @Test(arguments: [999, 1000, 1001, 10_000], ["", #","end":["empty-page"]"#, #","total":{"path":"total"}"#])
    func `an end at exactly a thousand records may be the service's limit`(count: Int, said: String) throws {
        let service = ListService(places: Array(0..<count), usualSize: 100, total: count)
        let walk = try WalkedList(service, #""type":"page","parameter":"p"\#(said)"#)
        let isCap = said.isEmpty && (count == 1000 || count == 10_000)
        #expect(isCap ? walk.finding?.contains("exactly \(count) records") ?? false : walk.end == .complete)
        #expect(walk.ids == service.ids)
    }

    @Test func `a total that has fallen by more than a tenth is believed in no later reading`() throws {
        let service = ListService(places: Self.ids, usualSize: 5, total: 23)
        let members = #""type":"page","parameter":"p","total":{"path":"total"}"#
        let walk = try WalkedList(service, members) { service, number in if number == 3 { service.total = 10 } }
        #expect(walk.end == .incomplete("got 23, and its total fell from 23 to 10 each time it was read"))
    }

    @Test func `a page of known records from another place leaves a gap in each reading`() throws {
        let service = ListService(places: Array(0..<45), usualSize: 10, stale: 20..<30)
        let walk = try WalkedList(service, #""type":"offset","parameter":"o""#)
        #expect(walk.end == .incomplete("got 37, and the list changed each time it was read"))
    }

    @Test func `a keyset is the service's own position`() throws {
        let service = ListService(places: Self.ids, hasKeysets: true, order: Self.ids)
        let walk = try WalkedList(service, ListEndTests.cursor)
        #expect(walk.end == .complete && walk.ids == Self.ids && walk.proof == .cursor)
    }

    @Test(arguments: [ListService.Offsets.rounded, .refused])
    func `a service that takes no odd offset is read without overlap`(offsets: ListService.Offsets) throws {
        let service = ListService(places: Self.ids, usualSize: 5, offsets: offsets)
        let walk = try WalkedList(service, #""type":"offset","parameter":"o""#)
        #expect(walk.end == .complete && walk.ids == Self.ids && walk.proof == .count)
        #expect(walk.positions == [0, 4, 5, 10, 15, 20, 25].map { PagePosition.offset($0) })
    }

    @Test(arguments: [1, 2, 3, 4], [0, 4, 9])
    func `a record that is removed anywhere hides none where pages overlap`(request: Int, place: Int) throws {
        let service = ListService(places: Self.ids, usualSize: 5)
        var kept = Set(Self.ids)
        let walk = try WalkedList(service, #""type":"offset","parameter":"o""#) { service, number in
            guard number == request else { return }
            if let id = service.places.remove(at: place) { kept.remove(id) }
        }
        #expect(walk.end == .complete && kept.isSubset(of: walk.ids))
    }

    @Test func `a list that changes in each reading is incomplete`() throws {
        let service = ListService(places: Self.ids, usualSize: 5)
        let walk = try WalkedList(service, #""type":"page","parameter":"p""#) { service, number in
            service.insert(1000 + number, at: 0)
        }
        let finding = try #require(walk.finding, "\(walk.end)")
        #expect(finding.hasSuffix("and the list changed each time it was read"))
    }

    @Test func `a list that ends before a record that came is incomplete`() throws {
        let service = ListService(places: Self.ids, usualSize: 5, past: .notFound, deepest: 12)
        let walk = try WalkedList(service, #""type":"offset","parameter":"o""#)
        let finding = try #require(walk.finding, "\(walk.end)")
        #expect(finding.hasPrefix("offset 16 has no record") && finding.hasSuffix("got 17"))
    }
}
