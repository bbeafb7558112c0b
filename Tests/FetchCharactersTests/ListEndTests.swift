// How lists end: what a description may say of that, and services that limit their pages without a word.

import PipelineCore
import PipelineHTTP
import Testing

@testable import fetch_characters

struct ListEndTests {
    static let size = #""size":{"parameter":"n","value":10}"#
    static let page = #""type":"page","parameter":"p""#
    static let offset = #""type":"offset","parameter":"o""#
    static let cursor = #""type":"cursor","parameter":"c","next":"next""#
    static let link = #""type":"next-url","next":"next""#
    static let kinds = [page, offset, cursor, link]
    static let more = #""more":"more""#
    static let done = #""end":[{"where":"done"}]"#

    static func list(_ count: Int) -> [Int?] { Array(0..<count) }

    // MARK: Limited pages

    @Test(arguments: [page, offset], [0, 1, 3, 4, 5, 9, 10, 11, 12, 20, 23, 40])
    func `a service that limits its pages without a word is read to its end`(kind: String, count: Int) throws {
        for cap in [1, 4, 9, 10] {
            for past in [ListService.Past.empty, .notFound] {
                let service = ListService(places: Self.list(count), cap: cap, past: past)
                let walk = try WalkedList(service, "\(kind),\(Self.size)")
                #expect(walk.end == .complete, "\(cap) \(past)")
                #expect(walk.ids == service.ids)
            }
        }
    }

    @Test(
        arguments: [
            (page, 4, 10, [.number(1), .number(2)]), (offset, 4, 10, [.offset(0), .offset(3)]),
            (page, 0, 10, [.number(1)]), (page, 14, 10, [.number(1), .number(2), .number(3)]),
            (offset, 9, 4, [.offset(0), .offset(3), .offset(6), .offset(8)]),
            (offset, 8, 4, [.offset(0), .offset(3), .offset(6), .offset(7)]),
        ] as [(String, Int, Int, [PagePosition])])
    func `only an empty page ends a list that isn't counted`(
        kind: String, count: Int, cap: Int, positions: [PagePosition]
    ) throws {
        let service = ListService(places: Self.list(count), cap: cap)
        let walk = try WalkedList(service, "\(kind),\(Self.size)")
        #expect(walk.end == .complete && walk.positions == positions)
    }

    @Test(arguments: [page, offset], [#""total":{"path":"total"}"#, #""pages":{"path":"pages"}"#, more])
    func `a list that is counted takes no request more than it has pages`(kind: String, said: String) throws {
        let service = ListService(places: Self.list(4), total: 4, saysMore: true)
        let walk = try WalkedList(service, "\(kind),\(Self.size),\(said)")
        #expect(walk.end == .complete && walk.positions.count == 1)
    }

    @Test(arguments: [(page, 110), (offset, 109)])
    func `a round total may be the most that a service counts`(kind: String, sent: Int) throws {
        let service = ListService(places: Self.list(123), total: 100)
        let walk = try WalkedList(service, "\(kind),\(Self.size),\"total\":{\"path\":\"total\"}")
        #expect(walk.end == .incomplete("the service announces 100 records but sent \(sent)"))
    }

    @Test(arguments: [(90, 400, true), (100, 400, false), (100, 404, true), (100, 204, true), (90, 403, false)])
    func `a refusal after a round total may be the service's limit`(total: Int, status: Int, isEnd: Bool) throws {
        let pagination = "\"pagination\":{\(Self.page),\(Self.size),\"total\":{\"path\":\"total\"}}"
        var walk = ListWalk(try .having(pagination), pageSize: total, hash: .init(seed: 7))
        let page = PageFacts(
            records: total, listed: total, count: total, unseen: total, distinct: total, first: 1, last: 2)
        #expect(walk.enter(page) == .more && (walk.facts(status: status) == .notFound) == isEnd)
    }

    @Test(arguments: [page, offset]) func `a service that gives the same page whatever is asked for is found out`(
        kind: String
    ) throws {
        let service = ListService(places: Self.list(4), cap: 4, past: .lastPage, isDeaf: true)
        let walk = try WalkedList(service, "\(kind),\(Self.size)")
        #expect(walk.end == .incomplete("page 2 repeats page 1; got 4"))
    }

    // MARK: More

    @Test(arguments: kinds, [0, 1, 10, 11, 30, 34])
    func `a member of the last page, or a flag, says where the list ends`(kind: String, count: Int) throws {
        for said in [Self.done, Self.more] {
            let service = ListService(
                places: Self.list(count), lastCursor: .new, saysMore: said == Self.more, saysDone: said == Self.done
            )
            let walk = try WalkedList(service, "\(kind),\(Self.size),\(said)")
            #expect(walk.end == .complete && walk.ids == service.ids, "\(said)")
            #expect(walk.positions.count == max(1, (count + 9) / 10), "\(said)")
        }
    }

    @Test(arguments: kinds, [[0], [10], [10, 20], [30], [0, 10, 20, 30]])
    func `a page without that member or flag doesn't end a list that goes on`(kind: String, silent: [Int]) throws {
        for said in [Self.done, Self.more] {
            let service = ListService(
                places: Self.list(34), saysMore: said == Self.more, saysDone: said == Self.done,
                silentAt: Set(silent))
            let walk = try WalkedList(service, "\(kind),\(Self.size),\(said)")
            #expect(walk.end == .complete && walk.ids == service.ids, "\(said)")
        }
    }

    @Test(arguments: [
        ("\(cursor),\(done)", #""done":true"#, true), ("\(cursor),\(done)", #""done":false"#, false),
        ("\(link),\(done)", #""done":false"#, false), ("\(cursor),\(done)", #""done":null"#, false),
        ("\(cursor),\(more)", #""more":true"#, false),
    ])
    func `a list that goes on, as its page says, and leads nowhere isn't complete`(
        pagination: String, said: String, isEnd: Bool
    ) throws {
        let source = try Source.having("\"pagination\":{\(pagination)}")
        var reader = PageReader(source)
        var walk = ListWalk(source, pageSize: nil, hash: .init(seed: 7))
        let page = try reader.read(Array(#"{"data":[{}],\#(said)}"#.utf8), .init(), isList: true)
        var entered = PageFacts(unseen: 1, distinct: 1)
        entered.add(page, next: nil, at: try HTTPURL("https://h/"))
        let open = ListWalk.Verdict.incomplete("page 1 says that another follows, and doesn't lead to it; got 1")
        #expect(walk.enter(entered) == (isEnd ? .complete : open))
    }

    @Test(arguments: [page, cursor])
    func `a flag decides before short and empty pages do, and a total guards the end`(kind: String) throws {
        var places = Self.list(40)
        for place in 3..<24 { places[place] = nil }
        var service = ListService(places: places, total: 19, saysMore: true)
        let members = "\(kind),\(Self.size),\(Self.more)"
        let walk = try WalkedList(service, members)
        #expect(walk.end == .complete && walk.ids == service.ids)
        #expect(try WalkedList(service, members + #","total":{"path":"total"}"#).end == .complete)
        service.total = 25
        let short = try WalkedList(service, members + #","total":{"path":"total"}"#)
        #expect(short.end == .incomplete("got 19 of 25") && short.ids == service.ids)
        // One that is too small ends nothing.
        service.total = 5
        #expect(try WalkedList(service, members + #","total":{"path":"total"}"#).ids == service.ids)
    }

    @Test func `records without ids that are all equal may be different ones, up to a limit`() throws {
        var walk = ListWalk(try .having("\"pagination\":{\(Self.cursor)}"), pageSize: nil, hash: .init(seed: 7))
        func page(_ number: Int) -> PageFacts {
            PageFacts(
                records: 2, listed: 2, next: .cursor([.string("\(number)")]), unseen: 2, distinct: 2,
                content: UInt64(number), sequence: 7)
        }
        for number in 1...1000 { #expect(walk.enter(page(number)) == .more) }
        #expect(walk.enter(page(1001)) == .incomplete("1000 pages in a row have no new record; got 2002"))
        var facts = page(1)
        facts.isVaried = true
        let saved = try JSONTree.read(Array(facts.text.utf8).span)
        #expect(PageFacts(saved, walk.pagination) == facts)
    }

    @Test func `what is left out of a page is listed all the same, and damaged facts aren't restored`() throws {
        let source = try Source.having("\"pagination\":{\(Self.cursor),\(Self.more)}")
        var reader = PageReader(source)
        let page = try reader.read(Array(#"{"data":[{},{}],"more":true}"#.utf8), .init(), isList: true)
        var facts = PageFacts()
        facts.add(page, leftOut: 1, next: nil, at: try HTTPURL("https://h/"))
        #expect(facts.records == 1 && facts.listed == 2)
        for (count, isTaken) in [(0, true), (-1, false)] {
            facts.count = count
            let saved = try JSONTree.read(Array(facts.text.utf8).span)
            #expect((PageFacts(saved, source.pagination) != nil) == isTaken)
        }
        facts.count = 0
        let damaged = facts.text.replacing(#""next":null"#, with: #""next":{}"#)
        #expect(PageFacts(try JSONTree.read(Array(damaged.utf8).span), source.pagination) == nil)
    }

    // MARK: Ends

    @Test(arguments: [10, 20, 23]) func `an empty page ends a list whose cursors never do`(count: Int) throws {
        var service = ListService(places: Self.list(count), lastCursor: .new)
        let endless = try WalkedList(service, "\(Self.cursor),\(Self.size)")
        #expect(endless.end == .incomplete("1000 pages in a row have no record; got \(count)"))
        let walk = try WalkedList(service, "\(Self.cursor),\(Self.size),\"end\":[\"empty-page\"]")
        #expect(walk.end == .complete && walk.ids == service.ids)
        // Not before the total is reached.
        service.total = 30
        let total = try WalkedList(
            service, "\(Self.cursor),\(Self.size),\"end\":[\"empty-page\"],\"total\":{\"path\":\"total\"}")
        #expect(total.end == .incomplete("got \(count) of 30"))
    }

    @Test(arguments: [0, 10, 20, 23]) func `the cursor that was sent is the end`(count: Int) throws {
        var service = ListService(places: Self.list(count), lastCursor: .same)
        let members = "\(Self.cursor),\(Self.size)"
        let walk = try WalkedList(service, members + #","end":["same-cursor"]"#)
        #expect(walk.end == .complete && walk.ids == service.ids)
        guard count > 10 else { return }
        #expect(try WalkedList(service, members).finding != nil)
        // A total that is reached says so, and one that isn't says that it is stuck.
        service.total = count
        let total = #","total":{"path":"total"}"#
        #expect(try WalkedList(service, members + total).end == .complete)
        service.total = count + 1
        #expect(try WalkedList(service, members + total).finding != nil)
    }

    @Test(arguments: [page, offset, cursor], [ListService.Past.notFound, .badRequest])
    func `a page that isn't there is the end where the description says so`(
        kind: String, past: ListService.Past
    ) throws {
        for count in [1, 10, 20, 23] {
            let service = ListService(places: Self.list(count), past: past, lastCursor: .new)
            let members = "\(kind),\(Self.size)"
            let walk = try WalkedList(service, members + #","end":["not-found"]"#)
            #expect(walk.end == .complete && walk.ids == service.ids, "\(count)")
            let status = past == .notFound ? 404 : 400
            // Without a word only 404 says so, and only where pages have numbers. Offsets don't ask so far.
            let isUsual = kind.contains("offset") || status == 404 && !kind.contains("cursor")
            if count % 10 == 0 {
                #expect(try WalkedList(service, members).end == (isUsual ? .complete : .refused(status)))
            }
        }
    }

    @Test func `a page that isn't there is no end before the first, nor before a total is reached`() throws {
        var service = ListService(places: [], lastPage: 0)
        let members = "\(Self.page),\(Self.size),\"end\":[\"not-found\"]"
        #expect(try WalkedList(service, members).end == .refused(400))
        service = ListService(places: Self.list(20), past: .notFound, total: 21)
        let walk = try WalkedList(service, members + #","total":{"path":"total"}"#)
        #expect(walk.end == .refused(404) && walk.ids == service.ids)
    }

    @Test func `pages with holes, and a page that is one, end nothing where the end is a page that isn't there`()
        throws
    {
        var places = Self.list(45)
        for place in Array(8..<12) + Array(20..<30) { places[place] = nil }
        var service = ListService(places: places, past: .notFound)
        let walk = try WalkedList(service, "\(Self.page),\(Self.size),\"end\":[\"not-found\"]")
        #expect(walk.end == .complete && walk.ids == service.ids && walk.positions.count == 6)
        service = ListService(places: Self.list(45))
        for place in [4, 14, 15] { service.places[place] = nil }
        let empty = try WalkedList(service, "\(Self.page),\(Self.size),\"end\":[\"empty-page\"]")
        #expect(empty.end == .complete && empty.ids == service.ids)
    }

    /// Of a list with short pages in its middle: 9, 17 and 26 records come up to the end of a page, and are what is announced.
    @Test(arguments: [page, offset], (1..<34).filter { ![9, 17, 26].contains($0) })
    func `a total that counts something else ends no list`(kind: String, total: Int) throws {
        var service = ListService(places: Self.list(34))
        for place in [3, 12, 13, 21] { service.places[place] = nil }
        service.total = total
        let walk = try WalkedList(service, "\(kind),\(Self.size),\"total\":{\"path\":\"total\"}")
        #expect(walk.end != .complete || walk.ids == service.ids, "\(walk.ids)")
    }

    @Test(arguments: [999, 1000, 1001]) func `a cap is none by 404 either`(count: Int) throws {
        for past in [ListService.Past.empty, .notFound] {
            let word = past == .empty ? "empty-page" : "not-found"
            var service = ListService(places: Self.list(count))
            service.usualSize = 100
            service.past = past
            let walk = try WalkedList(service, Self.page)
            #expect((walk.end == .complete) == (count != 1000), "\(walk.end)")
            let described = try WalkedList(service, "\(Self.page),\"end\":[\"\(word)\"]")
            #expect(described.end == .complete && described.ids == service.ids)
        }
    }

    // MARK: Last page

    @Test(
        arguments: [
            (29, "", .complete), (30, "", .pastLastPage), (31, "", .pastLastPage), (20, "", .complete),
            (30, #","total":{"path":"total"}"#, .complete), (31, #","total":{"path":"total"}"#, .pastLastPage),
            (31, #","pages":{"path":"pages"}"#, .pastLastPage), (30, ",\(more)", .complete),
        ] as [(Int, String, WalkedList.End)])
    func `a list that goes on after the last page that the service gives isn't complete`(
        count: Int, said: String, end: WalkedList.End
    ) throws {
        let service = ListService(places: Self.list(count), lastPage: 3, total: count, saysMore: true)
        let walk = try WalkedList(service, "\(Self.page),\(Self.size),\"last\":3\(said)")
        #expect(walk.end == end && walk.positions.count == min(3, count / 10 + 1))
        #expect(walk.ids == Array(service.ids.prefix(30)))
    }

    // MARK: Filters

    @Test(arguments: [page, offset, cursor], ["", #","total":{"path":"total"}"#, #","pages":{"path":"pages"}"#])
    func `what a filter leaves out counts for the sizes of pages`(kind: String, said: String) throws {
        for isWanted in [{ $0 % 7 == 0 }, { $0 >= 20 }, { $0 == 9 }, { _ in false }] as [@Sendable (Int) -> Bool] {
            let service = ListService(places: Self.list(34), total: 34, isWanted: isWanted)
            let walk = try WalkedList(service, "\(kind),\(Self.size)\(said)", hasIDs: false)
            #expect(walk.end == .complete && walk.ids == service.ids)
            #expect(walk.positions.count == (said.isEmpty && !kind.contains("cursor") ? 5 : 4))
        }
    }

    @Test func `what a filter leaves out isn't missing`() throws {
        let service = ListService(places: Self.list(34), total: 36, isWanted: { $0 % 2 == 0 })
        let walk = try WalkedList(service, "\(Self.page),\(Self.size),\"total\":{\"path\":\"total\"}")
        #expect(walk.end == .incomplete("got 17 of 19"))
    }
}
