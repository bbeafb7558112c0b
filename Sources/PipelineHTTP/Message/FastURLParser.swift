// Parses URLs that need no normalization, by far the most common ones: libcurl would leave them as they are.
// Everything in doubt is left to libcurl, which takes 1.5 µs for a URL and its parts: a sixth of the 11 µs of CPU
// time that an image of the row "images: cached" takes in all.
//
//     https://upload.example.org/a/ab/Mick_(1).png?width=320       plain but for the parentheses: libcurl's
//     http://static.example.org:8080/m/320.png                     plain

import PipelineCore

/// The parts of a plain URL.
struct FastURLParser {
    let isSecure: Bool
    let host: String
    let port: Int

    var scheme: String { isSecure ? "https" : "http" }

    /// - Returns: nil for a URL that libcurl has to parse.
    init?(_ text: String) {
        let utf8 = text.utf8Bytes
        let bytes = utf8.span
        isSecure = bytes.count >= 8 && bytes.extracting(..<8).equals("https://")
        guard isSecure || bytes.count >= 7 && bytes.extracting(..<7).equals("http://") else { return nil }
        let start = isSecure ? 8 : 7
        var end = start
        while end < bytes.count, Self.isHostByte(bytes[end]) { end += 1 }
        let name = bytes.extracting(start..<end)
        guard Self.isPlainHost(name), let (port, path) = Self.port(bytes, at: end, isSecure: isSecure),
            Self.isPlainPath(bytes.extracting(path...))
        else { return nil }
        host = name.text
        self.port = port
    }

    private static func isHostByte(_ byte: UInt8) -> Bool {
        switch byte {
        case 0x30...0x39, 0x61...0x7A, 0x2D, 0x2E: true
        default: false
        }
    }

    /// A name that starts with a letter, so that it isn't a number in disguise, or four numbers in the usual form.
    private static func isPlainHost(_ name: Span<UInt8>) -> Bool {
        guard !name.isEmpty, name.count <= 253, name[name.count - 1] != 0x2E else { return false }
        if (0x30...0x39).contains(name[0]) { return isPlainAddress(name) }
        guard (0x61...0x7A).contains(name[0]) else { return false }
        for index in 1..<name.count where name[index] == 0x2E && name[index - 1] == 0x2E { return false }
        return true
    }

    private static func isPlainAddress(_ name: Span<UInt8>) -> Bool {
        var dots = 0
        var value = 0
        var digits = 0
        for index in name.indices {
            if name[index] == 0x2E {
                guard digits > 0 else { return false }
                dots += 1
                (value, digits) = (0, 0)
            } else {
                guard (0x30...0x39).contains(name[index]), digits == 0 || value > 0 else { return false }
                value = value * 10 + Int(name[index] - 0x30)
                digits += 1
                guard value <= 255 else { return false }
            }
        }
        return dots == 3 && digits > 0
    }

    /// The port, and the offset of the path. Nil if the port is written in an unusual form.
    private static func port(_ bytes: Span<UInt8>, at end: Int, isSecure: Bool) -> (port: Int, path: Int)? {
        let usual = isSecure ? 443 : 80
        guard end < bytes.count, bytes[end] == UInt8(ascii: ":") else { return (usual, end) }
        var port = 0
        var location = end + 1
        while location < bytes.count, (0x30...0x39).contains(bytes[location]), port <= 65_535 {
            guard port > 0 || bytes[location] != 0x30 else { return nil }
            port = port * 10 + Int(bytes[location] - 0x30)
            location += 1
        }
        return (1...65_535).contains(port) && port != usual ? (port, location) : nil
    }

    /// A path of letters, digits and signs without special meaning, in which no part starts with a dot, and a query
    /// of the same with the usual separators.
    private static func isPlainPath(_ path: Span<UInt8>) -> Bool {
        guard !path.isEmpty, path[0] == UInt8(ascii: "/") else { return false }
        var isInQuery = false
        for index in path.indices {
            switch path[index] {
            case 0x30...0x39, 0x41...0x5A, 0x61...0x7A, 0x2D, 0x5F, 0x7E, 0x2F: break
            case 0x2E: if path[index - 1] == 0x2F { return false }
            case 0x3F:
                guard !isInQuery, index + 1 < path.count else { return false }
                isInQuery = true
            case 0x26, 0x3D: guard isInQuery else { return false }
            default: return false
            }
        }
        return true
    }
}
