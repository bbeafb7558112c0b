// The secrets of a request in what is stored of its response. A long one is hidden wherever it stands. A short one, such as
// `test` or `1`, also stands in data: it counts where it is the whole value of the key's own parameter, or of one that is
// called a key.
//
//     test:   {"api_key":"test","name":"contest","next":"/l?api_key=test&page=2"}
//         ──► {"api_key":"****","name":"contest","next":"/l?api_key=****&page=2"}

import PipelineCore

struct StoredSecrets {
    private let secrets: [SecretText]
    /// Where the request has them, as `plain` names.
    private let names: Set<String>

    init(of request: HTTPRequest) {
        secrets = request.secrets
        let own = request.fields.filter(\.isSecret).map(\.name) + request.keyParameters
        names = Set(own.map { SecretNames.plain(HTTPURL.percentDecoded($0)) })
    }

    private enum Place {
        /// The secret as such.
        case secret
        /// Nobody can say whether it is the secret or data.
        case doubtful
        case data
    }

    /// Replaces the secrets with as many asterisks.
    /// - Returns: false if the text shows one, perhaps.
    func hide(in text: inout [UInt8]) -> Bool {
        var isHidden = true
        for secret in secrets {
            var start = 0
            while let range = secret.firstRange(in: text.span, from: start) {
                switch place(of: secret, range, in: text.span) {
                case .secret:
                    for index in range { text[index] = UInt8(ascii: "*") }
                case .doubtful: isHidden = false
                case .data: break
                }
                start = range.upperBound
            }
        }
        return isHidden
    }

    func hideLong(in text: inout [UInt8]) {
        for secret in secrets where secret.isLong { secret.hide(in: &text) }
    }

    /// Whether a secret stands there as such.
    func stand(in text: Span<UInt8>) -> Bool {
        for secret in secrets {
            if secret.isLong {
                if secret.stands(in: text) { return true }
                continue
            }
            var start = 0
            while let range = secret.firstRange(in: text, from: start) {
                if case .secret = place(of: secret, range, in: text) { return true }
                start = range.upperBound
            }
        }
        return false
    }

    private func place(of secret: SecretText, _ range: Range<Int>, in text: Span<UInt8>) -> Place {
        if secret.isLong { return .secret }
        guard Self.isWord(range, in: text) else { return .data }
        if let name = Self.name(ofValueAt: range, in: text) {
            if names.contains(SecretNames.plain(name)) || SecretNames.isSecret(name) { return .secret }
        }
        guard !secret.isTiny else { return .data }
        return secret.isMixed || Self.isWhole(range, in: text) ? .doubtful : .data
    }

    // MARK: What stands around a value

    private static func isWord(_ range: Range<Int>, in text: Span<UInt8>) -> Bool {
        let isPart = { (index: Int, text: Span<UInt8>) in
            text.indices.contains(index) && (text[index].isLetterOrDigit || text[index] >= 0x80)
        }
        // `%26` and `\u0026` before it end with a digit.
        let before = text.extracting(max(0, range.lowerBound - 6)..<range.lowerBound).array
        let isEscape = before.suffix(3).first == UInt8(ascii: "%") || before.starts(with: "\\u".utf8)
        return (isEscape || !isPart(range.lowerBound - 1, text)) && !isPart(range.upperBound, text)
    }

    /// `"demo"`: a text in quotes, and nothing else in it.
    private static func isWhole(_ range: Range<Int>, in text: Span<UInt8>) -> Bool {
        guard range.lowerBound > 0, range.upperBound < text.count else { return range.count == text.count }
        return text[range.lowerBound - 1] == UInt8(ascii: "\"")
            && [UInt8(ascii: "\""), UInt8(ascii: "\\")].contains(text[range.upperBound])
    }

    private static let nameLimit = 200

    /// The name before a value: `"name": "value"`, `name=value`, `Name: Bearer value`.
    private static func name(ofValueAt range: Range<Int>, in text: Span<UInt8>) -> String? {
        var index = range.lowerBound
        let skip = { (text: Span<UInt8>, isSkipped: (UInt8) -> Bool) in
            while index > 0, isSkipped(text[index - 1]) { index -= 1 }
        }
        let isSpace = { (byte: UInt8) in byte == 0x20 || byte == 0x09 || byte == 0x0A || byte == 0x0D }
        let isQuote = { (byte: UInt8) in
            byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "\\") || byte == UInt8(ascii: "'")
        }
        // The kind of login, as in `Bearer KEY`.
        if index > 0, text[index - 1] == 0x20 {
            let end = index
            skip(text, isSpace)
            skip(text, \.isLetterOrDigit)
            if index == 0 || !isQuote(text[index - 1]) && !isSpace(text[index - 1]) { index = end }
        }
        skip(text, isQuote)
        skip(text, isSpace)
        guard index > 0, text[index - 1] == UInt8(ascii: ":") || text[index - 1] == UInt8(ascii: "=") else {
            return nil
        }
        index -= 1
        skip(text, isSpace)
        skip(text, isQuote)
        let end = index
        let start = max(0, end - nameLimit)
        skip(text) { $0.isLetterOrDigit || "-_.%[]$".utf8.contains($0) }
        guard index >= start, index < end else { return nil }
        var name = HTTPURL.percentDecoded(text.extracting(index..<end).text)
        // `\u0026name=`
        if index >= 2, text[index - 1] == UInt8(ascii: "\\"), name.hasPrefix("u00") {
            name = String(name.dropFirst(5))
        }
        return name
    }
}
