// Decides what a curl command line asks for, as people have it: copied from a browser, Postman or documentation. It is read,
// never run.
//
//     curl 'https://api.example.org/boats?page=1' -H 'X-Api-Key: k123' --compressed        bash, zsh
//     curl ^"https://api.example.org/boats?page=1^" ^  -H ^"X-Api-Key: k123^"              cmd

import PipelineCore
import PipelineHTTP

struct CurlCommand {
    private enum Use: String {
        case header, field, cookie, user, bearer, method, data, raw, encoded, json, query, get, url
        /// Of no meaning here, without and with a value; said not to be taken; refused, as a file is read or written, or as
        /// it is a way to log in that no description has.
        case flag, value, notTaken, notTakenValue, file, login

        var takesValue: Bool { ![.flag, .notTaken, .file, .login, .get].contains(self) }
    }

    /// The options by their use: long names, after one letter where they have a short one.
    private static let table = """
        header H=header
        field A=user-agent e=referer
        cookie b=cookie
        user u=user
        bearer oauth2-bearer
        method X=request
        data d=data data-ascii data-binary
        raw data-raw
        encoded data-urlencode
        json json
        query url-query
        get G=get
        url url
        flag s=silent S=show-error L=location compressed v=verbose i=include f=fail g=globoff N=no-buffer #=progress-bar
        flag 4=ipv4 6=ipv6 0=http1.0 http1.1 http2 http3 1=tlsv1 tlsv1.2 tlsv1.3 no-progress-meter path-as-is no-keepalive
        flag fail-with-body basic http2-prior-knowledge tcp-nodelay styled-output disable ssl-no-revoke
        value m=max-time connect-timeout retry retry-delay retry-max-time limit-rate w=write-out max-redirs
        value keepalive-time Y=speed-limit y=speed-time max-filesize proto expect100-timeout
        notTaken k=insecure location-trusted proxy-insecure
        notTakenValue x=proxy U=proxy-user proxy-header cacert capath resolve connect-to interface noproxy preproxy
        notTakenValue socks4 socks4a socks5 socks5-hostname proxy1.0 unix-socket r=range
        login digest ntlm ntlm-wb negotiate anyauth E=cert cert-type key key-type pass aws-sigv4 delegation krb
        login proxy-digest proxy-ntlm proxy-negotiate proxy-anyauth
        file o=output O=remote-name remote-name-all T=upload-file F=form form-string K=config c=cookie-jar
        file D=dump-header J=remote-header-name n=netrc netrc-file trace trace-ascii stderr output-dir
        """

    /// Uses by long names, and long names by letters.
    private static let (uses, letters): ([String: Use], [Character: String]) = {
        var (uses, letters): ([String: Use], [Character: String]) = ([:], [:])
        for line in table.split(separator: "\n") {
            let words = line.split(separator: " ")
            for word in words.dropFirst() {
                let parts = word.split(separator: "=")
                let name = String(parts[parts.count - 1])
                uses[name] = Use(rawValue: String(words[0]))
                if parts.count > 1, let letter = parts[0].first { letters[letter] = name }
            }
        }
        return (uses, letters)
    }()

    private var words: ArraySlice<ShellText.Word>
    private var request = CopiedRequest()
    private var method: String?
    private var bearer: String?
    private var query: [String] = []
    private var data: [String] = []
    private var isJSON = false
    private var isGet = false
    private var isGlobbed = true

    /// - Throws: where it isn't one that can be learnt from.
    static func request(_ text: String) throws(UsageError) -> CopiedRequest {
        let start = text.prefix(40).lowercased()
        let others = ["fetch(", "await fetch(", "invoke-webrequest", "invoke-restmethod", "$session"]
        if others.contains(where: start.hasPrefix) {
            throw UsageError("that isn't a curl command; in the browser choose Copy as cURL (bash)")
        }
        let shell = try ShellText(text)
        let name = shell.words.first?.text.split { "/\\".contains($0) }.last ?? ""
        guard ["curl", "curl.exe"].contains(name) else {
            throw UsageError("expected a command that begins with curl")
        }
        var command = CurlCommand(words: shell.words.dropFirst())
        if !shell.rest.isEmpty { command.request.notes.append("\(shell.rest) is left out") }
        return try command.read()
    }

    private mutating func read() throws(UsageError) -> CopiedRequest {
        var areOperands = false
        while let word = words.popFirst() {
            let text = word.text
            switch text {
            case _ where areOperands, "-",
                _ where !text.hasPrefix("-"):
                try take(url: word)
            case "--": areOperands = true
            case _ where text.hasPrefix("--"): try take(String(text.dropFirst(2)), shown: text)
            default: try take(letters: text.dropFirst())
            }
        }
        guard !request.url.isEmpty else { throw UsageError("the command has no URL") }
        if isGet { (query, data) = (query + data, []) }
        if !query.isEmpty { request.url += (request.url.contains("?") ? "&" : "?") + query.joined(separator: "&") }
        // What curl says of a body, whatever it is.
        let (type, separator) = isJSON ? ("application/json", "") : ("application/x-www-form-urlencoded", "&")
        request.mediaType = type
        request.body = data.nonEmpty?.joined(separator: separator)
        let hasLogin = request.fields.contains { HTTPHeaders.areEqual($0.name, "Authorization") }
        if let bearer, !hasLogin {
            request.fields.append(("Authorization", ShellText.Word(text: "Bearer \(bearer)")))
        }
        if request.body != nil { request.method = "POST" }
        request.method = method ?? request.method
        return request
    }

    /// `-sSL`, `-XPOST`, `-H 'Accept: …'`
    private mutating func take(letters text: Substring) throws(UsageError) {
        var rest = text
        while let letter = rest.popFirst() {
            guard let name = Self.letters[letter] else { throw Self.isUnknown("-\(letter)") }
            if !rest.isEmpty, Self.uses[name]?.takesValue == true {
                words = [ShellText.Word(text: String(rest))] + words
                rest = ""
            }
            try take(name, shown: "-\(letter) (--\(name))")
        }
    }

    private static func isUnknown(_ option: String) -> UsageError {
        UsageError("curl's option \(option) isn't known here; leave it out")
    }

    private mutating func take(_ name: String, shown: String) throws(UsageError) {
        guard let use = Self.uses[name] else { throw Self.isUnknown("--\(name)") }
        var word = ShellText.Word()
        if use.takesValue {
            guard let next = words.popFirst() else { throw UsageError("--\(name) has no value") }
            guard next.variable == nil || use == .header else {
                throw UsageError("--\(name) has a variable; write its value, or use a header field")
            }
            word = next
        }
        let value = word.text
        switch use {
        case .flag, .value: if name == "globoff" { isGlobbed = false }
        case .notTaken, .notTakenValue: request.notes.append("\(shown) isn't taken; the request is sent without it")
        case .file: throw UsageError("\(shown) reads or writes a file, or sends a form in parts; leave it out")
        case .login:
            throw UsageError(
                "\(shown) is a way to log in that a description can't have; use a key, or a login that --user sends as it is"
            )
        case .get: isGet = true
        case .method: method = value.uppercased()
        case .url: try take(url: word)
        case .query: query.append(try encoded(value, name))
        case .header: try take(field: word)
        case .field: request.fields.append((["referer": "Referer"][name] ?? "User-Agent", word))
        case .cookie:
            guard value.contains("=") else { throw UsageError("--cookie without a = reads a file; leave it out") }
            request.fields.append(("Cookie", word))
        case .user:
            guard value.contains(":") else { throw UsageError("--user has no password; write USER:PASSWORD") }
            request.login = value
        case .bearer: bearer = value
        case .raw: data.append(value)
        case .encoded: data.append(try encoded(value, name))
        case .data, .json:
            guard !value.hasPrefix("@") else { throw Self.readsFile(name) }
            if use == .json { isJSON = true }
            data.append(value)
        }
    }

    /// `name=text`, `=text` or `text`, of which the text is encoded.
    private func encoded(_ value: String, _ name: String) throws(UsageError) -> String {
        let start = value.prefix { !"=@".contains($0) }
        guard start.count < value.count else { return HTTPURL.percentEncoded(value) }
        let rest = value.dropFirst(start.count)
        guard rest.hasPrefix("=") else { throw Self.readsFile(name) }
        let text = HTTPURL.percentEncoded(String(rest.dropFirst()))
        return (start.nonEmpty.map { $0 + "=" } ?? "") + text
    }

    /// Without the value: what looks like a file's name may be a login.
    private static func readsFile(_ name: String) -> UsageError {
        UsageError("--\(name) with @ reads a file; write its text")
    }

    private mutating func take(field word: ShellText.Word) throws(UsageError) {
        guard let colon = word.text.dropFirst().firstIndex(of: ":") else {
            // `Name;` is a field without a value.
            guard word.text.hasSuffix(";") else {
                throw UsageError("a --header reads a file, or has no colon; write NAME: VALUE")
            }
            return request.fields.append((String(word.text.dropLast()), ShellText.Word()))
        }
        var value = word
        value.text = String(word.text[word.text.index(after: colon)...].drop { $0 == " " })
        // `Name:` leaves out what curl would send.
        if value != ShellText.Word() { request.fields.append((String(word.text[..<colon]), value)) }
    }

    private mutating func take(url word: ShellText.Word) throws(UsageError) {
        guard word.variable == nil else { throw UsageError("the URL has a variable; write its value") }
        guard request.url.isEmpty else { throw UsageError("the command has several URLs; leave one") }
        let text = word.text
        guard !isGlobbed || text.firstMatch(of: /\{[^}]*,|\[[0-9:]*-[0-9:-]*(\]|$)/) == nil else {
            throw UsageError("curl reads the brackets or braces in the URL as several URLs; write one of them")
        }
        request.url = text.contains("://") ? text : "http://" + text
    }
}
