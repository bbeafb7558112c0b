// Bodies taken apart into records, and the words for what is no page.

import PipelineCore
import PipelineHTTP
import Testing

struct SourcePageTests {
    func page(_ body: [UInt8], countsPages: Bool = true) throws(SourcePage.Fault) -> SourcePage {
        try SourcePage(body.span, of: .disney, countsPages: countsPages)
    }

    func records(_ text: String) throws -> [String] {
        let body = Array(text.utf8)
        return try page(body).records.map { String(decoding: body[$0], as: UTF8.self) }
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
            #expect(throws: SourcePage.Fault.cutShort, "at byte \(count)") { try page(Array(body[..<count])) }
        }
        #expect(throws: Never.self) { try page(body) }
    }

    @Test(arguments: [
        ("<!DOCTYPE html><p>", "HTML"), (" \n<html>", "HTML"), ("\u{FEFF}<a/>", "HTML"), ("hello", "isn't JSON"),
        ("[]", "without 'data'"), ("{}", "without 'data'"), (#"{"data":[]}"#, "info.totalPages"),
        (#"{"info":{"totalPages":null},"data":[]}"#, "info.totalPages"),
        (#"{"info":{"totalPages":-1},"data":[]}"#, "info.totalPages"),
        (#"{"info":{"totalPages":"3"},"data":[]}"#, "info.totalPages"),
        (#"{"info":{"totalPages":1},"data":7}"#, "no array"), (#"{"info":{"totalPages":1},"data":[1]}"#, "object"),
        (#"{"info":{"totalPages":1},"data":[{}]}x"#, "isn't JSON"), (#"{"data":[{'a':1}]}"#, "isn't JSON"),
        ("{\"data\":\"\u{1}\"}", "isn't JSON"),
    ])
    func `what is no page is named`(text: String, words: String) {
        let fault = #expect(throws: SourcePage.Fault.self) { try page(Array(text.utf8)) }
        guard case .broken(let finding)? = fault else {
            Issue.record("\(String(describing: fault))")
            return
        }
        #expect(finding.contains(words), "\(finding)")
    }

    @Test func `UTF-16 is named`() {
        #expect(throws: SourcePage.Fault.broken("UTF-16, not UTF-8")) { try page([0xFF, 0xFE, 0x7B, 0x00]) }
    }

    @Test func `one record needs no count of pages`() throws {
        #expect(try page(Array(#"{"data":{}}"#.utf8), countsPages: false).records.count == 1)
    }
}
