// --input: an answer from a file or another program, in place of the service.

import Foundation
import TestSupport
import Testing

@Suite struct FetchInputTests {
    private static func read(
        _ body: String, _ arguments: [String] = [], source: String = "array"
    ) throws -> Session {
        try Session("fetch-characters", ["--source", source, "--input", "-"] + arguments, input: body.utf8)
    }

    private static let service = """
        {"name": "x", "baseURL": "https://h.example", "path": "/v1/list", "records": "$.data",
         "pagination": {"type": "next-url", "next": {"path": "$.next"}, "total": {"path": "$.count"}},
         "members": {"id": "_id", "name": "name", "imageURL": "image"}}
        """

    @Test func `an array comes out as it is, a record a line`() throws {
        let records = [
            #"{"a":1.50,"a":12345678901234567890,"\u00e9":"\ud83d\ude00é\/"}"#, #"{ "b" : [1, {"c": []}] }"#, "{}",
        ]
        let run = try Self.read(" [\(records.joined(separator: "\n , "))]\n", ["--seal"])
        #expect(run.status == 0 && run.errors == "")
        #expect(run.lines == records + [#"{"$seal":{"records":3,"complete":true,"by":"answer"}}"#])
    }

    @Test func `line ends between tokens are taken out, and nothing else`() throws {
        let run = try Self.read("[{\n  \"a\": \"x\\n y\",\r\n  \"b\": [\n    1\n  ]\n}]")
        #expect(run.lines == [#"{"a": "x\n y","b": [1]}"#])
    }

    @Test func `lines and what is no object come out as records`() throws {
        #expect(
            try Self.read("{\"a\":1}\r\n\n[2]\n3", source: "lines").lines == [
                #"{"a":1}"#, #"{"value":[2]}"#, #"{"value":3}"#,
            ])
        #expect(try Self.read(#"["x",{"a":1}]"#).lines == [#"{"value":"x"}"#, #"{"a":1}"#])
    }

    @Test func `a description of a service reads its saved answer`() throws {
        let folder = try ScratchFolder()
        let file = try FetchSource.file(Self.service, folder)
        try folder.write(
            #"{"count":2,"data":[{"_id":7,"name":"A","image":"/p.png"},{"_id":7,"name":"A","image":"/p.png"},{"_id":8}]}"#,
            to: "answer")
        let arguments = [
            "--source", file, "--input", folder.path("answer"), "--seal", "--report", folder.path("report"),
        ]
        let run = try Session("fetch-characters", arguments)
        #expect(run.status == 0, "\(run.errors)")
        #expect(
            run.lines == [
                #"{"source":"x","id":"7","name":"A","imageURL":"https://h.example/p.png"}"#,
                #"{"source":"x","id":"8"}"#, #"{"$seal":{"records":2,"complete":true,"by":"answer"}}"#,
            ])
        let report = try #require(try JSONSerialization.jsonObject(with: folder.data("report")) as? [String: Any])
        #expect(report["recordsIn"] as? Int == 3 && report["recordsOut"] as? Int == 2)
        #expect(report["bytesIn"] as? Int == 106 && report["requests"] as? Int == 0)
        #expect(report["complete"] as? Bool == true && report["expected"] as? Int == 2)
    }

    @Test(arguments: [#""next":"/p2""#, #""count":9,"next":null"#])
    func `one page of several has no seal`(rest: String) throws {
        let folder = try ScratchFolder()
        let file = try FetchSource.file(Self.service, folder)
        let count = rest.contains("count") ? "" : #""count":1,"#
        let run = try Self.read("{\(count)\"data\":[{\"_id\":7,\"name\":\"A\"}],\(rest)}", ["--seal"], source: file)
        #expect(run.status == 0 && run.lines == [#"{"source":"x","id":"7","name":"A"}"#])
        #expect(
            run.errors.contains("<stdin> is one page of several, and only its records are written, without a seal"))
    }

    @Test(arguments: [
        (#"[{"a":1},{"b":2"#, "<stdin> ends early, after 1 record; get it again"),
        ("", "<stdin> is empty; check what was to write it"),
        (
            #"[{"a":1},{"b":2}],"#,
            "<stdin>: text that isn't JSON: expected nothing after the value at byte 18, after 2 records"
        ),
        (#"[{"a":1},{"b":01}]"#, "expected no digit after a leading zero at byte 16, after 1 record"),
        (
            "<!DOCTYPE html>",
            "<stdin>: an HTML or XML page, not JSON; check it, or take --source lines for JSON Lines"
        ),
        ("\u{FEFF}\u{FEFF}[]", "<stdin>: text that isn't JSON"), ("7", "<stdin>: no array in '$'"),
        (
            #"[{"a":1},{"$seal":{"records":1,"complete":true}}]"#,
            "a record looks like a seal; take seals out before --input"
        ),
    ])
    func `an answer that isn't whole ends with 65, after its whole records`(body: String, words: String) throws {
        let run = try Self.read(body, ["--seal"])
        #expect(run.status == 65 && run.errors.contains(words), "\(run.errors)")
        #expect(
            run.lines == (body.contains("\"a\"") ? [#"{"a":1}"#] : [])
                + (body.contains("b\":2}") ? [#"{"b":2}"#] : []))
    }

    @Test func `what is compressed otherwise is told with what reads it`() throws {
        let folder = try ScratchFolder()
        try folder.write([0xFD, 0x37, 0x7A, 0x58, 0x5A, 0x00, 0x00], to: "a dump.xz")
        let run = try Session("fetch-characters", ["--source", "array", "--input", "a dump.xz"], folder: folder)
        #expect(run.status == 65 && run.output.isEmpty)
        #expect(
            run.errors == "fetch-characters: a dump.xz is compressed with xz; run xzcat 'a dump.xz' | "
                + "fetch-characters --input -\n")
        let text = try Self.read("\u{0}[\u{0}]")
        #expect(text.status == 65 && text.errors.contains("<stdin> is UTF-16 text; pipe it through iconv "))
    }

    @Test func `one object in place of an array is told`() throws {
        let run = try Self.read(#"{"data":[{"a":1}]}"#)
        #expect(run.status == 0 && run.lines == [#"{"data":[{"a":1}]}"#])
        #expect(run.errors.contains("<stdin> is one object, which is taken for one record"), "\(run.errors)")
    }

    @Test func `depth counts within the record, with what wraps it`() throws {
        func nested(_ depth: Int) -> String {
            String(repeating: "[", count: depth) + String(repeating: "]", count: depth)
        }
        #expect(try Self.read("[{\"a\":\(nested(511))}]").status == 0)
        #expect(try Self.read("[{\"a\":\(nested(512))}]").status == 65)
        #expect(try Self.read("[\(nested(511))]").status == 0)
        let run = try Self.read("[\(nested(512))]")
        #expect(run.status == 65 && run.output.isEmpty && run.errors.contains("512 levels"), "\(run.errors)")
    }

    @Test func `a record is written while the rest is awaited`() throws {
        let script = #"""
            exec 3< <({ printf '[{"a":1}'; sleep 30; } 2>/dev/null | fetch-characters --source array --input - 2>/dev/null)
            read -t 20 line <&3; echo "$line"
            """#
        #expect(try Session.script(script).lines == [#"{"a":1}"#])
    }

    @Test func `limits and promises hold`() throws {
        let body = #"[{"a":1},{"a":2},{"a":3}"#
        let limited = try Self.read(body, ["--limit", "2", "--seal"])
        #expect(
            limited.status == 0
                && limited.lines.last == #"{"$seal":{"records":2,"complete":true,"by":"answer","limit":2}}"#)
        let expected = try Self.read(body + "]", ["--expect", "4", "--seal"])
        #expect(
            expected.status == 76 && expected.lines.count == 3 && expected.errors.contains("got 3 records, not 4"))
        #expect(try Self.read(body + "]", ["--min-records", "4"]).status == 76)
        let folder = try ScratchFolder()
        let shaped = try FetchSource.file(Self.service, folder)
        #expect(try Self.read(#"{"count":1,"data":[{"x":1}]}"#, source: shaped).status == 76)
    }

    @Test func `a path that isn't plain is followed in the whole answer`() throws {
        let folder = try ScratchFolder()
        let text = #"{"name":"t","records":"$.sets[*].cards","pagination":{"type":"none"}}"#
        let file = try FetchSource.file(text, folder)
        let run = try Self.read(#"{"sets":[{"cards":[{"a":1}]},{"cards":[{"a":2}]}]}"#, source: file)
        #expect(run.status == 0 && run.lines == [#"{"a":1}"#, #"{"a":2}"#], "\(run.errors)")
        let large = "head -c 70000000 /dev/zero | tr '\\0' ' ' | fetch-characters --source '\(file)' --input -"
        let refused = try Session.script(large)
        #expect(
            refused.status == 65 && refused.errors.contains("<stdin> has more than 64 MiB"), "\(refused.errors)")
    }

    @Test func `a record of more than 64 MiB is refused, and those before it are written`() throws {
        let script = "{ printf '[{\"a\":1},{\"b\":\"'; head -c 70000000 /dev/zero | tr '\\0' x; printf '\"}]'; } "
        let run = try Session.script(script + "| fetch-characters --source array --input -")
        #expect(run.status == 65 && run.lines == [#"{"a":1}"#])
        #expect(
            run.errors.contains("more than 64 MiB that are no whole record, after 1 record"), "\(run.errors)")
    }

    @Test func `what can't be read is 66, and a source without a service needs an answer`() throws {
        for path in ["none", "."] {
            let run = try Session("fetch-characters", ["--source", "array", "--input", path])
            #expect(
                run.status == 66 && run.errors.contains("--input takes a file, or - for stdin"), "\(run.errors)")
        }
        let run = try Session("fetch-characters", ["--source", "array"])
        #expect(run.status == 64)
        #expect(
            run.errors.contains(
                "array describes the answers of no service; give one with --input, or its URL with --base-url"))
        #expect(
            try Session("fetch-characters", ["--source", "rijksmuseum", "--input", "-"], input: "[]".utf8).status
                == 64)
    }

    @Test func `an array at a URL is a list too`() throws {
        let server = try LocalServer(faults: [FetchCharactersTests.body(#"[{"a":1},{"a":2}]"#)])
        let run = try Session(
            "fetch-characters", ["--source", "array", "--base-url", server.url + "/dump.json", "--seal"])
        #expect(run.status == 0, "\(run.errors)")
        #expect(run.lines == [#"{"a":1}"#, #"{"a":2}"#, #"{"$seal":{"records":2,"complete":true,"by":"answer"}}"#])
    }
}
