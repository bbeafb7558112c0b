// Answers read while they come: in pieces of any size they give what the reader of whole pages gives.

import PipelineCore
import PipelineHTTP
import TestSupport
import Testing

@testable import fetch_characters

struct RecordStreamTests {
    struct Found: Equatable {
        var records: [String] = []
        var listed = 0
        var nulls = 0
        var lead: PageLead?
        /// What stands beside them.
        var beside: String?
        var fault: Page.Fault?
    }

    static func source(_ members: String) throws -> Source {
        let text = #"{"name":"t","baseURL":"https://h","members":{"id":"id"},\#(members)}"#
        return try Source(description: Array(text.utf8).span)
    }

    static func streamed(_ source: Source, _ body: [UInt8], sizes: () -> Int) throws -> Found {
        var stream = try #require(RecordStream(source))
        var buffer = PieceBuffer()
        var found = Found()
        var sent = 0
        var isLast = false
        do throws(Page.Fault) {
            while true {
                let used = try stream.take(buffer.text, offset: buffer.offset, isLast: isLast)
                for record in stream.finder.outline.records {
                    let own = stream.finder.text.map { $0.span.extracting(record.range).text }
                    found.records.append(own ?? buffer.text.extracting(record.range).text)
                }
                buffer.drop(used)
                guard used == 0, stream.finder.outline.records.isEmpty else { continue }
                if isLast { break }
                let piece = min(sizes(), body.count - sent)
                do throws(SystemError) { try buffer.append(body.span.extracting(sent..<sent + piece)) } catch {
                    Issue.record(error)
                }
                sent += piece
                isLast = sent == body.count
            }
            let end = try stream.end()
            (found.lead, found.listed, found.nulls) = (end.lead, end.listed, end.nulls)
            found.beside = end.beside.tree.json
        } catch {
            found.fault = error
        }
        return found
    }

    static func whole(_ source: Source, _ body: [UInt8]) -> Found {
        var reader = PageReader(source)
        var found = Found()
        do throws(Page.Fault) {
            let page = try reader.read(body, HTTPHeaders(), isList: true)
            let text = page.text ?? body
            found.records = page.records.map { String(decoding: text[$0.range], as: UTF8.self) }
            (found.lead, found.listed, found.nulls) = (page.lead, page.listed, page.nulls)
            found.beside = page.beside.tree.json
        } catch {
            found.fault = error
        }
        return found
    }

    static let none = #""pagination":{"type":"none"}"#
    static let next =
        #""pagination":{"type":"next-url","next":{"path":"$.info.next"},"total":{"path":"$.info.count"}}"#

    static let answers: [(members: String, body: String)] = [
        (#""records":"$",\#(none)"#, #" [ {"id":1,"é":"\"]}\\"} ,{}, {"a":{"b":[[]]}} ] "#),
        (#""records":"$",\#(none)"#, #"[1,"two",{"id":3},[4],null,{"id":6},-7.5e1,true]"#),
        (#""records":"$",\#(none)"#, #"{"id":"alone"}"#),
        (#""records":"$",\#(none)"#, "\u{FEFF}[{\"id\":1}]\r\n"),
        (
            #""records":"$.data",\#(next)"#,
            #"{"info":{"count":"2","next":"/p2"},"data":[{"id":1},{"id":2}],"x":[{"data":[0]}]}"#
        ),
        (#""records":"$.data",\#(next)"#, #"{"data":[{"id":1}],"z":{},"y":[],"info":{"next":null,"count":1}}"#),
        (#""records":"$.data",\#(next)"#, #"{"info":{"count":1,"next":"u"},"data":{"id":1,"data":[{}]}}"#),
        (
            #""records":"$.a.b",\#(none)"#,
            #"{"b":[{"no":1}],"a":{"a":{"b":[{"no":2}]},"\u0062":[{"id":1}],"c":-1.5},"d":"b"}"#
        ),
        (
            #""records":{"path":"$.m","key":"id"},\#(none)"#,
            #"{"m":{"a":{"n":1}, "b" : 5 ,"c":{"id":7},"\u0064":[]}}"#
        ),
        (#""records":{"path":"$","key":"id"},\#(none)"#, "{}"),
        (#""format":"lines",\#(none)"#, "{\"id\":1}\n\n \t\r\n[2]\r\n\"three\"\n{\"id\":4}"),
        (#""format":"lines",\#(none)"#, ""),
    ]

    @Test(arguments: answers, [1, 2, 3, 7, 64, 100_000])
    func `pieces of any size give what a page gives`(answer: (members: String, body: String), size: Int) throws {
        let source = try Self.source(answer.members)
        let body = Array(answer.body.utf8)
        let found = try Self.streamed(source, body) { size }
        #expect(found == Self.whole(source, body))
        #expect(found.fault == nil)
    }

    @Test(arguments: [
        (#"{"data":[{"id":1}],"oops":"timed out"}"#, "$.oops", Page.Fault.refused("timed out")),
        (#"{"oops":"quota","data":[]}"#, "$.oops", .refused("quota")),
        (#"{"oops":null,"data":[]}"#, "$.oops", nil),
        (#"{"error":"quota","data":[{"id":1}]}"#, "$.oops", nil),
    ])
    func `an error beside the records refuses them where the description names it`(
        body: String, errors: String, fault: Page.Fault?
    ) throws {
        let source = try Self.source(#""records":"$.data","errors":"\#(errors)",\#(Self.none)"#)
        let found = try Self.streamed(source, Array(body.utf8)) { 3 }
        #expect(found.fault == fault && Self.whole(source, Array(body.utf8)).fault == fault)
    }

    @Test(arguments: answers)
    func `one that is cut anywhere has given its whole records, and is cut short`(
        answer: (members: String, body: String)
    ) throws {
        let source = try Self.source(answer.members)
        let body = Array(answer.body.utf8)
        let all = Self.whole(source, body).records
        // What follows the last bracket is white space; a line may end anywhere.
        let end = answer.members.contains("lines") ? 0 : body.lastIndex { $0 > 0x20 } ?? 0
        // Part of a byte order mark is no JSON.
        for count in (body.first == 0xEF ? 3 : 0)..<end {
            let found = try Self.streamed(source, Array(body[..<count])) { 5 }
            #expect(found.fault == .cutShort, "at \(count): \(found)")
            #expect(found.records == Array(all.prefix(found.records.count)))
        }
    }

    @Test(arguments: 0..<40)
    func `a body with wrong bytes is refused where the page reader refuses it`(seed: UInt64) throws {
        var random = SplitMix64(seed: seed)
        for (members, text) in Self.answers {
            let source = try Self.source(members)
            var body = Array(text.utf8)
            for _ in 0..<Int.random(in: 1...3, using: &random) where !body.isEmpty {
                let index = Int.random(in: 0..<body.count, using: &random)
                body[index] = random.pick(Array("[]{},:\"\\ 0etn-.\n\u{0}é".utf8))
            }
            let size = Int.random(in: 1...9, using: &random)
            let found = try Self.streamed(source, body) { size }
            let page = Self.whole(source, body)
            #expect((found.fault == nil) == (page.fault == nil), "\(String(decoding: body, as: UTF8.self))")
            if page.fault == nil { #expect(found == page) }
        }
    }

    @Test(arguments: [
        ("[{\"id\":1}]x", "expected nothing after the value at byte 11, after 1 record"),
        ("[{\"id\":1},]", "expected a value at byte 11, after 1 record"),
        ("[{\"id\":1},{\"id\":tru}]", "expected true, false or null at byte 17, after 1 record"),
        ("<html>", "an HTML or XML page, not JSON"), ("5", "no array in '$'"), ("\"[\"", "no array in '$'"),
    ])
    func `what is wrong is named with its place`(body: String, words: String) throws {
        let found = try Self.streamed(try Self.source(#""records":"$",\#(Self.none)"#), Array(body.utf8)) { 100 }
        #expect(found.fault?.finding?.hasSuffix(words) == true, "\(found)")
    }

    @Test func `a missing list is named with what is there`() throws {
        let source = try Self.source(#""records":"$.data",\#(Self.none)"#)
        let found = try Self.streamed(source, Array(#"{"error":[1],"code":5}"#.utf8)) { 4 }
        #expect(found.fault == .broken("a response with error and code, but no '$.data'"))
    }

    @Test func `a wrong line is named by its number, after the lines before it`() throws {
        let source = try Self.source(#""format":"lines",\#(Self.none)"#)
        for size in [1, 9, 1000] {
            let found = try Self.streamed(source, Array("{}\n\n{}\n{]\n{}\n".utf8)) { size }
            #expect(found.records == ["{}", "{}"])
            #expect(
                found.fault == .foreign("line 4: text that isn't JSON: expected a member name or '}' at byte 2"))
        }
    }

    @Test func `a record is found as soon as its last byte is there`() throws {
        var stream = try #require(RecordStream(try Self.source(#""records":"$.d",\#(Self.none)"#)))
        var buffer = PieceBuffer()
        try buffer.append(Array(#"{"d":[{"id":1}"#.utf8).span)
        let used = try stream.take(buffer.text, offset: 0, isLast: false)
        #expect(stream.finder.outline.records.count == 1)
        #expect(used == buffer.bytesRead)
    }

    @Test(arguments: [
        (#""records":"$.data",\#(next)"#, true), (#""records":"$.data[*]",\#(none)"#, false),
        (#""records":"$..data",\#(none)"#, false), (#""format":"lines",\#(none)"#, true),
        (#""records":"$.info",\#(next)"#, false), (#""records":"$",\#(next)"#, false),
        (#""records":"$.data","errors":"$.errors",\#(none)"#, true),
        (#""records":"$.data","errors":"$.data.errors",\#(none)"#, false),
        (#""records":"$.data","busy":"$..busy",\#(none)"#, false),
        (
            #""records":"$.c.items","pagination":{"type":"next-url","next":"$.c.links[?@.rel == 'next'].href"}"#,
            true
        ),
    ])
    func `only what says nothing among its records is read so`(members: String, isStreamed: Bool) throws {
        let source = try Self.source(members)
        #expect((RecordStream(source) != nil) == isStreamed)
    }

    @Test func `a refusal beside the records is one`() throws {
        let source = try Self.source(#""records":"$.data","errors":"$.errors",\#(Self.none)"#)
        let body = Array(#"{"data":[{"id":1}],"errors":[{"message":"no"}]}"#.utf8)
        #expect(try Self.streamed(source, body) { 8 }.fault == .refused("no"))
    }
}
