// Decides what of a request that somebody made with another program is sent. It is sent as it was copied: what can't be is
// refused by name, and what is left out is told. Keys are told from other values by names and by shapes.

import PipelineCore
import PipelineHTTP

struct CopiedRequest {
    var method = "GET"
    var url = ""
    /// Header fields; a variable stands for what the environment holds.
    var fields: [(name: String, value: ShellText.Word)] = []
    var login: String?
    var body: String?
    /// What the other program says of the body, where no header field does.
    var mediaType: String?
    var notes: [String] = []

    /// Whether both ask for pages of one list, as far as the URLs tell.
    func isSameList(as other: CopiedRequest) -> Bool {
        let paths = [url, other.url].map { $0.prefix { !"?#".contains($0) } }
        return (method, paths[0]) == (other.method, paths[1])
    }

    /// - Throws: what it has that no description can have.
    func listRequest() throws(UsageError) -> ListRequest { try taken().request }

    /// The request, and what isn't taken or was changed.
    /// - Throws: what it has that no description can have.
    func taken() throws(UsageError) -> (request: ListRequest, notes: [String]) {
        guard ["GET", "POST"].contains(method) else {
            throw UsageError("\(method) may change something at the service; --learn sends only GET and POST")
        }
        let url: HTTPURL
        do throws(HTTPFailure) { url = try HTTPURL(self.url) } catch { throw UsageError(error.message) }
        var request = ListRequest(url)
        var notes = notes
        request.isCopied = true
        request.content = try content()
        try request.checkReadsOnly()
        if let session = request.takeSession() { notes.append("the session \(session) in the path is left out") }
        let leftOut = try takeFields(into: &request, url)
        if !leftOut.isEmpty {
            notes.append(
                "left out of the request: \(leftOut.joined(separator: ", ")), which a list is asked for without")
        }
        if let content = request.content, let type = try bodyType(), type.lowercased() != content.body.mediaType {
            request.add(header: "Content-Type", type)
        }
        // A header field comes before `--user`, and that before the URL's own.
        let hasLogin = request.keys.contains { $0.headerName?.lowercased() == "authorization" }
        if !hasLogin, let login = login ?? user { request.keys.append(LearntKey(placement: nil, text: login)) }
        try request.takeSecrets()
        return (request, notes)
    }

    private var user: String? {
        let authority = url.firstRange(of: "://").map { url[$0.upperBound...].prefix { !"/?#".contains($0) } }
        return authority.flatMap { text in
            text.lastIndex(of: "@").map { HTTPURL.percentDecoded(String(text[..<$0])) }
        }
    }

    // MARK: Header fields

    /// What every client sets by itself, as the connection needs it.
    private static let silent = [
        "Content-Length", "Connection", "Keep-Alive", "Proxy-Connection", "Transfer-Encoding", "TE", "Content-Type",
    ]
    /// What would make the response another one than a whole list, or isn't for the service.
    private static let unwanted = [
        "Range", "If-Range", "If-None-Match", "If-Modified-Since", "If-Match", "If-Unmodified-Since",
        "Accept-Encoding", "Expect", "Upgrade", "Trailer", "Proxy-Authorization", "Proxy-Authenticate",
    ]
    private static let methodFields = ["X-HTTP-Method-Override", "X-HTTP-Method", "X-Method-Override"]
    /// Ways to log in whose header field is valid for one request alone.
    private static let onceSchemes = [
        "digest", "ntlm", "negotiate", "kerberos", "hawk", "dpop", "aws4-hmac-sha256", "signature",
    ]

    /// - Returns: what is left out, and told.
    /// - Throws: a field that no description can have, by its name.
    private func takeFields(into request: inout ListRequest, _ url: HTTPURL) throws(UsageError) -> [String] {
        var leftOut: [String] = []
        let sent = fields.filter { !$0.name.hasPrefix(":") }
        for (name, value) in sent where !HTTPHeaders.isOne(name, of: Self.silent) {
            if HTTPHeaders.areEqual(name, "Host") {
                try Self.checkHost(value.text, url)
            } else if HTTPHeaders.isOne(name, of: Self.unwanted) {
                let isOwn = (name.lowercased(), value.text) == ("accept-encoding", "gzip")
                if !isOwn, !HTTPHeaders.isOne(name, of: leftOut) { leftOut.append(name) }
            } else if HTTPHeaders.isOne(name, of: Self.methodFields), value.text.uppercased() != "GET" {
                throw UsageError("\(name) asks for \(value.text.prefix(20)), which may change something")
            } else if Self.isKey(value, named: name) {
                try Self.add(try Self.key(name, value), to: &request)
            } else {
                guard Placeholders.names(in: value.text).isEmpty else {
                    throw UsageError(
                        "the header field \(name) has braces, which a description can't have; leave it out")
                }
                request.add(header: name, value.text)
            }
        }
        return leftOut
    }

    /// A service with many hosts gives another list for another name.
    private static func checkHost(_ host: String, _ url: HTTPURL) throws(UsageError) {
        let plain = { (text: String) in text.lowercased().filter { !"[]".contains($0) } }
        var names = ["\(url.host):\(url.port)"]
        if ["http:80", "https:443"].contains("\(url.scheme):\(url.port)") { names.append(url.host) }
        guard names.map(plain).contains(plain(host)) else {
            throw UsageError(
                "the header field Host names another host than the URL, so it can't be sent; write \(host.prefix(100)) into the URL"
            )
        }
    }

    /// Fields of browsers have long values that tell of nothing, but for the URL of a page with a key in its query.
    private static func isKey(_ value: ShellText.Word, named name: String) -> Bool {
        if value.variable != nil { return true }
        guard UsualNames.isNoise(name) else { return SecretWalk.isSecret(value.text, named: name) }
        if case .token? = SecretNames.shape(of: value.text) { return true }
        return SecretWalk.hasParameter(value.text)
    }

    private static func key(_ name: String, _ value: ShellText.Word) throws(UsageError) -> LearntKey {
        guard !value.goesOn else {
            throw UsageError("the header field \(name) has more than one variable at its end; write its value")
        }
        var key = LearntKey(placement: .header(name), variable: value.variable, text: value.text)
        if value.variable != nil { (key.prefix, key.text) = (value.text, nil) }
        guard SecretNames.plain(name).hasSuffix("authorization") else { return key }
        let (scheme, text) = (value.text.prefix { $0 != " " }, value.text)
        // OAuth 1.0 signs a request.
        let isSigned = scheme.lowercased() == "oauth" && text.contains("oauth_signature")
        guard !isSigned, !onceSchemes.contains(scheme.lowercased()) else {
            throw UsageError("\(name): \(scheme) is valid for one request alone; use another kind of key")
        }
        guard value.variable == nil, scheme.count < text.count else { return key }
        let credentials = text.dropFirst(scheme.count + 1)
        (key.prefix, key.text) = (scheme + " ", String(credentials))
        if scheme.lowercased() == "basic", let login = Base64.decoded(String(credentials).utf8Bytes.span),
            login.contains(UInt8(ascii: ":"))
        {
            return LearntKey(placement: nil, text: String(decoding: login, as: UTF8.self))
        }
        return key
    }

    private static func add(_ key: LearntKey, to request: inout ListRequest) throws(UsageError) {
        let name = key.headerName ?? ""
        let other = request.keys.firstIndex { $0.headerName.map { HTTPHeaders.areEqual($0, name) } ?? false }
        guard let other else { return request.keys.append(key) }
        let known = request.keys[other]
        if let text = key.text, known.text != nil, name.lowercased() == "cookie" {
            request.keys[other].text? += "; \(text)"
        } else if (known.text, known.variable) != (key.text, key.variable) {
            throw UsageError("the header field \(name) stands twice with different keys; leave one")
        }
    }

    // MARK: Body

    /// - Throws: where the body is neither JSON nor a form, or changes something.
    private func content() throws(UsageError) -> RequestContent? {
        let body = body ?? ""
        guard method == "POST" else {
            guard body.isEmpty else {
                throw UsageError(
                    "a GET with a body, which a description can't have; use POST if the service takes it")
            }
            return nil
        }
        guard !body.isEmpty else { return .form([]) }
        let media = try bodyType()?.lowercased() ?? ""
        let tree = try? JSONTree.read(body.utf8Bytes.span)
        if let tree, tree.isObject { return try json(tree) }
        guard tree?.elements == nil else {
            throw UsageError("the body is a JSON array, and a description's is an object")
        }
        guard media.isEmpty || media.contains("urlencoded"), !body.hasPrefix("--") else {
            throw UsageError("the body is neither JSON nor a form")
        }
        let fields = body.split(separator: "&").map(ListRequest.parameter)
        guard Set(fields.map(\.name)).count == fields.count else {
            throw UsageError("the form has a field twice, which a description can't have")
        }
        return .form(fields)
    }

    private func json(_ tree: JSONTree) throws(UsageError) -> RequestContent {
        var (repeated, known): (String?, Set<String>) = (nil, [])
        tree.walk { steps, value in
            var names: Set<String> = []
            for member in value.members where !names.insert(member.name).inserted {
                repeated = repeated ?? (steps + [.name(member.name)]).path
            }
            known.formUnion(names)
            return true
        }
        if let repeated {
            throw UsageError("the body has \(repeated) twice, and a service may read either; leave one")
        }
        guard !known.contains(RequestContent.fileMember) else {
            throw UsageError("the body has a member $file, which names a file")
        }
        return .json(tree)
    }

    /// The media type, as the header field has it, or else as the other program sends it.
    private func bodyType() throws(UsageError) -> String? {
        let own = fields.filter { HTTPHeaders.areEqual($0.name, "Content-Type") }.map(\.value.text)
        guard Set(own.map { $0.lowercased() }).count < 2 else {
            throw UsageError("the header field Content-Type stands twice; leave one")
        }
        return own.last ?? mediaType
    }
}
