// The names that services give to the parts of their lists. A name only says what is tried first: what a part is, an
// answer has to prove.

/// Well-known names, compared by their letters and digits in lower case: `page[number]`, `pageNumber` and `page_number`
/// are one.
enum LearntNames {
    /// Parameters for the number of a page, the most usual first.
    static let pages = [
        "page", "p", "pagenumber", "pageno", "pagenum", "pageindex", "pg", "currentpage", "paged",
    ]
    /// Parameters for the number of records before a page.
    static let offsets = ["offset", "skip", "start", "from", "startindex", "pageoffset", "startat", "startrecord"]
    /// Parameters for the number of records in a page.
    static let sizes = [
        "limit", "pagesize", "perpage", "size", "count", "rows", "pagelimit", "take", "top", "num", "ps", "n",
        "max",
        "maxresults", "hitsperpage", "itemsperpage", "resultsperpage", "maxrecords", "gcmlimit",
    ]
    /// Parameters for a cursor.
    static let cursors = [
        "cursor", "after", "pagetoken", "nextpagetoken", "continuationtoken", "continuation", "nexttoken",
        "nextcursor", "startingafter", "scrollid", "resumptiontoken", "marker", "bookmark", "pageafter",
        "pagecursor",
        "gcmcontinue", "cmcontinue", "continue",
    ]
    /// Parts of a name that say that its value is a secret, and whole names that are run together of such.
    static let secrets: Set = [
        "key", "secret", "secrets", "token", "tokens", "sign", "signature", "cred", "credential", "credentials",
        "pass", "password", "passphrase", "auth", "authorization", "authentication", "bearer", "jwt", "hmac",
        "session",
        "sid", "sig", "pwd", "passwd", "passcode", "oauth", "wskey", "appid", "phpsessid", "jsessionid",
        "sessionid",
        "authkey", "userkey",
    ]
    /// The ends of names that are run together.
    static let secretEnds = [
        "apikey", "accesskey", "sharedsecret", "secret", "token", "password", "subscriptionkey",
    ]
    /// What a key is no secret after: it sorts, or it is an id, as GBIF calls those.
    static let plainKeys: Set = [
        "sort", "order", "group", "partition", "primary", "foreign", "dataset", "taxon", "species",
    ]

    /// Arrays that hold what a list is about.
    static let records = [
        "data", "results", "items", "records", "docs", "rows", "entries", "objects", "content", "elements", "list",
        "hits", "value", "values", "members", "ordereditems", "artobjects",
    ]
    /// Arrays beside it.
    static let others = [
        "included", "facets", "aggregations", "links", "errors", "related", "filters", "warnings", "countfacets",
        "breadcrumbs", "sorts",
    ]

    static let ids = ["id", "uuid", "guid", "uid", "identifier", "doi"]
    /// Those of other things too.
    static let otherIDs = ["key", "slug", "code", "index", "pk"]
    static let names = ["name", "title", "label", "fullname", "displayname", "displaytitle", "heading"]
    static let descriptions = [
        "description", "desc", "summary", "overview", "bio", "biography", "about", "abstract", "synopsis", "deck",
        "shortdescription", "longdescription", "extract", "blurb",
    ]
    static let pictures = [
        "imageurl", "image", "picture", "photo", "poster", "img", "thumbnail", "avatar", "artwork", "cover",
        "portrait",
        "sprite", "illustration", "primaryimage", "imageuri", "photourl", "pictureurl", "thumb", "icon",
    ]
    static let webPages = [
        "pageurl", "url", "link", "permalink", "siteurl", "sourceurl", "htmlurl", "weburl", "webpage", "website",
        "wikipediaurl", "wiki", "href", "objecturl", "guid", "page", "homepage", "landingpageurl",
    ]

    /// Whether a plain name says that the value leads to what is next: `next`, `nextPageToken`, `@odata.nextLink`, but no
    /// `nextSeason`.
    static func isNext(_ plain: String) -> Bool {
        guard let start = plain.ranges(of: "next").last,
            start.lowerBound == plain.startIndex || plain.hasSuffix("link")
        else { return plain == "hasnext" ? false : plain.hasSuffix("next") }
        var rest = String(plain[start.upperBound...])
        for word in ["page", "results", "records", "items", "set", "batch"] where rest.hasPrefix(word) {
            rest.removeFirst(word.count)
        }
        let ends = [
            "", "link", "url", "uri", "href", "cursor", "token", "offset", "start", "key", "id", "marker", "number",
            "continuation", "position", "maxid",
        ]
        return ends.contains(rest)
    }

    /// Whether an array of this name is what a list is about.
    static func isRecords(_ name: String) -> Bool { records.contains(plain(name)) }

    /// Whether the names that lead to a value say that it leads on.
    static func leadsOn(_ names: [String]) -> Bool {
        let plain = names.map(LearntNames.plain)
        guard let last = plain.last else { return false }
        return isNext(last) || plain.dropLast().last == "next" || cursors.contains(last)
            || plain.contains { $0.hasSuffix("lastkey") || $0.hasSuffix("evaluatedkey") }
    }

    /// Whether a parameter's name says that its value is a secret, by the parts of the name: `clientKey`, `X-Amz-Signature`.
    static func isSecret(_ name: String) -> Bool {
        let plain = plain(name)
        guard !cursors.contains(plain), !isNext(plain) else { return false }
        let parts = parts(of: name)
        let isPart = parts.indices.contains { index in
            let isPlainKey =
                index > 0 && parts[index] == "key" && plainKeys.contains(where: parts[index - 1].hasSuffix)
            return secrets.contains(parts[index]) && !isPlainKey
        }
        let isRunTogether = secrets.contains(plain) || secretEnds.contains { plain.hasSuffix($0) }
        return isPart || isRunTogether && !plainKeys.contains { plain == $0 + "key" }
    }

    /// The words of a name in lower case: those of `sharedSecret_v2` are shared, secret and v2.
    private static func parts(of name: String) -> [String] {
        var parts = [""]
        var last: Unicode.Scalar = " "
        for scalar in name.unicodeScalars {
            let properties = scalar.properties
            guard properties.isAlphabetic || properties.numericType != nil else {
                parts.append("")
                last = scalar
                continue
            }
            if properties.isUppercase, last.properties.isLowercase { parts.append("") }
            parts[parts.count - 1] += properties.lowercaseMapping
            last = scalar
        }
        return parts.filter { !$0.isEmpty }
    }

    /// The name's letters and digits in lower case.
    static func plain(_ name: String) -> String {
        String(
            String.UnicodeScalarView(
                name.lowercased().unicodeScalars.filter { scalar in
                    ("a"..."z").contains(scalar) || ("0"..."9").contains(scalar) || scalar.value >= 0x80
                }))
    }
}
