// SHA-256 against the examples of FIPS 180-4 and of NIST's test vectors, in pieces of any size.

import Testing

@testable import PipelineCore

@Suite struct ContentHashTests {
    private static let known: [(text: String, hash: String)] = [
        ("", "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"),
        ("abc", "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"),
        (
            "abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq",
            "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1"
        ),
        (
            "abcdefghbcdefghicdefghijdefghijkefghijklfghijklmghijklmnhijklmnoijklmnopjklmnopqklmnopqrlmnopqrsmnopqrstnopqrstu",
            "cf5b16a778af8380036ce59e7b0492370b249b11e8f07a51afac45037afee9d1"
        ),
        (
            String(repeating: "a", count: 1_000_000),
            "cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0"
        ),
    ]

    @Test(arguments: known)
    func `is that of the standard, whatever pieces the content comes in`(_ row: (text: String, hash: String)) {
        let bytes = Array(row.text.utf8)
        for size in bytes.count > 1000 ? [65_536] : [1, 2, 3, 7, 55, 63, 64, 65, 1000] {
            var hash = ContentHash()
            for start in stride(from: 0, to: bytes.count, by: size) {
                hash.add(bytes.span.extracting(start..<min(start + size, bytes.count)))
            }
            #expect(hash.hexadecimal() == row.hash)
        }
    }
}
