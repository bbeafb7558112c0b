// Keys of a description: what they are, where they go, and what is wrong with them.

import PipelineCore
import PipelineHTTP
import Testing

@testable import fetch_characters

@Suite("Keys of a description")
struct KeyDescriptionTests {
    private static func source(_ key: String, post: Bool = true) throws -> Source {
        let body = post ? #""method":"POST","body":{"a":1},"# : ""
        return try .having(#"\#(body)"pagination":{"type":"none"},"key":\#(key)"#)
    }

    @Test(arguments: [
        (#"{"header":"x-key","env":"K"}"#, Placement.header("x-key"), "castline-K-key"),
        (
            #"{"header":"Authorization","prefix":"Bearer ","env":"K"}"#, .header("Authorization"),
            "Bearer castline-K-key"
        ),
        (#"{"basic":true,"env":"K"}"#, .header("Authorization"), "Basic castline-K-key"),
        (#"{"query":"k","env":"K_2"}"#, .query("k"), "castline-K_2-key"),
        (#"{"body":"$.auth.key","env":"K"}"#, .body([.name("auth"), .name("key")]), "castline-K-key"),
    ])
    func `a key has a place and a value`(key: String, placement: Placement, value: String) throws {
        let source = try Self.source(key)
        let described = try #require(source.keys.first)
        let secret = HTTPSecret(key: try #require(described.variable), nil, shellText: "")
        let sent = SentKey(described, secret)
        #expect(sent.placement == placement && sent.value == value && !described.isRequired)
    }

    @Test func `several keys are sent, each in its place`() throws {
        let source = try Self.source(
            #"[{"basic":true,"env":"LOGIN"},{"query":"app","env":"APP"},{"body":"auth.key","env":"K","required":true}]"#
        )
        #expect(source.variables == ["LOGIN", "APP", "K"])
        let keys = source.keys.map { key in
            SentKey(key, HTTPSecret(key: key.variable ?? "", nil, shellText: ""))
        }
        let request = try SourceRequests(source, keys: keys).page(.start, size: nil)
        #expect(request.fields.map(\.name) == ["Authorization", "app"] && request.fields.allSatisfy(\.isSecret))
        let body = try #require(request.body)
        #expect(String(decoding: body.bytes, as: UTF8.self) == #"{"a":1,"auth":{"key":"castline-K-key"}}"#)
    }

    @Test func `a key in a body needs one`() {
        #expect(throws: DescriptionError.self) { try Self.source(#"{"body":"k","env":"K"}"#, post: false) }
        #expect(throws: DescriptionError.self) { try Self.source(#"{"form":"k","env":"K"}"#, post: false) }
    }
}
