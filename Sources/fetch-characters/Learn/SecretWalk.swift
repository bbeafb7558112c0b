// Decides which texts of a JSON value are secrets, wherever they stand: by every name on the way to a text, and by its shape.
//
//     {"variables": {"auth": {"user": "ida", "pass": "s3cret"}, "list": ["a", "eyJhbGciOi….eyJzdWIi….SflKxw"]}}
//                             $.variables.auth.user, .pass          $.variables.list[1]

import PipelineCore
import PipelineHTTP

enum SecretWalk {
    struct Finding {
        let steps: [JSONTree.Step]
        let text: String
        /// All of the text is the secret, as far as one can see. Else it stands in a sentence or in a query's text.
        let isWhole: Bool
        var isNumber = false
    }

    /// A text within a text within a text is looked at, and no deeper.
    private static let textLevels = 4
    /// A shorter number is data: `{"key": 5}`.
    private static let leastDigits = 4

    /// All secrets of the value: at any depth, in texts of any length, in arrays.
    static func findings(in tree: JSONTree) -> [Finding] {
        var found: [Finding] = []
        tree.walk { steps, value in
            guard let text = value.scalar, !text.isEmpty else { return true }
            let names = steps.names
            let isNamed = names.contains(where: SecretNames.isSecret)
            if value.string != nil, isNamed || isSecret(text, named: names.last ?? "") {
                found.append(Finding(steps: steps, text: text, isWhole: isWhole(text, isNamed: isNamed)))
            } else if value.string == nil, text.utf8.count >= leastDigits, SecretNames.isSecret(names.last ?? "") {
                found.append(Finding(steps: steps, text: text, isWhole: true, isNumber: true))
            }
            return true
        }
        return found
    }

    /// Whether all of a text is the secret: by its name, or as one word.
    static func isWhole(_ text: String, isNamed: Bool) -> Bool { isNamed || !text.contains(where: \.isWhitespace) }

    /// Whether a text is a secret, or has one in it: by its own name, its shape, or a name that stands in it, as in JSON, a
    /// URL or `a=b&key=c`.
    static func isSecret(_ text: String, named name: String) -> Bool {
        guard !text.isEmpty else { return false }
        return SecretNames.isSecret(name) || isSecret(text, named: name, level: 0)
    }

    private static func isSecret(_ text: String, named name: String, level: Int) -> Bool {
        if hasSecretWithin(text, level: level) { return true }
        switch SecretNames.shape(of: text) {
        case .token?: return true
        case .key?: return !SecretNames.isOfData(name)
        case nil: return false
        }
    }

    private static func hasSecretWithin(_ text: String, level: Int) -> Bool {
        guard level < textLevels else { return false }
        if let first = text.first(where: { !$0.isWhitespace }), "{[".contains(first),
            let tree = try? JSONTree.read(text.utf8Bytes.span)
        {
            return !findings(in: tree).isEmpty
        }
        let scheme = ["Bearer ", "Basic ", "Token "].first(where: text.hasPrefix)
        if let scheme, text.count > scheme.count { return true }
        return hasSecretArgument(text) || hasParameter(text, level: level)
    }

    /// Whether a secret stands in it as a parameter of a query, `a=b&key=c`.
    static func hasParameter(_ text: String, level: Int = 0) -> Bool {
        guard text.contains("=") else { return false }
        return text.split { "?&;#, \n".contains($0) }.contains { part in
            guard part.contains("=") else { return false }
            let pair = ListRequest.parameter(part)
            guard !pair.value.isEmpty, pair.name.utf8.count <= 100 else { return false }
            return SecretNames.isSecret(pair.name) || isSecret(pair.value, named: pair.name, level: level + 1)
        }
    }

    /// `query { cards(apiKey: "k123") { id } }`
    private static func hasSecretArgument(_ text: String) -> Bool {
        guard text.contains("\"") else { return false }
        let parts = text.split(separator: ":", omittingEmptySubsequences: false)
        return zip(parts, parts.dropFirst()).contains { before, after in
            let backwards = before.reversed().drop(while: \.isWhitespace).prefix(while: ShellText.isName)
            let value = after.drop(while: \.isWhitespace)
            guard value.hasPrefix("\""), !value.hasPrefix("\"\"") else { return false }
            return SecretNames.isSecret(String(backwards.reversed()))
        }
    }
}
