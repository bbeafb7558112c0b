// Digests against the examples of FIPS 180-4.

import PipelineHTTP
import Testing

@Suite struct SHA256Tests {
    private static let examples = [
        ("", "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"),
        ("abc", "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"),
        (
            "abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq",
            "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1"
        ),
    ]

    @Test
    func `one digest after another, whole and in pieces`() throws {
        let sha256 = try SHA256()
        for (text, digest) in Self.examples + Self.examples {
            #expect(SHA256.hexadecimal(sha256.digest(Array(text.utf8).span)) == digest)
            for byte in text.utf8 { sha256.update([byte].span) }
            #expect(SHA256.hexadecimal(sha256.finish()) == digest)
        }
    }
}
