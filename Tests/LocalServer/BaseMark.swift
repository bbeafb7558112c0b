// `@BASE@` in what is served stands for the server's own address, so that records can name its pictures.

/// The mark and its replacement.
enum BaseMark {
    private static let mark = Array("@BASE@".utf8)

    /// The bytes with each mark replaced; the same bytes where there is none.
    static func replaced(_ bytes: [UInt8], by base: String) -> [UInt8] {
        guard bytes.count >= mark.count else { return bytes }
        var result: [UInt8] = []
        var copied = 0
        var index = 0
        while let at = bytes[index...].firstIndex(of: mark[0]), at + mark.count <= bytes.count {
            if bytes[at..<(at + mark.count)].elementsEqual(mark) {
                result += bytes[copied..<at]
                result += base.utf8
                copied = at + mark.count
                index = copied
            } else {
                index = at + 1
            }
        }
        return copied == 0 ? bytes : result + bytes[copied...]
    }
}
