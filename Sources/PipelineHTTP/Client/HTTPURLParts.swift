// What a URL may hold that is nobody's business: user and password.
//
//     https://user:word@host/a?page=2#b      for a file: https://host/a?page=2

extension HTTPURL {
    /// The password in front of the host, nil where there is none.
    var password: String? {
        guard let range = userRange, let colon = text[range].firstIndex(of: ":") else { return nil }
        return String(text[text.index(after: colon)..<range.upperBound])
    }

    /// The URL without user, password and fragment.
    package var plainText: String {
        var plain = String(text.prefix { $0 != "#" })
        if let user = userRange { plain.removeSubrange(user.lowerBound...user.upperBound) }
        return plain
    }

    /// User and password without the `@` behind them.
    private var userRange: Range<String.Index>? {
        guard text.utf8.contains(UInt8(ascii: "@")) else { return nil }
        let start = text.index(text.startIndex, offsetBy: scheme.count + 3)
        let end = text[start...].firstIndex { "/?#".contains($0) } ?? text.endIndex
        guard let mark = text[start..<end].lastIndex(of: "@") else { return nil }
        return start..<mark
    }

    /// The bytes as a text with some of them as %XX (RFC 3986, section 2.1).
    static func percentEncoded(_ bytes: some Sequence<UInt8>, where isEncoded: (UInt8) -> Bool) -> String {
        let digits = Array("0123456789ABCDEF".utf8)
        var encoded: [UInt8] = []
        for byte in bytes {
            if isEncoded(byte) {
                encoded += [UInt8(ascii: "%"), digits[Int(byte >> 4)], digits[Int(byte & 15)]]
            } else {
                encoded.append(byte)
            }
        }
        return String(decoding: encoded, as: UTF8.self)
    }

    /// The text with its percent escapes resolved.
    static func percentDecoded(_ text: String) -> String {
        var bytes: [UInt8] = []
        var rest = text.utf8[...]
        while let byte = rest.popFirst() {
            let digits = rest.prefix(2)
            if byte == UInt8(ascii: "%"), digits.count == 2, let value = UInt8(String(Substring(digits)), radix: 16)
            {
                bytes.append(value)
                rest = rest.dropFirst(2)
            } else {
                bytes.append(byte)
            }
        }
        return String(decoding: bytes, as: UTF8.self)
    }
}
