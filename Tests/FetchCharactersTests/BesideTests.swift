// What stood beside the records of one response when its list was learnt, and what a run says of each difference.

import PipelineCore
import PipelineHTTP
import TestSupport
import Testing

@testable import fetch_characters

struct BesideTests {
    private static func page(_ beside: String, records: Int = 2, _ shape: String = "{}") throws -> (Page, Source) {
        let source = try Source.having(#""pagination":{"type":"none"},"beside":\#(shape)"#)
        var reader = PageReader(source)
        let list = (0..<records).map { #"{"id":\#($0),"x":[{}]}"# }.joined(separator: ",")
        let body = #"{"data":[\#(list)]\#(beside.isEmpty ? "" : "," + beside)}"#
        return (try reader.read(Array(body.utf8), HTTPHeaders(), isList: true), source)
    }

    private static func difference(_ shape: String, _ beside: String) throws -> String? {
        let (page, source) = try page(beside, shape)
        return source.beside?.difference(from: page.beside, listed: page.listed)
    }

    static let learnt =
        #"{"$.n":"records","$.t":"number","$.u":"nothing","$.ok":true,"$.s":"text","$.m.a":"array"}"#

    static let same = [
        "", #""n":2"#, #""n":"2","t":-1.5"#, #""t":0,"u":null"#, #""u":[],"ok":true"#, #""u":{},"s":"x""#,
        #""u":false,"s":null"#, #""m":{"a":[1]},"other":null"#, #""m":{"a":[]},"more":false"#,
        #""m":null,"ok":null"#,
        #""m":{"b":{"c":{}}}"#,
    ]

    @Test(arguments: same) func `what is gone, or has no value any more, says nothing`(beside: String) throws {
        #expect(try Self.difference(Self.learnt, beside) == nil)
    }

    static let now = "now, which had no value when the list was learnt"

    static let different: [(beside: String, finding: String)] = [
        (#""u":"/p2""#, "the response has $.u \(now)"), (#""u":true"#, "the response has $.u \(now)"),
        (#""u":0"#, "the response has $.u \(now)"), (#""x y":1"#, "the response has $['x y'] \(now)"),
        (#""m":{"b":{"c":[0]}}"#, "the response has $.m.b.c \(now)"),
        (#""u":{"v":1}"#, "the response has $.u.v \(now)"),
        (#""ok":false"#, "$.ok is false now, which was true when the list was learnt"),
        (#""n":3"#, "the response has 2 records, and $.n, which counted them when the list was learnt, is 3 now"),
        (#""n":"many""#, "$.n is a text now, which was a number when the list was learnt"),
        (#""t":"1""#, "$.t is a text now, which was a number when the list was learnt"),
        (#""s":["x"]"#, "$.s is an array now, which was a text when the list was learnt"),
        (#""m":{"a":{"b":1}}"#, "the response has $.m.a.b \(now)"),
    ]

    @Test(arguments: different) func `whatever has a value that had none, or is something else, is told`(
        beside: String, finding: String
    ) throws {
        #expect(try Self.difference(Self.learnt, beside) == finding)
    }

    @Test func `what is beyond forty members or three levels says nothing`() throws {
        let many = (0..<60).map { "\"m\($0)\":\($0)" }.joined(separator: ",")
        let (page, _) = try Self.page(many + #","deep":{"a":{"b":{"c":1}}}"#)
        let shape = BesideShape(of: page.beside.tree, besides: ["data"]) { _, _ in false }
        #expect(shape.members.count == 40)
        #expect(
            try Self.difference(shape.json.json, many.replacing("\"m59\":59", with: "\"m59\":[1],\"z\":1")) == nil)
        let deep = #"{"$.deep.a.b":"object"}"#
        #expect(try Self.difference(deep, #""deep":{"a":{"b":{"c":"other","d":[1]}}}"#) == nil)
    }

    /// A random value without the records.
    private static func value(_ random: inout SplitMix64, levels: Int) -> JSONTree {
        switch Int.random(in: 0..<(levels > 0 ? 9 : 7), using: &random) {
        case 0: .null
        case 1: .boolean(Bool.random(using: &random))
        case 2: .string("")
        case 3: .string("text")
        case 4: .integer(Int.random(in: 0...9, using: &random))
        case 5: .array([])
        case 6: .array([.integer(1)])
        default:
            .object(
                (0..<Int.random(in: 0...3, using: &random)).map { ("k\($0)", value(&random, levels: levels - 1)) })
        }
    }

    @Test(arguments: 0..<200) func `a response is as it was learnt, whatever stands beside its records`(seed: Int)
        throws
    {
        var random = SplitMix64(seed: UInt64(seed))
        let members = (0..<Int.random(in: 0...6, using: &random)).map { ("m\($0)", Self.value(&random, levels: 3)) }
        let text = JSONTree.object(members).json.dropFirst().dropLast()
        let (page, _) = try Self.page(String(text))
        let shape = BesideShape(of: page.beside.tree, besides: ["data"]) { _, count in count == page.listed }
        #expect(try Self.difference(shape.json.json, String(text)) == nil)
        // A description has what is noted, and gives it back.
        let source = try Source.having(#""pagination":{"type":"none"},"beside":\#(shape.json.json)"#)
        #expect(source.beside == shape)
    }

    @Test(arguments: [
        (#"{"type":"page","parameter":"p"}"#, "{}", "$.beside: is for a list of one response"),
        (#"{"type":"none"}"#, #"{"$.a.b.c.d":"text"}"#, "takes a path of one to 3 names"),
        (#"{"type":"none"}"#, #"{"$.a[0]":"text"}"#, "takes a path of one to 3 names"),
        (#"{"type":"none"}"#, #"{"$.a":"texts"}"#, "'texts' is not known"),
        (#"{"type":"none"}"#, #"{"$.a":1}"#, "takes a text or true or false, not an integer"),
    ])
    func `a description says it right`(pagination: String, beside: String, mistake: String) {
        let text =
            #"{"name":"t","baseURL":"https://h","path":"/l","records":"$.data","pagination":\#(pagination),"beside":\#(beside)}"#
        let mistakes = Source.mistakes(text)
        #expect(mistakes.count == 1 && mistakes[0].contains(mistake), "\(mistakes)")
    }

    // MARK: Least totals and ranges

    @Test(
        arguments: [
            ("eq", 3, nil), ("gte", 2, "the service says that there are at least 2 records; got 2"),
            ("gte", 1, nil), (nil, 2, "the service says that there are at least 2 records; got 2"),
        ] as [(String?, Int, String?)])
    func `a total that is only a least number ends no list there`(relation: String?, total: Int, finding: String?)
        throws
    {
        let members = relation.map { #","relation":"\#($0)""# } ?? ""
        let source = try Source.having(
            #""pagination":{"type":"none","total":{"path":"$.hits.value","exact":"$.hits[?@ == 'eq']"}}"#)
        var reader = PageReader(source)
        let body = #"{"hits":{"value":\#(total)\#(members)},"data":[{},{}]}"#
        let page = try reader.read(Array(body.utf8), HTTPHeaders(), isList: true)
        var facts = PageFacts(unseen: 2, distinct: 2)
        facts.add(page, next: nil, at: try HTTPURL("https://h/list"))
        var walk = ListWalk(source, pageSize: nil, hash: .init(seed: 7))
        let verdict = walk.enter(facts)
        if case .incomplete(let text, _, _) = verdict {
            #expect(text == finding ?? "got 2 of 3")
        } else {
            #expect(verdict == .complete && finding == nil)
        }
    }

    @Test(
        arguments: [
            ("items 0-45/900", 900), ("items 0-1/2", nil), ("items 0-1/*", nil), ("Items 0-1/3", 3),
            ("bytes 0-1/900", nil),
            ("records 0-1/900", nil), ("items", nil), ("items 0-1", nil), ("items 0-1/9x", nil), ("items */4", 4),
        ] as [(String, Int?)])
    func `only items of Content-Range count`(field: String, whole: Int?) throws {
        let source = try Source.having(#""pagination":{"type":"none"}"#)
        var reader = PageReader(source)
        var headers = HTTPHeaders()
        headers.append("Content-Range", field)
        let page = try reader.read(Array(#"{"data":[{},{}]}"#.utf8), headers, isList: true)
        #expect(page.lead.sign == whole.map { "more records follow, as the header Content-Range counts \($0)" })
    }
}
