// Bodies taken apart into records, and the words for what is no page.

import PipelineCore
import PipelineHTTP
import Testing

@testable import fetch_characters

struct SourcePageTests {
    func page(_ body: [UInt8], isList: Bool = true) throws -> Page {
        var reader = PageReader(try .named("disney"))
        return try reader.read(body, HTTPHeaders(), isList: isList)
    }

    func records(_ text: String) throws -> [String] {
        let body = Array(text.utf8)
        let page = try page(body)
        let source = page.text ?? body
        return page.records.map { String(decoding: source[$0.range], as: UTF8.self) }
    }

    @Test(arguments: [
        (#"{"info":{"totalPages":2},"data":[{"a":1}, {"b":[2,{}]}]}"#, [#"{"a":1}"#, #"{"b":[2,{}]}"#]),
        (#"{"info":{"totalPages":1},"data":{"a":{"data":1}}}"#, [#"{"a":{"data":1}}"#]),
        (#"{"info":{"totalPages":0},"data":[]}"#, []),
        (#"{"data":[{"a":1}],"info":{"x":{"totalPages":"no"},"totalPages":1}}"#, [#"{"a":1}"#]),
        ("\u{FEFF}{\"d\\u0061ta\":[{}],\"info\":{\"totalPages\":1}}\r\n", ["{}"]),
    ])
    func `an array, one object or none gives its records`(text: String, expected: [String]) throws {
        #expect(try records(text) == expected)
    }

    @Test func `a body cut anywhere is cut short`() {
        let text = #"{"info":{"totalPages":2,"next":null,"ok":true,"n":-1.5e+3},"data":[{"a":"é\u00e9\"","b":[]}]}"#
        let body = Array(text.utf8)
        for count in 0..<body.count {
            #expect(throws: Page.Fault.cutShort, "at byte \(count)") { try page(Array(body[..<count])) }
        }
        #expect(throws: Never.self) { try page(body) }
    }

    @Test(arguments: [
        ("<!DOCTYPE html><p>", "HTML"), (" \n<html>", "HTML"), ("\u{FEFF}<a/>", "HTML"), ("hello", "isn't JSON"),
        ("[]", "without '$.data'"), ("{}", "without '$.data'"), (#"{"data":[]}"#, "info.totalPages"),
        (#"{"info":{"totalPages":-1},"data":[]}"#, "info.totalPages"),
        (#"{"info":{"totalPages":"3 pages"},"data":[]}"#, "info.totalPages"),
        (#"{"info":{"totalPages":"0x3"},"data":[]}"#, "info.totalPages"),
        (#"{"info":{"totalPages":""},"data":[]}"#, "info.totalPages"),
        (#"{"info":{"totalPages":1},"data":7}"#, "no array"),
        (#"{"info":{"totalPages":1},"data":[{}]}x"#, "isn't JSON"), (#"{"data":[{'a':1}]}"#, "isn't JSON"),
        ("{\"data\":\"\u{1}\"}", "isn't JSON"),
    ])
    func `what is no page is named`(text: String, words: String) {
        let fault = #expect(throws: Page.Fault.self) { try page(Array(text.utf8)) }
        #expect(fault?.finding?.contains(words) == true, "\(String(describing: fault))")
    }

    @Test func `UTF-16 is named`() {
        #expect(throws: Page.Fault.foreign("UTF-16, not UTF-8")) { try page([0xFF, 0xFE, 0x7B, 0x00]) }
    }

    @Test func `one record needs no count of pages`() throws {
        #expect(try page(Array(#"{"data":{}}"#.utf8), isList: false).records.count == 1)
    }

    func read(_ pagination: String, _ body: String, _ headers: [(String, String)] = []) throws -> Page {
        var reader = PageReader(try .having(#""pagination":\#(pagination)"#))
        var fields = HTTPHeaders()
        for (name, value) in headers { fields.append(name, value) }
        return try reader.read(Array(body.utf8), fields, isList: true)
    }

    @Test(
        arguments: [
            (#"{"data":[],"n":"x y"}"#, "x y"), (#"{"data":[],"n":null}"#, nil), (#"{"data":[],"n":""}"#, nil),
            (#"{"data":[],"n":false}"#, nil), (#"{"data":[]}"#, nil), (#"{"data":[],"n":17}"#, "17"),
            (#"{"data":[],"n":"\u0026"}"#, "&"),
        ] as [(String, String?)])
    func `what leads to the next page is a text or a number`(body: String, expected: String?) throws {
        let page = try read(#"{"type":"cursor","parameter":"c","next":"n"}"#, body)
        #expect(Self.cursors(page).map { $0.map { $0?.text } } == expected.map { [$0] })
        #expect(try read(#"{"type":"next-url","next":"$.n"}"#, body).lead.next == expected.map { .link($0) })
    }

    @Test(arguments: [(" \\t/list?p=2\\n ", "/list?p=2"), (" ", nil)] as [(String, String?)])
    func `white space is no part of a link, but of a cursor`(text: String, link: String?) throws {
        let body = "{\"data\":[],\"n\":\"\(text)\"}"
        #expect(try read(#"{"type":"next-url","next":"n"}"#, body).lead.next == link.map { .link($0) })
        let cursors = Self.cursors(try read(#"{"type":"cursor","parameter":"c","next":"n"}"#, body))
        #expect(cursors?.first??.text.hasPrefix(" ") == true)
    }

    static func cursors(_ page: Page) -> [JSONTree?]? {
        if case .cursor(let values)? = page.lead.next { values } else { nil }
    }

    @Test(arguments: [("51", 51), ("\"51\"", 51), ("51.0", 51), ("\"51.0\"", 51), ("\"0\"", 0), ("null", nil)])
    func `a count may be written as a text, and says nothing as null`(count: String, expected: Int?) throws {
        let pagination = #"{"type":"page","parameter":"p","total":{"path":"n"}}"#
        #expect(try read(pagination, "{\"data\":[],\"n\":\(count)}").lead.count == expected)
    }

    @Test(
        arguments: [
            (#""a\u0026b""#, #""a&b""#, "a&b"), ("17", "17", "17"), ("1.50", "1.50", "1.50"),
        ] as [(String, String, String)])
    func `a cursor keeps the JSON that it was`(value: String, json: String, text: String) throws {
        let page = try read(#"{"type":"cursor","parameter":"c","next":"n"}"#, "{\"data\":[],\"n\":\(value)}")
        let cursor = try #require(Self.cursors(page)?[0])
        #expect(cursor.json == json && cursor.text == text)
    }

    @Test func `a response that counts no records may lack their list`() throws {
        let source = try Source.having(#""pagination":{"type":"page","parameter":"p","total":{"path":"total"}}"#)
        var reader = PageReader(source)
        #expect(try reader.read(Array(#"{"total":0}"#.utf8), .init(), isList: true).listed == 0)
        #expect(throws: Page.Fault.self) {
            try reader.read(Array(#"{"total":1}"#.utf8), .init(), isList: true)
        }
    }

    @Test(arguments: ["0", "-1", #""0""#, #""-1""#, "null", "false", #""""#])
    func `a cursor that leads nowhere is none`(value: String) throws {
        let page = try read(#"{"type":"cursor","parameter":"c","next":"n"}"#, "{\"data\":[],\"n\":\(value)}")
        #expect(page.lead.next == nil)
    }

    @Test(arguments: [
        (#"$[?$.is_last == false]"#, #"{"data":[],"is_last":false}"#, true),
        (#"$[?$.is_last == false]"#, #"{"data":[],"is_last":true}"#, false),
        (#"$.links[?@.rel == 'next']"#, #"{"data":[],"links":[{"rel":"next"}]}"#, true),
        (#"$.links[?@.rel == 'next']"#, #"{"data":[],"links":[]}"#, false),
        ("$.more", #"{"data":[],"more":0}"#, false), ("$.more", #"{"data":[]}"#, nil),
    ])
    func `a filter says that another page follows by what it finds`(
        path: String, body: String, expected: Bool?
    ) throws {
        let pagination = #"{"type":"page","parameter":"p","more":"\#(path)"}"#
        #expect(try read(pagination, body).lead.hasMore == expected)
    }

    static let together = #"{"type":"cursor","next":{"values":{"from":"$.c.from","continue":"$.c.continue"}}}"#

    @Test(
        arguments: [
            (#"{"data":[],"c":{"from":"a","continue":"-||"}}"#, ["a", "-||"]),
            (#"{"data":[],"c":{"continue":7}}"#, [nil, "7"]), (#"{"data":[],"c":{"from":""}}"#, nil),
            (#"{"data":[],"c":{"from":null,"continue":false}}"#, nil), (#"{"data":[]}"#, nil),
        ] as [(String, [String?]?)])
    func `several values lead on together, and none of them is the end`(body: String, expected: [String?]?) throws {
        #expect(Self.cursors(try read(Self.together, body)).map { $0.map { $0?.text } } == expected)
    }

    @Test func `what leads on may be in a header`() throws {
        let headers = [("X-Next", " /list?p=2")]
        let link = try read(#"{"type":"next-url","next":{"header":"x-next"}}"#, #"{"data":[]}"#, headers)
        #expect(link.lead.next == .link("/list?p=2"))
        let pagination = #"{"type":"cursor","parameter":"c","next":{"header":"X-Next"}}"#
        let page = try read(pagination, #"{"data":[]}"#, [("X-Next", "a\"b")])
        #expect(Self.cursors(page) == [.string("a\"b")])
        for headers in [[("X-Next", "")], []] {
            #expect(try read(pagination, #"{"data":[]}"#, headers).lead.next == nil)
        }
    }

    @Test(
        arguments: [
            ("true", true), ("1", true), ("-0.5", true), (#""yes""#, true), (#""true""#, true), ("[0]", true),
            (#"{"a":null}"#, true), ("false", false), ("null", false), ("0", false), ("0.0", false), ("-0", false),
            ("\"\"", false), (#""false""#, false), (#""f\u0061lse""#, false), ("[]", false), ("[ ]", false),
            ("{ \n}", false),
        ])
    func `another page follows where there is something`(value: String, expected: Bool) throws {
        let pagination = #"{"type":"page","parameter":"p","more":"$.more"}"#
        #expect(try read(pagination, "{\"data\":[],\"more\":\(value)}").lead.hasMore == expected)
    }

    @Test func `nothing says whether another page follows unless the description does`() throws {
        let said = #"{"data":[],"more":true}"#
        #expect(try read(#"{"type":"page","parameter":"p"}"#, said).lead.hasMore == nil)
    }

    @Test func `a next page that is neither is broken`() {
        #expect(throws: Page.Fault.self) {
            try read(#"{"type":"next-url","next":"n"}"#, #"{"data":[],"n":{"id":"x"}}"#)
        }
    }

    @Test func `counts stand in the body or in a header, which may be missing`() throws {
        let inHeader = #"{"type":"page","parameter":"p","total":{"header":"X-Total"}}"#
        #expect(try read(inHeader, #"{"data":[]}"#, [("x-total", "7")]).lead.count == 7)
        #expect(try read(inHeader, #"{"data":[]}"#).lead.count == nil)
        #expect(throws: Page.Fault.self) { try read(inHeader, #"{"data":[]}"#, [("X-Total", "many")]) }
        let inBody = #"{"type":"page","parameter":"p","total":{"path":"$.m.n"}}"#
        #expect(try read(inBody, #"{"data":[],"m":{"n":7}}"#).lead.count == 7)
        #expect(throws: Page.Fault.self) { try read(inBody, #"{"data":[]}"#) }
    }

    @Test func `a path may lead to the records in one of two places`() throws {
        let source = try Source.named("rijksmuseum-v1")
        var reader = PageReader(source)
        for body in [#"{"count":1,"artObjects":[{"a":1}]}"#, #"{"count":1,"artObject":{"a":1}}"#] {
            let page = try reader.read(Array(body.utf8), HTTPHeaders(), isList: false)
            #expect(
                page.records.map { String(decoding: Array(body.utf8)[$0.range], as: UTF8.self) } == [#"{"a":1}"#])
        }
    }
}
