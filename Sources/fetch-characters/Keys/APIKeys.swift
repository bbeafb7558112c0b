// The keys of a source, from the environment variables that its description names, one of them perhaps from a file.
// Never from the command line, which everybody on the machine can read.

import PipelineCore
import PipelineHTTP

struct APIKeys {
    private(set) var sent: [SentKey] = []
    private(set) var tokens: TokenSource?
    /// Where the keys are from, for messages. Nil if there are none.
    private(set) var origin: String?
    private let sourceName: String
    /// Nothing is sent, and their texts don't matter.
    private let isPlan: Bool
    /// Nothing is sent, but a key that is known is kept out of what is written.
    private let isReplayed: Bool
    /// By variable, those that are set.
    private var texts: [String: String] = [:]
    /// The file of `--key-file`, and the variable that it stands in for.
    private var file: (path: String, variable: String)?

    /// - Parameter given: keys by the variables that will hold them.
    /// - Throws: status 64 if it isn't clear which key a file holds, 66 for a file that can't be read, 77 for a key
    ///   that is missing or invalid.
    init(
        _ source: Source, _ settings: FetchSettings, _ explanation: RequestExplanation?,
        given: [String: String] = [:]
    ) throws(ToolFailure) {
        sourceName = source.name
        isPlan = settings.isPlan
        isReplayed = settings.client.replayPath != nil
        for name in source.variables {
            let text = given[name] ?? KeyText.ofVariable(name) ?? ""
            if !text.isEmpty { texts[name] = text }
        }
        if let path = settings.keyFile {
            let variable = try variable(of: source.variables)
            file = (path, variable)
            texts[variable] = isPlan ? "-" : try KeyText.ofFile(path)
        }
        if !isPlan, !isReplayed { try checkAllAreSet(source) }
        if let token = source.token {
            var secrets: [String: HTTPSecret] = [:]
            for variable in token.variables {
                secrets[variable] = try secret(variable, shellText(variable)) { (text) throws(ToolFailure) in
                    guard text.utf8.allSatisfy({ $0 >= 0x20 && $0 != 0x7F }) else {
                        throw invalid(variable, "valid key; a key is one line")
                    }
                    return HTTPSecret.Value(text)
                }
            }
            tokens = try TokenSource(
                token, of: source, settings, secrets: secrets, keys: try sent(token.keys)
            ) {
                explanation?.tell($0)
            }
        }
        sent = try sent(source.keys)
        let origins = source.variables.map { variable in
            texts[variable] == nil ? "\(variable), which isn't set" : file(of: variable) ?? variable
        }
        origin = origins.isEmpty ? nil : origins.joined(separator: " and ")
    }

    /// A digest of all that names the user to the service, keys or a login. It reveals none of it, as it is cryptographic and
    /// salted, and tells two users of one description apart. Nil where nothing is sent.
    func digest(salt: UInt64) -> String? {
        guard !sent.isEmpty else { return nil }
        let parts = sent.flatMap { ["\($0.placement)", $0.secret.identity] }
        let text = "\(salt)" + parts.map { "\n\($0.utf8.count):\($0)" }.joined()
        return SHA256.hexadecimal(SHA256.digest(text.utf8Bytes.span))
    }

    /// - Throws: status 77 if keys are missing. All of them are named, so that one look is enough.
    private func checkAllAreSet(_ source: Source) throws(ToolFailure) {
        let keys = source.keys + (source.token?.keys ?? [])
        let required = keys.filter(\.isRequired).compactMap(\.variable) + (source.token?.variables ?? [])
        let missing = required.withoutRepeats.filter { texts[$0] == nil }
        guard let first = missing.first else { return }
        let cure =
            missing.count == 1
            ? "set the environment variable \(first) or name a file with --key-file"
            : "set the environment variables \(missing.joined(separator: " and ")), of which --key-file may give one"
        let finding = missing.count == 1 ? "needs a key" : "needs \(missing.count) keys"
        throw ToolFailure(.refused, Message("\(sourceName) \(finding)", cure: cure))
    }

    private func sent(_ keys: [Source.Key]) throws(ToolFailure) -> [SentKey] {
        let token = tokens?.secret
        var sent: [SentKey] = []
        for key in keys {
            guard let variable = key.variable else {
                if let token { sent.append(SentKey(key, token)) }
                continue
            }
            guard texts[variable] != nil || key.isRequired else { continue }
            let shellText = shellText(variable)
            let secret = try secret(
                variable, key.isLogin ? "$(printf %s \"\(shellText)\" | base64 | tr -d '\\n')" : shellText
            ) { (text) throws(ToolFailure) in
                key.isLogin ? try login(text, variable) : try value(text, of: key, variable)
            }
            sent.append(SentKey(key, secret))
        }
        return sent
    }

    /// - Parameter value: what is sent, from the text of the variable.
    private func secret(
        _ variable: String, _ shellText: String, _ value: (String) throws(ToolFailure) -> HTTPSecret.Value
    ) throws(ToolFailure) -> HTTPSecret {
        guard let text = texts[variable], !isPlan else {
            return HTTPSecret(key: variable, nil, shellText: shellText)
        }
        return HTTPSecret(key: variable, try value(text), shellText: shellText)
    }

    /// How a shell refers to it inside double quotes.
    private func shellText(_ variable: String) -> String {
        file(of: variable).map { "$(cat \(ShellWord.quoted($0)))" } ?? "$\(variable)"
    }

    // MARK: Texts

    private func value(
        _ text: String, of key: Source.Key, _ variable: String
    ) throws(ToolFailure) -> HTTPSecret.Value {
        let isHeader = if case .header = key.placement { true } else { false }
        guard let value = KeyText.value(text, isHeader: isHeader) else {
            throw invalid(variable, KeyText.demand(isHeader: isHeader))
        }
        return value
    }

    /// `user:password` in base64 (RFC 7617, section 2).
    private func login(_ text: String, _ variable: String) throws(ToolFailure) -> HTTPSecret.Value {
        guard let colon = text.firstIndex(of: ":"), text.utf8.allSatisfy({ $0 >= 0x20 && $0 != 0x7F }) else {
            throw invalid(variable, "login; it is one line, USER:PASSWORD")
        }
        let encoded = Base64.encoded(text.utf8Bytes.span)
        return HTTPSecret.Value(encoded.span.text, parts: [text, String(text[text.index(after: colon)...])])
    }

    private func invalid(_ variable: String, _ finding: Message) -> ToolFailure {
        ToolFailure(
            .refused, "\(file(of: variable) ?? "the environment variable \(variable)") holds no \(finding)")
    }

    private func file(of variable: String) -> String? { file?.variable == variable ? file?.path : nil }

    /// The variable that the file stands in for: the only one, or the only one that isn't set.
    private func variable(of names: [String]) throws(ToolFailure) -> String {
        let missing = names.filter { texts[$0] == nil }
        for candidates in [names, missing] where candidates.count == 1 { return candidates[0] }
        throw ToolFailure(
            .usage,
            "--key-file holds one of the keys \(names.joined(separator: ", ")); set all but that one in the environment"
        )
    }
}
