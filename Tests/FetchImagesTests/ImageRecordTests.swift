// The splice: what comes out is what came in, and one member.

import PipelineCore
import PipelineHTTP
import TestSupport
import Testing

@testable import fetch_images

@Suite("Records with an added member")
struct ImageRecordTests {
    /// Adds `"imageFile":1` to a line.
    private static func spliced(_ line: String, fields: [JSONPath] = []) throws -> (String, String?) {
        var reader = ImageRecordReader(fields: fields)
        let (record, urls) = try reader.read(Array(line.utf8).span)
        let text = record.adding(Array("\"imageFile\":1".utf8).span)
        return (String(decoding: text, as: UTF8.self), urls.first)
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

    @Test func `earlier data of a picture give way to other ones, and to nothing else`() throws {
        var reader = ImageRecordReader(data: "d")
        for (line, without, with) in [
            (
                #"{"d":1,"imageFile":2,"a":3,"d":5}"#, #"{"d":1,"a":3,"d":5,"imageFile":0}"#,
                #"{"a":3,"imageFile":0}"#
            ),
            (#"{"d":1}"#, #"{"d":1,"imageFile":0}"#, #"{"imageFile":0}"#),
            (#"{"imageFile":1}"#, #"{"imageFile":0}"#, #"{"imageFile":0}"#),
        ] {
            let record = try reader.read(Array(line.utf8).span).record
            let member = Array("\"imageFile\":0".utf8)
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
        var reader = ImageRecordReader()
        let urls = try reader.read(Array(line.utf8).span).urls
        #expect(urls.first == expected && urls.count < 2 && reader.recordsWithMore == 0)
    }

    @Test func `the fields that are asked for take the place of the usual ones`() throws {
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

    @Test(arguments: [
        (["i[*].u"], #"{"i":[{"u":"a"},{"u":7},{"u":" b "},{"u":""},{"u":"a"}]}"#, ["a", "b", "a"]),
        (["b", "$.a[*]"], #"{"a":["1","2"],"b":"3"}"#, ["3", "1", "2"]),
        ([], #"{"image":{"url":"2"},"imageURL":"1"}"#, ["1", "2"]), (["a"], #"{"a":"x","a":"y"}"#, ["y"]),
        (["a"], #"{"a":["x"]}"#, []), (["$..u"], "{}", []),
    ])
    func `all texts of all fields are found, in the order of the fields`(
        _ fields: [String], _ line: String, _ expected: [String]
    ) throws {
        var reader = ImageRecordReader(fields: try fields.map { try JSONPath($0) }, pictures: .all)
        #expect(try reader.read(Array(line.utf8).span).urls == expected)
        #expect(reader.recordsWithMore == 0)
    }

    @Test func `the list of pictures takes the place of the one picture, and not the other way around`() throws {
        let line = #"{"imageFile":1,"imageFiles":2,"n":3}"#
        for (choice, expected) in [
            (PictureChoice.first, #"{"imageFiles":2,"n":3,"m":0}"#), (.all, #"{"n":3,"m":0}"#),
        ] {
            var reader = ImageRecordReader(pictures: choice)
            let text = try reader.read(Array(line.utf8).span).record.adding(Array("\"m\":0".utf8).span)
            #expect(String(decoding: text, as: UTF8.self) == expected)
        }
    }

    @Test(arguments: ["", "[]", "{", #"{"a":1}x"#, #"{"a":{"imageFile":1}"#])
    func `a line that is no record is refused`(_ line: String) {
        #expect(throws: JSONError.self) { try Self.spliced(line) }
    }

    @Test func `what is added can be taken away, and adding twice is adding once`() throws {
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

// The member that tells what came of a picture.

@Suite("The added member")
struct ImageOutcomeTests {
    private static func text(_ outcome: ImageOutcome, _ url: String?) -> String {
        RecordPictures(choice: .first, list: [RecordPicture(url: url, outcome: outcome)]).member().span.text
    }

    @Test func `a record without a URL says so`() {
        #expect(Self.text(ImageOutcome(), nil) == #""imageFile":{"status":"none"}"#)
    }

    @Test func `several pictures are a list, which may be empty`() {
        let (one, two) = (RecordPicture(url: "u"), RecordPicture(url: "v", outcome: ImageOutcome(ImageFault("f"))))
        for (list, expected) in [
            ([], "[]"), ([one], #"[{"url":"u","status":"none"}]"#),
            ([one, two], #"[{"url":"u","status":"none"},{"url":"v","status":"failed","error":"f"}]"#),
        ] {
            let text = RecordPictures(choice: .all, list: list).member().span.text
            #expect(text == #""imageFiles":"# + expected)
        }
        #expect(RecordPictures(choice: .first).member().span.text == #""imageFile":{"status":"none"}"#)
    }

    @Test func `a failure tells the URL and the reason`() {
        let gone = ImageOutcome(ImageFault("\"gone\"\u{7}"))
        #expect(
            Self.text(gone, "http://x/\"")
                == #""imageFile":{"url":"http://x/\"","status":"failed","error":"\"gone\"\u0007"}"#)
    }

    @Test func `a picture is told in the same bytes however it was got`() {
        let image = StoredImage(directory: "d", sha256: "ab", bytes: 7, facts: ImageInfo(type: .svg, size: nil))
        let texts = ["fetched", "cached", "revalidated", "stale", "data"].map {
            Self.text(ImageOutcome(image, origin: $0), nil)
        }
        #expect(Set(texts).count == 1 && texts[0].hasSuffix(#"image/svg+xml","status":"ok"}"#), "\(texts)")
    }

    @Test(arguments: [
        ImageFault("not an image but JSON; check the URL"), ImageFault("a", kind: "b"),
        ImageFault(HTTPFailure(.status(404))),
    ])
    func `a fault is what it was after the cache had it as a note, and no picture's note is one`(fault: ImageFault)
    {
        #expect(ImageFault(note: fault.note) == fault)
        for text in ["", "!", "!a", "!a\nb\nc", "ab12 7 png", "ab12 7 png\n8"] {
            #expect(ImageFault(note: Array(text.utf8)) == nil, "\(text)")
        }
    }
}

// The last message of a run with failures.

@Suite("The causes of failures")
struct FailureCausesTests {
    private static func summary(_ faults: [ImageFault]) -> String? {
        var causes = FailureCauses()
        for (index, fault) in faults.enumerated() { causes.count(fault, at: .init(line: index + 1)) }
        return causes.summary(records: 120, input: "<stdin>")
    }

    private static let json = ImageFault(.notAnImage(.json))

    @Test func `where nothing failed there is no message`() { #expect(Self.summary([]) == nil) }

    @Test func `one cause is told with its first line and its cure`() {
        #expect(
            Self.summary([Self.json, Self.json])
                == "2 of 120 records have no picture: not an image but JSON (first at <stdin>:1; check the URL)")
    }

    @Test func `of several causes the most frequent comes first, each with its cure`() {
        let gone = ImageFault("a answered 404; check the address")
        #expect(
            Self.summary([Self.json, gone, gone])
                == "3 of 120 records have no picture: 2 × a answered 404 (first at <stdin>:2; check the address); "
                + "1 × not an image but JSON (first at <stdin>:1; check the URL)")
    }

    @Test func `failures that differ in what belongs to one picture alone are one cause`() {
        let dead = ["a", "b"].map {
            ImageFault(
                "\($0) refused the connection; look", kind: "a host refused the connection; look")
        }
        #expect(
            Self.summary(dead)
                == "2 of 120 records have no picture: a host refused the connection (first at <stdin>:1; look)"
        )
        let large = [(5, 6), (7, 8)].map { ImageFault(.tooManyPixels(.png, width: $0.0, height: $0.1, limit: 9)) }
        #expect(
            Self.summary(large)
                == "2 of 120 records have no picture: a picture of more than 9 pixels (first at <stdin>:1; "
                + "ask for a smaller one)")
        let schemes = ["ftp", "file"].map { ImageFault(HTTPFailure(.refusedScheme($0))) }
        #expect(Self.summary(schemes)?.contains(": a URL of another scheme is refused (first") == true)
        #expect(Self.summary([schemes[0]])?.contains(": a URL of the scheme ftp is refused (first") == true)
    }

    @Test func `however many causes there are, eight are named, and all are counted`() throws {
        let faults = (0..<1000).flatMap { [ImageFault("cause \($0); cure \($0)"), Self.json] }
        let summary = try #require(Self.summary(faults))
        let named = (0..<7).map { "1 × cause \($0) (first at <stdin>:\(2 * $0 + 1); cure \($0)); " }.joined()
        #expect(
            summary == "2,000 of 120 records have no picture: 1,000 × not an image but JSON (first at <stdin>:2; "
                + "check the URL); \(named)993 × other reasons")
        let long = ImageFault(HTTPFailure(.refusedScheme(String(repeating: "x", count: 1 << 16))))
        #expect(try #require(Self.summary([long])).count < 400)
    }

    @Test func `where records have several pictures, pictures are counted`() {
        var causes = FailureCauses()
        for line in [3, 3] { causes.count(Self.json, at: .init(line: line)) }
        #expect(
            causes.summary(of: .all, records: 9, pictures: 40, input: "f")
                == "2 of 40 pictures are missing: not an image but JSON (first at f:3; check the URL)")
        let gone = (0..<20).map { ImageFault("cause \($0)") }
        for fault in gone { causes.count(fault, at: .init(line: 5)) }
        let text = causes.summary(of: .all, records: 9, pictures: 40, input: "f") ?? ""
        let named = (0..<7).map { "1 × cause \($0) (first at f:5)" }.joined(separator: "; ")
        #expect(text.contains(named), "causes of one record come in its order: \(text)")
    }

    @Test func `the first line is that of the input, in whatever order they come`() {
        var causes = FailureCauses()
        for line in [9, 4, 7] { causes.count(Self.json, at: .init(line: line, url: "u\(line)")) }
        #expect(causes.summary(records: 9, input: "f")?.contains("(first at f:4, u4;") == true)
    }
}
