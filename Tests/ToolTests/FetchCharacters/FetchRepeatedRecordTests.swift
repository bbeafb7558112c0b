// Records that come a second time, on one page, on the next or at a second reading: what is written, and what is missing.

import Foundation
import TestSupport
import Testing

@Suite struct FetchRepeatedRecordTests {
    static let byPage = #""type":"page","parameter":"at""#
    static let byOffset = #""type":"offset","parameter":"at""#

    /// A source with pages of three that says how many records there are.
    static func source(_ pagination: String) -> String {
        """
        {"name": "x", "baseURL": "http://h", "path": "/list", "records": "data", "members": {"id": "id"},
         "pagination": {\(pagination), "size": {"parameter": "n", "value": 3}, "total": {"path": "total"}}}
        """
    }

    /// A fault that answers a page with these records; one without an id is 0.
    static func page(at place: Int, _ ids: [Int], of total: Int, _ when: String = "") -> String {
        let records = ids.map { $0 == 0 ? #"{"n":"none"}"# : "{\"id\":\($0)}" }.joined(separator: ",")
        let body = FetchCharactersTests.body(#"{"total":\#(total),"data":[\#(records)]}"#)
        return "query=at=\(place)&,\(when)\(body)"
    }

    /// The ids in the order of the lines, 0 for none.
    static func ids(_ run: Session) throws -> [Int] {
        try run.lines.filter { !$0.contains("$seal") }.map { line in
            let record = try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any]
            return (record?["id"] as? String).flatMap { Int($0) } ?? 0
        }
    }

    static func isSealed(_ run: Session) -> Bool { run.lines.last?.contains("$seal") == true }

    @Test func `a list whose pages overlap each time it is read isn't whole`() throws {
        let server = try LocalServer(faults: ["page=2,shift=5"])
        let folder = try ScratchFolder()
        let run = try FetchCharactersTests.fetch(
            server, ["--seal", "--cache", "none", "--report", folder.path("report")])
        #expect(run.status == 76 && run.errors.contains("got 115 of 120"), "\(run.errors)")
        #expect(run.lines.count == 115 && !Self.isSealed(run))
        #expect(try folder.text("report").hasSuffix(#""expected":120,"complete":false}"# + "\n"))
    }

    static let lists: [(pages: [[Int]], total: Int, missing: String?)] = [
        ([[1, 2, 3], [3, 4, 5], [7, 8, 9]], 9, "got 8 of 9"),
        ([[1, 2, 3], [3]], 4, "got 3 of 4"),
        ([[1, 0, 2], [2, 3]], 5, "got 4 of 5"),
        // Named twice by one response, which is one state of the list.
        ([[1, 2, 2], [3, 4, 5]], 6, nil),
        ([[1, 2, 2], [2, 4, 5]], 6, "got 4 of 6"),
        // All that are said to be there have come.
        ([[1, 2, 3], [3, 4]], 4, nil),
        // Nothing tells records without ids apart.
        ([[0, 0, 1], [0]], 4, nil),
    ]

    @Test(arguments: lists, [false, true])
    func `fewer records than the API says are 76`(
        list: (pages: [[Int]], total: Int, missing: String?), isByOffset: Bool
    ) throws {
        let faults = list.pages.indices.map { index in
            let place = isByOffset ? list.pages[..<index].reduce(0) { $0 + $1.count } : index + 1
            return Self.page(at: place, list.pages[index], of: list.total)
        }
        let server = try LocalServer(faults: faults)
        let file = try Self.file(isByOffset ? Self.byOffset : Self.byPage)
        let run = try FetchSource.fetch(
            server, file.path("source.json"), at: "", ["--seal", "--cache", "none", "--jobs", "1"])
        var expected: [Int] = []
        for id in list.pages.joined() where id == 0 || !expected.contains(id) { expected.append(id) }
        #expect(try Self.ids(run) == expected)
        #expect(Self.isSealed(run) == (list.missing == nil))
        if let missing = list.missing {
            #expect(run.status == 76 && run.errors.contains(missing), "\(run.errors)")
        } else {
            #expect(run.status == 0, "\(run.errors)")
        }
    }

    static func file(_ pagination: String) throws -> ScratchFolder {
        let folder = try ScratchFolder()
        _ = try FetchSource.file(source(pagination), folder)
        return folder
    }

    @Test(arguments: [false, true])
    func `a second reading writes records without ids that are new, and no others`(isLeftOff: Bool) throws {
        // A record without an id is put in front when the first page has been read, and another one at the end later on.
        let server = try LocalServer(
            faults: [
                Self.page(at: 1, [0, 0, 1], of: 5, "times=1,"), Self.page(at: 2, [1, 2, 3], of: 6, "times=1,"),
                Self.page(at: 1, [0, 0, 0], of: 7),
            ] + (isLeftOff ? ["query=at=2&,times=1,status=404"] : []) + [
                Self.page(at: 2, [1, 2, 3], of: 7), Self.page(at: 3, [0], of: 7),
            ])
        let folder = try Self.file(Self.byPage)
        let arguments = ["--seal", "--cache", "none", "--jobs", "1", "--state", folder.path("state")]
        var ids: [Int] = []
        if isLeftOff {
            let run = try FetchSource.fetch(server, folder.path("source.json"), at: "", arguments)
            #expect(run.status == 76 && run.errors.contains("read again"), "\(run.errors)")
            ids = try Self.ids(run)
        }
        let run = try FetchSource.fetch(server, folder.path("source.json"), at: "", arguments)
        #expect(run.status == 0, "\(run.errors)")
        // Six of them came in the run that was left off.
        #expect(
            run.lines.last
                == #"{"$seal":{"records":7,"complete":true,"by":"twice"\#(isLeftOff ? ",\"after\":6" : "")}}"#)
        #expect(try ids + Self.ids(run) == [0, 0, 1, 2, 3, 0, 0])
    }

    @Test func `records without ids come for each record of stdin`() throws {
        let description = """
            {"name": "x", "baseURL": "http://h", "path": "/list", "records": "data", "each": {"parameter": "of"},
             "pagination": {"type": "none"}}
            """
        let server = try LocalServer(faults: [FetchCharactersTests.body(#"{"data":[{"n":1},{"n":1}]}"#)])
        let folder = try ScratchFolder()
        let run = try FetchSource.fetch(
            server, try FetchSource.file(description, folder), at: "", ["--each", "id", "--cache", "none"],
            input: "{\"id\":\"a\"}\n{\"id\":\"b\"}\n")
        #expect(run.status == 0 && run.lines.count == 4, "\(run.errors)")
    }

    // MARK: Links and commands

    @Test func `white space around a link to the next page is no part of it`() throws {
        let description = """
            {"name": "x", "baseURL": "http://h", "path": "/list", "records": "data", "members": {"id": "id"},
             "pagination": {"type": "next-url", "next": "next"}}
            """
        let server = try LocalServer(faults: [
            "query=at=2," + FetchCharactersTests.body(#"{"data":[{"id":2}],"next":" \n"}"#),
            FetchCharactersTests.body(#"{"data":[{"id":1}],"next":" /list?at=2\t "}"#),
        ])
        let folder = try ScratchFolder()
        let run = try FetchSource.fetch(server, try FetchSource.file(description, folder), at: "")
        #expect(try run.status == 0 && Self.ids(run) == [1, 2], "\(run.errors)")
        #expect(try server.requests.map(\.target) == ["/list", "/list?at=2"])
    }

    @Test func `a command with a key in a header follows no redirects`() throws {
        let arguments = ["--source", "cat-breeds", "--plan", "--explain"]
        let run = try Session("fetch-characters", arguments, environment: ["CAT_API_KEY": "live_secret"])
        #expect(run.errors.contains("\ncurl -sS -A ") && run.errors.contains("x-api-key"), "\(run.errors)")
    }
}
