// A request that somebody made with another program, taken apart as a description has it. It is sent as it was copied: what
// can't be is refused by name, and what is left out is told. Keys are told from other values by names and by shapes.

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

    private var path: Substring { url.prefix { $0 != "?" && $0 != "#" } }

    /// Whether both ask for pages of one list, as far as the URLs tell.
    func isSameList(as other: CopiedRequest) -> Bool { method == other.method && path == other.path }

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
        let copiedContent = CopiedContent(self)
        request.content = try copiedContent.content
        try GraphQLText.check(request)
        if let session = try request.takeSession() {
            notes.append("the session \(session) in the path is left out")
        }
        notes += try CopiedFields(self, url).take(into: &request)
        if let content = request.content, let type = try copiedContent.unusualType(content) {
            request.add(header: "Content-Type", type)
        }
        try takeLogin(into: &request)
        try request.takeSecrets()
        return (request, notes)
    }

    /// A header field comes before `--user`, and that before the URL's own.
    private func takeLogin(into request: inout ListRequest) throws(UsageError) {
        guard let login = login ?? user,
            !request.keys.contains(where: { $0.headerName?.lowercased() == "authorization" })
        else { return }
        request.keys.append(LearntKey(placement: nil, text: login))
    }

    private var user: String? {
        let authority = url.firstRange(of: "://").map { url[$0.upperBound...].prefix { !"/?#".contains($0) } }
        return authority.flatMap { text in
            text.lastIndex(of: "@").map { HTTPURL.percentDecoded(String(text[..<$0])) }
        }
    }
}

/// The header fields of a copied request.
struct CopiedFields {
    private let fields: [(name: String, value: ShellText.Word)]
    private let url: HTTPURL

    init(_ copied: CopiedRequest, _ url: HTTPURL) {
        fields = copied.fields
        self.url = url
    }

    /// What every client sets by itself, as the connection needs it.
    private static let silent = [
        "Content-Length", "Connection", "Keep-Alive", "Proxy-Connection", "Transfer-Encoding", "TE", "Content-Type",
    ]
    /// What would make the response another one than a whole list, or isn't for the service.
    private static let leftOut = [
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
    func take(into request: inout ListRequest) throws(UsageError) -> [String] {
        var named: [String] = []
        for (name, value) in fields where !name.hasPrefix(":") {
            if HTTPHeaders.areEqual(name, "Host") {
                try checkHost(value.text)
            } else if HTTPHeaders.isOne(name, of: Self.leftOut) {
                let isGzip = HTTPHeaders.areEqual(name, "Accept-Encoding") && value.text == "gzip"
                if !isGzip, !named.contains(where: { HTTPHeaders.areEqual($0, name) }) { named.append(name) }
            } else if !HTTPHeaders.isOne(name, of: Self.silent) {
                if HTTPHeaders.isOne(name, of: Self.methodFields), value.text.uppercased() != "GET" {
                    throw UsageError("\(name) asks for \(value.text.prefix(20)), which may change something")
                }
                try take(name, value, into: &request)
            }
        }
        return named.isEmpty
            ? [] : ["left out of the request: \(named.joined(separator: ", ")), which a list is asked for without"]
    }

    /// A service with many hosts gives another list for another name.
    private func checkHost(_ host: String) throws(UsageError) {
        let port = host.hasSuffix("]") ? nil : host.split(separator: ":").dropFirst().last.flatMap { Int($0) }
        let name = port.map { String(host.dropLast("\($0)".count + 1)) } ?? host
        let plain = { (text: String) in text.lowercased().filter { !"[]".contains($0) } }
        guard plain(name) == plain(url.host), (port ?? (url.scheme == "https" ? 443 : 80)) == url.port else {
            throw UsageError(
                "the header field Host names another host than the URL, so it can't be sent; write \(host.prefix(100)) into the URL"
            )
        }
    }

    private func take(_ name: String, _ value: ShellText.Word, into request: inout ListRequest) throws(UsageError) {
        let text = value.text
        let sign: LearntKey.Sign? = value.variable == nil ? Self.sign(of: text, named: name) : .person
        guard let sign else {
            guard Placeholders.names(in: text).isEmpty else {
                throw UsageError(
                    "the header field \(name) has braces, which a description can't have; leave it out")
            }
            return request.add(header: name, text)
        }
        guard !value.goesOn else {
            throw UsageError("the header field \(name) has more than one variable at its end; write its value")
        }
        try add(try key(name, value, sign), to: &request)
    }

    /// Fields of browsers have long values that tell of nothing, but for the URL of a page with a key in its query.
    private static func sign(of text: String, named name: String) -> LearntKey.Sign? {
        guard UsualNames.is(name, .noise) || name.lowercased().hasPrefix("sec-") else {
            return SecretWalk.sign(of: text, named: name)
        }
        if SecretWalk.hasParameter(text) { return .name }
        return SecretNames.shape(of: text) == .token ? .shape : nil
    }

    private func key(
        _ name: String, _ value: ShellText.Word, _ sign: LearntKey.Sign
    ) throws(UsageError) -> LearntKey {
        let text = value.text
        var key = LearntKey(placement: .header(name), sign: sign, variable: value.variable)
        let isLogin = SecretNames.plain(name).hasSuffix("authorization")
        let scheme = isLogin ? text.prefix { $0 != " " }.lowercased() : ""
        guard !Self.onceSchemes.contains(scheme), !(scheme == "oauth" && text.contains("oauth_signature")) else {
            throw UsageError(
                "\(name): \(text.prefix { $0 != " " }) is valid for one request alone; use another kind of key")
        }
        if value.variable != nil {
            key.prefix = text
        } else if isLogin, let space = text.firstIndex(of: " ") {
            key.prefix = String(text[...space])
            key.text = String(text[space...].dropFirst())
        } else {
            key.text = text
        }
        if scheme == "basic", let text = key.text, let login = Base64.decoded(text.utf8Bytes.span),
            login.contains(UInt8(ascii: ":"))
        {
            return LearntKey(placement: nil, sign: sign, text: String(decoding: login, as: UTF8.self))
        }
        return key
    }

    private func add(_ key: LearntKey, to request: inout ListRequest) throws(UsageError) {
        let name = key.headerName ?? ""
        let other = request.keys.firstIndex { $0.headerName.map { HTTPHeaders.areEqual($0, name) } ?? false }
        guard let other else { return request.keys.append(key) }
        let known = request.keys[other]
        if let text = key.text, known.text != nil, name.lowercased() == "cookie" {
            request.keys[other].text? += "; \(text)"
        } else if known.text != key.text || known.variable != key.variable {
            throw UsageError("the header field \(name) stands twice with different keys; leave one")
        }
    }
}

/// The body of a copied request.
struct CopiedContent {
    private let copied: CopiedRequest

    init(_ copied: CopiedRequest) { self.copied = copied }

    /// - Throws: where the body is neither JSON nor a form, or changes something.
    var content: RequestContent? {
        get throws(UsageError) {
            let body = copied.body ?? ""
            guard copied.method == "POST" else {
                guard body.isEmpty else {
                    throw UsageError(
                        "a GET with a body, which a description can't have; use POST if the service takes it")
                }
                return nil
            }
            guard !body.isEmpty else { return .form([]) }
            let types = try mediaTypes
            if let tree = try? JSONTree.read(body.utf8Bytes.span) {
                switch tree {
                case .object: return try json(tree)
                case .array: throw UsageError("the body is a JSON array, and a description's is an object")
                case .string, .integer, .number, .boolean, .null: break
                }
            }
            let media = types.last?.lowercased() ?? ""
            guard media.isEmpty || media.contains("urlencoded"), !body.hasPrefix("--") else {
                throw UsageError("the body is neither JSON nor a form")
            }
            let fields = body.split(separator: "&").map(ListRequest.parameter)
            guard Set(fields.map(\.name)).count == fields.count else {
                throw UsageError("the form has a field twice, which a description can't have")
            }
            return .form(fields)
        }
    }

    private func json(_ tree: JSONTree) throws(UsageError) -> RequestContent {
        if let path = Self.repeated(tree, []) {
            throw UsageError("the body has \(path) twice, and a service may read either; leave one")
        }
        guard copied.body?.contains("\"\(RequestContent.fileMember)\"") != true else {
            throw UsageError("the body has a member $file, which names a file")
        }
        return .json(tree)
    }

    /// The path of a member that stands twice in one object.
    private static func repeated(_ tree: JSONTree, _ steps: [JSONLocation.PathStep]) -> String? {
        switch tree {
        case .object(let members):
            var names: Set<String> = []
            for (name, value) in members {
                let steps = steps + [.name(name)]
                guard names.insert(name).inserted else { return JSONLocation.path(of: steps, style: .rooted) }
                if let path = repeated(value, steps) { return path }
            }
        case .array(let elements):
            for (index, value) in elements.enumerated() {
                if let path = repeated(value, steps + [.index(index)]) { return path }
            }
        case .string, .integer, .number, .boolean, .null: break
        }
        return nil
    }

    /// As the header field has it, or else as the other program sends it.
    private var mediaTypes: [String] {
        get throws(UsageError) {
            let own = copied.fields.filter { HTTPHeaders.areEqual($0.name, "Content-Type") }.map(\.value.text)
            guard Set(own.map { $0.lowercased() }).count < 2 else {
                throw UsageError("the header field Content-Type stands twice; leave one")
            }
            return own.isEmpty ? [copied.mediaType].compactMap(\.self) : own
        }
    }

    /// The media type, if it isn't what a body of its kind is sent with anyway.
    func unusualType(_ content: RequestContent) throws(UsageError) -> String? {
        guard let type = try mediaTypes.last, type.lowercased() != content.body.mediaType else { return nil }
        return type
    }
}
