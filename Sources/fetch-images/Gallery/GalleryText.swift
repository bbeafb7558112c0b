// Escapes untrusted text for a page, so that none of it can become markup.

import PipelineCore

enum GalleryText {
    /// Appends text for a position where markup is allowed, or for a quoted attribute.
    static func append(_ text: Span<UInt8>, to page: inout [UInt8]) {
        for index in text.indices {
            switch text[index] {
            case UInt8(ascii: "&"): page.append(contentsOf: "&amp;".utf8)
            case UInt8(ascii: "<"): page.append(contentsOf: "&lt;".utf8)
            case UInt8(ascii: ">"): page.append(contentsOf: "&gt;".utf8)
            case UInt8(ascii: "\""): page.append(contentsOf: "&quot;".utf8)
            case UInt8(ascii: "'"): page.append(contentsOf: "&#39;".utf8)
            case 0..<0x20: page.append(UInt8(ascii: " "))
            case let byte: page.append(byte)
            }
        }
    }

    /// Appends JSON text inside a script element, on one line. Only `<` can end the element or begin a comment in
    /// it (HTML, 13.2.5.4), and in JSON it occurs only in strings, where an escape means the same.
    static func append(json: Span<UInt8>, to page: inout [UInt8]) {
        var start = 0
        for index in json.indices {
            let byte = json[index]
            guard byte == UInt8(ascii: "<") || byte == 0x0D else { continue }
            page.append(json.extracting(start..<index))
            // A carriage return is white space here, and HTML would turn it into a line end.
            page.append(contentsOf: byte == 0x0D ? " ".utf8 : "\\u003c".utf8)
            start = index + 1
        }
        page.append(json.extracting(start...))
    }
}
