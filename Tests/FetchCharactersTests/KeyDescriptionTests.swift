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

    static let mistakes: [(key: String, mistakes: [String])] = [
        ("[]", ["$.key: is empty; it takes at least one element"]),
        ("7", ["$.key: takes an object or an array, not an integer"]),
        (#"[{"header":"a","env":"K"},7]"#, ["$.key[1]: takes an object, not an integer"]),
        (#"{"header":"a"}"#, ["$.key.env: is missing"]),
        (#"{"basic":true}"#, ["$.key.env: is missing"]),
        (#"{"basic":1,"header":"a","env":"K"}"#, ["$.key.basic: takes true or false, not an integer"]),
        (#"{"basic":true,"header":"a","env":"K"}"#, ["$.key: takes one of query, header, body, form, basic"]),
        (#"{"basic":true,"prefix":"a","env":"K"}"#, ["$.key.prefix: is already part of basic; leave it out"]),
        (#"{"header":"a","env":"1K"}"#, ["$.key.env: '1K' isn't the name of an environment variable"]),
        (#"{"header":"a b","env":"K"}"#, ["$.key.header: can't be sent as a header"]),
        (#"{"header":"a","prefix":"b\n","env":"K"}"#, ["$.key.prefix: can't be sent in a header"]),
        (
            #"{"path":"k","env":"K"}"#,
            ["$.key.path: would show the key to everybody; it can be in header, query or body"]
        ),
        (#"{"header":"a","env":"K","scope":"x"}"#, ["$.key.scope: is not known; "]),
        (
            #"[{"header":"A","env":"K"},{"header":"a","env":"L"}]"#,
            ["$.key[1].header: is the parameter of $.key[0].header too; each needs its own"]
        ),
        (
            #"[{"header":"authorization","env":"K"},{"basic":true,"env":"L"}]"#,
            ["$.key[1].basic: is the parameter of $.key[0].header too; each needs its own"]
        ),
        (
            #"{"form":"a","env":"K"}"#, ["$.key.form: goes into another kind of body than the description has"]
        ),
    ]

    @Test(arguments: mistakes) func `mistakes are told with their place`(key: String, mistakes: [String]) throws {
        do {
            _ = try Self.source(key)
            Issue.record("\(key) is taken")
        } catch let error as DescriptionError {
            let told = if case .mistakes(let told) = error { told } else { [String]() }
            for mistake in mistakes { #expect(told.contains { $0.hasPrefix(mistake) }, "\(told)") }
        }
    }

    @Test func `a key in a body needs one`() {
        #expect(throws: DescriptionError.self) { try Self.source(#"{"body":"k","env":"K"}"#, post: false) }
        #expect(throws: DescriptionError.self) { try Self.source(#"{"form":"k","env":"K"}"#, post: false) }
    }
}
