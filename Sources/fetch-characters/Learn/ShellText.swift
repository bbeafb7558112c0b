// Decides which words a command line has, as a shell reads them, of which nothing is run or looked up.

import PipelineCore

struct ShellText {
    struct Word: Equatable {
        var text = ""
        /// `$NAME` or `${NAME}`; only one at the end of a word can be taken.
        var variable: String?
        var goesOn = false
    }

    private let text: [Character]
    /// It is what a program of Windows gets: double quotes and backslashes alone mean something.
    private let isWindows: Bool
    private var index = 0
    private(set) var words: [Word] = []
    private var word: Word?

    init(_ command: String) throws(UsageError) {
        var plain = command.replacing("\r\n", with: "\n").drop { $0.isWhitespace || $0 == "\u{FEFF}" }
        if plain.hasPrefix("$ ") { plain = plain.dropFirst(2) }
        if let damage = CopyDamage.of(plain) { throw UsageError(damage) }
        isWindows = CommandPrompt.wrote(plain)
        text = isWindows ? CommandPrompt.withoutCarets(plain) : Array(plain)
        try read()
    }

    /// What stands behind the command.
    var rest: String {
        let rest = text[index...].prefix(60).drop(while: \.isWhitespace)
        return String(rest.reversed().drop(while: \.isWhitespace).reversed())
    }

    static func isName(_ sign: Character) -> Bool { sign.isLetter || sign.isNumber || sign == "_" }

    static func isASCIIName(_ sign: Character) -> Bool { sign.isASCII && isName(sign) }

    private var peek: Character? { text[index...].first }

    private mutating func next() -> Character? {
        guard let sign = peek else { return nil }
        index += 1
        return sign
    }

    private mutating func take(_ most: Int = .max, while isTaken: (Character) -> Bool) -> String {
        let taken = text[index...].prefix(most).prefix(while: isTaken)
        index += taken.count
        return String(taken)
    }

    private mutating func add(_ more: String, variable: String? = nil) {
        var grown = word ?? Word()
        if grown.variable != nil, (variable ?? more.nonEmpty) != nil { grown.goesOn = true }
        grown.text += more
        grown.variable = variable ?? grown.variable
        word = grown
    }

    private mutating func endWord() {
        if let word { words.append(word) }
        word = nil
    }

    private func fault(_ what: String, at start: Int, cure: String? = nil) -> UsageError {
        let lines = text[..<start].split(separator: "\n", omittingEmptySubsequences: false)
        let line = lines.count > 1 ? "line \(lines.count), " : ""
        let place = "\(what) at \(line)column \((lines.last?.count ?? 0) + 1)"
        return UsageError(cure.map { "\(place); \($0)" } ?? "\(place)")
    }

    private mutating func read() throws(UsageError) {
        var quote: (sign: Character, start: Int)?
        while let sign = next() {
            let expands = quote?.sign != "'" && !isWindows
            switch sign {
            // For programs of Windows two quotes within quotes are one: `"{""a"":1}"`.
            case _ where sign == quote?.sign:
                guard isWindows, peek == sign else {
                    quote = nil
                    continue
                }
                index += 1
                add("\"")
            case "\\" where isWindows: escape(only: "\"\\")
            case "\\" where quote == nil: escape(only: nil)
            case "\\" where quote?.sign == "\"": escape(only: "$`\"\\\n")
            case "$" where expands: try dollar(inQuotes: quote != nil)
            case "`" where expands: throw fault("the command runs another one", at: index - 1)
            case _ where quote != nil: add(String(sign))
            case "'" where !isWindows, "\"":
                quote = (sign, index - 1)
                add("")
            default: guard try takePlain(sign) else { return }
            }
        }
        if let quote { throw fault("a quote has no end", at: quote.start) }
        endWord()
    }

    /// Takes a sign outside of quotes.
    /// - Returns: whether the command goes on.
    private mutating func takePlain(_ sign: Character) throws(UsageError) -> Bool {
        // A dash within a word may belong to a URL.
        if let name = CopyDamage.name(of: sign), word == nil || !CopyDamage.isDash(sign) {
            let finding = "\(name) stands where the command had another sign,"
            throw fault(finding, at: index - 1, cure: "copy it as plain text")
        }
        switch sign {
        case "\n" where !isWindows:
            endWord()
            _ = take(while: \.isWhitespace)
            // The next line belongs to the command only if it goes on with an option.
            return peek == "-" || words.isEmpty
        case _ where sign.isWhitespace: endWord()
        case _ where isWindows: add(String(sign))
        case "#" where word == nil: _ = take { $0 != "\n" }
        // Documentation has URLs without quotes, too.
        case "&" where isWithinURL: add("&")
        case "|", ">", "<", ";", "&":
            // `2>` is about a file.
            if sign == ">", word?.text == "2" { word = nil }
            index -= 1
            endWord()
            return false
        default: add(String(sign))
        }
        return true
    }

    private var isWithinURL: Bool { word?.text.contains("?") == true && peek.map(Self.isName) == true }

    /// What follows a backslash, which stays before what it doesn't protect.
    private mutating func escape(only signs: String?) {
        guard let escaped = peek else { return }
        guard signs?.contains(escaped) ?? true else { return add("\\") }
        index += 1
        if escaped != "\n" { add(String(escaped)) }
    }

    private mutating func dollar(inQuotes: Bool) throws(UsageError) {
        let start = index - 1
        switch peek {
        case "("?: throw fault("the command runs another one", at: start)
        case "'"? where !inQuotes:
            index += 1
            add(try escapes(at: start))
        case "{"?:
            index += 1
            let name = take(while: Self.isASCIIName)
            guard !name.isEmpty, next() == "}" else {
                throw fault("an expansion that only a shell knows", at: start)
            }
            add("", variable: name)
        case let sign? where sign.isNumber: add("$")
        default: if let name = take(while: Self.isASCIIName).nonEmpty { add("", variable: name) } else { add("$") }
        }
    }

    private static let signs: [Character: UInt8] = [
        "n": 0x0A, "t": 0x09, "r": 0x0D, "a": 0x07, "b": 0x08, "e": 0x1B, "f": 0x0C, "v": 0x0B,
    ]

    /// The content of `$'…'`.
    private mutating func escapes(at start: Int) throws(UsageError) -> String {
        var bytes: [UInt8] = []
        // Browsers write a character beyond 16 bits as two halves. This is the first of them.
        var half: UInt32 = 0
        while let sign = next() {
            if sign == "'" { return String(decoding: bytes, as: UTF8.self) }
            guard sign == "\\", let escape = next() else {
                bytes += Array(String(sign).utf8)
                continue
            }
            switch escape {
            case "0"..."7":
                let digits = String(escape) + take(2) { ("0"..."7").contains($0) }
                bytes.append(UInt8(truncatingIfNeeded: Int(digits, radix: 8) ?? 0))
            case "c": bytes.append((next()?.asciiValue ?? 0) & 0x1F)
            case "x", "u", "U":
                let digits = take(["x": 2, "u": 4][escape] ?? 8, while: \.isHexDigit)
                guard let value = UInt32(digits, radix: 16) else {
                    bytes += Array(String(escape).utf8)
                    continue
                }
                let isSecond = (0xDC00..<0xE000).contains(value) && half > 0
                let whole = isSecond ? 0x10000 + ((half - 0xD800) << 10) + (value - 0xDC00) : value
                half = (0xD800..<0xDC00).contains(value) ? value : 0
                if escape == "x" {
                    bytes.append(UInt8(value))
                } else if half == 0 {
                    bytes += Array(String(Unicode.Scalar(whole) ?? "\u{FFFD}").utf8)
                }
            default: bytes += Self.signs[escape].map { [$0] } ?? Array(String(escape).utf8)
            }
        }
        throw fault("a quote has no end", at: start)
    }
}

/// Commands for cmd, the command prompt of Windows, whose caret takes a sign's meaning away.
///
///     curl ^"https://h/l?a=1^&b=2^" ^        Chrome
///     curl "https://h/l?a=1^&q=x^%^2Cy" ^    older copies of Chrome: within plain quotes cmd would keep the carets
///     curl "https://h/l?a=1&b=2" ^           by hand, and Firefox
enum CommandPrompt {
    /// Whether a command is for cmd.
    static func wrote(_ text: Substring) -> Bool {
        if text.split(separator: "\n").contains(where: { $0.hasSuffix(" ^") }) { return true }
        let start = text.prefix { !"'\"".contains($0) }
        guard !text.dropFirst(start.count).hasPrefix("'") else { return false }
        // No URL has these.
        return start.hasSuffix("^") || ["^&", "^%"].contains(where: text.contains)
    }

    /// The command as a program gets it.
    static func withoutCarets(_ text: Substring) -> [Character] {
        let hasQuotedCarets = text.contains("^\"")
        var (plain, isQuoted, rest): ([Character], Bool, Substring) = ([], false, text)
        while let sign = rest.popFirst() {
            if sign == "\"" { isQuoted.toggle() }
            let isEscape = hasQuotedCarets || !isQuoted || isOlderEscape(before: rest.first, after: plain.last)
            guard sign == "^", isEscape else {
                plain.append(hasQuotedCarets || sign != "\n" ? sign : " ")
                continue
            }
            guard let escaped = rest.popFirst() else { break }
            switch (escaped, rest.first) {
            // Two line ends are one.
            case ("\n", "\n"): plain.append(rest.removeFirst())
            case ("\n", _): plain.append(" ")
            default: plain.append(escaped)
            }
        }
        return plain
    }

    /// Older copies have a caret before all but letters, digits and a few signs, and behind a percent sign.
    private static func isOlderEscape(before next: Character?, after last: Character?) -> Bool {
        guard let next, next.isASCII else { return next != nil }
        let isWord = ShellText.isName(next)
        if last == "%", isWord { return true }
        return !isWord && !" \t\n-:=+~'/.,?;()*`".contains(next)
    }
}
