// The names that services give to the parts of their lists, and what each may mean. A name only says what is tried first:
// what a part is, a response has to prove.

import PipelineCore

/// Well-known names, compared by their letters and digits in lower case: `page[number]`, `pageNumber` and `page_number`
/// are one.
enum WellKnownNames {
    enum Meaning: String {
        /// Positions; header fields that no description has; words of the names of secrets, the ends of those that are run
        /// together, and what a key is no secret after.
        case cursor, ownField, secret, secretEnd, plainKey
    }

    /// A meaning with its names, the most usual first.
    private static let table = """
        cursor cursor after pagetoken nextpagetoken continuationtoken continuation nexttoken nextcursor startingafter
        cursor scrollid resumptiontoken marker bookmark pageafter pagecursor nextpagecursor gcmcontinue cmcontinue
        cursor apcontinue continue startcursor endcursor nextbatch pagestate exclusivestartkey
        cursor paginationtoken skiptoken
        ownField ifnonematch ifmodifiedsince range acceptencoding contentlength contenttype host connection keepalive
        ownField transferencoding expect upgrade te trailer proxyconnection proxyauthorization
        secret key secret secrets token tokens sign signature cred credential credentials pass password passphrase auth
        secret authorization authentication bearer jwt hmac session sid sig pwd passwd passcode oauth wskey appid
        secret phpsessid jsessionid sessionid authkey userkey cookie csrf xsrf
        secretEnd apikey accesskey sharedsecret secret token password subscriptionkey
        plainKey sort order group partition primary foreign dataset taxon species author work project issue parent
        """

    private static let meanings: [Meaning: [String]] = {
        var meanings: [Meaning: [String]] = [:]
        for line in table.split(separator: "\n") {
            let words = line.split(separator: " ").map(String.init)
            if let meaning = Meaning(rawValue: words[0]) { meanings[meaning, default: []] += words.dropFirst() }
        }
        return meanings
    }()

    static subscript(_ meaning: Meaning) -> [String] { meanings[meaning] ?? [] }

    /// By the words of the name: `clientKey`, `X-Amz-Signature`, but no name of a place in a list, such as `pageToken`.
    static func isSecret(_ name: String) -> Bool {
        let plain = plain(name)
        guard !Self[.cursor].contains(plain), !plain.hasPrefix("next") else { return false }
        let words = words(of: name)
        let isWord = words.indices.contains { index in
            let isPlainKey =
                index > 0 && words[index] == "key" && Self[.plainKey].contains(where: words[index - 1].hasSuffix)
            return Self[.secret].contains(words[index]) && !isPlainKey
        }
        let isRunTogether = Self[.secret].contains(plain) || Self[.secretEnd].contains(where: plain.hasSuffix)
        return isWord || isRunTogether && !Self[.plainKey].contains { plain == $0 + "key" }
    }

    /// The words of a name in lower case: those of `sharedSecret_v2` are shared, secret and v2.
    static func words(of name: String) -> [String] {
        var words = [""]
        var last: Character = " "
        for sign in name {
            let isPart = sign.isLetter || sign.isNumber
            if !isPart || sign.isUppercase && last.isLowercase { words.append("") }
            if isPart { words[words.count - 1] += sign.lowercased() }
            last = sign
        }
        return words.filter { !$0.isEmpty }
    }

    static func plain(_ name: String) -> String {
        name.lowercased().filter { !$0.isASCII || $0.isLetter || $0.isNumber }
    }
}
