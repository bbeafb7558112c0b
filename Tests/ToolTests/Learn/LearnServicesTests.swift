// Ordinary services, sixty of them, made from how lists are paged: at least nine of ten are learnt whole. And the same with
// names that mean nothing or something else: what isn't learnt is never sealed as if it were.

import Foundation
import TestSupport
import Testing

@Suite("Ordinary services")
struct LearnServicesTests {
    /// A list of 45 records as a model of the local server, and how it is asked for.
    struct Service: Sendable {
        var paging: String
        var answer: String
        var headers = "{}"
        var query = ""
    }

    private static let places = [
        (#""type":"page","parameter":"page""#, "?page=2"),
        (#""type":"page","parameter":"page","first":0"#, "?page=2"),
        (#""type":"page","parameter":"p""#, "?p=3"), (#""type":"offset","parameter":"offset""#, "?offset=20"),
        (#""type":"offset","parameter":"skip""#, "?skip=10"),
    ]

    private static let ends = [
        ("", #"{"total":"{total}","data":"{records}"}"#), ("", #"{"count":"{total}","results":"{records}"}"#),
        ("", #"{"meta":{"pages":"{pages}"},"items":"{records}"}"#),
        ("", #"{"items":"{records}","has_more":"{more}"}"#),
        (#","past":{"status":404}"#, #""{records}""#), ("", #"{"data":"{records}"}"#),
    ]

    /// Five ways to name a position, six to say where a list ends, from its first page and from another.
    static let numbered: [Service] = places.flatMap { place, later in
        ends.flatMap { past, answer in
            let paging = "{\(place),\"size\":{\"value\":10}\(past)}"
            return [Service(paging: paging, answer: answer), Service(paging: paging, answer: answer, query: later)]
        }
    }

    static let led: [Service] = {
        let cursor = #"{"type":"cursor","parameter":"\#("$")","size":{"value":10}}"#
        let page = #"{"type":"page","parameter":"page","size":{"value":10}}"#
        let cursors = [
            ("cursor", #"{"next_cursor":"{cursor}","data":"{records}"}"#),
            ("pageToken", #"{"nextPageToken":"{cursor}","items":"{records}"}"#),
            ("start_cursor", #"{"next_cursor":"{cursor}","has_more":"{more}","results":"{records}"}"#),
            ("after", #"{"paging":{"after":"{cursor}"},"results":"{records}"}"#),
            ("cursor", #"{"total":"{total}","cursor":"{cursor}","rows":"{records}"}"#),
        ]
        let links = [
            #"{"count":"{total}","next":"{next}","results":"{records}"}"#, #"{"next":"{next}","data":"{records}"}"#,
            #"{"links":{"next":"{next}"},"data":"{records}"}"#,
        ]
        return cursors.map { Service(paging: cursor.replacing("$", with: $0.0), answer: $0.1) }
            + links.flatMap {
                [Service(paging: page, answer: $0), Service(paging: page, answer: $0, query: "?page=3")]
            }
    }()

    /// The services behind one server, each at a path of its own.
    private static func server(_ services: [Service], _ folder: ScratchFolder) throws -> LocalServer {
        let lists = services.enumerated().map { index, service in
            "{\"path\":\"/\(index)\",\"paging\":\(service.paging),\"headers\":\(service.headers),\"answer\":\(service.answer)}"
        }
        let api = #"{"count":45,"record":{"id":"{n}","name":"{name}"},"lists":[\#(lists.joined(separator: ","))]}"#
        try folder.makeFolder("apis")
        try folder.write(api.utf8, to: "apis/services.json")
        return try LocalServer(records: folder.path(""))
    }

    /// - Returns: whether it was learnt; nothing else may seal what isn't the list.
    private static func isLearnt(_ server: LocalServer, _ index: Int, _ query: String) throws -> Bool {
        let learnt = try LearnSession(server, "/services/\(index)\(query)")
        #expect(learnt.requests.count <= 8)
        #expect([0, 76].contains(learnt.run.status), "\(learnt.run.errors)")
        guard !learnt.run.output.isEmpty else { return false }
        let run = try learnt.records(["--seal", "--raw"])
        let isSealed = run.lines.last?.contains(#""complete":true"#) ?? false
        let records = Set(run.lines.filter { !$0.contains("$seal") })
        if isSealed { #expect(records.count == 45, "\(index)\(query): \(learnt.run.text) \(learnt.run.errors)") }
        return learnt.run.status == 0 && run.status == 0 && isSealed && records.count == 45
    }

    @Test func `are learnt, nine of ten`() throws {
        let services = Self.numbered + Self.led
        let folder = try ScratchFolder()
        let server = try Self.server(services, folder)
        var lost: [String] = []
        for (index, service) in services.enumerated() where try !Self.isLearnt(server, index, service.query) {
            lost.append("\(service.paging) \(service.answer) \(service.query)")
        }
        #expect(services.count >= 60 && lost.count * 10 <= services.count, "\(lost.joined(separator: "\n"))")
    }

    /// Parts of words and whole ones that mean something in lists, and nonsense.
    private static let words = [
        "papers", "persons", "experts", "folders", "older", "chapter", "counter", "discount", "pages", "homepage",
        "hits",
        "unlimited", "percent", "total", "left", "subsequent", "iterator", "zzqv", "blorp", "next", "note", "took",
        "state",
        "cursor", "offset", "page", "limit", "first", "last", "self", "marker", "x1", "done", "source", "ok",
    ]

    @Test(arguments: [1, 2, 3, 4] as [UInt64])
    func `with other names are learnt whole, or a person is asked`(_ seed: UInt64) throws {
        var random = SplitMix64(seed: seed)
        let services = (Self.numbered + Self.led).shuffled(using: &random).prefix(12).map { service in
            Self.renamed(service, &random)
        }
        let folder = try ScratchFolder()
        let server = try Self.server(Array(services), folder)
        for (index, service) in services.enumerated() { _ = try Self.isLearnt(server, index, service.query) }
    }

    /// Each name that no standard sets becomes another one, and others stand beside it.
    private static func renamed(_ service: Service, _ random: inout SplitMix64) -> Service {
        var names = words.shuffled(using: &random)
        var renamed = service
        let old = [
            "total", "count", "pages", "has_more", "data", "results", "items", "rows", "meta", "next_cursor",
            "nextPageToken", "paging", "links",
        ]
        for name in old {
            renamed.answer = renamed.answer.replacing("\"\(name)\":", with: "\"\(names.removeLast())\":")
        }
        let position = names.removeLast()
        for name in ["page", "p", "offset", "skip", "cursor", "pageToken", "start_cursor", "after"] {
            renamed.paging = renamed.paging.replacing(
                "\"parameter\":\"\(name)\"", with: "\"parameter\":\"\(position)\"")
        }
        if renamed.query.contains("=") { renamed.query = "?\(position)\(renamed.query.drop { $0 != "=" })" }
        guard renamed.answer.hasPrefix("{") else { return renamed }
        let beside = ["900", "10", "true", "false", "null", #""abc""#, #""/services?x=1""#].randomElement(
            using: &random)
        renamed.answer = "{\"\(names.removeLast())\":\(beside ?? "1"),\(renamed.answer.dropFirst())"
        return renamed
    }
}
