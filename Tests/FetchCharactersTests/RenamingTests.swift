// What a description doesn't name has no meaning, whatever it is called: each service answers twice, with other names for its
// members and header fields, and both walks go the same way to the same end.

import PipelineCore
import PipelineHTTP
import TestSupport
import Testing

@testable import fetch_characters

struct RenamingTests {
    /// Names that say something to a reader, and some that don't.
    static let names = [
        "total", "count", "papers", "persons", "permits", "experts", "properties", "folders", "unlimited",
        "chapter",
        "older", "subsequent", "percent", "left", "no_more", "hasMore", "has_more", "next", "next_page",
        "nextPageToken",
        "cursor", "search_after", "page", "pages", "per_page", "pageSize", "limit", "offset", "error", "errors",
        "warning", "message", "status", "code", "success", "ok", "partial", "incomplete_results", "truncated",
        "timed_out", "results", "items", "records", "hits", "remaining", "isLast", "last", "done", "end", "links",
        "quota", "fault", "x", "zzyx", "Ω", "次のページ", "число", "заметка", "a b", "it's", "sköldpadda", "0", "_",
    ]
    static let fields = [
        "X-Total-Count", "X-Cache-Hits", "X-Account-Id", "X-Homepage", "X-Has-More", "X-Next-Page", "X-Warning",
        "X-Pagination", "X-Records", "X-Truncated", "X-Zzyx", "X-Limit", "Continuation", "X-Partial",
    ]

    /// Another name for each that is asked for, always the same.
    struct Table {
        private var random: SplitMix64
        private var given: [String: String] = [:]
        private var free: [String]

        init(_ names: [String], seed: UInt64) {
            random = SplitMix64(seed: seed)
            free = names.filter { !["total", "pages", "more", "done", "next"].contains($0) }
        }

        mutating func name(for key: String) -> String {
            if let name = given[key] { return name }
            let index = free.indices.randomElement(using: &random) ?? 0
            let name = free.remove(at: index)
            given[key] = name
            return name
        }

        /// A text with the names of another table.
        func restored(_ text: String) -> String {
            let all = given.sorted { $0.value.utf8.count > $1.value.utf8.count }
            return all.reduce(text) { text, pair in
                let path = JSONLocation.path(of: [.name(pair.value)], style: .rooted)
                return text.replacing(path, with: "$.<\(pair.key)>")
            }
        }
    }

    /// What a service says besides its list.
    static func extras(_ random: inout SplitMix64) -> [ListService.Extra] {
        (0..<Int.random(in: 0...7, using: &random)).map { number in
            let value = ListService.Extra.Value.allCases.randomElement(using: &random) ?? .large
            return ListService.Extra(key: "m\(number)", value: value)
        }
    }

    static func walk(_ made: ChangingListTests.Case, _ extras: [ListService.Extra], _ seed: UInt64) throws -> String
    {
        var (table, fields) = (Table(names, seed: seed), Table(Self.fields, seed: seed))
        var service = made.service
        service.total = service.places.count
        service.extras = extras.map { extra in
            ListService.Extra(key: table.name(for: extra.key), value: extra.value)
        }
        service.headers = extras.prefix(5).map { (fields.name(for: $0.key), $0.value == .text ? "1 of 9" : "900") }
        var course = ChangingListTests.Course(service)
        let walk = try WalkedList(service, made.members, hasIDs: made.hasIDs, readsTwice: made.readsTwice) {
            service, number in course.apply(made.changes[number] ?? [], to: &service, number: number)
        }
        return table.restored("\(walk.finding ?? "\(walk.end)") \(walk.proof.text) \(walk.ids) \(walk.positions)")
    }

    @Test(arguments: 0..<40) func `what isn't described decides nothing by its name`(seed: Int) throws {
        var random = SplitMix64(seed: UInt64(seed))
        for _ in 0..<25 {
            var made = ChangingListTests.random(&random)
            if Bool.random(using: &random) { made.changes = [:] }
            if Int.random(in: 0..<4, using: &random) == 0 {
                made.members = #""type":"none""#
                made.service.usualSize = 100
            }
            let extras = Self.extras(&random)
            let walks = try [1, 2, 3].map { try Self.walk(made, extras, UInt64(seed) &* 31 &+ $0) }
            #expect(Set(walks).count == 1, "\(walks): \(made)")
        }
    }

    /// A list that says nothing of its end, and a page behind it that has something of its own.
    @Test(arguments: names.filter { !["total", "pages", "more", "done", "next"].contains($0) }, [true, false])
    func `a page without records that has what none before it had is no end`(name: String, isEnd: Bool) throws {
        var service = ListService(places: Array(0..<9), usualSize: 3)
        service.extras = [ListService.Extra(key: name, value: .onlyWhenEmpty)]
        let end = isEnd ? #","end":["empty-page"]"# : ""
        for kind in [#""type":"page","parameter":"p""#, #""type":"offset","parameter":"o""#] {
            let walk = try WalkedList(service, kind + end, hasIDs: false)
            let path = JSONLocation.path(of: [.name(name)], style: .rooted)
            #expect(isEnd ? walk.end == .complete : walk.finding?.contains("has \(path), which") ?? false)
        }
    }
}
