// A curl command line as people have it: copied from a browser, Postman or documentation. It is read, never run.
//
//     curl 'https://api.example.org/boats?page=1' -H 'X-Api-Key: k123' --compressed        bash, zsh
//     curl ^"https://api.example.org/boats?page=1^" ^                                      cmd
//       -H ^"X-Api-Key: k123^"

import PipelineCore
import PipelineHTTP

struct CurlCommand {
    private enum Use: String {
        case header, cookie, user, bearer, method, data, raw, encoded, json, query, get, agent, referer, url
        /// Of no meaning here, without and with a value; said not to be taken; refused, as a file is read or written.
        case flag, value, notTaken, notTakenValue, file, head

        var takesValue: Bool { ![.flag, .notTaken, .file, .head, .get].contains(self) }
    }

    /// The options by their use: long names, after one letter where they have a short one.
    private static let table = """
        header H=header
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
        agent A=user-agent
        referer e=referer
        url url
        flag s=silent S=show-error L=location compressed v=verbose i=include f=fail g=globoff N=no-buffer #=progress-bar
        flag 4=ipv4 6=ipv6 0=http1.0 http1.1 http2 http3 1=tlsv1 tlsv1.2 tlsv1.3 no-progress-meter path-as-is no-keepalive
        flag fail-with-body location-trusted basic http2-prior-knowledge tcp-nodelay styled-output disable ssl-no-revoke
        value m=max-time connect-timeout retry retry-delay retry-max-time limit-rate w=write-out max-redirs
        value keepalive-time Y=speed-limit y=speed-time max-filesize proto expect100-timeout
        notTaken k=insecure digest ntlm negotiate anyauth
        notTakenValue x=proxy U=proxy-user proxy-header E=cert key cacert capath resolve connect-to interface noproxy
        file o=output O=remote-name remote-name-all T=upload-file F=form form-string K=config c=cookie-jar
        file D=dump-header J=remote-header-name n=netrc netrc-file trace trace-ascii stderr output-dir
        head I=head
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
    private var data: [String] = []
    private var isJSON = false
    private var isGet = false
    private var isGlobbed = true

    /// The request of a command.
    /// - Throws: where it isn't one that can be learnt from.
    static func request(_ text: String) throws(UsageError) -> CopiedRequest {
        let start = text.prefix(40).lowercased()
        let others = ["fetch(", "await fetch(", "invoke-webrequest", "invoke-restmethod", "$session"]
        if others.contains(where: start.hasPrefix) {
            throw UsageError("that is a command of another program; copy as cURL (bash)")
        }
        let (words, rest) = try ShellText.words(text)
        guard let name = words.first?.text.split(whereSeparator: { $0 == "/" || $0 == "\\" }).last,
            ["curl", "curl.exe"].contains(name)
        else { throw UsageError("expected a command that begins with curl") }
        var command = CurlCommand(words: words.dropFirst())
        if !rest.isEmpty { command.request.notes.append("\(rest) is left out") }
        return try command.read()
    }

    private init(words: ArraySlice<ShellText.Word>) { self.words = words }

    private mutating func read() throws(UsageError) -> CopiedRequest {
        var areOperands = false
        while let word = words.popFirst() {
            let text = word.text
            if areOperands || !text.hasPrefix("-") || text == "-" {
                try take(url: word)
            } else if text == "--" {
                areOperands = true
            } else if text.hasPrefix("--") {
                try take(String(text.dropFirst(2)))
            } else {
                try take(letters: text.dropFirst())
            }
        }
        guard !request.url.isEmpty else { throw UsageError("the command has no URL") }
        if !data.isEmpty {
            let joined = data.joined(separator: isJSON ? "" : "&")
            if isGet {
                request.url += (request.url.contains("?") ? "&" : "?") + joined
            } else {
                request.body = joined
            }
        }
        if isJSON { request.fields.append(("Content-Type", [.text("application/json")])) }
        request.method = method ?? (request.body == nil ? "GET" : "POST")
        return request
    }

    /// `-sSL`, `-XPOST`, `-H 'Accept: …'`
    private mutating func take(letters text: Substring) throws(UsageError) {
        var rest = text
        while let letter = rest.popFirst() {
            guard let name = Self.letters[letter] else {
                throw UsageError("curl's option -\(letter) isn't known here; leave it out")
            }
            if !rest.isEmpty, Self.uses[name]?.takesValue ?? false {
                words = [ShellText.Word(parts: [.text(String(rest))])] + words
                rest = ""
            }
            try take(name)
        }
    }

    private mutating func take(_ name: String) throws(UsageError) {
        guard let use = Self.uses[name] else {
            throw UsageError("curl's option --\(name) isn't known here; leave it out")
        }
        let word = use.takesValue ? try value(name, use) : ShellText.Word(parts: [])
        let value = word.text
        switch use {
        case .flag: if name == "globoff" { isGlobbed = false }
        case .value: break
        case .notTaken, .notTakenValue: request.notes.append("--\(name) isn't taken")
        case .head: throw UsageError("--\(name) asks for no list; leave it out")
        case .file: throw UsageError("--\(name) reads or writes a file; leave it out")
        case .get: isGet = true
        case .method: method = value.uppercased()
        case .url: try take(url: word)
        case .query: request.url += (request.url.contains("?") ? "&" : "?") + Self.encoded(value)
        case .header: try take(field: word)
        case .agent: request.fields.append(("User-Agent", word.parts))
        case .referer: request.fields.append(("Referer", word.parts))
        case .bearer: request.fields.append(("Authorization", [.text("Bearer ")] + word.parts))
        case .cookie:
            guard value.contains("=") else { throw UsageError("--cookie \(value) reads a file; leave it out") }
            request.fields.append(("Cookie", word.parts))
        case .user:
            guard value.contains(":") else { throw UsageError("--user has no password; write USER:PASSWORD") }
            request.login = value
        case .raw: data.append(value)
        case .data, .json, .encoded:
            guard !value.hasPrefix("@"), use != .encoded || !Self.namesFile(value) else {
                throw UsageError("--\(name) \(value) reads a file; write its text")
            }
            if use == .json { isJSON = true }
            data.append(use == .encoded ? Self.encoded(value) : value)
        }
    }

    /// The value of an option, in which only header fields may have variables.
    private mutating func value(_ name: String, _ use: Use) throws(UsageError) -> ShellText.Word {
        guard let word = words.popFirst() else { throw UsageError("--\(name) has no value") }
        guard !word.hasVariable || use == .header || use == .bearer else {
            throw UsageError("--\(name) has a variable; write its value, or use a header field")
        }
        return word
    }

    /// `name@file`, without a sign of equality before it.
    private static func namesFile(_ value: String) -> Bool {
        value.prefix { $0 != "=" }.contains("@") && !value.prefix { $0 != "@" }.contains("=")
    }

    /// `name=text`, `=text` or `text`, of which the text is encoded.
    private static func encoded(_ value: String) -> String {
        guard let sign = value.firstIndex(of: "=") else { return HTTPURL.percentEncoded(value) }
        let text = HTTPURL.percentEncoded(String(value[value.index(after: sign)...]))
        return sign == value.startIndex ? text : value[...sign] + text
    }

    private mutating func take(field word: ShellText.Word) throws(UsageError) {
        guard case .text(let head)? = word.parts.first, let colon = head.dropFirst().firstIndex(of: ":") else {
            // `Name;` is a field without a value.
            guard word.text.hasSuffix(";") else {
                throw UsageError("--header \(word.text.prefix(40)) reads a file, or has no colon")
            }
            return request.fields.append((String(word.text.dropLast()), []))
        }
        let first = head[head.index(after: colon)...].drop { $0 == " " }
        let value = (first.isEmpty ? [] : [ShellText.Part.text(String(first))]) + word.parts.dropFirst()
        // `Name:` leaves out what curl would send.
        guard !value.isEmpty, !head.hasPrefix(":") else { return }
        request.fields.append((String(head[..<colon]), value))
    }

    private mutating func take(url word: ShellText.Word) throws(UsageError) {
        guard !word.hasVariable else { throw UsageError("the URL has a variable; write its value") }
        guard request.url.isEmpty || request.url.hasPrefix("?") else {
            throw UsageError("the command has several URLs; leave one")
        }
        let text = word.text
        let isSeveral =
            text.split(separator: "{").dropFirst().contains { $0.prefix { $0 != "}" }.contains(",") }
            || text.split(separator: "[").dropFirst().contains { part in
                let range = part.prefix { $0 != "]" }
                return range.contains("-") && range.allSatisfy { $0.isNumber || $0 == "-" || $0 == ":" }
            }
        guard !isGlobbed || !isSeveral else {
            throw UsageError("curl reads the brackets or braces in the URL as several URLs; write one of them")
        }
        let query = request.url
        request.url = (text.contains("://") ? text : "http://" + text)
        if !query.isEmpty { request.url += (text.contains("?") ? "&" : "?") + query.dropFirst() }
    }
}

/// The words of a command line, as a shell reads them, of which nothing is run or looked up.
struct ShellText {
    enum Part: Equatable {
        case text(String)
        /// `$NAME` or `${NAME}`
        case variable(String)
    }

    struct Word {
        var parts: [Part]

        /// Its text, without what its variables hold.
        var text: String { parts.map { if case .text(let text) = $0 { text } else { "" } }.joined() }

        var hasVariable: Bool { parts.contains { if case .variable = $0 { true } else { false } } }
    }

    private let text: [Character]
    private var index = 0
    private var words: [Word] = []
    private var word: Word?

    /// - Returns: the words of the first command, and what stands behind it.
    static func words(_ text: String) throws(UsageError) -> (words: [Word], rest: String) {
        var plain = text.replacing("\r\n", with: "\n").drop { $0.isWhitespace || $0 == "\u{FEFF}" }
        if plain.hasPrefix("$ ") { plain = plain.dropFirst(2) }
        let quote = plain.firstIndex { $0 == "'" || $0 == "\"" }
        let isCaret = quote.map { plain[$0] == "\"" && plain[..<$0].hasSuffix("^") } ?? false
        let isWindows =
            isCaret || plain.split(separator: "\n").contains { $0.hasSuffix(" ^") }
        var shell = ShellText(text: Array(plain))
        return isWindows ? (try shell.windowsWords(), "") : (try shell.read(), shell.rest)
    }

    private init(text: [Character]) { self.text = text }

    private var rest: String { String(text[min(index, text.count)...].prefix(60)).trimmed }

    private mutating func next() -> Character? {
        guard index < text.count else { return nil }
        index += 1
        return text[index - 1]
    }

    private var peek: Character? { index < text.count ? text[index] : nil }

    private mutating func add(_ part: Part) {
        var parts = word?.parts ?? []
        if case .text(let more) = part, case .text(let before)? = parts.last {
            parts[parts.count - 1] = .text(before + more)
        } else {
            parts.append(part)
        }
        word = Word(parts: parts)
    }

    private mutating func endWord() {
        if let word { words.append(word) }
        word = nil
    }

    private func fault(_ what: String, at start: Int) -> UsageError {
        let line = text[..<start].count { $0 == "\n" } + 1
        let column = start - (text[..<start].lastIndex(of: "\n").map { $0 + 1 } ?? 0) + 1
        return UsageError("\(what) at \(line > 1 ? "line \(line), " : "")column \(column)")
    }

    // MARK: POSIX, and $'…'

    private mutating func read() throws(UsageError) -> [Word] {
        while let sign = next() {
            switch sign {
            case "\n":
                endWord()
                while let space = peek, space.isWhitespace { index += 1 }
                // The next line belongs to the command only if it goes on with an option.
                guard peek == "-" || words.isEmpty else { return words }
            case _ where sign.isWhitespace: endWord()
            case "'": try quoted(at: index - 1)
            case "\"": try doubleQuoted(at: index - 1)
            case "$": try dollar(inQuotes: false)
            case "\\":
                guard let escaped = next() else { break }
                if escaped != "\n" { add(.text(String(escaped))) }
            case "`": throw fault("the command runs another one", at: index - 1)
            case "#" where word == nil:
                while let other = peek, other != "\n" { index += 1 }
            case "&" where isWithinURL: add(.text("&"))
            case "|", ">", "<", ";", "&":
                // `2>` is about a file.
                if sign == ">", word?.text == "2" { word = nil }
                index -= 1
                endWord()
                return words
            default: add(.text(String(sign)))
            }
        }
        endWord()
        return words
    }

    /// Documentation has URLs without quotes, too.
    private var isWithinURL: Bool {
        guard let word, word.text.contains("?"), let peek else { return false }
        return peek.isLetter || peek.isNumber || peek == "_"
    }

    private mutating func quoted(at start: Int) throws(UsageError) {
        var content = ""
        while let sign = next() {
            if sign == "'" { return add(.text(content)) }
            content.append(sign)
        }
        throw fault("a quote has no end", at: start)
    }

    private mutating func doubleQuoted(at start: Int) throws(UsageError) {
        add(.text(""))
        while let sign = next() {
            switch sign {
            case "\"": return
            case "$": try dollar(inQuotes: true)
            case "`": throw fault("the command runs another one", at: index - 1)
            case "\\":
                guard let escaped = next() else { break }
                if "$`\"\\".contains(escaped) {
                    add(.text(String(escaped)))
                } else if escaped != "\n" {
                    add(.text("\\\(escaped)"))
                }
            default: add(.text(String(sign)))
            }
        }
        throw fault("a quote has no end", at: start)
    }

    private mutating func dollar(inQuotes: Bool) throws(UsageError) {
        let start = index - 1
        switch peek {
        case "("?: throw fault("the command runs another one", at: start)
        case "'"? where !inQuotes:
            index += 1
            try escaped(at: start)
        case "{"?:
            index += 1
            let name = variableName()
            guard !name.isEmpty, next() == "}" else {
                throw fault("an expansion that only a shell knows", at: start)
            }
            add(.variable(name))
        case let sign? where Self.isName(sign) && !sign.isNumber: add(.variable(variableName()))
        default: add(.text("$"))
        }
    }

    /// The letters, digits and underscores that come next.
    private mutating func variableName() -> String {
        let name = text[index...].prefix(while: Self.isName)
        index += name.count
        return String(name)
    }

    private static func isName(_ sign: Character) -> Bool {
        sign.isASCII && (sign.isLetter || sign.isNumber || sign == "_")
    }

    /// The content of `$'…'`.
    private mutating func escaped(at start: Int) throws(UsageError) {
        let plain: [Character: String] = [
            "n": "\n", "t": "\t", "r": "\r", "a": "\u{7}", "b": "\u{8}", "e": "\u{1B}", "f": "\u{C}", "v": "\u{B}",
        ]
        var bytes: [UInt8] = []
        // Browsers write a character beyond 16 bits as two halves. This is the first of them.
        var half: UInt32 = 0
        while let sign = next() {
            if sign == "'" { return add(.text(String(decoding: bytes, as: UTF8.self))) }
            guard sign == "\\", let escape = next() else {
                bytes += Array(String(sign).utf8)
                continue
            }
            let digits = ["x": 2, "u": 4, "U": 8][escape] ?? 0
            var code = ""
            while code.count < digits, let digit = peek, digit.isHexDigit { code.append(next() ?? digit) }
            if digits > 0, let value = UInt32(code, radix: 16) {
                let isSecond = (0xDC00..<0xE000).contains(value) && half > 0
                let whole = isSecond ? 0x10000 + ((half - 0xD800) << 10) + (value - 0xDC00) : value
                half = (0xD800..<0xDC00).contains(value) ? value : 0
                guard half == 0 else { continue }
                bytes += escape == "x" ? [UInt8(value)] : Array(String(Unicode.Scalar(whole) ?? "\u{FFFD}").utf8)
            } else {
                bytes += Array((plain[escape] ?? String(escape)).utf8)
            }
        }
        throw fault("a quote has no end", at: start)
    }

    // MARK: Windows

    /// cmd takes carets away first, then the program splits what is left at spaces outside of quotes.
    private mutating func windowsWords() throws(UsageError) -> [Word] {
        let hasQuotedCarets = String(text).contains("^\"")
        var plain: [Character] = []
        var isQuoted = false
        while let sign = next() {
            if sign == "\"" { isQuoted.toggle() }
            guard sign == "^", hasQuotedCarets || !isQuoted else {
                plain.append(sign == "\n" && !hasQuotedCarets ? " " : sign)
                continue
            }
            guard let escaped = next() else { break }
            plain.append(escaped == "\n" ? (peek == "\n" ? next() ?? "\n" : " ") : escaped)
        }
        var shell = ShellText(text: plain)
        return try shell.programWords()
    }

    private mutating func programWords() throws(UsageError) -> [Word] {
        var quote: Int?
        while let sign = next() {
            if sign == "\\", let escaped = peek, escaped == "\"" || escaped == "\\" {
                index += 1
                add(.text(String(escaped)))
            } else if sign == "\"" {
                quote = quote == nil ? index - 1 : nil
                add(.text(""))
            } else if quote == nil, sign.isWhitespace {
                endWord()
            } else {
                add(.text(String(sign)))
            }
        }
        if let quote { throw fault("a quote has no end", at: quote) }
        endWord()
        return words
    }
}

extension String {
    fileprivate var trimmed: String {
        String(drop { $0.isWhitespace }.reversed().drop { $0.isWhitespace }.reversed())
    }
}
