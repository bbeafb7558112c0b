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
    /// Where the keys are from, for messages. Nil if there are none.
    private(set) var origin: String?

    /// - Parameters:
    ///   - explanation: prints requests for a token.
    ///   - given: keys by the variables that will hold them.
    /// - Throws: status 64 if it isn't clear which key a file holds, 66 for a file that can't be read, 77 for a key
    ///   that is missing or invalid.
    init(
        _ source: Source, _ settings: FetchSettings, _ use: Use, _ explanation: RequestExplanation?,
        given: [String: String] = [:]
    ) throws(ToolFailure) {
        let variables = try KeyVariables(
            source, file: settings.keyFile, isRead: use != .planning, given: given)
        if let token = source.token {
            let secrets = try Self.secrets(of: token, source, variables, use)
            tokens = try TokenSource(
                token, of: source, settings.parameters, base: settings.baseURL, secrets: secrets,
                keys: try Self.sent(token.keys, nil, source, variables, use), options: settings.client
            ) { explanation?.tell($0) }
        }
        sent = try Self.sent(source.keys, tokens?.secret, source, variables, use)
        let origins = source.variables.map {
            variables.text($0) == nil ? "\($0), which isn't set" : variables.file(of: $0) ?? $0
        }
        origin = origins.isEmpty ? nil : origins.joined(separator: " and ")
    }

    private static func sent(
        _ keys: [Source.Key], _ token: HTTPSecret?, _ source: Source, _ variables: KeyVariables, _ use: Use
    ) throws(ToolFailure) -> [SentKey] {
        var sent: [SentKey] = []
        for key in keys {
            guard let variable = key.variable else {
                if let token { sent.append(SentKey(key, token)) }
                continue
            }
            let text = variables.text(variable)
            guard text != nil || key.isRequired else { continue }
            guard text != nil || use != .sending else { throw missing(variable, source) }
            let value: HTTPSecret.Value? =
                if let text, use != .planning {
                    try Self.value(text, for: key, variables.origin(variable))
                } else { nil }
            let secret = HTTPSecret(key: variable, value, shellText: shellText(key, variables))
            sent.append(SentKey(key, secret))
        }
        return sent
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
                    .refused, "\(variables.origin(variable)) holds no valid key; a key is one line")
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
            throw ToolFailure(.refused, "\(origin) holds no valid key; a key is one line of ASCII\(spaces)")
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

/// The environment variables that a description names, and the file that stands in for one of them.
struct KeyVariables {
    private static let limitBytes = 65_536

    private var texts: [String: String] = [:]
    /// The file, and the variable that it stands in for.
    private var file: (path: String, variable: String)?

    /// - Parameters:
    ///   - file: that of `--key-file`.
    ///   - isRead: the text of the file is needed.
    ///   - given: texts that are known already.
    /// - Throws: status 64 if it isn't clear which variable the file stands in for, 66 for a file that can't be
    ///   read, 77 for one without a key.
    init(
        _ source: Source, file path: String?, isRead: Bool, given: [String: String]
    ) throws(ToolFailure) {
        let names = source.variables
        for name in names {
            let text = given[name] ?? Environment.value(name).map(Self.trimmed) ?? ""
            if !text.isEmpty { texts[name] = text }
        }
        guard let path else { return }
        let variable = try Self.variable(for: names, missing: names.filter { texts[$0] == nil })
        file = (path, variable)
        texts[variable] = isRead ? try Self.text(ofFile: path) : "-"
    }

    /// Nil if the variable isn't set.
    func text(_ variable: String) -> String? { texts[variable] }

    /// Where the text is from, for messages.
    func origin(_ variable: String) -> String {
        file(of: variable) ?? "the environment variable \(variable)"
    }

    /// The file that stands in for it, if there is one.
    func file(of variable: String) -> String? { file.flatMap { $0.variable == variable ? $0.path : nil } }

    /// How a shell refers to it inside double quotes.
    func shellText(_ variable: String) -> String {
        if let file, file.variable == variable { return "$(cat \(RequestExplanation.quoted(file.path)))" }
        return "$\(variable)"
    }

    /// The only variable, or the only one that isn't set.
    private static func variable(for names: [String], missing: [String]) throws(ToolFailure) -> String {
        if names.count == 1 { return names[0] }
        if missing.count == 1 { return missing[0] }
        let list = names.joined(separator: ", ")
        throw ToolFailure(
            .usage, "--key-file holds one of the keys \(list); set all but that one in the environment")
    }

    private static func text(ofFile path: String) throws(ToolFailure) -> String {
        let bytes: [UInt8]
        do throws(SystemError) {
            bytes = try Descriptor.contents(of: path, limitBytes: limitBytes)
        } catch {
            guard !error.isTooLarge else {
                throw ToolFailure(.refused, "\(path) is too long for a key; it is one line of ASCII")
            }
            throw ToolFailure(.noInput, error.advice(orElse: "--key-file takes a file that holds the key"))
        }
        let text = trimmed(bytes.span.text)
        guard !text.isEmpty else { throw ToolFailure(.refused, "\(path) holds no key; write it there") }
        return text
    }

    /// Without the line end that editors add.
    private static func trimmed(_ text: String) -> String {
        let isSpace: (Unicode.Scalar) -> Bool = { $0 == " " || $0 == "\t" || $0 == "\n" || $0 == "\r" }
        let start = text.unicodeScalars.drop(while: isSpace)
        let count = start.reversed().prefix(while: isSpace).count
        return String(start.dropLast(count))
    }
}
