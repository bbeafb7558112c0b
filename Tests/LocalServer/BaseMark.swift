// Two marks in what is served stand for the server's own address, so that records can name its pictures: `@BASE@` for
// its own, and `@ELSEWHERE@` for the same under the name `localhost`, which is another origin for everybody who compares
// names, as the host of an API's pictures is.

/// The marks and their replacements.
enum BaseMark {
    private static let own = Array("@BASE@".utf8)
    private static let other = Array("@ELSEWHERE@".utf8)

    /// The bytes with each mark replaced.
    /// - Parameter base: `http://127.0.0.1:PORT`.
    static func replaced(_ bytes: [UInt8], by base: String) -> [UInt8] {
        guard bytes.contains(own[0]) else { return bytes }
        let elsewhere = "http://localhost:" + (base.split(separator: ":").last ?? "")
        return bytes.replacing(own, with: base.utf8).replacing(other, with: elsewhere.utf8)
    }
}
