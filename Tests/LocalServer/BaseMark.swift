// Two marks in what is served stand for the server's own address, so that records can name its pictures: `@BASE@` for
// its own, and `@ELSEWHERE@` for the same under the name `localhost`, which is another origin for everybody who compares
// names, as the host of an API's pictures is.

/// The marks and their replacements.
enum BaseMark {
    private static let own = Array("@BASE@".utf8)
    private static let other = Array("@ELSEWHERE@".utf8)

    /// The bytes with each mark replaced; the same bytes where there is none.
    static func replaced(_ bytes: [UInt8], by base: String) -> [UInt8] {
        let replaced = replaced(own, in: bytes, by: base)
        return self.replaced(other, in: replaced, by: elsewhere(base))
    }

    /// `http://127.0.0.1:PORT` as `http://localhost:PORT`.
    static func elsewhere(_ base: String) -> String {
        "http://localhost:" + (base.split(separator: ":").last ?? "")
    }

    private static func replaced(_ mark: [UInt8], in bytes: [UInt8], by text: String) -> [UInt8] {
        guard bytes.count >= mark.count else { return bytes }
        var result: [UInt8] = []
        var copied = 0
        var index = 0
        while let at = bytes[index...].firstIndex(of: mark[0]), at + mark.count <= bytes.count {
            if bytes[at..<(at + mark.count)].elementsEqual(mark) {
                result += bytes[copied..<at]
                result += text.utf8
                copied = at + mark.count
                index = copied
            } else {
                index = at + 1
            }
        }
        return copied == 0 ? bytes : result + bytes[copied...]
    }
}
