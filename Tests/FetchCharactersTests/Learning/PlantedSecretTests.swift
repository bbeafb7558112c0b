// A copied request with a secret planted somewhere: the description that is made of it hasn't a byte of it, the request that
// is sent has it where it was, and what is no secret stays where it was too.

import PipelineCore
import PipelineHTTP
import TestSupport
import Testing

@testable import fetch_characters

@Suite("A secret in a copied request")
struct PlantedSecretTests {
    private static let names = [
        "api_key", "apikey1", "X-Appkey", "consumerKey", "servicekey", "devkey", "clientkey", "licensekey",
        "token1",
        "authcode", "accesscode", "otp", "pin", "password", "client_secret", "sessionToken", "jwt", "auth", "key2",
    ]
    /// Names that tell of nothing.
    private static let plainNames = ["a", "filter", "lamp", "who", "x1"]
    private static let letters = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789")

    private struct Planted {
        let secret: String
        let command: String
    }

    private static func random(_ count: Int, using random: inout SplitMix64) -> String {
        String((0..<count).map { _ in letters.randomElement(using: &random) ?? "a" })
    }

    /// A value that counts as a secret by itself, or beside a telling name.
    private static func secret(named: Bool, using random: inout SplitMix64) -> String {
        if named { return Self.random(Int.random(in: 9...40, using: &random), using: &random) }
        switch Int.random(in: 0..<3, using: &random) {
        case 0:
            let parts = [20, 400, 30].map { Self.random($0, using: &random) }
            return "eyJ" + parts.joined(separator: ".")
        case 1: return String((0..<32).map { _ in "0123456789abcdef".randomElement(using: &random) ?? "a" })
        default: return Self.random(Int.random(in: 28...60, using: &random), using: &random)
        }
    }

    /// A JSON value around a member with the secret, up to twelve levels deep.
    private static func nested(_ name: String, _ secret: String, using random: inout SplitMix64) -> String {
        var json = #"{"z":1,"\#(name)":"\#(secret)","y":[2]}"#
        for level in 0..<Int.random(in: 0..<12, using: &random) {
            switch Int.random(in: 0..<3, using: &random) {
            case 0: json = #"{"l\#(level)":\#(json)}"#
            case 1: json = #"{"l\#(level)":[null,\#(json),"b"]}"#
            default: json = #"{"before":"c","l\#(level)":\#(json),"after":{}}"#
            }
        }
        return json
    }

    private static func planted(using random: inout SplitMix64) -> Planted {
        let isNamed = Bool.random(using: &random)
        let secret = secret(named: isNamed, using: &random)
        let name = (isNamed ? names : plainNames).randomElement(using: &random) ?? "key"
        let words: String =
            switch Int.random(in: 0..<10, using: &random) {
            case 0: "'https://h/l' -H '\(name): \(secret)'"
            case 1: "'https://h/l?b=1&\(name)=\(secret)&c=2'"
            case 2: "'https://h/l' --json '\(nested(name, secret, using: &random))'"
            case 3: "'https://h/l' --json '{\"list\":[\"a\",{\"\(name)\":[1,\"\(secret)\"]}]}'"
            case 4: "'https://h/l' -b 'sid=1; \(name)=\(secret)'"
            case 5: "'https://h/l' -u 'ida:\(secret)'"
            case 6: "'https://h/l' --json '{\"query\":\"{ a { b } }\",\"variables\":{\"\(name)\":\"\(secret)\"}}'"
            case 7: "'https://h/l' -d 'b=1&\(name)=\(secret)&c=2'"
            case 8: "'https://h/l' -H 'Referer: https://h/x?\(name)=\(secret)'"
            default: "-G 'https://h/l' --data-urlencode 'variables={\"\(name)\":\"\(secret)\"}'"
            }
        return Planted(secret: secret, command: "curl \(words) -H 'X-Mode: full'")
    }

    @Test func `gets into no description, and is sent where it was`() throws {
        var random = SplitMix64(seed: 77)
        for _ in 0..<600 {
            let planted = Self.planted(using: &random)
            let list = try CurlCommand.request(planted.command).listRequest()
            let description = LearntDescription(list)
            let text = description.text
            #expect(!text.contains(planted.secret), "\(planted.command)\n\(text)")
            #expect(!HTTPURL.percentDecoded(text).contains(planted.secret))
            // A run of the description, with what its variables are to hold.
            let source = try description.source()
            let keys = source.keys.compactMap { key -> SentKey? in
                guard let variable = key.variable, let given = description.request.givenKeys[variable] else {
                    return nil
                }
                return SentKey(key, HTTPSecret(key: variable, HTTPSecret.Value(given), shellText: ""))
            }
            let request = try SourceRequests(source, keys: keys).page(.start, size: nil)
            let held = description.request.givenKeys.values.contains { $0.contains(planted.secret) }
            #expect(held, "\(planted.command)\n\(text)")
            let shown = request.url.text + request.fields.map(\.value).joined()
            #expect(!shown.contains(planted.secret) && text.contains("X-Mode"))
        }
    }

    @Test(arguments: [
        ("curl https://h/l -H 'X-Mode: full' -H 'Accept-Language: de'", 0),
        ("curl 'https://h/l?sort_key=name&countryCode=DE&zipcode=10115&pageToken=abc&max_tokens=5&lang=en'", 0),
        ("curl 'https://h/l?setId=550e8400-e29b-41d4-a716-446655440000&day=2026-03-01T10:00:00.000Z'", 0),
        (
            #"curl https://h/l --json '{"query":"query CharactersWithTheirAbilities($first: Int) { a }","variables":{"first":5}}'"#,
            0
        ),
        ("curl 'https://h/l?fields=id,name,image_url,created_at,characterDescriptionShortWithHtml'", 0),
        ("curl 'https://h/l?after=eyJpZCI6MTIzNDU2Nzg5MCwiZGF0ZSI6IjIwMjYifQ'", 0),
        ("curl 'https://h/l?slug=season-2-episode-14-the-return-of-the-king&v=20260301'", 0),
        ("curl https://h/l -H 'Cookie: a=b' -H 'X-Appkey: abc'", 2),
    ])
    func `is told from what is none`(_ command: String, _ count: Int) throws {
        #expect(try CurlCommand.request(command).listRequest().keys.count == count, "\(command)")
    }

    @Test func `is sent in its place among what stands around it`() throws {
        let command = #"curl https://h/l --json '{"b":1,"auth":{"pin":"k3y","x":[1,{"token":"t1"},2]},"a":2}'"#
        let list = try CurlCommand.request(command).listRequest()
        let description = LearntDescription(list)
        let source = try description.source()
        let keys = source.keys.map { key in
            let given = description.request.givenKeys[key.variable ?? ""] ?? ""
            return SentKey(key, HTTPSecret(key: key.variable ?? "", HTTPSecret.Value(given), shellText: ""))
        }
        #expect(Set(source.variables).count == source.variables.count && source.variables.count == 2)
        let request = try SourceRequests(source, keys: keys).page(.start, size: nil)
        let body = try #require(request.body)
        let text = keys.reduce(String(decoding: body.bytes, as: UTF8.self)) { text, key in
            text.replacing(key.secret.placeholder, with: key.secret.text ?? "")
        }
        #expect(text == #"{"b":1,"auth":{"pin":"k3y","x":[1,{"token":"t1"},2]},"a":2}"#)
    }

    @Test func `is what turns an answer into a refusal by being left out`() throws {
        #expect(ListRequest.isRefusal(401) && ListRequest.isRefusal(403) && !ListRequest.isRefusal(404))
        var list = try CurlCommand.request("curl 'https://h/l?lamp=k1&b=2' -H 'X-Lamp: k2'").listRequest()
        list.makeKey(.query("lamp"), of: "l")
        list.makeKey(.header("x-lamp"), of: "l")
        list.makeKey(.query("none"), of: "l")
        #expect(list.keys.map(\.text) == ["k1", "k2"] && Set(list.keys.map(\.variable)).count == 2)
        let text = LearntDescription(list).text
        #expect(!text.contains("k1") && !text.contains("k2") && text.contains(#""b": "2""#))
    }
}
