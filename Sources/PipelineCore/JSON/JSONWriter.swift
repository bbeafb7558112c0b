// Writes text as a JSON string, escaping only what must be.

/// Writes JSON into a buffer.
package enum JSONWriter {
    /// Appends a string with its quotes; escapes only quotes, backslashes and controls (RFC 8259, section 7).
    /// - Parameter text: UTF-8.
    package static func appendString(_ text: Span<UInt8>, to bytes: inout [UInt8]) {
        var written = ByteBuffer()
        appendString(text, to: &written)
        bytes.append(written.span)
    }

    /// Appends a string with its quotes.
    @inline(__always)
    package static func appendString(_ text: Span<UInt8>, to bytes: inout ByteBuffer) {
        bytes.append(UInt8(ascii: "\""))
        var index = bytes.append(text, from: 0, upTo: JSONScan())
        while index < text.count {
            appendEscaped(text[index], to: &bytes)
            index = bytes.append(text, from: index + 1, upTo: JSONScan())
        }
        bytes.append(UInt8(ascii: "\""))
    }

    private static func appendEscaped(_ byte: UInt8, to bytes: inout ByteBuffer) {
        switch byte {
        case UInt8(ascii: "\""), UInt8(ascii: "\\"):
            bytes.append(UInt8(ascii: "\\"))
            bytes.append(byte)
        case 0x0A: bytes.append("\\n")
        case 0x0D: bytes.append("\\r")
        case 0x09: bytes.append("\\t")
        default:
            bytes.append("\\u00")
            bytes.append(hexDigit(byte >> 4))
            bytes.append(hexDigit(byte & 15))
        }
    }

    /// Appends a string with its quotes.
    package static func appendString(_ text: String, to bytes: inout [UInt8]) {
        appendString(Array(text.utf8).span, to: &bytes)
    }

    /// Appends a string with its quotes.
    package static func appendString(_ text: String, to bytes: inout ByteBuffer) {
        appendString(Array(text.utf8).span, to: &bytes)
    }

    private static func hexDigit(_ value: UInt8) -> UInt8 {
        value < 10 ? UInt8(ascii: "0") + value : UInt8(ascii: "a") + value - 10
    }
}
