// Decides which values of a list's request are secrets: each becomes a key, whose text is kept apart from the description.
//
//     {"auth": {"pass": "s3cret"}, "page": 1}   ──►   {"auth": {"pass": ""}, "page": 1}    $.auth.pass: s3cret

import PipelineCore
import PipelineHTTP

extension ListRequest {
    /// Makes keys of all secrets in the query and the body.
    /// - Throws: a secret that can't be told from what stands around it, or has no place that a description can name.
    mutating func takeSecrets() throws(UsageError) {
        try checkPath()
        let listed = allParameters.filter { if case .body = $0.place { false } else { true } }
        for parameter in listed {
            guard SecretWalk.isSecret(parameter.value, named: parameter.name) else { continue }
            guard listed.count(where: { $0.place == parameter.place }) == 1 else {
                throw UsageError("\(parameter.name) stands twice, and has a key; leave one")
            }
            let key = LearntKey(placement: parameter.place, text: parameter.value)
            try take(
                key, isWhole: SecretWalk.isWhole(parameter.value, isNamed: SecretNames.isSecret(parameter.name)))
        }
        guard case .json(let tree)? = content else { return }
        for finding in SecretWalk.findings(in: tree) {
            let key = LearntKey(placement: .body(finding.steps), text: finding.text)
            guard !finding.isNumber else {
                throw UsageError(
                    "\(key.name) is a key and a number, which a description can't have; write it in quotes")
            }
            guard Placement.isBodyPlace(finding.steps) else {
                throw UsageError(
                    "\(key.name) has a key, and a description has no path to it; use another way to log in")
            }
            try take(key, isWhole: finding.isWhole)
        }
    }

    private mutating func take(_ key: LearntKey, isWhole: Bool) throws(UsageError) {
        guard isWhole else {
            throw UsageError("\(key.name) has a key within a longer text; write the key as a value of its own")
        }
        add(key)
    }

    /// A body keeps its order: the key's text comes where it stood.
    private mutating func add(_ key: LearntKey) {
        switch key.placement {
        case .query?: self = removing([key.placement].compactMap(\.self))
        case .body?, .form?: key.placement.map { self = setting($0, to: "") }
        case .header(let name)?: headers.removeAll { HTTPHeaders.areEqual($0.name, name) }
        case .path?: return
        case nil: break
        }
        keys.append(key)
    }

    /// Makes a key of a header field or a parameter that nothing named as one.
    /// - Parameter name: that of the description, for the key's variable.
    mutating func makeKey(_ place: Placement, of name: String) {
        var text = parameters.first { $0.place == place }?.value
        if case .header(let name) = place {
            text = headers.first { HTTPHeaders.areEqual($0.name, name) }?.value
        }
        guard let text else { return }
        add(LearntKey(placement: place, text: text))
        keys = LearntKey.named(keys, of: name)
    }

    /// The texts of the keys that the request has, by their variables.
    var givenKeys: [String: String] {
        let given = keys.compactMap { key in key.text.map { (key.variable ?? "", $0) } }
        return Dictionary(given, uniquingKeysWith: { $1 })
    }

    /// Whether what was left out of a request that is answered else is a key.
    static func isRefusal(_ status: Int) -> Bool { [401, 403].contains(status) }

    // MARK: Secrets in the path, which a description would show

    private static let sessions = ["jsessionid", "phpsessid", "sessionid", "sid", "aspsessionid"]
    /// Shorter irregular segments are ids of what is listed.
    private static let longSegment = 32

    /// Takes out `;jsessionid=…`, for which services of Java take a cookie too.
    /// - Returns: its name, if there was one.
    mutating func takeSession() -> String? {
        var found: String?
        let segments = ownPath.split(separator: "/", omittingEmptySubsequences: false).map { segment in
            let parts = segment.split(separator: ";", omittingEmptySubsequences: false)
            let others = parts.dropFirst().filter { part in
                let name = SecretNames.plain(Self.parameter(part).name)
                if Self.sessions.contains(name) { found = name }
                return !Self.sessions.contains(name)
            }
            return (parts.prefix(1) + others).joined(separator: ";")
        }
        ownPath = segments.joined(separator: "/")
        return found
    }

    /// - Throws: where the path has a secret: a parameter of a segment, or the segment itself.
    func checkPath() throws(UsageError) {
        var before = ""
        for segment in ownPath.split(separator: "/") {
            let parts = segment.split(separator: ";")
            let own = parts.dropFirst().map(Self.parameter)
            let text = HTTPURL.percentDecoded(String(parts.first ?? ""))
            let parameter = own.first { SecretWalk.isSecret($0.value, named: $0.name) }?.name
            let isSecret = Self.isSecret(segment: text, after: before)
            if parameter != nil || isSecret {
                let name = parameter ?? before.nonEmpty.map { "what follows \($0)" } ?? "a segment"
                throw UsageError(
                    "\(name) in the URL's path would show a key to everybody and keep it in the description; use another way to log in"
                )
            }
            before = text
        }
    }

    private static func isSecret(segment: String, after before: String) -> Bool {
        if segment.utf8.count >= 8, segment.contains(where: \.isNumber), segment.contains(where: \.isLetter),
            SecretNames.isSecret(before)
        {
            return true
        }
        switch SecretNames.shape(of: segment) {
        case .token?: return true
        case .key? where segment.utf8.count >= longSegment:
            return !segment.filter { $0 != "-" }.allSatisfy(\.isHexDigit)
        case .key?: return false
        case nil: return false
        }
    }
}

/// A key of the request: where it goes, what the copied request has there, and the environment variable that holds it from
/// then on.
///
///     -H 'Authorization: Bearer t1'   ──►   {"header": "Authorization", "prefix": "Bearer ", "env": "CARDS_KEY", …}
struct LearntKey: Sendable {
    /// Nil for a user and a password as RFC 7617 has them.
    let placement: Placement?
    var prefix = ""
    /// The environment variable that holds it, once it is known.
    var variable: String?
    var text: String?

    var headerName: String? {
        guard let placement else { return "Authorization" }
        return if case .header(let name) = placement { name } else { nil }
    }

    /// What a message calls it.
    var name: String {
        switch placement {
        case nil: "user:password"
        case .body(let steps)?: steps.path
        case let placement?: placement.name
        }
    }

    private var word: String {
        guard let placement else { return "LOGIN" }
        return ["cookie": "COOKIE"][placement.name.lowercased()] ?? "KEY"
    }

    /// Gives each key a variable of its own: `CARDS_KEY`, `CARDS_LOGIN`, `CARDS_COOKIE`.
    static func named(_ keys: [LearntKey], of name: String) -> [LearntKey] {
        let words = keys.map(\.word)
        var taken = Set(keys.compactMap(\.variable))
        return zip(keys, words).map { key, word in
            guard key.variable == nil else { return key }
            var own = word
            if words.count(where: { $0 == word }) > 1, let place = key.placement { own = place.name }
            let letters = "\(name)_\(own)".uppercased().map { ShellText.isASCIIName($0) ? $0 : "_" }
            let variable = (name.first?.isNumber == true ? "API_" : "") + String(letters)
            let free = [variable] + (2...taken.count + 2).map { "\(variable)_\($0)" }
            var named = key
            named.variable = free.first { !taken.contains($0) }
            taken.insert(named.variable ?? "")
            return named
        }
    }
}
