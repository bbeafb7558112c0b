// The words of a command line, as a shell reads them, of which nothing is run or looked up.

import PipelineCore

struct ShellText {
    struct Word: Equatable {
        /// Without what variables hold.
        var text = ""
        /// `$NAME` or `${NAME}`; only one at the end of a word can be taken.
        var variable: String?
        /// Something follows the variable.
        var goesOn = false
    }

    private let text: [Character]
    /// It is what a program of Windows gets: quotes and backslashes alone mean something.
    private let isWindows: Bool
    private var index = 0
    private var words: [Word] = []
    private var word: Word?

    /// - Returns: the words of the first command, and what stands behind it.
    static func words(_ text: String) throws(UsageError) -> (words: [Word], rest: String) {
        var plain = text.replacing("\r\n", with: "\n").drop { $0.isWhitespace || $0 == "\u{FEFF}" }
        if plain.hasPrefix("$ ") { plain = plain.dropFirst(2) }
        let quote = plain.firstIndex { $0 == "'" || $0 == "\"" }
        let isCaret = quote.map { plain[$0] == "\"" && plain[..<$0].hasSuffix("^") } ?? false
        let isWindows = isCaret || plain.split(separator: "\n").contains { $0.hasSuffix(" ^") }
        var shell = ShellText(text: isWindows ? withoutCarets(plain) : Array(plain), isWindows: isWindows)
        try shell.read()
        let rest = String(shell.text[shell.index...].prefix(60)).drop { $0.isWhitespace }
        return (shell.words, String(rest.reversed().drop { $0.isWhitespace }.reversed()))
    }

    private init(text: [Character], isWindows: Bool) {
        (self.text, self.isWindows) = (text, isWindows)
    }

    private mutating func next() -> Character? {
        guard index < text.count else { return nil }
        index += 1
        return text[index - 1]
    }

    private var peek: Character? { index < text.count ? text[index] : nil }

    private mutating func add(_ more: String) {
        var grown = word ?? Word()
        grown.text += more
        if grown.variable != nil, !more.isEmpty { grown.goesOn = true }
        word = grown
    }

    private mutating func add(variable name: String) {
        var grown = word ?? Word()
        grown.goesOn = grown.variable != nil
        grown.variable = name
        word = grown
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

    // MARK: Words

    private mutating func read() throws(UsageError) {
        while let sign = next() {
            switch sign {
            case "'" where !isWindows, "\"": try quoted(by: sign, at: index - 1)
            case "\\": escape()
            case "\n" where !isWindows:
                endWord()
                while let space = peek, space.isWhitespace { index += 1 }
                // The next line belongs to the command only if it goes on with an option.
                guard peek == "-" || words.isEmpty else { return }
            case _ where sign.isWhitespace: endWord()
            case _ where isWindows: add(String(sign))
            case "$": try dollar(inQuotes: false)
            case "`": throw fault("the command runs another one", at: index - 1)
            case "#" where word == nil:
                while let other = peek, other != "\n" { index += 1 }
            case "&" where isWithinURL: add("&")
            case "|", ">", "<", ";", "&":
                // `2>` is about a file.
                if sign == ">", word?.text == "2" { word = nil }
                index -= 1
                return endWord()
            default: add(String(sign))
            }
        }
        endWord()
    }

    /// Documentation has URLs without quotes, too.
    private var isWithinURL: Bool {
        guard let word, word.text.contains("?"), let peek else { return false }
        return peek.isLetter || peek.isNumber || peek == "_"
    }

    private mutating func quoted(by quote: Character, at start: Int) throws(UsageError) {
        add("")
        while let sign = next() {
            switch sign {
            case quote: return
            case "\\" where quote == "\"": escape(only: "$`\"\\\n")
            case "$" where quote == "\"" && !isWindows: try dollar(inQuotes: true)
            case "`" where quote == "\"" && !isWindows: throw fault("the command runs another one", at: index - 1)
            default: add(String(sign))
            }
        }
        throw fault("a quote has no end", at: start)
    }

    /// What follows a backslash, which stays before what it doesn't protect.
    private mutating func escape(only signs: String? = nil) {
        let signs = isWindows ? "\"\\" : signs
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
            try escaped(at: start)
        case "{"?:
            index += 1
            let name = variableName()
            guard !name.isEmpty, next() == "}" else {
                throw fault("an expansion that only a shell knows", at: start)
            }
            add(variable: name)
        case let sign? where Self.isName(sign) && !sign.isNumber: add(variable: variableName())
        default: add("$")
        }
    }

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
        let plain: [Character: Character] = [
            "n": "\n", "t": "\t", "r": "\r", "a": "\u{7}", "b": "\u{8}", "e": "\u{1B}", "f": "\u{C}", "v": "\u{B}",
        ]
        var bytes: [UInt8] = []
        // Browsers write a character beyond 16 bits as two halves. This is the first of them.
        var half: UInt32 = 0
        while let sign = next() {
            if sign == "'" { return add(String(decoding: bytes, as: UTF8.self)) }
            guard sign == "\\", let escape = next() else {
                bytes += Array(String(sign).utf8)
                continue
            }
            let digits = ["x": 2, "u": 4, "U": 8][escape] ?? 0
            var code = ""
            while code.count < digits, let digit = peek, digit.isHexDigit { code.append(next() ?? digit) }
            guard digits > 0, let value = UInt32(code, radix: 16) else {
                bytes += Array(String(plain[escape] ?? escape).utf8)
                continue
            }
            let isSecond = (0xDC00..<0xE000).contains(value) && half > 0
            let whole = isSecond ? 0x10000 + ((half - 0xD800) << 10) + (value - 0xDC00) : value
            half = (0xD800..<0xDC00).contains(value) ? value : 0
            guard half == 0 else { continue }
            bytes += escape == "x" ? [UInt8(value)] : Array(String(Unicode.Scalar(whole) ?? "\u{FFFD}").utf8)
        }
        throw fault("a quote has no end", at: start)
    }

    /// cmd takes carets away before it starts a program.
    private static func withoutCarets(_ text: Substring) -> [Character] {
        let hasQuotedCarets = text.contains("^\"")
        var plain: [Character] = []
        var isQuoted = false
        var rest = text
        while let sign = rest.popFirst() {
            if sign == "\"" { isQuoted.toggle() }
            guard sign == "^", hasQuotedCarets || !isQuoted else {
                plain.append(sign == "\n" && !hasQuotedCarets ? " " : sign)
                continue
            }
            guard let escaped = rest.popFirst() else { break }
            // Two line ends are one.
            let isLineEnd = escaped == "\n" && rest.first == "\n"
            plain.append(isLineEnd ? rest.removeFirst() : escaped == "\n" ? " " : escaped)
        }
        return plain
    }
}
