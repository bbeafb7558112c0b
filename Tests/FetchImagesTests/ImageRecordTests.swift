// The splice: what comes out is what came in, and one member.

import PipelineCore
import TestSupport
import Testing
import fetch_images

@Suite("Records with an added member")
struct ImageRecordTests {
    /// Adds `"imageFile":1` to a line.
    private static func spliced(_ line: String, fields: [JSONPath] = ImageRecordReader.usualFields) throws -> (
        String, String?
    ) {
        var reader = ImageRecordReader(fields: fields, added: "imageFile")
        let record = try reader.read(Array(line.utf8).span)
        return (String(decoding: record.adding(Array("\"imageFile\":1".utf8).span), as: UTF8.self), record.url)
    }

    @Test(arguments: [
        (#"{}"#, #"{"imageFile":1}"#),
        (#" { } "#, #" { "imageFile":1} "#),
        ("{\"a\":1}\r", "{\"a\":1,\"imageFile\":1}\r"),
        (#"{"a":{"imageFile":2}}"#, #"{"a":{"imageFile":2},"imageFile":1}"#),
        (#"{"a":1,"imageFile":{"x":[1,2]}}"#, #"{"a":1,"imageFile":1}"#),
        (#"{"imageFile":2}"#, #"{"imageFile":1}"#),
        (#"{"imageFile":2, "b":3 }"#, #"{ "b":3 ,"imageFile":1}"#),
        (#"{"imageFile":2 ,"b":3}"#, #"{"b":3,"imageFile":1}"#),
        (#"{"a":1, "imageFile":2 ,"b":3}"#, #"{"a":1 ,"b":3,"imageFile":1}"#),
        (#"{"imageFile":2,"imageFile":3}"#, #"{"imageFile":1}"#),
        (#"{"imageFile":2,"imageFile":3,"b":4}"#, #"{"b":4,"imageFile":1}"#),
        (#"{"a":0,"imageFile":2,"imageFile":3,"b":4}"#, #"{"a":0,"b":4,"imageFile":1}"#),
        (#"{"image\u0046ile":2,"a":"},\"imageFile\":5"}"#, #"{"a":"},\"imageFile\":5","imageFile":1}"#),
        (#"{"a":1e5,"a":1E+5,"ü":"\u00fc"}"#, #"{"a":1e5,"a":1E+5,"ü":"\u00fc","imageFile":1}"#),
    ])
    func `the member stands before the last brace, and an earlier one of its name is gone`(
        _ line: String, _ expected: String
    ) throws {
        #expect(try Self.spliced(line).0 == expected)
    }

    @Test
    func `earlier data of a picture give way to other ones, and to nothing else`() throws {
        var reader = ImageRecordReader(added: "f", data: "d")
        for (line, without, with) in [
            (#"{"d":1,"f":2,"a":3,"d":5}"#, #"{"d":1,"a":3,"d":5,"f":0}"#, #"{"a":3,"f":0}"#),
            (#"{"d":1}"#, #"{"d":1,"f":0}"#, #"{"f":0}"#), (#"{"f":1}"#, #"{"f":0}"#, #"{"f":0}"#),
        ] {
            let record = try reader.read(Array(line.utf8).span)
            let member = Array("\"f\":0".utf8)
            #expect(String(decoding: record.adding(member.span), as: UTF8.self) == without)
            #expect(String(decoding: record.adding(member.span, hasData: true), as: UTF8.self) == with)
        }
    }

    @Test(arguments: [
        (#"{"url":"u","image":{"url":"i"}}"#, "i"), (#"{"url":"u"}"#, nil),
        (#"{"image":"m","imageUrl":"U","imageURL":"V"}"#, "V"),
        (#"{"image":"m","imageUrl":null}"#, "m"),
        (#"{"imageURL":"","image":" http://x/a\n"}"#, "http://x/a"),
        (#"{"imageURL":{"url":"no"},"image":["no"]}"#, nil),
        (#"{"image\u0055RL":"http:\/\/x\/\u00fc"}"#, "http://x/ü"),
        (#"{"image":{}}"#, nil),
        (#"{"imageURL":"a","imageURL":"b"}"#, "b"),
        (#"{"name":"Mick"}"#, nil),
    ])
    func `the URL is the first usual member that holds a text`(_ line: String, _ expected: String?) throws {
        #expect(try Self.spliced(line).1 == expected)
    }

    @Test
    func `the fields that are asked for take the place of the usual ones`() throws {
        let fields = [try JSONPath("a.b.c"), try JSONPath("$.x")]
        let line = #"{"imageURL":"no","x":"2","a":{"c":"no","b":{"c":"1"}}}"#
        #expect(try Self.spliced(line, fields: fields).1 == "1")
        #expect(try Self.spliced(#"{"a":{"b":"no"},"x":"2"}"#, fields: fields).1 == "2")
        for text in ["", "a.", "a[", "a b", "$.a?"] {
            #expect(throws: JSONPathError.self, "\(text)") { try JSONPath(text) }
        }
    }

    @Test(arguments: [
        ("images[*].url", #"{"images":[{"url":7},{"url":" "},{"url":"b"},{"url":"c"}]}"#, "b"),
        ("$.images[?@.width > 500].url", #"{"images":[{"width":9,"url":"a"},{"width":900,"url":"b"}]}"#, "b"),
        ("$..url", #"{"a":{"b":[{"url":"c"}]}}"#, "c"), ("a[-1]", #"{"a":["x","y"]}"#, "y"),
        ("thumb-nail", #"{"thumb-nail":"t"}"#, "t"), ("$['a.b']", #"{"a.b":"t"}"#, "t"),
        ("$..url", #"{"a":1}"#, nil),
    ])
    func `a field may be any path, and the first text that it finds counts`(
        _ path: String, _ line: String, _ expected: String?
    ) throws {
        #expect(try Self.spliced(line, fields: [try JSONPath(path)]).1 == expected)
    }

    @Test(arguments: ["", "[]", "{", #"{"a":1}x"#, #"{"a":{"imageFile":1}"#])
    func `a line that is no record is refused`(_ line: String) {
        #expect(throws: JSONError.self) { try Self.spliced(line) }
    }

    @Test
    func `what is added can be taken away, and adding twice is adding once`() throws {
        var generator = SplitMix64(seed: 20)
        for _ in 0..<2000 {
            let line = Self.record(&generator)
            let (once, _) = try Self.spliced(line)
            let brace = line.lastIndex(of: "}") ?? line.startIndex
            let isEmpty = line[..<brace].allSatisfy { $0 == "{" || $0 == " " }
            let member = (isEmpty ? "" : ",") + "\"imageFile\":1"
            #expect(once == line[..<brace] + member + line[brace...])
            #expect(try Self.spliced(once).0 == once)
        }
    }

    private static func record(_ generator: inout SplitMix64) -> String {
        let values = [
            "1", "\"}\"", "{}", "[{\"imageFile\":0},2 ]", "null", "-0.5e9", "\"\\\\\"", "{\"url\":\"x\"}",
        ]
        let space = { (generator: inout SplitMix64) in generator.next() % 4 == 0 ? " " : "" }
        let members = (0..<Int(generator.next() % 4)).map { index in
            let value = values[Int(generator.next() % UInt64(values.count))]
            return space(&generator) + "\"m\(index)\"" + space(&generator) + ":" + space(&generator) + value
        }
        return "{" + members.joined(separator: ",") + space(&generator) + "}"
            + (generator.next() % 2 == 0 ? "\r" : "")
    }
}
