// What a description doesn't name has no meaning, whatever it is called: services whose responses have other members and
// header fields each time, and runs that are the same byte for byte but for the names.

import Foundation
import TestSupport
import Testing

@Suite struct FetchRenamingTests {
    /// A list and what its service says besides it. `#1` to `#4` are names of members, `#5` and `#6` of header fields.
    struct Kind: CustomTestStringConvertible, Sendable {
        let testDescription: String
        let pagination: String
        /// Of a fault's condition and the body.
        let bodies: [(at: String, body: String)]
        var status: Int32 = 0
    }

    /// Names that say something to a reader, and some that don't.
    static let names = [
        "total", "count", "papers", "persons", "properties", "folders", "unlimited", "chapter", "older",
        "subsequent", "percent", "left", "no_more", "hasMore", "has_more", "next_page", "nextPageToken", "cursor",
        "search_after", "page", "pages", "per_page", "limit", "offset", "error", "errors", "warning", "message",
        "status", "success", "partial", "incomplete_results", "truncated", "results", "records", "hits",
        "remaining",
        "isLast", "last", "done", "end", "links", "quota", "zzyx", "次のページ", "число", "sköldpadda", "_",
    ]
    static let fields = [
        "X-Total-Count", "X-Cache-Hits", "X-Account-Id", "X-Homepage", "X-Has-More", "X-Next-Page", "X-Warning",
        "X-Pagination", "X-Records", "X-Truncated", "X-Zzyx", "X-Limit", "Continuation", "X-Partial",
    ]

    private static func page(_ ids: ClosedRange<Int>, _ rest: String = "") -> String {
        let records = ids.map { ##"{"id":\##($0),"name":"n\##($0)","#4":\##($0 * 7)}"## }.joined(separator: ",")
        return ##"{"#1":900,"#2":true,"data":[\##(records)],"#3":["/list?p=9"]\##(rest)}"##
    }

    private static let empty = ##"{"#1":900,"#2":true,"data":[],"#3":["/list?p=9"]}"##

    static let kinds = [
        Kind(
            testDescription: "one response", pagination: #""type":"none""#,
            bodies: [(at: "path=/CASE/list", body: page(1...6))]),
        Kind(
            testDescription: "one response that nobody has looked at", pagination: #""type":"none","assumed":true"#,
            bodies: [(at: "path=/CASE/list", body: page(1...6))], status: 76),
        Kind(
            testDescription: "pages up to an empty one", pagination: #""type":"page","parameter":"p""#,
            bodies: [
                (at: "query=p=1", body: page(1...3)), (at: "query=p=2", body: page(4...6)),
                (at: "path=/CASE/list", body: empty),
            ]),
        Kind(
            testDescription: "pages with a total",
            pagination: #""type":"page","parameter":"p","total":{"path":"sum"}"#,
            bodies: [
                (at: "query=p=1", body: page(1...3, #","sum":5"#)),
                (at: "query=p=2", body: page(4...5, #","sum":5"#)),
            ]),
        Kind(
            testDescription: "pages that lack a record of their total",
            pagination: #""type":"page","parameter":"p","total":{"path":"sum"}"#,
            bodies: [
                (at: "query=p=1", body: page(1...3, #","sum":6"#)),
                (at: "query=p=2", body: page(4...5, #","sum":6"#)),
                (at: "path=/CASE/list", body: empty),
            ], status: 76),
        Kind(
            testDescription: "a flag", pagination: #""type":"page","parameter":"p","more":"goesOn""#,
            bodies: [
                (at: "query=p=1", body: page(1...3, #","goesOn":true"#)),
                (at: "query=p=2", body: page(4...5, #","goesOn":false"#)),
            ]),
        Kind(
            testDescription: "overlapping offsets",
            pagination:
                #""type":"offset","parameter":"p","size":{"parameter":"s","value":3},"total":{"path":"sum"}"#,
            bodies: [
                (at: "query=p=0", body: page(1...3, #","sum":5"#)),
                (at: "query=p=2", body: page(3...5, #","sum":5"#)),
            ]),
        Kind(
            testDescription: "a cursor", pagination: #""type":"cursor","parameter":"p","next":"after""#,
            bodies: [
                (at: "query=p=b", body: page(3...5)),
                (at: "path=/CASE/list", body: page(1...2, #","after":"b""#)),
            ]),
        Kind(
            testDescription: "a cursor that comes for ever",
            pagination: #""type":"cursor","parameter":"p","next":"after""#,
            bodies: [(at: "path=/CASE/list", body: page(1...2, #","after":"b""#))], status: 76),
    ]

    /// What a run under a path of its own prints, with the places of the names in place of the names.
    private static func text(
        _ kind: Kind, at path: String, _ names: [String], _ server: LocalServer, _ folder: ScratchFolder
    ) throws -> (status: Int32, text: String) {
        let description =
            #"{"name":"s","baseURL":"\#(server.url)","path":"/\#(path)/list","records":"$.data",""#
            + #"pagination":{\#(kind.pagination)},"members":{"id":"id","name":"name"}}"#
        try folder.write(description.utf8, to: "s.json")
        let run = try Session(
            "fetch-characters",
            ["--source", "s.json", "--cache", "none", "--rate", "1000000/s", "--jobs", "1", "--seal"],
            folder: folder)
        let restored = run.text.replacing(",\"\(names[3])\":", with: ",\"#4\":")
        return (run.status, restored + run.errors.replacing(path, with: "CASE"))
    }

    @Test(arguments: kinds) func `a run is the same, whatever is called what`(kind: Kind) throws {
        var random = SplitMix64(seed: UInt64(kind.testDescription.utf8.count))
        let tables = (0..<12).map { _ in
            Self.names.shuffled(using: &random).prefix(4) + Self.fields.shuffled(using: &random).prefix(2)
        }
        var faults: [String] = []
        for (number, names) in tables.enumerated() {
            for (at, body) in kind.bodies {
                let place = at.hasPrefix("path") ? at : "path=/c\(number)-/,\(at)"
                let renamed = names.prefix(4).enumerated().reduce(body) { $0.replacing("#\($1.0 + 1)", with: $1.1) }
                faults.append(
                    place.replacing("CASE", with: "c\(number)-")
                        + ",header=\(names[4]): 900,header=\(names[5]): 0\\, 0,"
                        + FetchCharactersTests.body(renamed))
            }
        }
        let server = try LocalServer(faults: faults)
        let folder = try ScratchFolder()
        let runs = try tables.enumerated().map { number, names in
            try Self.text(kind, at: "c\(number)-", Array(names), server, folder)
        }
        for (run, names) in zip(runs, tables) {
            #expect(run.status == kind.status && run.text == runs[0].text, "\(names): \(run.text)")
            #expect(run.text.contains(#""complete":true"#) == (kind.status == 0), "\(run.text)")
        }
    }
}
