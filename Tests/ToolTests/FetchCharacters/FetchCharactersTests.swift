// fetch-characters as a person runs it, against the project's own characters: what comes out, and in which form.

import Foundation
import TestSupport
import Testing

@Suite struct FetchCharactersTests {
    /// Runs the tool against the server with retries that come soon.
    static func fetch(_ server: LocalServer, _ arguments: [String] = []) throws -> Session {
        try Session("fetch-characters", ["--base-url", server.url, "--rate", "1000000/second"] + arguments)
    }

    /// The part of a fault that answers with this body.
    static func body(_ text: String) -> String {
        "body=" + text.replacingOccurrences(of: "\\", with: "\\\\").replacingOccurrences(of: ",", with: "\\,")
    }

    static func ids(_ lines: some Sequence<String>) throws -> [String] {
        try lines.map { try #require(try Session.object($0.utf8)["id"] as? String) }
    }

    static func ids(ofCatalogue path: String) throws -> [String] {
        let file = try JSONSerialization.jsonObject(with: Data(contentsOf: URL(fileURLWithPath: path)))
        let list = file as? [[String: Any]] ?? (file as? [String: Any])?["data"] as? [[String: Any]] ?? []
        return try list.map { "\(try #require($0["_id"] as? Int))" }
    }

    @Test func `every character comes once, in order, over one connection`() throws {
        let server = try LocalServer()
        let run = try Self.fetch(server, ["--jobs", "1"])
        #expect(run.status == 0 && run.errors == "")
        #expect(try Self.ids(run.lines) == Self.ids(ofCatalogue: Fixtures.catalogue))
        let requests = try server.requests
        #expect(requests.map(\.target) == (1...3).map { "/character?page=\($0)&pageSize=50" })
        #expect(requests.allSatisfy { $0.connection == 1 && $0.header("User-Agent") == "castline/0.1.0" })
        #expect(requests.allSatisfy { $0.header("Accept") == "application/json" })
    }

    @Test func `the common members come first, and nothing comes twice`() throws {
        let server = try LocalServer()
        let first = try #require(try Self.fetch(server, ["--limit", "1"]).lines.first)
        let start =
            #"{"source":"disney","id":"214","name":"Mick Tidewater","imageURL":"\#(server.url)/images/ship.png","#
        #expect(first.hasPrefix(start + #""pageURL":"\#(server.url)/wiki/Mick_Tidewater","films":["The "#))
        #expect(!first.contains("_id") && !first.contains("imageUrl") && !first.contains("sourceUrl"))
    }

    @Test func `raw records are the API's bytes but for line ends between tokens`() throws {
        let server = try LocalServer()
        let served = try Session.script("curl -s '\(server.url)/character?page=1&pageSize=2'").text
        let run = try Self.fetch(server, ["--raw", "--limit", "2", "--page-size", "2"])
        let list = try #require(served.range(of: #""data":["#))
        let flat = served[list.upperBound...].replacing(/\s*\n\s*/, with: "").dropLast(2)
        #expect(run.lines.joined(separator: ",") == flat)
    }

    @Test(arguments: [1, 7, 49, 119, 120, 1000]) func `any page size gives the same records`(size: Int) throws {
        let run = try Self.fetch(LocalServer(), ["--page-size", "\(size)"])
        #expect(run.status == 0)
        #expect(try Self.ids(run.lines) == Self.ids(ofCatalogue: Fixtures.catalogue))
    }

    @Test func `limits stop the run, and it is all that was asked for`() throws {
        let server = try LocalServer()
        let limited = try Self.fetch(server, ["--limit", "3", "--page-size", "2", "--seal", "--with-page"])
        #expect(limited.status == 0 && limited.lines.count == 4)
        #expect(limited.lines.prefix(3).map { $0.suffix(9) } == [#""page":1}"#, #""page":1}"#, #""page":2}"#])
        #expect(limited.lines.last == #"{"$seal":{"records":3,"complete":true,"by":"count","limit":3}}"#)
        #expect(try server.requests.count == 2)
        let none = try Self.fetch(server, ["--limit", "0"])
        #expect(none.status == 0 && none.output.isEmpty)
        #expect(try server.requests.count == 2)
    }

    // MARK: Search and single records

    @Test func `a search asks the API on every page, with its signs escaped`() throws {
        let server = try LocalServer()
        let run = try Self.fetch(server, ["--search", "mick", "--page-size", "2"])
        #expect(run.status == 0 && run.lines.count == 6)
        #expect(try server.requests.allSatisfy { $0.target.hasSuffix("&pageSize=2&name=mick") })
        let none = try Self.fetch(server, ["--search", "m(ck.*", "--seal"])
        #expect(none.status == 0 && none.lines == [#"{"$seal":{"records":0,"complete":true,"by":"count"}}"#])
        #expect(try server.requests.last?.target.hasSuffix("&name=m%5C%28ck%5C.%5C%2A") == true)
    }

    @Test func `what the API finds is looked through again`() throws {
        let response = #"{"info":{"totalPages":1},"data":[{"_id":1,"name":"Other"},{"_id":2,"name":"Bj\u00f6rk"}]}"#
        let run = try Self.fetch(LocalServer(faults: [Self.body(response)]), ["--search", "bjork"])
        #expect(run.lines == [#"{"source":"disney","id":"2","name":"Bj\u00f6rk"}"#])
    }

    @Test func `parameters go on every page`() throws {
        let server = try LocalServer()
        let run = try Self.fetch(server, ["--param", "films=Return to Pellow", "--page-size", "3"])
        #expect(run.status == 0 && !run.lines.isEmpty)
        #expect(try server.requests.allSatisfy { $0.target.hasSuffix("&films=Return%20to%20Pellow") })
    }

    @Test func `records by id come in the order asked for, and one that isn't there is status 1`() throws {
        let server = try LocalServer()
        let run = try Self.fetch(server, ["--id", "12", "--id", "no/such", "--id", "214", "--id", "12", "--seal"])
        #expect(run.status == 1)
        #expect(try Self.ids(run.lines) == ["12", "214"])
        #expect(run.errors.contains("no record has the id no/such"))
        #expect(try server.requests.map(\.target).contains("/character/no%2Fsuch"))
        let found = try Self.fetch(server, ["--id", "12", "--seal"])
        #expect(found.status == 0 && found.lines.last == #"{"$seal":{"records":1,"complete":true,"by":"answer"}}"#)
    }

    @Test(arguments: [(400, 1), (404, 1), (410, 1), (403, 77), (405, 76)] as [(Int, Int32)])
    func `an id is unknown to a service that says so, and to no other`(response: Int, status: Int32) throws {
        let server = try LocalServer(faults: ["path=/character/12,status=\(response)"])
        let run = try Self.fetch(server, ["--id", "12", "--id", "214"])
        #expect(run.status == status, "\(run.errors)")
        #expect(run.errors.contains("no record has the id 12") == (status == 1))
        #expect(try Self.ids(run.lines) == (status == 1 ? ["214"] : []))
    }

    // MARK: Reports and real data

    @Test func `a report tells the figures of the run, also of one that failed`() throws {
        let folder = try ScratchFolder()
        let server = try LocalServer(faults: ["page=2,times=1,status=503,retry-after=0", "page=3,status=404"])
        let run = try Self.fetch(server, ["--report", folder.path("report")])
        #expect(run.status == 76)
        let text = try folder.text("report")
        #expect(text.hasSuffix("}\n"))
        let report = try Session.object(text.utf8)
        let expected: [String: Int] = [
            "exitStatus": 76, "recordsIn": 100, "recordsOut": 100, "badLines": 0, "requests": 4, "retries": 1,
            "fromCache": 0, "bytesOut": run.output.count,
        ]
        for (name, value) in expected { #expect(report[name] as? Int == value, "\(name)") }
        #expect(report["tool"] as? String == "fetch-characters" && report["version"] as? String == "0.1.0")
        #expect(report["complete"] as? Bool == false && report["expected"] is NSNull)
        _ = try Self.fetch(try LocalServer(), ["--report", folder.path("report")])
        #expect(try folder.text("report").hasSuffix(#""expected":120,"complete":true}"# + "\n"))
    }

    static let recorded = Fixtures.checkout + "/../shared/recorded/disney/all-characters-7438.json"

    @Test(.enabled(if: FileManager.default.fileExists(atPath: recorded)))
    func `the whole recorded list comes once each, in order`() throws {
        let server = try LocalServer(catalogue: Self.recorded)
        let run = try Self.fetch(server, ["--seal"])
        #expect(run.status == 0 && run.lines.last == #"{"$seal":{"records":7438,"complete":true,"by":"count"}}"#)
        let lines = try #require(String(bytes: run.output, encoding: .utf8)).split(separator: "\n").dropLast()
        let ids = lines.compactMap { $0.firstMatch(of: /^\{"source":"disney","id":"(\d+)"/)?.output.1 }
        #expect(ids.map(String.init) == (try Self.ids(ofCatalogue: Self.recorded)))
        #expect(try server.requests.count == 149)
    }
}
