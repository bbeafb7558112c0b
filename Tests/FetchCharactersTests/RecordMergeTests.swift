// Records that come in parts: what is joined, what contradicts, and what is kept as it was written.

import PipelineCore
import PipelineHTTP
import Testing

@testable import fetch_characters

struct RecordMergeTests {
    static func source(_ merge: String = "{}") throws -> Source {
        try .having(#""merge":\#(merge),"pagination":{"type":"none"},"members":{"id":"id"}"#)
    }

    /// The records that come of these parts, one after another.
    static func joined(_ parts: [String], limitBytes: Int = 1 << 20) throws -> String {
        var merge = RecordMerge(try source(), subject: "x: ", limitBytes: limitBytes)
        for part in parts {
            let bytes = Array(part.utf8)
            _ = try merge.add(bytes.span, id: try merge.id(of: bytes.span))
        }
        return String(decoding: merge.take().text, as: UTF8.self)
    }

    static let table: [(parts: [String], whole: String)] = [
        ([#"{"id":7,"a":1}"#], #"{"id":7,"a":1}"#),
        ([#"{"id":7,"a":1}"#, #"{"id":7,"b":"x"}"#], #"{"id":7,"a":1,"b":"x"}"#),
        // In the order in which ids first came.
        (
            [#"{"id":7}"#, #"{"id":2,"a":1}"#, #"{"id":2,"b":1}"#, #"{"id":7,"b":2}"#],
            #"{"id":7,"b":2}{"id":2,"a":1,"b":1}"#
        ),
        // Null gives way on either side.
        ([#"{"id":7,"a":null,"b":1}"#, #"{"id":7,"a":2,"b":null,"c":null}"#], #"{"id":7,"a":2,"b":1,"c":null}"#),
        // Objects are joined at any depth.
        (
            [#"{"id":7,"a":{"x":{"p":1}}}"#, #"{"id":7,"a":{"y":2,"x":{"q":[]}}}"#],
            #"{"id":7,"a":{"x":{"p":1,"q":[]},"y":2}}"#
        ),
        ([#"{"id":7,"a":{}}"#, #"{"id":7,"a":{ "x":1}}"#], #"{"id":7,"a":{"x":1}}"#),
        ([#"{"id":7,"a":{ }}"#, #"{"id":7,"a":{}}"#], #"{"id":7,"a":{ }}"#),
        // An array that comes again is the same one; another has further elements.
        ([#"{"id":7,"a":[1,2]}"#, #"{"id":7,"a":[1,2]}"#, #"{"id":7,"a":[2]}"#], #"{"id":7,"a":[1,2,2]}"#),
        ([#"{"id":7,"a":[]}"#, #"{"id":7,"a":[ ]}"#, #"{"id":7,"a":[{"b":1}]}"#], #"{"id":7,"a":[{"b":1}]}"#),
        // PHP writes an empty object as an empty array.
        ([#"{"id":7,"a":[]}"#, #"{"id":7,"a":{"b":1}}"#, #"{"id":7,"a":[]}"#], #"{"id":7,"a":{"b":1}}"#),
        // The same, written otherwise.
        ([#"{"id":7,"a":1.0,"b":"é"}"#, #"{"id":7,"a":1,"b":"\u00e9"}"#], #"{"id":7,"a":1.0,"b":"é"}"#),
        // Spellings are kept, and so are names that an object has twice.
        (
            [#"{"id":7,"a":12345678901234567890.10,"\u0062":"\/"}"#, #"{"id":7,"b":null,"c":{ "d": 1e5 }}"#],
            #"{"id":7,"a":12345678901234567890.10,"\u0062":"\/","c":{ "d": 1e5 }}"#
        ),
        ([#"{"id":7,"a":1,"a":2}"#, #"{"id":7,"b":3}"#], #"{"id":7,"a":1,"a":2,"b":3}"#),
    ]

    @Test(arguments: table) func `parts are joined`(parts: [String], whole: String) throws {
        #expect(try Self.joined(parts) == whole)
    }

    @Test(arguments: [
        (#"{"id":7,"a":1}"#, #"{"id":7,"a":2}"#, "a"), (#"{"id":7,"a":"1"}"#, #"{"id":7,"a":1}"#, "a"),
        (#"{"id":7,"a":true}"#, #"{"id":7,"a":false}"#, "a"), (#"{"id":7,"a":""}"#, #"{"id":7,"a":{}}"#, "a"),
        (#"{"id":7,"a":[1]}"#, #"{"id":7,"a":1}"#, "a"), (#"{"id":7,"a":[1]}"#, #"{"id":7,"a":{"b":1}}"#, "a"),
        (#"{"id":7,"a":{"b":{"c":1}}}"#, #"{"id":7,"a":{"b":{"c":1.01}}}"#, "a.b.c"),
        (#"{"id":7}"#, #"{"id":7,"a":1,"a":2}"#, "a"),
        (#"{"id":7,"a":"\ud800"}"#, #"{"id":7,"a":"\ud801"}"#, "a"),
    ])
    func `a contradiction is named`(first: String, second: String, member: String) {
        let failure = #expect(throws: ToolFailure.self) { try Self.joined([first, second]) }
        #expect(failure?.status == .protocolError)
        #expect(
            failure?.message.description
                == "x: id 7: \(member) has another value in a later part; the id isn't unique, or the record has changed: check "
                + "members.id, or run it again")
    }

    @Test func `a part without an id, and more than may wait, are refused`() {
        let unnamed = #expect(throws: ToolFailure.self) { try Self.joined([#"{"a":1}"#]) }
        #expect(unnamed?.message == "x: a record in parts has no id; check members.id")
        let parts = [#"{"id":7,"a":1}"#, #"{"id":7,"b":"12"}"#]
        #expect(throws: Never.self) { try Self.joined(parts, limitBytes: 23) }
        for limit in [13, 22] {
            let failure = #expect(throws: ToolFailure.self) { try Self.joined(parts, limitBytes: limit) }
            #expect(failure?.message.description.contains("wait for further parts") == true)
        }
    }

    @Test func `a part tells what it adds`() throws {
        var merge = RecordMerge(try Self.source(), subject: "")
        var found: [RecordMerge.Part] = []
        for part in [#"{"id":7}"#, #"{"id":7}"#, #"{"id":7,"a":[1]}"#, #"{"a":[1],"id":7}"#, #"{"id":8,"a":1}"#] {
            found.append(
                try merge.add(Array(part.utf8).span, id: RecordID(Array(part.contains("8") ? "8".utf8 : "7".utf8))))
        }
        #expect(found == [.first, .known, .added, .known, .first])
        #expect(merge.contains(RecordID(Array("8".utf8))) && !merge.contains(RecordID(Array("9".utf8))))
        let whole = merge.take()
        #expect(whole.outline.records.map(\.range) == [0..<16, 16..<30])
        #expect(merge.isEmpty && !merge.contains(RecordID(Array("7".utf8))))
    }

    @Test func `values nested as deep as a reader goes are joined`() throws {
        func part(_ member: String) -> String {
            #"{"id":7,"a":"# + String(repeating: #"{"a":"#, count: 500) + member
                + String(repeating: "}", count: 501)
        }
        #expect(try Self.joined([part(#"{"b":1}"#), part(#"{"c":2}"#)]) == part(#"{"b":1,"c":2}"#))
    }

    @Test(arguments: [
        (#"true"#, true), (#""""#, true), ("0", true), ("[]", true), (#""false""#, true), ("null", false),
        ("false", false),
    ])
    func `what completes records is there, and neither null nor false`(flag: String, isComplete: Bool) throws {
        var reader = PageReader(try Self.source(#"{"complete":"$.done"}"#))
        for (member, expected) in [(#""done":\#(flag)"#, isComplete), (#""other":1"#, false)] {
            let body = Array("\u{FEFF}{\"data\":[],\(member)}".utf8)
            #expect(try reader.read(body, HTTPHeaders(), isList: true).lead.completesRecords == expected)
        }
    }
}
