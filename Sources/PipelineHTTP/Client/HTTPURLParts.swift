// What a URL may hold that is nobody's business: a password, and keys among its parameters.
//
//     https://user:word@host/a?page=2&api_key=7f03      shown: https://host/a?page=2

extension HTTPURL {
    /// A parameter of the query, as it stands there.
    struct Parameter {
        let name: String
        let value: String
    }

    /// The parameters in their order.
    var parameters: [Parameter] {
        queryRange.map { range in
            text[range].split(separator: "&").map { pair in
                let parts = pair.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
                return Parameter(name: String(parts[0]), value: parts.count == 2 ? String(parts[1]) : "")
            }
        } ?? []
    }

    /// The password in front of the host, nil where there is none.
    var password: String? {
        guard let range = userRange, let colon = text[range].firstIndex(of: ":") else { return nil }
        return String(text[text.index(after: colon)..<range.upperBound])
    }

    /// The URL without user, password and fragment, and without the parameters of these names.
    func withoutSecrets(_ names: [String]) -> String {
        var shown = String(text.prefix { $0 != "#" })
        if !names.isEmpty, let query = queryRange {
            let kept = shown[query].split(separator: "&").filter { pair in
                !names.contains(String(pair.prefix { $0 != "=" }))
            }
            shown = shown[..<query.lowerBound].dropLast() + (kept.isEmpty ? "" : "?" + kept.joined(separator: "&"))
        }
        if let user = userRange { shown.removeSubrange(user.lowerBound...user.upperBound) }
        return shown
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

    /// The query without its mark.
    private var queryRange: Range<String.Index>? {
        let end = text.firstIndex(of: "#") ?? text.endIndex
        guard let mark = text[..<end].firstIndex(of: "?") else { return nil }
        return text.index(after: mark)..<end
    }

    /// User and password without the `@` behind them.
    private var userRange: Range<String.Index>? {
        let start = text.index(text.startIndex, offsetBy: scheme.count + 3)
        let end = text[start...].firstIndex { "/?#".contains($0) } ?? text.endIndex
        guard let mark = text[start..<end].lastIndex(of: "@") else { return nil }
        return start..<mark
    }
}
