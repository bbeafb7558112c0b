// Tokens that a service makes up: in header fields of its responses, and in the URLs to which it redirects. What is stored
// has a digest in their place, so that a recording leads from a redirect to the response behind it all the same.
//
//     Location: https://files.example.org/a.png?token=k9Secret7731   ──►   …/a.png?token=hidden-3f2a90c1d4e5b607

import PipelineCore

enum HiddenTokens {
    private static let mark = "hidden-"
    private static let addressFields = ["Location", "Content-Location", "Refresh"]

    private static func hidden(_ text: String) -> String {
        guard !text.hasPrefix(mark) else { return text }
        return mark + SHA256.hexadecimal(Array(SHA256.digest(text.utf8Bytes.span).prefix(8)))
    }

    /// Whether the value of a field or a parameter is a token.
    private static func isToken(_ value: String, named name: String) -> Bool {
        guard !value.isEmpty else { return false }
        if SecretNames.isSecret(name) { return true }
        switch SecretNames.shape(of: value) {
        case .token?: return true
        case .key?: return !SecretNames.isOfData(name)
        case nil: return false
        }
    }

    /// The address with digests for the tokens in its query, and in parameters of its path.
    static func hidden(inAddress address: String) -> String {
        var parts = ""
        var part = ""
        // A parameter ends where one of these signs begins another one.
        for sign in address {
            guard "?&;#/".contains(sign) else {
                part.append(sign)
                continue
            }
            parts += hidden(inParameter: part) + String(sign)
            part = ""
        }
        return parts + hidden(inParameter: part)
    }

    private static func hidden(inParameter part: String) -> String {
        guard let sign = part.firstIndex(of: "=") else { return part }
        let value = String(part[sign...].dropFirst())
        let isOne = isToken(HTTPURL.percentDecoded(value), named: HTTPURL.percentDecoded(String(part[..<sign])))
        return isOne ? part[...sign] + hidden(value) : part
    }

    /// Whether a redirect leads to an address with a token.
    static func isIn(_ headers: HTTPHeaders) -> Bool {
        headers["Location"].map { hidden(inAddress: $0) != $0 } ?? false
    }

    /// The fields with digests for tokens. Fields that say what others may do, or how much is left, have none.
    static func hidden(in headers: HTTPHeaders) -> HTTPHeaders {
        var kept = HTTPHeaders()
        for field in headers.fields {
            let name = field.name.lowercased()
            if HTTPHeaders.isOne(field.name, of: addressFields) {
                kept.append(field.name, hidden(inAddress: field.value))
            } else if name.hasPrefix("access-control-") || name.contains("ratelimit") {
                kept.append(field.name, field.value)
            } else {
                let isOne = SecretNames.isSecret(name) || SecretNames.shape(of: field.value) == .token
                kept.append(field.name, isOne && !field.value.isEmpty ? hidden(field.value) : field.value)
            }
        }
        return kept
    }
}
