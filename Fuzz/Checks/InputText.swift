// Inputs that have a first line of their own: a pattern or a path, and after it what it is tried on.

/// An input in parts.
struct InputText {
    /// The first line, in which U+FFFD stands for what isn't UTF-8.
    let head: String
    /// What stands after the first line.
    let rest: [UInt8]

    init(_ bytes: [UInt8]) {
        let end = bytes.firstIndex(of: 0x0A) ?? bytes.count
        head = String(decoding: bytes[..<end], as: UTF8.self)
        rest = Array(bytes[min(end + 1, bytes.count)...])
    }

    /// The rest, with U+FFFD for what isn't UTF-8.
    var restInUTF8: [UInt8] { Array(String(decoding: rest, as: UTF8.self).utf8) }

    /// The rest in lines, without their ends.
    var lines: [[UInt8]] { Self.lines(rest) }

    static func lines(_ bytes: [UInt8]) -> [[UInt8]] {
        var lines = bytes.split(separator: 0x0A, omittingEmptySubsequences: false).map { Array($0) }
        if lines.last?.isEmpty == true { lines.removeLast() }
        return lines
    }
}
