// Records that aren't a plain array of objects: objects of objects, scalars, lines, and paths that choose.

import PipelineCore
import PipelineHTTP
import Testing

@testable import fetch_characters

struct RecordFinderTests {
    /// The records of an answer, and how many elements it lists.
    func read(
        _ records: String, _ body: String, _ more: String = "", isList: Bool = true
    ) throws -> (records: [String], listed: Int) {
        let text = """
            {"name":"t","baseURL":"https://h","records":\(records),"pagination":{"type":"none"},
            "members":{"id":"id"}\(more)}
            """
        var reader = PageReader(try Source(description: Array(text.utf8).span))
        let page = try reader.read(Array(body.utf8), HTTPHeaders(), isList: isList)
        let bytes = page.text ?? Array(body.utf8)
        return (page.records.map { String(decoding: bytes[$0.range], as: UTF8.self) }, page.listed)
    }

    func finding(_ body: () throws -> some Any) -> String? {
        let fault = #expect(throws: Page.Fault.self) { try body() }
        return fault?.finding
    }

    @Test(arguments: ["$.g[*].i[*]", "$.g[*].i"]) func `a page of lists in a list is as long as the outer one`(
        records: String
    ) throws {
        let page = try read("\"\(records)\"", #"{"g":[{"i":[{"id":1},{"id":2}]},{"i":[]},{"i":[{"id":3}]}]}"#)
        #expect(page.records.count == 3 && page.listed == 3)
        #expect(try read("\"\(records)\"", #"{"g":[{"i":[{"id":1},{"id":2},{"id":3}]}]}"#).listed == 1)
    }

    // MARK: Objects of records

    @Test(arguments: [
        (#"{"c":{"a":{"n":1},"b":{}}}"#, [#"{"id":"a","n":1}"#, #"{"id":"b"}"#]),
        // What is no object is wrapped.
        (
            #"{"c":{"a":[1],"b":"x","c":null,"d":-1.50}}"#,
            [
                #"{"id":"a","value":[1]}"#, #"{"id":"b","value":"x"}"#,
                #"{"id":"d","value":-1.50}"#,
            ]
        ),
        // A member that has the name already keeps it with underscores, as many as nobody has.
        (#"{"c":{"a":{"id":7,"n":1}}}"#, [#"{"id":"a","_id":7,"n":1}"#]),
        (#"{"c":{"a":{"_id":1,"id":7,"__id":2}}}"#, [#"{"id":"a","_id":1,"___id":7,"__id":2}"#]),
        (#"{"c":{"a":{"id":1,"id":2}}}"#, [#"{"id":"a","_id":1,"_id":2}"#]),
        (#"{"c":{"a":{"\u0069d":1,"_\u0069d":2}}}"#, [#"{"id":"a","__\u0069d":1,"_\u0069d":2}"#]),
        (#"{"c":{"a":{"x":{"id":1}}}}"#, [#"{"id":"a","x":{"id":1}}"#]),
        // Names as they are written, twice, empty, and with escapes.
        (
            #"{"c":{"a":{},"a":{},"":{},"\"\u00e9\\":{"n":1}}}"#,
            [#"{"id":"a"}"#, #"{"id":"a"}"#, #"{"id":""}"#, #"{"id":"\"\u00e9\\","n":1}"#]
        ),
        (#"{"c":{ "a" : { "n" : 1 } , "b":{ } }}"#, [#"{"id":"a", "n" : 1 }"#, #"{"id":"b" }"#]),
        (#"{"c":{}}"#, []), (#"{"c":[]}"#, []), (#"{"c":[ ]}"#, []),
    ])
    func `an object of records gives each the name as a member`(body: String, expected: [String]) throws {
        #expect(try read(#"{"path":"$.c","key":"id"}"#, body).records == expected)
    }

    @Test func `a key named value keeps what is wrapped apart`() throws {
        #expect(try read(#"{"path":"$","key":"value"}"#, #"{"a":5}"#).records == [#"{"value":"a","_value":5}"#])
    }

    @Test(arguments: [#"{"c":[{}]}"#, #"{"c":5}"#, #"{"c":null}"#, "{}"])
    func `what is no object of records is named`(body: String) {
        #expect(finding { try read(#"{"path":"$.c","key":"id"}"#, body) }?.contains("'$.c'") == true)
    }

    @Test func `a single record is known by its id where any object may be a list`() throws {
        let records = #"{"path":"$","key":"id"}"#
        #expect(try read(records, #"{"id":5,"n":{}}"#, isList: false).records == [#"{"id":5,"n":{}}"#])
        #expect(try read(records, #"{"a":{"n":1}}"#, isList: false).records == [#"{"id":"a","n":1}"#])
    }

    @Test func `a hundred thousand records and as many names in the way are read in linear time`() throws {
        let many = (0..<100_000).map { "\"k\($0)\":{\"id\":\($0)}" }.joined(separator: ",")
        let page = try read(#"{"path":"$","key":"id"}"#, "{\(many)}")
        #expect(page.records.count == 100_000 && page.records.last == #"{"id":"k99999","_id":99999}"#)
        let names = (1...2_000).map { "\"\(String(repeating: "_", count: $0))id\":0" }.joined(separator: ",")
        let one = try read(#"{"path":"$","key":"id"}"#, "{\"a\":{\(names),\"id\":1}}").records[0]
        #expect(one.hasSuffix(",\"\(String(repeating: "_", count: 2_001))id\":1}"))
    }

    // MARK: Elements that are no objects

    @Test(arguments: [
        (
            "[1,{\"a\":1},\"x\",[2],null,false]",
            [
                #"{"value":1}"#, #"{"a":1}"#, #"{"value":"x"}"#, #"{"value":[2]}"#, #"{"value":false}"#,
            ]
        ), ("[[]]", [#"{"value":[]}"#]), ("[ 1 , 2 ]", [#"{"value":1}"#, #"{"value":2}"#]), ("[]", []),
    ])
    func `elements that are no objects are wrapped`(array: String, expected: [String]) throws {
        #expect(try read("\"$\"", array).records == expected)
        #expect(try read("\"$.d\"", "\u{FEFF}{\"x\":[],\"d\":\(array)}").records == expected)
    }

    static let withNulls: [(records: String, body: String, wanted: [String])] = [
        ("\"$\"", #"[{"a":1},null,{"a":2},null]"#, [#"{"a":1}"#, #"{"a":2}"#]),
        ("\"$\"", "[null,1]", [#"{"value":1}"#]), ("\"$.d[*]\"", #"{"d":[null,{}]}"#, ["{}"]),
        ("\"$.d[*].node\"", #"{"d":[{"node":{"a":1}},{"node":null}]}"#, [#"{"a":1}"#]),
        (#"{"path":"$","key":"id"}"#, #"{"a":null,"b":{}}"#, [#"{"id":"b"}"#]),
    ]

    @Test(arguments: withNulls) func `a null is no record, and counts for the size of its page`(
        records: String, body: String, wanted: [String]
    ) throws {
        let page = try read(records, body)
        #expect(page.records == wanted && page.listed == body.split(separator: "null").count - 1 + wanted.count)
    }

    @Test func `records nested as deep as JSON may be are whole`() throws {
        let deep = String(repeating: "[", count: 510) + String(repeating: "]", count: 510)
        #expect(try read("\"$\"", "[{\"a\":\(deep)}]").records == ["{\"a\":\(deep)}"])
        #expect(try read("\"$\"", "[[\(deep)]]").records == ["{\"value\":[\(deep)]}"])
        #expect(try read("\"$\"", "[\(deep)]", #","format":"lines""#).records == ["{\"value\":[\(deep)]}"])
        #expect(finding { try read("\"$\"", "[[\(deep)]]", #","format":"lines""#) }?.contains("line 1") == true)
    }

    // MARK: Lines

    @Test(arguments: [
        ("{\"a\":1}\n{\"a\":2}\n", [#"{"a":1}"#, #"{"a":2}"#]),
        ("\u{FEFF}{\"a\":1}\r\n\r\n \t\n{\"a\":2}", [#"{"a":1}"#, #"{"a":2}"#]),
        ("1\n[2]\n\"x\"\n{}\n", [#"{"value":1}"#, #"{"value":[2]}"#, #"{"value":"x"}"#, "{}"]),
        ("", []), ("\n\n", []), (" {\"a\":1} \n", [#"{"a":1}"#]),
    ])
    func `each line is a record`(body: String, expected: [String]) throws {
        let page = try read("\"$\"", body, #","format":"lines""#)
        #expect(page.records == expected && page.listed == expected.count)
    }

    @Test func `a bad line is named, and a text cut within its last line is cut short`() throws {
        let lines = #","format":"lines""#
        #expect(finding { try read("\"$\"", "{}\n\n{\"a\":}\n{}\n", lines) }?.hasPrefix("line 3: ") == true)
        #expect(finding { try read("\"$\"", "{\"a\":\n{}\n", lines) } == "line 1: text that isn't JSON")
        #expect(finding { try read("\"$\"", "<html>\n", lines) } == "line 1: an HTML or XML page, not JSON")
        let body = "{\"a\":[1,{\"b\":\"é\"}]}\n{\"a\":true}"
        for count in 1..<body.utf8.count where body.utf8.prefix(count).last != 0x0A && count != 20 {
            let cut = Array(body.utf8.prefix(count))
            var reader = PageReader(try Source(description: Array(Self.lines.utf8).span))
            #expect(throws: Page.Fault.cutShort, "at byte \(count)") {
                try reader.read(cut, HTTPHeaders(), isList: true)
            }
        }
        #expect(throws: Page.Fault.refused("slow down")) {
            try read("\"$\"", "{\"id\":1}\n{\"error\":\"slow down\"}\n", lines)
        }
    }

    static let lines = """
        {"name":"t","baseURL":"https://h","format":"lines","pagination":{"type":"none"},"members":{"id":"id"}}
        """

    @Test func `a single record may be spread over lines`() throws {
        let record = "{\n  \"id\": 3\n}"
        #expect(try read("\"$\"", record, #","format":"lines""#, isList: false).records == [record])
        #expect(try read("\"$\"", "{\"a\":1}\n", #","format":"lines""#, isList: false).records == [#"{"a":1}"#])
    }

    // MARK: Paths that choose

    @Test(arguments: [
        (
            "$.data[*].items[*]", #"{"data":[{"items":[{"a":1}]},{},{"items":[2]}]}"#,
            [#"{"a":1}"#, #"{"value":2}"#], 3
        ),
        ("$.data[*].items[*]", #"{"data":[{"items":[]},{}]}"#, [], 2),
        ("$.data[*].items[*]", #"{"data":[]}"#, [], 0),
        ("$.data[*].items", #"{"data":[{"items":[{"a":1}]},{"items":null}]}"#, [#"{"a":1}"#], 2),
        ("$.data[?@.k=='x']", #"{"data":[{"k":"x"},{"k":"y"},7]}"#, [#"{"k":"x"}"#], 3),
        ("$.data[?@.k=='x']", #"{"data":[{"k":"y"},{}]}"#, [], 2), ("$.data[?@.k=='x']", #"{"data":[]}"#, [], 0),
        (
            "$.data[?@.k].items[*]", #"{"data":[{"k":1,"items":[{"a":1},{"a":2}]},{}]}"#,
            [#"{"a":1}"#, #"{"a":2}"#], 2
        ),
        ("$..card", #"{"x":{"card":{"a":1}},"y":[{"card":{"a":2}}]}"#, [#"{"a":1}"#, #"{"a":2}"#], 2),
        ("$..card", #"{"x":[1,2]}"#, [], 0), ("$.data[1:]", #"{"data":[{"a":1}]}"#, [], 1),
        ("$['a','b']", #"{"b":{"n":1},"a":null}"#, [#"{"n":1}"#], 1),
    ])
    func `a path that chooses may find nothing, and what it chose from is counted`(
        path: String, body: String, expected: [String], listed: Int
    ) throws {
        let page = try read("\"\(path)\"", body)
        #expect(page.records == expected && page.listed == listed)
    }

    @Test(arguments: [
        ("$.data[*].items[*]", "{}", "without"), ("$.data[*]", #"{"data":null}"#, "no array"),
        ("$.data[?@.k]", #"{"data":5}"#, "no array"), ("$.data[?@.k]", "[]", "without"),
        ("$['a','b']", "{}", "without"), ("$.a.b", #"{"a":[],"c":1}"#, "a and c, but no"),
        ("$.a", #"{"a":null}"#, "no array"),
        ("$.a", #"{"a":"x"}"#, "no array"),
    ])
    func `a member that must be there is missed though a wildcard follows`(
        path: String, body: String, words: String
    ) {
        let finding = finding { try read("\"\(path)\"", body) }
        #expect(finding?.contains(words) == true && finding?.contains("'\(path)'") == true, "\(finding ?? "nil")")
    }

    @Test func `what isn't JSON is no single record either`() {
        #expect(
            finding { try read("\"$.data\"", #"{"id":3,'a':1}"#, isList: false) }?.contains("isn't JSON") == true)
    }

    // MARK: Refusals

    func fault(_ body: String) -> Page.Fault? {
        let paths = #","errors":"$.error","busy":"$.busy""#
        return #expect(throws: Page.Fault.self) { try read("\"$\"", body, paths) }
    }

    @Test(arguments: [
        (#"{"error":"no such \u0066ield"}"#, "no such field"), (#"{"error":true}"#, "true"),
        (#"{"error":17}"#, "17"),
        (#"{"error":[{"code":"E1","message":"bad"}]}"#, "bad"), (#"{"error":{"code":"","text":"t"}}"#, "t"),
        (#"{"error":{"a":["x",{"message":{"b":"c"}}]}}"#, "x"), (#"{"error":[{}]}"#, "[{}]"),
    ])
    func `a refusal says what the service has against it`(body: String, text: String) {
        #expect(fault(body) == .refused(text))
    }

    @Test func `a service that is busy isn't a refusal`() {
        #expect(fault(#"{"busy":1,"error":"wait"}"#) == .busy)
    }

    @Test(arguments: ["null", "false", "0", "-0.00", "0e5", "\"\"", "[]", "[ ]", "{}", "{\n}", "\"false\""])
    func `nothing in any spelling is no refusal`(value: String) throws {
        let record = "{\"error\":\(value),\"busy\":\(value)}"
        #expect(try read("\"$\"", record, #","errors":"$.error","busy":"$.busy""#).records == [record])
    }

    @Test(arguments: ["true", "1", "0.1", "\"0\"", "\" \"", "[null]", "{\"a\":null}"])
    func `anything else is one`(value: String) throws {
        #expect(fault("{\"error\":\(value)}") != nil)
        #expect(fault("{\"busy\":\(value)}") == .busy)
        #expect(throws: Page.Fault.busy) {
            try read("\"$\"", "{}\n{\"busy\":\(value)}\n", #","format":"lines","busy":"$.busy""#)
        }
    }
}
