// The secrets in a JSON value, wherever they stand: by every name on the way to a text, and by the shape of the text.
//
//     {"variables": {"auth": {"user": "ida", "pass": "s3cret"}, "list": ["a", "eyJhbGciOi….eyJzdWIi….SflKxw"]}}
//                             $.variables.auth.user, .pass          $.variables.list[1]

import PipelineCore
import PipelineHTTP

struct SecretWalk {
    struct Finding {
        let steps: [JSONLocation.PathStep]
        let text: String
        let sign: LearntKey.Sign
        /// All of the text is the secret, as far as one can see. Else it stands in a sentence or in a query's text.
        let isWhole: Bool
        var isNumber = false
    }

    /// A text within a text within a text is looked at, and no deeper.
    private static let textLevels = 4
    /// A shorter number is data: `{"key": 5}`.
    private static let leastDigits = 4

    private var found: [Finding] = []

    /// All secrets of the value: at any depth, in texts of any length, in arrays.
    static func findings(in tree: JSONTree) -> [Finding] {
        var walk = SecretWalk()
        walk.visit(tree, [], name: "", isSecret: false)
        return walk.found
    }

    private mutating func visit(
        _ tree: JSONTree, _ steps: [JSONLocation.PathStep], name: String, isSecret: Bool
    ) {
        switch tree {
        case .object(let members):
            for (name, value) in members {
                visit(
                    value, steps + [.name(name)], name: name, isSecret: isSecret || SecretNames.isSecret(name))
            }
        case .array(let elements):
            for (index, value) in elements.enumerated() {
                visit(value, steps + [.index(index)], name: name, isSecret: isSecret)
            }
        case .string(let text):
            let sign = isSecret ? .name : Self.sign(of: text, named: name)
            guard let sign, !text.isEmpty else { return }
            let isWhole = isSecret || !text.contains(where: \.isWhitespace)
            found.append(Finding(steps: steps, text: text, sign: sign, isWhole: isWhole))
        case .integer, .number:
            let isLong = tree.json.utf8.count >= Self.leastDigits
            guard isLong, SecretNames.isSecret(name) else { return }
            found.append(Finding(steps: steps, text: tree.json, sign: .name, isWhole: true, isNumber: true))
        case .boolean, .null: break
        }
    }

    /// What shows that a text is a secret, or has one in it: its own name, its shape, or a name that stands in it, as in
    /// JSON, a URL or `a=b&key=c`.
    static func sign(of text: String, named name: String) -> LearntKey.Sign? {
        guard !text.isEmpty else { return nil }
        return SecretNames.isSecret(name) ? .name : sign(of: text, named: name, level: 0)
    }

    private static func sign(of text: String, named name: String, level: Int) -> LearntKey.Sign? {
        if hasSecretWithin(text, level: level) { return .name }
        switch SecretNames.shape(of: text) {
        case .token?: return .shape
        case .key?: return SecretNames.isOfData(name) ? nil : .shape
        case nil: return nil
        }
    }

    private static func hasSecretWithin(_ text: String, level: Int) -> Bool {
        guard level < textLevels else { return false }
        if let first = text.first(where: { !$0.isWhitespace }), "{[".contains(first),
            let tree = try? JSONTree.read(text.utf8Bytes.span)
        {
            return !findings(in: tree).isEmpty
        }
        for word in ["Bearer ", "Basic ", "Token "] where text.hasPrefix(word) && text.count > word.count {
            return true
        }
        return text.contains("\"") && hasSecretArgument(text) || hasParameter(text, level: level)
    }

    /// Whether a secret stands in it as a parameter of a query, `a=b&key=c`.
    static func hasParameter(_ text: String, level: Int = 0) -> Bool {
        guard text.contains("=") else { return false }
        return text.split { "?&;#, \n".contains($0) }.contains { hasSecret(parameter: String($0), level: level) }
    }

    private static func hasSecret(parameter: String, level: Int) -> Bool {
        let pair = parameter.split(separator: "=", maxSplits: 1).map { part in
            HTTPURL.percentDecoded(String(part).replacing("+", with: " "))
        }
        guard pair.count == 2, pair[0].utf8.count <= 100 else { return false }
        return SecretNames.isSecret(pair[0]) || sign(of: pair[1], named: pair[0], level: level + 1) != nil
    }

    /// `query { cards(apiKey: "k123") { id } }`
    private static func hasSecretArgument(_ text: String) -> Bool {
        let parts = text.split(separator: ":", omittingEmptySubsequences: false)
        return zip(parts, parts.dropFirst()).contains { before, after in
            let backwards = before.reversed().drop(while: \.isWhitespace).prefix(while: ShellText.isName)
            let value = after.drop(while: \.isWhitespace)
            guard value.hasPrefix("\""), !value.hasPrefix("\"\"") else { return false }
            return SecretNames.isSecret(String(backwards.reversed()))
        }
    }
}
