// URLs that are their own content (RFC 2397, read as the WHATWG's Fetch does).
//
//     data:image/png;base64,iVBORw0KGgo=        data:image/svg+xml,%3Csvg%20xmlns=…%3E

import PipelineCore

/// The content of a URL of the scheme `data`.
package enum DataURL {
    /// - Returns: nil where there is no comma, or what should be base64 isn't.
    package static func content(_ url: String) -> [UInt8]? {
        let bytes = url.utf8Span.span
        guard let comma = bytes.firstIndex(of: UInt8(ascii: ",")) else { return nil }
        let end = bytes.firstIndex(of: UInt8(ascii: "#"), from: comma) ?? bytes.count
        let content = percentDecoded(bytes.extracting(comma + 1..<end))
        return isBase64(bytes.extracting(..<comma)) ? Base64.decoded(content.span) : content
    }

    /// Whether the last parameter is `base64`, in any case and with spaces around it.
    private static func isBase64(_ header: Span<UInt8>) -> Bool {
        var end = header.count
        while end > 0, header[end - 1] == 0x20 { end -= 1 }
        let mark = StaticString("base64").bytes
        guard end > mark.count else { return false }
        for index in mark.indices where header[end - mark.count + index] | 0x20 != mark[index] { return false }
        var before = end - mark.count - 1
        while before > 0, header[before] == 0x20 { before -= 1 }
        return header[before] == UInt8(ascii: ";")
    }

    /// A percent sign without two digits after it stands for itself.
    private static func percentDecoded(_ bytes: Span<UInt8>) -> [UInt8] {
        var decoded: [UInt8] = []
        decoded.reserveCapacity(bytes.count)
        var location = 0
        while location < bytes.count {
            if bytes[location] == UInt8(ascii: "%"), location + 2 < bytes.count,
                let high = digit(bytes[location + 1]),
                let low = digit(bytes[location + 2])
            {
                decoded.append(high << 4 | low)
                location += 3
            } else {
                decoded.append(bytes[location])
                location += 1
            }
        }
        return decoded
    }

    private static func digit(_ byte: UInt8) -> UInt8? {
        switch byte {
        case UInt8(ascii: "0")...UInt8(ascii: "9"): byte - UInt8(ascii: "0")
        case UInt8(ascii: "a")...UInt8(ascii: "f"): byte - UInt8(ascii: "a") + 10
        case UInt8(ascii: "A")...UInt8(ascii: "F"): byte - UInt8(ascii: "A") + 10
        default: nil
        }
    }
}
