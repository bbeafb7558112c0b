// Records that lack what their description promises of them, as after a service has renamed a member.

import TestSupport
import Testing

@Suite struct FetchShapeTests {
    static func records(_ count: Int, _ member: String = "title") -> String {
        FetchCharactersTests.body(
            "[" + (0..<count).map { "{\"id\":\($0),\"\(member)\":\"x\"}" }.joined(separator: ",") + "]")
    }

    @Test(arguments: [[], ["--limit", "2"], ["--raw"], ["--search", "x"]])
    func `a name that no record has is told, without a seal`(arguments: [String]) throws {
        let server = try LocalServer(faults: ["path=/list,\(Self.records(3))"])
        let members = #""search":{"parameter":"q"},"members":{"id":"id","name":["name","$.n"]}"#
        let run = try FetchRecordTests.run(server, try ScratchFolder(), members, arguments + ["--seal"])
        let count = arguments.contains("--limit") ? 2 : 3
        #expect(
            run.errors == "fetch-characters: name: $.name and 1 other path are in none of \(count) records; "
                + "the API may have changed: fetch-characters --source s.json --plan shows what is expected, and "
                + "--learn URL what there is\n")
        // What came before is on stdout.
        #expect(run.status == 76 && run.lines.count == (arguments.contains("--search") ? 0 : count))
        #expect(!run.text.contains("$seal"))
    }

    @Test func `a name that may be missing, or a list without records, is none`() throws {
        let folder = try ScratchFolder()
        let server = try LocalServer(faults: ["path=/list,\(Self.records(3))"])
        let optional = #""members":{"id":"id","name":{"path":"name","optional":true}}"#
        #expect(try FetchRecordTests.run(server, folder, optional).status == 0)
        let alternatives = #""members":{"id":"id","name":["n",{"path":"name","optional":true}]}"#
        #expect(try FetchRecordTests.run(server, folder, alternatives).status == 0)
        let empty = try LocalServer(faults: ["path=/list,\(FetchCharactersTests.body("[]"))"])
        let run = try FetchRecordTests.run(empty, folder, #""members":{"id":"id","name":"name"}"#)
        #expect(run.status == 0 && run.errors == "")
    }

    @Test func `one record of a parent that has the name is enough`() throws {
        let folder = try ScratchFolder()
        let server = try LocalServer(faults: [
            "path=/list,query=of=b,\(Self.records(1, "name"))", "path=/list,\(Self.records(2))",
        ])
        let members = #""each":{"parameter":"of"},"members":{"id":"id","name":"name"}"#
        let each = { (ids: [String]) in
            try FetchRecordTests.run(
                server, folder, members, ["--each", "id"], input: ids.map { "{\"id\":\"\($0)\"}\n" }.joined())
        }
        #expect(try each(["a", "b", "c"]).status == 0)
        let none = try each(["a", "c"])
        #expect(none.status == 76 && none.errors.contains("none of 4 records"), "\(none.errors)")
    }

    @Test(arguments: [(49, false), (50, true)]) func `another member that fifty records lack is a warning`(
        count: Int, isTold: Bool
    ) throws {
        let server = try LocalServer(faults: ["path=/list,\(Self.records(count, "name"))"])
        let folder = try ScratchFolder()
        let members = #""members":{"id":"id","name":"name","imageURL":"https://h/{$.i}"}"#
        let run = try FetchRecordTests.run(server, folder, members, ["--seal"])
        let warning = "warning: imageURL: https://h/{$.i} is in none of \(count) records; the API may have changed"
        #expect(run.status == 0 && run.errors.contains(warning) == isTold, "\(run.errors)")
        #expect(run.lines.last?.contains("$seal") == true)
        #expect(try FetchRecordTests.run(server, folder, members, ["-q"]).errors == "")
    }

    @Test(arguments: [true, false]) func `what an earlier run saw counts in one that goes on`(hasName: Bool) throws
    {
        let server = try LocalServer(faults: [
            "path=/list,page=1,\(Self.records(2, hasName ? "name" : "title"))",
            "path=/list,page=2,times=1,status=400",
            "path=/list,page=2,\(FetchCharactersTests.body(#"[{"id":7,"title":"x"}]"#))",
        ])
        let folder = try ScratchFolder()
        let members = """
            "pagination":{"type":"page","parameter":"page","first":1,"size":{"parameter":"n","value":2}},
            "members":{"id":"id","name":"name"}
            """
        let arguments = ["--state", "place", "--cache", "none", "--jobs", "1"]
        let cut = try FetchRecordTests.run(server, folder, members, arguments)
        #expect(cut.status == 76 && cut.lines.count == 2 && cut.errors.contains("400"), "\(cut.errors)")
        let rest = try FetchRecordTests.run(server, folder, members, arguments)
        #expect(rest.status == (hasName ? 0 : 76) && rest.lines.count == 1, "\(rest.errors)")
        #expect(rest.errors.contains("none of 3 records") != hasName, "\(rest.errors)")
        #expect(try !folder.names().contains("place"))
    }
}
