// Secrets found in every spelling, and nothing else.

import PipelineHTTP
import Testing

@Suite("A secret")
struct SecretTextTests {
    @Test(arguments: [
        (#"k="aB+/c""#, #"k="*****""#), ("?k=aB%2B%2fc&", "?k=*********&"), (#""aB+\/c""#, #""******""#),
        (#""aB\u002b\u002Fc""#, #""***************""#), ("aB+/caB+/c", "**********"), ("%61B+/c", "*******"),
        ("aaB+/c", "a*****"), ("ab+/c", "ab+/c"), ("aB+/", "aB+/"), ("aB%2", "aB%2"), (#"aB\u00"#, #"aB\u00"#),
        ("", ""), (#"aB\"#, #"aB\"#),
    ])
    func `is hidden however its bytes are written`(text: String, hidden: String) throws {
        let secret = try #require(SecretText("aB+/c"))
        var bytes = Array(text.utf8)
        #expect(secret.stands(in: bytes.span) == (text != hidden))
        secret.hide(in: &bytes)
        #expect(String(decoding: bytes, as: UTF8.self) == hidden)
    }

    @Test(arguments: [("50%b", "50%25b"), (#"a\b"#, #"a\\b"#), ("%", "%25")])
    func `may hold the signs that encode`(text: String, encoded: String) throws {
        let secret = try #require(SecretText(text))
        for spelling in [text, encoded] {
            var bytes = Array(spelling.utf8)
            secret.hide(in: &bytes)
            #expect(bytes.allSatisfy { $0 == UInt8(ascii: "*") }, "\(spelling)")
        }
    }

    @Test func `has at least one byte`() { #expect(SecretText("") == nil) }
}
