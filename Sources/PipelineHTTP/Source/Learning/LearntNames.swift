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
    /// Parameters that hold a secret.
    static let secrets = [
        "apikey", "key", "token", "accesstoken", "auth", "authkey", "wskey", "clientsecret", "secret", "password",
        "passwd", "pwd", "sig", "signature", "appid", "subscriptionkey",
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

    /// Whether a parameter's name says that its value is a secret.
    static func isSecret(_ name: String) -> Bool {
        let plain = plain(name)
        guard !cursors.contains(plain) else { return false }
        return secrets.contains(plain)
            || ["token", "apikey", "accesskey", "secret", "password"].contains(where: plain.hasSuffix)
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
