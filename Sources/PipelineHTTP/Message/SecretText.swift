// A secret in every form in which a service may repeat it: each byte as it is, percent-encoded (RFC 3986, section
// 2.1), or escaped as in JSON (RFC 8259, section 7), independently of the others.
//
//     aB+/c      aB%2B%2fc      aB+\/c      aB\u002b/c

import PipelineCore

/// A text that must not be written to a file.
package struct SecretText: Equatable, Sendable {
    /// The secret itself, unescaped. At least one byte.
    private let bytes: [UInt8]

    /// - Returns: nil for an empty text, which isn't a secret.
    package init?(_ text: String) {
        guard !text.isEmpty else { return nil }
        bytes = Array(text.utf8)
    }

    /// Long enough not to occur by chance, as a `1` does.
    var isLong: Bool { bytes.count >= 8 }

    package func isEqual(to text: some Sequence<UInt8>) -> Bool { bytes.elementsEqual(text) }

    /// Whether it occurs in the text.
    package func stands(in text: Span<UInt8>) -> Bool { firstRange(in: text, from: 0) != nil }

    /// The range of its first occurrence at or after an offset.
    func firstRange(in text: Span<UInt8>, from start: Int) -> Range<Int>? {
        let first = bytes[0]
        for location in start..<max(start, text.count) {
            let byte = text[location]
            guard byte == first || byte == UInt8(ascii: "%") || byte == UInt8(ascii: "\\") else { continue }
            if let end = end(in: text, from: location) { return location..<end }
        }
        return nil
    }

    /// Replaces it with the same number of asterisks, so that offsets in the text stay the same.
    package func hide(in text: inout [UInt8]) {
        var start = 0
        while let range = firstRange(in: text.span, from: start) {
            for index in range { text[index] = UInt8(ascii: "*") }
            start = range.upperBound
        }
    }

    /// The end of an occurrence that starts here, nil if there is none.
    private func end(in text: Span<UInt8>, from start: Int) -> Int? {
        var location = start
        for byte in bytes {
            guard let length = Self.length(of: byte, in: text, at: location) else { return nil }
            location += length
        }
        return location
    }

    /// How many bytes of the text represent the byte.
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
