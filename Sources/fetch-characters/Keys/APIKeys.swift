// The keys of a source, from the environment variables that its description names, one of them perhaps from a file.
// Never from the command line, which everybody on the machine can read.

import PipelineCore
import PipelineHTTP

/// The keys of a run.
struct APIKeys {
    /// What the keys are needed for.
    enum Use {
        /// Nothing is sent: their texts don't matter.
        case planning
        /// Nothing is sent, but a key that is known is kept out of what is written.
        case replaying
        case sending

        static func of(_ client: HTTPClient.Options) -> Use { client.replayPath == nil ? .sending : .replaying }
    }

    /// In the order of the description.
    private(set) var sent: [SentKey] = []
    /// Where the token is from, if the description has one.
    private(set) var tokens: TokenSource?

    /// - Parameter explanation: prints requests for a token.
    /// - Throws: status 64 if it isn't clear which key a file holds, 66 for a file that can't be read, 77 for a key
    ///   that is missing or invalid.
    init(
        _ source: Source, _ settings: FetchSettings, _ use: Use, _ explanation: RequestExplanation?
    ) throws(ToolFailure) {
        let variables = try KeyVariables(source, file: settings.keyFile, isRead: use != .planning)
        if let token = source.token {
            let secrets = try Self.secrets(of: token, source, variables, use)
            tokens = try TokenSource(
                token, of: source, settings.parameters, base: settings.baseURL, secrets: secrets,
                options: settings.client
            ) { explanation?.tell($0) }
        }
        let token = tokens?.secret
        for key in source.keys {
            guard let variable = key.variable else {
                if let token { sent.append(SentKey(key, token)) }
                continue
            }
            let text = variables.text(variable)
            guard text != nil || key.isRequired else { continue }
            guard text != nil || use != .sending else { throw Self.missing(variable, source) }
            let value: HTTPSecret.Value? =
                if let text, use != .planning {
                    try Self.value(text, for: key, variables.origin(variable))
                } else { nil }
            let secret = HTTPSecret(key: variable, value, shellText: Self.shellText(key, variables))
            sent.append(SentKey(key, secret))
        }
    }

    /// What is sent for a token, by the names of the variables.
    private static func secrets(
        of token: Source.Token, _ source: Source, _ variables: KeyVariables, _ use: Use
    ) throws(ToolFailure) -> [String: HTTPSecret] {
        var secrets: [String: HTTPSecret] = [:]
        for variable in token.variables {
            let text = variables.text(variable)
            guard text != nil || use != .sending else { throw Self.missing(variable, source) }
            guard text?.utf8.allSatisfy({ $0 >= 0x20 && $0 != 0x7F }) ?? true else {
                throw ToolFailure(
                    .refused, "\(variables.origin(variable)) holds what can't be a key; it is one line")
            }
            secrets[variable] = HTTPSecret(
                key: variable, use == .planning ? nil : text.map { HTTPSecret.Value($0) },
                shellText: variables.shellText(variable))
        }
        return secrets
    }

    private static func missing(_ variable: String, _ source: Source) -> ToolFailure {
        ToolFailure(
            .refused,
            "\(source.name) needs a key; set the environment variable \(variable) or name a file with --key-file")
    }

    /// How a shell refers to it inside double quotes.
    private static func shellText(_ key: Source.Key, _ variables: KeyVariables) -> String {
        guard let variable = key.variable else { return "" }
        let text = variables.shellText(variable)
        guard case .login = key.value else { return text }
        return "$(printf %s \"\(text)\" | base64 | tr -d '\\n')"
    }

    // MARK: Texts

    private static func value(
        _ text: String, for key: Source.Key, _ origin: String
    ) throws(ToolFailure) -> HTTPSecret.Value {
        if case .login = key.value { return try login(text, origin) }
        // The value of a header may have a word before the key: `Bearer KEY`.
        let isHeader = if case .header = key.placement { true } else { false }
        guard text.utf8.allSatisfy({ $0 > 0x20 && $0 < 0x7F || isHeader && $0 == 0x20 }) else {
            let spaces = isHeader ? "" : " without spaces"
            throw ToolFailure(.refused, "\(origin) holds what can't be a key; it is one line of ASCII\(spaces)")
        }
        return HTTPSecret.Value(text, parts: text.split(separator: " ").dropFirst().suffix(1).map(String.init))
    }

    /// `user:password` in base64 (RFC 7617, section 2).
    private static func login(_ text: String, _ origin: String) throws(ToolFailure) -> HTTPSecret.Value {
        guard let colon = text.firstIndex(of: ":"), text.utf8.allSatisfy({ $0 >= 0x20 && $0 != 0x7F }) else {
            throw ToolFailure(.refused, "\(origin) holds no login; it is one line, USER:PASSWORD")
        }
        var encoded: [UInt8] = []
        Base64.append(text.utf8Bytes.span, to: &encoded)
        let password = String(text[text.index(after: colon)...])
        return HTTPSecret.Value(encoded.span.text, parts: [text, password])
    }
}
