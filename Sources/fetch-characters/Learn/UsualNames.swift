// Decides in which order ways are tried, and which member of a record is likely a common one, by the names that services
// usually give. What a list is, experiments show.

import PipelineCore
import PipelineHTTP

/// Names are compared by their letters and digits in lower case: `page[number]`, `pageNumber` and `page_number` are one.
enum UsualNames {
    enum Meaning: String {
        /// Parameters: the number of a page, the number of records before it or in it, a position that a response gave.
        case page, offset, size, cursor
        /// Numbers beside records: how many records there are, how many pages.
        case total, pages
        /// Arrays: what a list is about, and what stands beside that.
        case records, beside
        /// Members of records.
        case id, otherID, name, description, picture, webPage
        /// Header fields that a browser sends whatever it asks for.
        case noise
    }

    /// A meaning with its names, the most usual first.
    private static let table = """
        page page p pagenumber pageno pagenum pageindex pg currentpage paged paginationpage searchcriteriacurrentpage
        offset offset skip start from startindex startat pageoffset resultoffset startrecord startposition fromindex
        offset rowstart startrow idisplaystart skipcount
        size limit perpage pagesize size count rows pagelimit take top num n max maxresults hitsperpage itemsperpage length
        size resultsperpage resultrecordcount maxrecords first gcmlimit paginationpagesize searchcriteriapagesize pagelength
        cursor cursor after pagetoken nextpagetoken continuationtoken continuation nexttoken nextcursor startingafter
        cursor scrollid resumptiontoken marker bookmark pageafter pagecursor nextpagecursor gcmcontinue cmcontinue
        cursor apcontinue continue startcursor endcursor nextbatch pagestate exclusivestartkey paginationtoken skiptoken
        cursor lastid afterid before beforeid maxid sinceid
        total total totalcount count totalresults totalelements totalitems totalrecords numfound nbhits found resultcount
        total recordcount recordstotal rowcount xtotalcount xtotal matches hits size records
        pages totalpages pages pagecount lastpage numpages nbpages xtotalpages last
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
        noise accept useragent acceptlanguage referer origin cachecontrol pragma dnt priority te
        noise upgradeinsecurerequests sentrytrace baggage traceparent tracestate newrelic
        """

    private static let lists: [Meaning: [String]] = {
        let lines = table.split(separator: "\n").map { $0.split(separator: " ").map(String.init) }
        let all = lines.compactMap { words in
            Meaning(rawValue: words[0]).map { ($0, Array(words.dropFirst())) }
        }
        return Dictionary(all, uniquingKeysWith: +)
    }()

    private static let ranks = lists.mapValues { names in
        Dictionary(zip(names, 0...), uniquingKeysWith: { first, _ in first })
    }

    static subscript(_ meaning: Meaning) -> [String] { lists[meaning] ?? [] }

    static func `is`(_ name: String, _ meanings: Meaning...) -> Bool {
        meanings.contains { rank(name, $0) < unknown }
    }

    /// Whether browsers send the header field whatever they ask for.
    static func isNoise(_ field: String) -> Bool { `is`(field, .noise) || plain(field).hasPrefix("sec") }

    static let unknown = 1000

    /// The place of a name among those of a meaning, for sorting.
    static func rank(_ name: String, _ meaning: Meaning) -> Int {
        ranks[meaning]?[plain(name)] ?? unknown
    }

    static func plain(_ name: String) -> String { SecretNames.plain(name) }
}

/// The habits of services, as rows: where a value was seen, and the parameters that may take it.
///
///     member nextPageToken → cursor: pageToken, page_token      parameter $top → offset: $skip
struct ProposalRow: Sendable {
    enum Seen: String {
        /// A member or header field with a position; a parameter with a size; the list's place; an argument in GraphQL; the
        /// last record's id; nothing.
        case member, parameter, list, argument, record, nothing
    }

    let seen: Seen
    /// Compared as usual names are. `*` stands for any.
    let name: String
    let kind: Pagination.Word
    let parameters: [String]

    /// The rows of a kind that are tried together stand on one line.
    private static let table = """
        member endcursor cursor after cursor
        member nextpagetoken cursor pageToken page_token
        member nexttoken cursor token next_token pagination_token
        member token cursor page_token token pagination_token
        member nextcursor cursor cursor start_cursor after
        member nextbatch cursor from since
        member scrollid cursor scroll_id
        member searchafter cursor search_after
        member lastkey cursor exclusive_start_key start_key
        member * cursor cursor after page_token from since page start_cursor
        parameter length offset start
        parameter $top offset $skip
        parameter $limit offset $offset
        parameter resultrecordcount offset resultOffset
        parameter _limit page _page
        parameter _limit offset _start
        parameter rows offset start
        parameter maxresults offset startAt
        parameter limit offset offset
        parameter page[size] page page[number]
        parameter page[limit] offset page[offset]
        parameter searchcriteria[pagesize] page searchCriteria[currentPage]
        parameter pagination[pagesize] page pagination[page]
        list hits.hits offset from
        list result.results offset start
        argument after cursor after
        argument cursor cursor cursor
        argument offset offset offset
        argument skip offset skip
        argument page page page
        record id cursor starting_after after
        nothing * page page
        nothing * offset offset start skip from startIndex startAt page[offset] resultOffset $skip $offset
        nothing * page pageNumber p page[number] page_number pageNo currentPage
        """

    static let all: [ProposalRow] = table.split(separator: "\n").compactMap { line in
        let words = line.split(separator: " ").map(String.init)
        guard let seen = Seen(rawValue: words[0]), let kind = Pagination.Word(rawValue: words[2]) else {
            return nil
        }
        return ProposalRow(seen: seen, name: words[1], kind: kind, parameters: Array(words.dropFirst(3)))
    }

    /// The names under which all usual services take the number of records that a page has.
    static let sizes = [
        "limit", "per_page", "pageSize", "page_size", "perPage", "size", "count", "rows", "page[size]", "take",
        "_limit",
    ]

    private static let sized = all.filter { $0.seen == .parameter }

    /// The size that goes with an offset.
    static func size(of place: Placement) -> String? {
        sized.first { $0.parameters == [place.name] }?.name
    }

    /// Of some offsets those that go with a size.
    static func withSizes(_ places: [Placement]) -> [Placement] {
        sized.compactMap { row in places.first { row.parameters == [$0.name] } }.withoutRepeats
    }

    static func rows(_ seen: Seen, _ name: String) -> [ProposalRow] {
        // What begins with a sign is another habit: `$limit`, `_limit`.
        let plain = UsualNames.plain(name.first?.isLetter == true ? name : "")
        return all.filter { $0.seen == seen }.filter { ["*", plain, name.lowercased()].contains($0.name) }
    }
}
