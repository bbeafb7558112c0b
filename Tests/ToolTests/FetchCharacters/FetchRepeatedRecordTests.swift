// Records without ids at a second reading: what is written, and what the seal says.

import Foundation
import TestSupport
import Testing

@Suite struct FetchRepeatedRecordTests {
    /// A source with pages of three that says how many records there are.
    static let source = """
        {"name": "x", "baseURL": "http://h", "path": "/list", "records": "data", "members": {"id": "id"}, "pagination":
         {"type": "page", "parameter": "at", "size": {"parameter": "n", "value": 3}, "total": {"path": "total"}}}
        """

    /// A fault that answers a page with these records; one without an id is 0.
    static func page(at place: Int, _ ids: [Int], of total: Int, _ when: String = "") -> String {
        let records = ids.map { $0 == 0 ? #"{"n":"none"}"# : "{\"id\":\($0)}" }.joined(separator: ",")
        let body = FetchCharactersTests.body(#"{"total":\#(total),"data":[\#(records)]}"#)
        return "query=at=\(place)&,\(when)\(body)"
    }

    /// The ids in the order of the lines, 0 for none.
    static func ids(_ run: Session) throws -> [Int] {
        try run.lines.filter { !$0.contains("$seal") }.map { line in
            (try Session.object(line.utf8)["id"] as? String).flatMap { Int($0) } ?? 0
        }
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
        let folder = try ScratchFolder()
        let file = try FetchSource.file(Self.source, folder)
        let arguments = ["--seal", "--cache", "none", "--jobs", "1", "--state", folder.path("state")]
        var ids: [Int] = []
        if isLeftOff {
            let run = try FetchSource.fetch(server, file, at: "", arguments)
            #expect(run.status == 76 && run.errors.contains("reading it a second time"), "\(run.errors)")
            ids = try Self.ids(run)
        }
        let run = try FetchSource.fetch(server, file, at: "", arguments)
        #expect(run.status == 0, "\(run.errors)")
        // Six of them came in the run that was left off.
        #expect(
            run.lines.last
                == #"{"$seal":{"records":7,"complete":true,"by":"twice"\#(isLeftOff ? ",\"after\":6" : "")}}"#)
        #expect(try ids + Self.ids(run) == [0, 0, 1, 2, 3, 0, 0])
    }
}
