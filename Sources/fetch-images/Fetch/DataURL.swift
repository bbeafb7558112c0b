// URLs that are their own content (RFC 2397, read as the WHATWG's Fetch does).
//
//     data:image/png;base64,iVBORw0KGgo=        data:image/svg+xml,%3Csvg%20xmlns=…%3E

import PipelineCore

/// The content of a URL of the scheme `data`.
package enum DataURL {
    /// - Returns: nil where there is no comma, or what should be base64 isn't.
    package static func content(_ url: String) -> [UInt8]? {
        let bytes = Array(url.utf8)
        guard let comma = bytes.firstIndex(of: UInt8(ascii: ",")) else { return nil }
        let header = String(decoding: bytes[..<comma], as: UTF8.self).lowercased()
        let end = bytes[comma...].firstIndex(of: UInt8(ascii: "#")) ?? bytes.count
        let content = percentDecoded(bytes[(comma + 1)..<end])
        let isBase64 = header.split(separator: ";", omittingEmptySubsequences: false).dropFirst()
            .last.map { $0.filter { $0 != " " } == "base64" }
        return isBase64 == true ? Base64.decoded(content.span) : content
    }

    /// A percent sign without two digits behind it stands for itself.
    private static func percentDecoded(_ bytes: ArraySlice<UInt8>) -> [UInt8] {
        var decoded: [UInt8] = []
        decoded.reserveCapacity(bytes.count)
        var place = bytes.startIndex
        while place < bytes.endIndex {
            if bytes[place] == UInt8(ascii: "%"), place + 2 < bytes.endIndex, let high = digit(bytes[place + 1]),
                let low = digit(bytes[place + 2])
            {
                decoded.append(high << 4 | low)
                place += 3
            } else {
                decoded.append(bytes[place])
                place += 1
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
