// Answers that others read: cursors of any kind, and PHP's empty objects; and values that no request can hold.

import Foundation
import TestSupport
import Testing

@Suite struct FetchAnswerTests {
    @Test(arguments: [
        (#"{"id":{"N":"7"}, "a":[1, "x y"]}"#, #"{"id":{"N":"7"},"a":[1,"x y"]}"#),
        (#"["a\"b \\",  1.50, null]"#, #"["a\"b \\",1.50,null]"#), (#""text""#, #""text""#), ("7", "7"),
    ])
    func `a cursor goes back as it came, whatever it is`(cursor: String, expected: String) throws {
        for parameter in [#""after""#, #"{"body":"$.queries[1].after"}"#] {
            let folder = try ScratchFolder()
            let isBody = parameter.hasPrefix("{")
            let server = try LocalServer(faults: [
                "path=/list,times=1,\(FetchCharactersTests.body("{\"d\":[{\"id\":1}],\"next\":\(cursor)}"))",
                "path=/list,\(FetchCharactersTests.body(#"{"d":[{"id":2}],"next":{}}"#))",
            ])
            let run = try FetchSource.run(
                server, folder,
                (isBody ? #""method":"POST","body":{"queries":[{"n":1},{"n":2}]},"# : "")
                    + #""records":"d","members":{"id":"id"},"pagination":{"type":"cursor","next":"next","parameter":\#(parameter)}"#
            )
            #expect(run.status == 0 && run.lines.count == 2, "\(run.errors)")
            let second = try #require(try server.requests.last)
            if isBody {
                #expect(second.body == "{\"queries\":[{\"n\":1},{\"n\":2,\"after\":\(expected)}]}")
            } else {
                let query = try #require(URLComponents(string: second.target)?.queryItems?.first?.value)
                #expect(query == (expected.hasPrefix("\"") ? "text" : expected))
            }
        }
    }

    @Test(arguments: [
        (#""after""#, #""x\ud83d""#, "half of a surrogate pair"),
        (#""after""#, #"{"a":["\udc00"]}"#, "half of a surrogate"),
        (#"{"header":"X-After"}"#, #""a\r\nb""#, "no request can hold"),
        (#"{"path":"after"}"#, #""..""#, ". or .. in the path"),
    ])
    func `a cursor that can't be sent is the service's fault`(parameter: String, cursor: String, message: String)
        throws
    {
        let server = try LocalServer(faults: [
            "path=/,times=1,\(FetchCharactersTests.body("{\"d\":[{\"id\":1}],\"next\":\(cursor)}"))"
        ])
        let folder = try ScratchFolder()
        try folder.write(
            """
            {"name":"s","baseURL":"\(server.url)","path":"/list/{after}","records":"d","members":{"id":"id"},
             "params":{"after":{"default":"first"}},
             "pagination":{"type":"cursor","next":"next","parameter":\(parameter)}}
            """.utf8, to: "s.json")
        let run = try Session("fetch-characters", ["--source", "s.json"], folder: folder)
        #expect(run.status == 76 && run.errors.contains(message), "\(run.errors)")
        #expect(!run.errors.contains("correct the"))
        #expect(try server.requests.count == 1)
    }

    @Test func `a value of --each that no header can hold is a bad record, and the rest goes on`() throws {
        let server = try LocalServer(faults: ["path=/list,\(FetchCharactersTests.body(#"[{"id":1}]"#))"])
        let run = try FetchSource.run(
            server, try ScratchFolder(), #""each":{"parameter":{"header":"X-Of"}},"members":{"id":"id"}"#,
            ["--each", "v"],
            input: "{\"v\":\"a\\nb\"}\n{\"v\":\"\\ud83d\"}\n{\"v\":\"b\"}\n")
        #expect(run.status == 65 && run.lines.count == 1, "\(run.errors)")
        #expect(run.errors.contains("line end") && !run.errors.contains("correct the"), "\(run.errors)")
        #expect(try server.requests.map { $0.header("X-Of") } == ["b"])
    }

    @Test(arguments: [
        (#"{"d":[]}"#, 0), (#"{"d":[ ]}"#, 0), (#"{"d":{}}"#, 0), (#"{"d":[{"id":1}]}"#, 65), (#"{"d":[1]}"#, 65),
        (#"{"d":null,"d":{"a":{"id":1}}}"#, 1), (#"{"d":[],"n":[1]}"#, 0),
    ])
    func `an empty array for an object of records is empty, from a service and from a file`(
        answer: String, records: Int
    ) throws {
        let folder = try ScratchFolder()
        let server = try LocalServer(faults: ["path=/list,\(FetchCharactersTests.body(answer))"])
        let members = #""records":{"path":"$.d","key":"k"},"members":{"id":"k"}"#
        let live = try FetchSource.run(server, folder, members)
        let read = try Session(
            "fetch-characters", ["--source", "s.json", "--input", "-"], input: answer.utf8, folder: folder)
        guard records < 65 else {
            #expect(live.status == 76 && read.status == 65, "\(live.errors)\(read.errors)")
            return
        }
        #expect(live.status == 0 && live.lines.count == records, "\(live.errors)")
        #expect(read.status == 0 && read.lines == live.lines, "\(read.errors)")
    }
}
