// The words of a command line, as a shell reads them, of which nothing is run or looked up.

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

    var rest: String {
        let rest = text[index...].prefix(60).drop(while: \.isWhitespace)
        return String(rest[..<((rest.lastIndex { !$0.isWhitespace } ?? rest.startIndex - 1) + 1)])
    }

    private mutating func next() -> Character? {
        guard let sign = peek else { return nil }
        index += 1
        return sign
    }

    private var peek: Character? { index < text.count ? text[index] : nil }

    private mutating func skip(while isSkipped: (Character) -> Bool) {
        while let sign = peek, isSkipped(sign) { index += 1 }
    }

    private mutating func add(_ more: String, variable: String? = nil) {
        var grown = word ?? Word()
        if grown.variable != nil, variable != nil || !more.isEmpty { grown.goesOn = true }
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
            let isPlain = quote?.sign == "'" || isWindows
            switch sign {
            // For programs of Windows two quotes within quotes are one: `"{""a"":1}"`.
            case "\"" where isWindows && quote != nil && peek == "\"":
                index += 1
                add("\"")
            case _ where sign == quote?.sign: quote = nil
            case "\\" where quote?.sign != "'": escape(only: isWindows ? "\"\\" : quote == nil ? nil : "$`\"\\\n")
            case "$" where !isPlain: try dollar(inQuotes: quote != nil)
            case "`" where !isPlain: throw fault("the command runs another one", at: index - 1)
            case _ where quote != nil: add(String(sign))
            case "'" where !isWindows, "\"":
                quote = (sign, index - 1)
                add("")
            case "\n" where !isWindows:
                endWord()
                skip(while: \.isWhitespace)
                // The next line belongs to the command only if it goes on with an option.
                guard peek == "-" || words.isEmpty else { return }
            case _ where CopyDamage.name(of: sign) != nil && (word == nil || !CopyDamage.isDash(sign)):
                throw fault(
                    "\(CopyDamage.name(of: sign) ?? "") stands where the command had another sign,", at: index - 1,
                    cure: "copy it as plain text")
            case _ where sign.isWhitespace: endWord()
            case _ where isWindows: add(String(sign))
            case "#" where word == nil: skip { $0 != "\n" }
            case "&" where isWithinURL: add("&")
            case "|", ">", "<", ";", "&":
                // `2>` is about a file.
                if sign == ">", word?.text == "2" { word = nil }
                index -= 1
                return endWord()
            default: add(String(sign))
            }
        }
        if let quote { throw fault("a quote has no end", at: quote.start) }
        endWord()
    }

    /// Documentation has URLs without quotes, too.
    private var isWithinURL: Bool { word?.text.contains("?") == true && peek.map(Self.isName) == true }

    static func isName(_ sign: Character) -> Bool { sign.isLetter || sign.isNumber || sign == "_" }

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
            try escapes(at: start)
        case "{"?:
            index += 1
            let name = variableName()
            guard !name.isEmpty, next() == "}" else {
                throw fault("an expansion that only a shell knows", at: start)
            }
            add("", variable: name)
        default:
            let name = peek.map(\.isNumber) == true ? "" : variableName()
            if name.isEmpty { add("$") } else { add("", variable: name) }
        }
    }

    private mutating func variableName() -> String {
        let name = text[index...].prefix { $0.isASCII && Self.isName($0) }
        index += name.count
        return String(name)
    }

    /// The content of `$'…'`.
    private mutating func escapes(at start: Int) throws(UsageError) {
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
            if Self.octal(escape) != nil {
                let rest = text[index...].prefix(2).prefix { Self.octal($0) != nil }
                index += rest.count
                let value = ([escape] + rest).compactMap(Self.octal).reduce(0) { $0 << 3 | $1 }
                bytes.append(UInt8(truncatingIfNeeded: value))
                continue
            }
            if escape == "c", let control = next() {
                bytes.append((control.asciiValue ?? 0) & 0x1F)
                continue
            }
            let digits = text[index...].prefix(["x": 2, "u": 4, "U": 8][escape] ?? 0).prefix(while: \.isHexDigit)
            guard let value = UInt32(String(digits), radix: 16) else {
                bytes += Array(String(plain[escape] ?? escape).utf8)
                continue
            }
            index += digits.count
            let isSecond = (0xDC00..<0xE000).contains(value) && half > 0
            let whole = isSecond ? 0x10000 + ((half - 0xD800) << 10) + (value - 0xDC00) : value
            half = (0xD800..<0xDC00).contains(value) ? value : 0
            guard half == 0 else { continue }
            bytes += escape == "x" ? [UInt8(value)] : Array(String(Unicode.Scalar(whole) ?? "\u{FFFD}").utf8)
        }
        throw fault("a quote has no end", at: start)
    }

    /// The value of an octal digit, of which `$'\\103'` has up to three.
    private static func octal(_ sign: Character) -> Int? {
        guard let value = sign.wholeNumberValue, sign.isASCII, value < 8 else { return nil }
        return value
    }
}
