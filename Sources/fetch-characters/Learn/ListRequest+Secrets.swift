// The secrets of the request for a list: each becomes a key, whose text is kept apart from the description.
//
//     {"auth": {"pass": "s3cret"}, "page": 1}   ──►   {"auth": {"pass": ""}, "page": 1}    $.auth.pass: s3cret

import PipelineCore
import PipelineHTTP

extension ListRequest {
    /// Services take no deeper index of an array from a description.
    private static let mostElements = 1000

    /// Of two lines the values are one list (RFC 9110, section 5.3).
    mutating func add(header name: String, _ text: String) {
        guard let index = headers.firstIndex(where: { HTTPHeaders.areEqual($0.name, name) }) else {
            return headers.append(Source.Parameter(name, text))
        }
        let other = headers[index]
        guard other.value != text else { return }
        headers[index] = Source.Parameter(other.name, other.value.isEmpty ? text : "\(other.value), \(text)")
    }

    /// Makes keys of all secrets in the query and the body.
    /// - Throws: a secret that can't be told from what stands around it, or has no place that a description can name.
    mutating func takeSecrets() throws(UsageError) {
        try checkPath()
        let listed = allParameters.filter { if case .body = $0.place { false } else { true } }
        for parameter in listed {
            guard let sign = SecretWalk.sign(of: parameter.value, named: parameter.name) else { continue }
            let isOnce = listed.count { $0.place == parameter.place } == 1
            guard isOnce else { throw UsageError("\(parameter.name) stands twice, and has a key; leave one") }
            try take(parameter.place, parameter.value, sign, isWhole: isWhole(parameter))
        }
        guard case .json(let tree)? = content else { return }
        for finding in SecretWalk.findings(in: tree) {
            guard !finding.isNumber else {
                let path = JSONLocation.path(of: finding.steps, style: .rooted)
                throw UsageError(
                    "\(path) is a key and a number, which a description can't have; write it in quotes")
            }
            try take(.body(finding.steps), finding.text, finding.sign, isWhole: finding.isWhole)
        }
    }

    private func isWhole(_ parameter: Parameter) -> Bool {
        SecretNames.isSecret(parameter.name) || !parameter.value.contains(where: \.isWhitespace)
    }

    private mutating func take(
        _ place: Placement, _ text: String, _ sign: LearntKey.Sign, isWhole: Bool
    ) throws(UsageError) {
        let key = LearntKey(placement: place, sign: sign, text: text)
        guard isWhole else {
            throw UsageError("\(key.name) has a key within a longer text; write the key as a value of its own")
        }
        if case .body(let steps) = place {
            let isNamable = steps.allSatisfy {
                if case .index(let index) = $0 { index < Self.mostElements } else { true }
            }
            guard isNamable else {
                throw UsageError(
                    "\(key.name) has a key, and a description has no path to it; use another way to log in")
            }
        }
        add(key)
    }

    /// A body keeps its order: the key's text comes where it stood.
    private mutating func add(_ key: LearntKey) {
        guard let place = key.placement else { return keys.append(key) }
        switch place {
        case .query: self = removing([place])
        case .body(let steps):
            if case .json(let tree)? = content { content = .json(tree.setting(.string(""), at: steps[...])) }
        case .form: self = setting(place, to: "")
        case .header(let name): headers.removeAll { HTTPHeaders.areEqual($0.name, name) }
        case .path: return
        }
        keys.append(key)
    }

    /// Makes a key of a header field or a parameter that nothing named as one.
    /// - Parameter name: that of the description, for the key's variable.
    mutating func makeKey(_ place: Placement, of name: String) {
        let text: String? =
            if case .header(let name) = place {
                headers.first { HTTPHeaders.areEqual($0.name, name) }?.value
            } else {
                parameters.first { $0.place == place }?.value
            }
        guard let text else { return }
        add(LearntKey(placement: place, sign: .refusal, text: text))
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
    mutating func takeSession() throws(UsageError) -> String? {
        var found: String?
        let segments = ownPath.split(separator: "/", omittingEmptySubsequences: false).map { segment in
            let parts = segment.split(separator: ";", omittingEmptySubsequences: false)
            let others = parts.dropFirst().filter { part in
                let name = SecretNames.plain(HTTPURL.percentDecoded(String(part.prefix { $0 != "=" })))
                guard Self.sessions.contains(name) else { return true }
                found = name
                return false
            }
            return (parts.prefix(1) + others).joined(separator: ";")
        }
        ownPath = segments.joined(separator: "/")
        return found
    }

    /// - Throws: where the path has a secret.
    func checkPath() throws(UsageError) {
        guard let name = secretInPath else { return }
        throw UsageError(
            "\(name) in the URL's path would show a key to everybody and keep it in the description; use another way to log in"
        )
    }

    /// What the path has that is a key: the name of a parameter of a segment, or of the segment before.
    var secretInPath: String? {
        var before = ""
        for segment in ownPath.split(separator: "/") {
            let parts = segment.split(separator: ";").map { HTTPURL.percentDecoded(String($0)) }
            for part in parts.dropFirst() {
                let parameter = Self.parameter(part)
                if SecretWalk.sign(of: parameter.value, named: parameter.name) != nil { return parameter.name }
            }
            let text = parts.first ?? ""
            if Self.isSecret(segment: text, after: before) {
                return before.isEmpty ? "a segment" : "what follows \(before)"
            }
            before = text
        }
        return nil
    }

    private static func isSecret(segment: String, after before: String) -> Bool {
        if SecretNames.isSecret(before), segment.utf8.count >= 8, segment.contains(where: \.isNumber),
            segment.contains(where: \.isLetter)
        {
            return true
        }
        switch SecretNames.shape(of: segment) {
        case .token?: return true
        case .key?:
            let isHexadecimal = segment.allSatisfy { $0.isHexDigit || $0 == "-" }
            return segment.utf8.count >= longSegment && !isHexadecimal
        case nil: return false
        }
    }
}
