// A secret as a service may repeat it: each of its bytes as it is, percent-encoded (RFC 3986, section 2.1), or escaped as
// in JSON (RFC 8259, section 7), each in its own way.
//
//     aB+/c      aB%2B%2fc      aB+\/c      aB\u002b/c

import PipelineCore

/// A text that must not be written to a file.
package struct SecretText: Equatable, Sendable {
    /// As it is meant; at least one byte.
    private let bytes: [UInt8]

    /// - Returns: nil for an empty text, which is no secret.
    package init?(_ text: String) {
        guard !text.isEmpty else { return nil }
        bytes = Array(text.utf8)
    }

    /// It stands nowhere by chance, as a `1` does.
    var isLong: Bool { bytes.count >= 8 }

    func isEqual(to text: some Sequence<UInt8>) -> Bool { bytes.elementsEqual(text) }

    /// Whether it stands in the text.
    package func stands(in text: Span<UInt8>) -> Bool { firstRange(in: text, from: 0) != nil }

    /// Where it stands first at or after a place.
    func firstRange(in text: Span<UInt8>, from start: Int) -> Range<Int>? {
        let first = bytes[0]
        for location in start..<max(start, text.count) {
            let byte = text[location]
            guard byte == first || byte == UInt8(ascii: "%") || byte == UInt8(ascii: "\\") else { continue }
            if let end = end(in: text, from: location) { return location..<end }
        }
        return nil
    }

    /// Puts asterisks in its place, as many as it takes there: what else the text says stays where it is.
    package func hide(in text: inout [UInt8]) {
        var start = 0
        while let range = firstRange(in: text.span, from: start) {
            for index in range { text[index] = UInt8(ascii: "*") }
            start = range.upperBound
        }
    }

    /// Where it ends that begins here, nil where it doesn't.
    private func end(in text: Span<UInt8>, from start: Int) -> Int? {
        var location = start
        for byte in bytes {
            guard let length = Self.length(of: byte, in: text, at: location) else { return nil }
            location += length
        }
        return location
    }

    /// How many bytes of the text stand for the byte.
    private static func length(of byte: UInt8, in text: Span<UInt8>, at location: Int) -> Int? {
        guard location < text.count else { return nil }
        switch text[location] {
        case UInt8(ascii: "%"):
            if value(of: text, from: location + 1, digits: 2) == Int(byte) { return 3 }
        case UInt8(ascii: "\\") where location + 1 < text.count:
            if text[location + 1] == byte { return 2 }
            let isCode = text[location + 1] == UInt8(ascii: "u")
            if isCode, value(of: text, from: location + 2, digits: 4) == Int(byte) { return 6 }
        default: break
        }
        return text[location] == byte ? 1 : nil
    }

    private static func value(of text: Span<UInt8>, from start: Int, digits: Int) -> Int? {
        guard start + digits <= text.count else { return nil }
        var value = 0
        for index in start..<start + digits {
            guard let digit = JSONStringScanner.hexValue(text[index]) else { return nil }
            value = value << 4 | Int(digit)
        }
        return value
    }
}
