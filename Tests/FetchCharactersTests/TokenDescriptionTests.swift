// The token of a description, and what is wrong with it.

import PipelineHTTP
import Testing

@testable import fetch_characters

@Suite("The token of a description")
struct TokenDescriptionTests {
    private static func source(_ token: String, key: String = #"{"header":"a"}"#) throws -> Source {
        try .having(#""pagination":{"type":"none"},"key":\#(key),"token":\#(token)"#)
    }

    private static let client = #""id":{"env":"I"},"secret":{"env":"S"}"#

    @Test func `names the variables that it needs, after those of the keys`() throws {
        let grant = #"{"url":"https://a/t","grant":"client-credentials",\#(Self.client),"scope":"read"}"#
        let source = try Self.source(grant, key: #"[{"header":"a"},{"query":"b","env":"K"}]"#)
        #expect(source.variables == ["K", "I", "S"] && source.token?.refreshVariable == nil)
        let refresh = try Self.source(#"{"url":"https://a/t","grant":"refresh-token","refresh":{"env":"R"}}"#)
        #expect(refresh.variables == ["R"] && refresh.token?.refreshVariable == "R")
        let login = try Self.source(
            #"{"url":"https://a/t","method":"POST","body":{"u":{"$env":"U"},"p":[{"$env":"P"},{"$env":"U"}],"n":1.5},"#
                + #""token":"$.t","lifetime":"1h"}"#)
        #expect(login.variables == ["U", "P"])
        let form = try Self.source(#"{"url":"https://a/t","form":{"u":"me","p":{"$env":"P"}},"token":"t"}"#)
        #expect(form.variables == ["P"])
    }

    @Test func `a placeholder of its URL is one of the source's`() throws {
        let grant = #"{"url":"https://{tenant}.a.example/t","grant":"client-credentials",\#(Self.client)}"#
        let source = try Self.source(grant)
        #expect(source.placeholders == ["tenant"])
        #expect(source.canBeInBase("tenant", "me", isReplaced: false))
        // A base of the user's own is no reason to send the secrets of the token elsewhere.
        #expect([true, false].allSatisfy { !source.canBeInBase("tenant", "me/x", isReplaced: $0) })
    }

    /// Placeholders stand for the secrets; query parameters that are secret aren't part of the URL.
    @Test(
        arguments: [
            (
                #"{"url":"https://a/t","method":"GET","key":{"basic":true,"env":"L"},"query":{"v":"1","s":{"$env":"S"}},"token":"t"}"#,
                "GET https://a/t?v=1",
                ["Accept: application/json", "s=castline-S-key", "Authorization: Basic castline-L-key"]
            ),
            (
                #"{"url":"https://a/t","key":{"header":"X-Key","env":"K"},"headers":{"Accept":"x/y","P":{"$env":"S"}},"token":"t"}"#,
                "POST https://a/t ", ["Accept: x/y", "P: castline-S-key", "X-Key: castline-K-key"]
            ),
            (
                #"{"url":"https://a/t","key":[{"query":"k","env":"K"},{"body":"$.p","env":"S"}],"body":{"u":"me"},"token":"t"}"#,
                #"POST https://a/t {"u":"me","p":"castline-S-key"}"#,
                ["Accept: application/json", "k=castline-K-key"]
            ),
            (
                #"{"url":"https://a/t","grant":"refresh-token","refresh":{"env":"R"},"form":{"app":"x y","s":{"$env":"S"}}}"#,
                "POST https://a/t grant_type=refresh_token&app=x%20y&s=castline-S-key&refresh_token=castline-R-key",
                ["Accept: application/json"]
            ),
            (
                #"{"url":"https://a/t","grant":"client-credentials",\#(client)}"#,
                "POST https://a/t grant_type=client_credentials",
                ["Accept: application/json", "Authorization: Basic castline-I-S-key"]
            ),
            (
                #"{"url":"https://a/t","grant":"client-credentials",\#(client),"client":"body","form":{"audience":"x"}}"#,
                "POST https://a/t grant_type=client_credentials&audience=x&client_id=castline-I-key&client_secret=castline-S-key",
                ["Accept: application/json"]
            ),
        ])
    func `is asked for as the description says`(token: String, line: String, fields: [String]) throws {
        let described = try #require(try Self.source(token).token)
        func secret(_ name: String) -> HTTPSecret {
            HTTPSecret(key: name, HTTPSecret.Value("s3cret-\(name)"), shellText: "$\(name)")
        }
        let secrets = Dictionary(uniqueKeysWithValues: described.variables.map { ($0, secret($0)) })
        let keys = described.keys.map { SentKey($0, secret($0.variable ?? "")) }
        let request = try TokenRequest(token: described, url: HTTPURL("https://a/t"), secrets: secrets, keys: keys)
            .made(refresh: nil)
        let body = request.body.map { " " + String(decoding: $0.bytes, as: UTF8.self) } ?? ""
        #expect(request.method + " " + request.url.text + body == line)
        #expect(request.fields.map { "\($0.name)\($0.location == .query ? "=" : ": ")\($0.value)" } == fields)
        #expect(request.redirectOrigins == [])
        for variable in described.variables where variable != "I" {
            #expect(!request.withoutSecrets("<s3cret-\(variable)>").contains("s3cret"), "\(variable)")
        }
    }

    @Test func `goes where a key says, and nowhere without one`() {
        let grant = #"{"url":"https://a/t","grant":"client-credentials",\#(Self.client)}"#
        #expect(
            throws: DescriptionError.mistakes([
                "$.token: goes nowhere; add a key without env that says where it goes"
            ])
        ) {
            try Self.source(grant, key: #"{"header":"a","env":"K"}"#)
        }
    }
}
