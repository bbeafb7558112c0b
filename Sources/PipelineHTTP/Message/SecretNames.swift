// What is a key or a token: by its name, in the one list of such names, and by its shape. Both err on the safe side.
//
//     X-Api-Key   clientSecret   apikey1   authcode        secret by name
//     nextPageToken   sort_key   countryCode               the same words, of a place in a list or of data
//     eyJhbGciOi….eyJzdWIi….SflKxw   4eC39HqLyjWDarjtT1zdp7dc      secret by shape

import PipelineCore

package enum SecretNames {
    private static func list(_ text: String) -> Set<String> { Set(text.split(separator: " ").map(String.init)) }

    /// Words of names that tell of a secret wherever they stand: `x-amz-signature`, `session_v2`.
    private static let words = list(
        """
        key secret secrets token tokens sign signature cred creds credential credentials pass password passwords auth \
        passphrase authorization authentication bearer jwt hmac session sid sig pwd passwd passcode pin otp totp oauth \
        apikey apikeys wskey appid phpsessid jsessionid aspsessionid sessionid cookie cookies csrf xsrf accesskeys
        """)

    /// What names end with that run their words together: `subscriptionkey`, `authcode`.
    private static let ends = ["key", "token", "tokens", "secret", "secrets", "password", "passwords", "code"]

    /// What comes before `key`, `code`, `sign`, `session` and `tokens` in names of data: `sortKey`, `postcode`, `max_tokens`.
    private static let plainStems: [String: [String]] = [
        "key": [
            "sort", "order", "group", "partition", "primary", "foreign", "dataset", "taxon", "species", "author",
            "work", "project", "issue", "parent", "kingdom", "phylum", "class", "family", "genus", "country",
            "network", "organization", "collection", "institution", "usage", "occurrence", "checklist", "row",
            "hash", "object", "range", "mon", "tur", "don", "hoc", "joc", "whis", "hot", "cache", "surrogate",
        ],
        "code": [
            "country", "lang", "language", "locale", "currency", "zip", "post", "postal", "area", "region", "state",
            "status", "error", "err", "product", "item", "airport", "airline", "station", "iata", "icao", "color",
            "colour", "category", "type", "department", "course", "subject", "bar", "qr", "hs", "city", "county",
            "province", "district", "dial", "phone", "calling", "timezone", "exchange", "market", "stock", "store",
            "shop", "branch", "bank", "swift", "sort", "event", "genre", "unit", "class", "group", "source", "set",
            "team", "league", "season", "sport", "venue", "stop", "route", "line", "agency", "carrier", "vendor",
            "brand", "model", "material", "tax", "plan", "level", "reason", "result", "response", "return", "exit",
            "order", "doc", "format", "version", "uni", "geo", "en", "de", "trans", "byte", "op", "nation",
            "nationality", "gender", "section", "series", "grid", "facet", "field", "taxon", "species", "art",
        ],
        "sign": ["zodiac", "star", "sun", "moon", "de", "re", "as", "con"],
        "session": ["legislative", "parliamentary", "congress"],
        "tokens": ["max", "min", "total", "prompt", "completion", "num", "count", "input", "output"],
    ]

    /// What comes before `token` and `key` in the name of a place in a list, run together or as a word of its own.
    private static let positionEnds = [
        "page", "next", "continuation", "pagination", "paging", "skip", "resumption", "scroll", "cursor",
    ]
    private static let positionWords = list(
        "start end last first after before prev previous batch position offset marker bookmark sync delta evaluated continue"
    )

    /// Names by which services say where a list goes on, as far as their words are those of secrets.
    package static func isPosition(_ name: String) -> Bool {
        let plain = plain(name)
        guard let end = ["token", "key"].first(where: plain.hasSuffix) else { return false }
        let stem = plain.dropLast(end.count)
        let last = words(of: name).dropLast().last ?? ""
        return positionEnds.contains(where: stem.hasSuffix) || positionWords.contains(String(stem))
            || positionWords.contains(last)
    }

    /// Whether a header field, a parameter or a member of this name holds a secret.
    package static func isSecret(_ name: String) -> Bool {
        guard !isPosition(name) else { return false }
        let words = words(of: name)
        let hasWord = words.indices.contains { index in
            Self.words.contains(words[index])
                && !isPlain(words[index], after: index > 0 ? words[index - 1] : "")
        }
        if hasWord { return true }
        let plain = withoutNumber(plain(name))
        if Self.words.contains(plain) { return true }
        guard let end = ends.first(where: plain.hasSuffix) else { return false }
        return !isPlain(end, after: String(plain.dropLast(end.count)))
    }

    private static func isPlain(_ word: String, after stem: String) -> Bool {
        guard !stem.isEmpty else { return false }
        return plainStems[word]?.contains(where: stem.hasSuffix) ?? false
    }

    private static func withoutNumber(_ text: String) -> String {
        String(text.reversed().drop(while: \.isNumber).reversed())
    }

    /// The words of a name in lower case, without numbers at their ends: those of `sharedSecret_v2` are shared, secret, v.
    package static func words(of name: String) -> [String] {
        var words = [""]
        var last: Character = " "
        for sign in name {
            let isPart = sign.isLetter || sign.isNumber
            if !isPart || sign.isUppercase && last.isLowercase { words.append("") }
            if isPart { words[words.count - 1] += sign.lowercased() }
            last = sign
        }
        return words.map(withoutNumber).filter { !$0.isEmpty }
    }

    /// Letters and digits in lower case: `page[number]`, `pageNumber` and `page_number` are one.
    package static func plain(_ name: String) -> String {
        name.lowercased().filter { !$0.isASCII || $0.isLetter || $0.isNumber }
    }
}

// Secrets that no name tells of.
extension SecretNames {
    package enum Shape: Sendable {
        /// A JSON Web Token (RFC 7519).
        case token
        /// At least 24 signs, as irregular as random ones are.
        case key
    }

    private static let leastKeySigns = 24
    /// The part of the places between two letters or digits where their kind changes: 0.45 in a random text of letters of
    /// both cases and digits, 0.47 in hexadecimal digits, 0.3 in base32, below 0.16 in words and dates that stand together.
    private static let leastChanges = 0.22

    /// The shape of the most telling word in a text.
    package static func shape(of text: String) -> Shape? {
        guard text.utf8.count >= 20 else { return nil }
        var found: Shape?
        for word in text.utf8.split(whereSeparator: { !isKeySign($0) }) {
            if isToken(word) { return .token }
            if found == nil, isKey(word) { found = .key }
        }
        return found
    }

    /// Of base64, of its form for URLs, and of tokens.
    private static func isKeySign(_ byte: UInt8) -> Bool {
        byte.isLetterOrDigit || "-_+/.~".utf8.contains(byte)
    }

    private static func isToken(_ word: Substring.UTF8View) -> Bool {
        let parts = word.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
        return parts.count >= 3 && parts[0].starts(with: "eyJ".utf8) && parts[0].count > 8 && !parts[1].isEmpty
    }

    private enum Kind {
        case lower, upper, digit
    }

    private static func kind(_ byte: UInt8) -> Kind? {
        switch byte {
        case 0x30...0x39: .digit
        case 0x41...0x5A: .upper
        case 0x61...0x7A: .lower
        default: nil
        }
    }

    private static func isKey(_ word: Substring.UTF8View) -> Bool {
        guard word.count >= leastKeySigns else { return false }
        var (changes, places, longestStop, stop) = (0, 0, 0, 0)
        var last: Kind?
        for byte in word {
            let kind = kind(byte)
            if let kind, let last {
                places += 1
                // An upper-case letter begins a word: `getCharacterList`.
                if kind != last, !(last == .upper && kind == .lower) { changes += 1 }
            }
            let isStop = kind == .lower && !"aeiouy".utf8.contains(byte)
            stop = isStop ? stop + 1 : 0
            longestStop = max(longestStop, stop)
            last = kind
        }
        // Words have no seven consonants in a row.
        return places >= leastKeySigns / 2 && Double(changes) >= leastChanges * Double(places) || longestStop >= 7
    }

    private static let dataEnds = [
        "id", "ids", "uuid", "guid", "hash", "digest", "sha1", "sha256", "etag", "cursor", "after", "before",
        "marker",
        "bookmark", "continuation", "continue", "offset", "from", "start", "scroll", "page", "next", "position",
    ]

    /// Names of long irregular values that are no secrets: ids, digests, places in a list. The id of a client is a key.
    package static func isOfData(_ name: String) -> Bool {
        let plain = plain(name)
        if ["clientid", "appid", "applicationid"].contains(where: plain.hasSuffix) { return false }
        return isPosition(name) || dataEnds.contains(where: plain.hasSuffix)
    }

    /// `550e8400-e29b-41d4-a716-446655440000`: as often the id of what is listed as a key.
    package static func isUUID(_ text: String) -> Bool {
        let parts = text.utf8.split(separator: UInt8(ascii: "-"), omittingEmptySubsequences: false)
        return parts.map(\.count) == [8, 4, 4, 4, 12]
            && text.utf8.allSatisfy { $0 == 0x2D || $0.isHexadecimalDigit }
    }
}

extension UInt8 {
    fileprivate var isHexadecimalDigit: Bool {
        (0x30...0x39).contains(self) || (0x61...0x66).contains(self | 0x20)
    }
}
