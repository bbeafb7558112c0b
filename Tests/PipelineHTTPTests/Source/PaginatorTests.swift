// Walks over lists in every kind of pagination: what is asked for next, ahead, and when the list is whole.

import PipelineCore
import PipelineHTTP
import Testing

struct PaginatorTests {
    static let size = #""size":{"parameter":"n","value":3}"#

    static func walk(_ pagination: String) throws -> Paginator {
        let source = try Source.having(#""pagination":\#(pagination)"#)
        return Paginator(source.pagination, size: nil, hash: ByteHash(seed: 7))
    }

    /// Walks over a list of ids, and returns the positions asked for and how it ended.
    func walk(
        _ pagination: String, over ids: [Int], count: Int? = nil, pageSize: Int = 3,
        next: (Int) -> PagePosition? = { _ in nil }, restarts: Bool = false
    ) throws -> (positions: [PagePosition], verdict: Paginator.Verdict) {
        let source = try Source.having(#""pagination":\#(pagination)"#)
        var walk = try Self.walk(pagination)
        var positions: [PagePosition] = []
        var seen: Set<Int> = []
        var entries: [String] = []
        for ordinal in 0..<40 {
            positions.append(walk.position)
            let start =
                switch walk.position {
                case .offset(let offset): offset
                case .number(let number): (number - (pagination.contains("\"first\":0") ? 0 : 1)) * pageSize
                default: ordinal * pageSize
                }
            let part = Array(ids.dropFirst(start).prefix(pageSize))
            let unseen = part.count { seen.insert($0).inserted }
            let page = try Self.page(part.count, count: count, source)
            let entered = PageSummary(
                page, next: next(ordinal), unseen: unseen, distinct: unseen, repeats: 0,
                digest: Self.digest(part), content: Self.digest(part))
            entries.append(entered.text)
            let verdict = walk.enter(entered)
            guard verdict == .more else { return (positions, verdict) }
            if restarts {
                walk = try Self.walk(pagination)
                for entry in entries {
                    let page = PageSummary(try JSONTree.read(Array(entry.utf8).span), source.pagination)
                    #expect(walk.enter(try #require(page)) == .more)
                }
            }
        }
        return (positions, .more)
    }

    static func digest(_ ids: [Int]) -> UInt64 { UInt64(bitPattern: Int64(ids.hashValue)) }

    /// A page of that many records, as a response has it.
    static func page(_ records: Int, count: Int?, _ source: Source) throws -> SourcePage {
        var reader = PageReader(source)
        var headers = HTTPHeaders()
        if let count { headers.append("X", "\(count)") }
        let body = "{\"data\":[" + Array(repeating: "{}", count: records).joined(separator: ",") + "]}"
        return try reader.read(Array(body.utf8), headers, isList: true)
    }

    static let kinds: [(pagination: String, ids: Int, count: Int?, positions: [PagePosition], isWhole: Bool)] = [
        // Without a count a short page ends the list, or an empty one.
        (#"{"type":"page","parameter":"p",\#(size)}"#, 7, nil, [.number(1), .number(2), .number(3)], true),
        (
            #"{"type":"page","parameter":"p","first":0,\#(size)}"#, 6, nil, [.number(0), .number(1), .number(2)],
            true
        ),
        (#"{"type":"page","parameter":"p"}"#, 4, nil, [.number(1), .number(2), .number(3)], true),
        (#"{"type":"offset","parameter":"o",\#(size)}"#, 4, nil, [.offset(0), .offset(3)], true),
        (#"{"type":"offset","parameter":"o"}"#, 4, nil, [.offset(0), .offset(3), .offset(4)], true),
        // With one the list ends where it says.
        (
            #"{"type":"offset","parameter":"o",\#(size),"total":{"header":"x"}}"#, 6, 6, [.offset(0), .offset(3)],
            true
        ),
        (
            #"{"type":"page","parameter":"p",\#(size),"total":{"header":"x"}}"#, 6, 9,
            [.number(1), .number(2), .number(3)], false
        ),
        (
            #"{"type":"page","parameter":"p",\#(size),"pages":{"header":"x"}}"#, 6, 2, [.number(1), .number(2)],
            true
        ),
        (#"{"type":"page","parameter":"p",\#(size),"total":{"header":"x"}}"#, 0, 0, [.number(1)], true),
        (#"{"type":"none"}"#, 3, nil, [.start], true), (#"{"type":"none"}"#, 0, nil, [.start], true),
    ]

    @Test(arguments: kinds, [false, true]) func `a list is walked to its end, restarted or not`(
        kind: (pagination: String, ids: Int, count: Int?, positions: [PagePosition], isWhole: Bool), restarts: Bool
    ) throws {
        let walk = try walk(kind.pagination, over: Array(0..<kind.ids), count: kind.count, restarts: restarts)
        #expect(walk.positions == kind.positions)
        if kind.isWhole {
            #expect(walk.verdict == .complete)
        } else {
            #expect(walk.verdict == .incomplete("got 6 of 9"))
        }
    }

    static let driven: [(pagination: String, position: @Sendable (Int) throws -> PagePosition)] = [
        (#"{"type":"cursor","parameter":"c","next":"n"}"#, { .cursor([CursorValue(text: "c\($0)")]) }),
        (#"{"type":"next-url","next":"n"}"#, { .link(try HTTPURL("https://h/\($0)")) }),
        (#"{"type":"link-header"}"#, { .link(try HTTPURL("https://h/\($0)")) }),
    ]

    @Test(arguments: driven.indices, [false, true]) func `a page that leads on is followed until one doesn't`(
        kind: Int, restarts: Bool
    ) throws {
        let (pagination, position) = Self.driven[kind]
        let positions = try (0..<4).map { try position($0) }
        // The third page is empty, and leads on.
        let walk = try walk(
            pagination, over: Array(0..<6), next: { $0 < 3 ? positions[$0] : nil }, restarts: restarts)
        #expect(walk.verdict == .complete)
        #expect(walk.positions == [.start] + positions.prefix(3))
    }

    @Test(arguments: driven.indices) func `a page that leads back ends the walk`(kind: Int) throws {
        let (pagination, position) = Self.driven[kind]
        let positions = try [0, 1, 0].map { try position($0) }
        let walk = try walk(pagination, over: Array(0..<40), next: { positions[$0 % 3] })
        #expect(walk.verdict == .incomplete("page 3 leads back to an earlier one; got 9"))
    }

    @Test(arguments: driven.indices, [false, true])
    func `a list that leads on and changes is followed a second time`(
        kind: Int, hasChanged: Bool
    ) throws {
        let (pagination, position) = Self.driven[kind]
        let source = try Source.having(#""pagination":\#(pagination)"#)
        var walk = try Self.walk(pagination)
        var positions: [PagePosition] = []
        let first = [[0, 1, 2], [2, 3, 4], [5]]
        let readings = [first, hasChanged ? [[9, 0, 1], [2, 3, 4], [5]] : first]
        var verdicts: [Paginator.Verdict] = []
        var seen: Set<Int> = []
        for reading in readings {
            var seenInReading: Set<Int> = []
            for (ordinal, ids) in reading.enumerated() {
                positions.append(walk.position)
                let distinct = ids.count { seenInReading.insert($0).inserted }
                let unseen = ids.count { seen.insert($0).inserted }
                let next = ordinal < 2 ? try position(ordinal) : nil
                let page = try Self.page(ids.count, count: nil, source)
                verdicts.append(
                    walk.enter(
                        PageSummary(
                            page, next: next, unseen: unseen, distinct: distinct, repeats: 0,
                            digest: Self.digest(ids), content: Self.digest(ids))))
            }
        }
        #expect(verdicts == [.more, .more, .again, .more, .more, .complete])
        let reading = try [.start, position(0), position(1)]
        #expect(positions == reading + reading)
    }

    @Test func `a count tells what is missing where pages lead on`() throws {
        let pagination = #"{"type":"link-header","total":{"header":"x"}}"#
        #expect(try walk(pagination, over: Array(0..<3), count: 9).verdict == .incomplete("got 3 of 9"))
    }

    @Test(
        arguments: [
            (#"{"type":"page","parameter":"p",\#(size),"pages":{"header":"x"}}"#, 3, 4, [.number(2), .number(3)]),
            (#"{"type":"page","parameter":"p",\#(size),"pages":{"header":"x"}}"#, 3, 2, [.number(2)]),
            (#"{"type":"page","parameter":"p",\#(size),"pages":{"header":"x"}}"#, 3, 1, []),
            (
                #"{"type":"offset","parameter":"p",\#(size),"total":{"header":"x"}}"#, 3, 8,
                [.offset(3), .offset(6)]
            ),
            (#"{"type":"offset","parameter":"p",\#(size)}"#, 3, nil, [.offset(3), .offset(6)]),
            // Whether the service limits the size of pages shows on the next one.
            (#"{"type":"offset","parameter":"p",\#(size)}"#, 2, nil, [.offset(2)]),
            (#"{"type":"page","parameter":"p",\#(size)}"#, 2, nil, [.number(2)]),
            (#"{"type":"page","parameter":"p",\#(size)}"#, 0, nil, []),
            // One that does limits all of them.
            (
                #"{"type":"offset","parameter":"p",\#(size),"total":{"header":"x"}}"#, 2, 8,
                [.offset(2), .offset(4)]
            ),
            (#"{"type":"page","parameter":"p",\#(size),"last":2}"#, 3, nil, [.number(2)]),
            (#"{"type":"page","parameter":"p",\#(size),"last":1}"#, 3, nil, []),
            (#"{"type":"offset","parameter":"p"}"#, 2, nil, []), (#"{"type":"link-header"}"#, 3, nil, []),
        ] as [(String, Int, Int?, [PagePosition])])
    func `what is known is asked for ahead, and nothing behind the end`(
        pagination: String, records: Int, count: Int?, expected: [PagePosition]
    ) throws {
        let walk = try Self.walk(pagination)
        let page = try Self.page(records, count: count, try Source.having(#""pagination":\#(pagination)"#))
        #expect(walk.ahead(of: page, limit: 2).map(\.position) == expected)
        #expect(walk.ahead(of: page, limit: 0).isEmpty)
    }

    static let entry =
        #"{"records":1,"listed":2,"count":null,"more":null,"unseen":1,"distinct":1,"repeats":0,"digest":"f","#
        + #""content":"e","next":null,"found":true}"#

    @Test(
        arguments: [
            ("{}", ""), ("[]", ""), (entry, "\"records\":1,"), (entry, #""unseen":1,"#), (entry, #""digest":"f","#),
            (entry, #""repeats":0,"#), (entry.replacing(#""listed":2"#, with: #""listed":-2"#), ""),
            (entry, #""content":"e","#),
            (entry.replacing(#""found":true"#, with: #""found":1"#), ""),
            (entry.replacing(#""next":null"#, with: #""next":{"number":1}"#), ""),
            (entry.replacing(#""next":null"#, with: #""next":{"link":"https://h/"}"#), ""),
            (entry.replacing(#""next":null"#, with: #""next":{"cursor":["\"a\"","\"b\""]}"#), ""),
            (entry.replacing(#""next":null"#, with: #""next":{"cursor":[null]}"#), ""),
            (entry.replacing(#""next":null"#, with: #""next":{"cursor":[1]}"#), ""),
        ] as [(String, String)])
    func `a damaged page is none`(text: String, missing: String) throws {
        let source = try Source.having(#""pagination":{"type":"cursor","parameter":"p","next":"n"}"#)
        let tree = try JSONTree.read(Array((missing.isEmpty ? text : text.replacing(missing, with: "")).utf8).span)
        #expect(PageSummary(tree, source.pagination) == nil)
        #expect(PageSummary(try JSONTree.read(Array(Self.entry.utf8).span), source.pagination) != nil)
    }
}
