// The names that services give to the parts of their lists, and what each may mean. A name only says what is tried first:
// what a part is, a response has to prove.

import PipelineCore

/// Well-known names, compared by their letters and digits in lower case: `page[number]`, `pageNumber` and `page_number`
/// are one.
enum WellKnownNames {
    enum Meaning: String {
        /// Parameters: the number of a page, the number of records before it or in it, a place that a response gave.
        case page, offset, size, cursor
        /// Parameters that may be any of these in some services.
        case place
        /// Arrays: what a list is about, and what stands beside that.
        case records, beside
        case id, otherID, name, description, picture, webPage
        /// Parts of the names of numbers: how many records there are, and what counts something else.
        case total, count, notTotal, lastPage
        /// Parts of names that are true, or there, where more follows; those that are true at the end; where a list goes on.
        case more, last, mark
        /// Parts of the names of flags that are true as long as another page follows; how words begin that tell of a fault.
        case moreFlag, fault
        /// Words of names beside records that say nothing about how many there are.
        case harmless
        /// Header fields that a browser sends whatever it asks for, and those that no description has.
        case noise, ownField
        /// Words of the names of secrets, the ends of those that are run together, and what a key is no secret after.
        case secret, secretEnd, plainKey
    }

    /// A meaning with its names, the most usual first.
    private static let table = """
        page page p pagenumber pageno pagenum pageindex pg currentpage paged paginationpage searchcriteriacurrentpage
        offset offset skip start from startindex pageoffset startat startrecord startposition
        size limit pagesize pagelength perpage size count rows pagelimit take top num ps n max maxresults hitsperpage itemsperpage
        size resultsperpage resultrecordcount maxrecords first gcmlimit paginationpagesize searchcriteriapagesize
        cursor cursor after pagetoken nextpagetoken continuationtoken continuation nexttoken nextcursor startingafter
        cursor scrollid resumptiontoken marker bookmark pageafter pagecursor nextpagecursor gcmcontinue cmcontinue
        cursor apcontinue continue startcursor endcursor nextbatch pagestate exclusivestartkey
        cursor paginationtoken skiptoken
        place fromindex index rowstart startrow idisplaystart skipcount range position block chunk next scroll lastid afterid
        place beforeid maxid minid sinceid
        records data results items records docs rows entries objects content elements list hits value values members
        records ordereditems artobjects entry nodes edges result
        beside included facets aggregations links fields columns errors related filters warnings countfacets breadcrumbs sorts
        beside tags toptags
        id id uuid guid uid gid objectid identifier doi sid pageid uniquekey
        otherID key slug code index pk uri
        name name title label fullname displayname displaytitle heading login
        description description desc summary overview bio biography about abstract synopsis deck shortdescription
        description longdescription extract blurb
        picture imageurl image picture photo poster img thumbnail avatar artwork cover portrait sprite illustration
        picture primaryimage imageuri photourl pictureurl thumb icon
        webPage pageurl url link permalink siteurl sourceurl htmlurl weburl webpage website wikipediaurl wiki href
        webPage objecturl guid page homepage landingpageurl
        total numfound nbhits found resultcount recordcount rowcount numresults nbresults
        count count hits nhits matches amount records
        notTotal per current size next prev this length limit remaining ratelimit
        lastPage total last count num nb max
        moreFlag more next truncated
        more incomplete more next truncated partial continu older exceed remaining overflow limitreached limited
        last last done finished complete exhausted eof end final islast allloaded
        mark scroll position state sync resume lastid maxid sinceid pagestate batch token cursor marker bookmark
        fault error warning exception fault timeout timed fail terminat omit partial unavailable missing problem
        harmless version versions api apiversion status code message msg success successful ok error errors took time
        harmless timestamp date duration elapsed ms millis milliseconds seconds updated update created generated modified
        harmless expires ttl year messages request requestid trace traceid correlation correlationid response title description
        harmless language lang locale licence license attribution copyright documentation docs doc help info schema
        harmless context type jsonapi kind object etag self rate ratelimit quota credits cost notice note disclaimer
        harmless terms source provider author server host env environment currency units encoding format sort sorted
        harmless unsorted order filter filters query facets facet aggregations links previous prev first href url
        harmless cached cache result empty paged unpaged qtime generator timezone name region season sum cod
        harmless field fields geometry revision rev build hash checksum sha contact email support publisher category
        harmless theme color colour logo icon image images
        harmless system can spatialreference newest oldest subject user account owner profile channel
        noise accept useragent acceptlanguage referer origin cachecontrol pragma dnt priority secgpc te
        noise upgradeinsecurerequests sentrytrace baggage traceparent tracestate newrelic
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

    static func `is`(_ name: String, _ meaning: Meaning) -> Bool { Self[meaning].contains(plain(name)) }

    static func has(_ plain: String, _ meaning: Meaning) -> Bool { Self[meaning].contains(where: plain.contains) }

    /// `next`, `nextPageToken`, `@odata.nextLink`, but no `nextSeason`.
    static func isNext(_ plain: String) -> Bool {
        guard let start = plain.ranges(of: "next").last,
            start.lowerBound == plain.startIndex || plain.hasSuffix("link") || plain.hasPrefix("x")
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

    /// `userId`, `year`: a number that selects records by what they are.
    static func isFilter(_ name: String) -> Bool {
        let plain = plain(name)
        return plain.hasSuffix("id") && !Self[.place].contains(plain)
            || ["year", "month", "day", "week", "season", "version"].contains(plain)
    }

    /// Whether a name says that its value, if there is one, tells of a fault.
    static func isFault(_ name: String) -> Bool {
        Self[.fault].contains(where: plain(name).hasPrefix)
    }

    static func leadsOn(_ names: [String]) -> Bool {
        let plain = names.map(WellKnownNames.plain)
        guard let last = plain.last else { return false }
        let outer = plain.dropLast().last ?? ""
        // Of XML: `{"resumptionToken": {"#text": "…"}}`.
        let isText = Self[.cursor].contains(outer) && ["text", "value", "token"].contains(last)
        return isNext(last) || outer == "next" || Self[.cursor].contains(last) || isText
            || plain.contains { $0.hasSuffix("lastkey") || $0.hasSuffix("evaluatedkey") || $0 == "nextpage" }
    }

    /// By the words of the name: `clientKey`, `X-Amz-Signature`, but no name of a place in a list, such as `pageToken`.
    static func isSecret(_ name: String) -> Bool {
        let plain = plain(name)
        guard !Self[.cursor].contains(plain), !isNext(plain) else { return false }
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
