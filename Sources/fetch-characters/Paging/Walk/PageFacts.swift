// What a walk has to know about a page. A walk over the same pages reaches the same position, so a list of facts is all
// that another run needs to continue:
//
//     {"records":50,"count":149,"unseen":50,"distinct":50,"repeats":0,"first":"7a…","last":"51…","content":"9f…","next":null}
//
// It may also have `further`, `listed`, `more`, `number`, `outcome`, `sequence` and `varied`, where they say anything. `next` is where the page leads:
//
//     {"cursor":["\"QW5…\"",null]}     {"link":"https://api.example/list?page=2"}

import PipelineCore
import PipelineHTTP

struct PageFacts: Equatable, Sendable {
    enum Outcome: String, Sendable {
        case page
        /// The service has no page at this position.
        case notFound = "not-found"
        /// The service takes no offset that isn't a multiple of the size.
        case refusedOffset = "refused-offset"
    }

    var outcome = Outcome.page
    /// The records that are wanted.
    var records = 0
    /// The elements of its list, including those that aren't wanted as records.
    var listed = 0
    /// How many records or pages there are, according to this one. Nil if it doesn't say.
    var count: Int?
    /// Whether another page follows, according to this one. Nil if the service doesn't say.
    var hasMore: Bool?
    /// What says so, where the description doesn't name it. It isn't kept for another run.
    var sign: String?
    var next: PagePosition?
    /// That position is a number of pages or records.
    var leadsByNumber = false
    /// A page after the next one follows.
    var leadsFurther = false

    // MARK: Its records among those of the list

    /// Those that no reading had.
    var unseen = 0
    /// Those that this reading hadn't had.
    var distinct = 0
    /// Those that repeat another of the same page.
    var repeats = 0
    /// Hashes of the first and the last record's id. Nil for a record without one.
    var first: UInt64?
    var last: UInt64?
    /// Equal for pages that are the same to a reader: the same records if they have ids, else the same bytes.
    var content: UInt64 = 0
    /// Equal for pages with the same records in the same order. Nil if all have ids.
    var sequence: UInt64?
    /// Not all those records are equal.
    var isVaried = false

    /// That of a page whose other records make `earlier`.
    static func sequence(_ earlier: UInt64, _ content: UInt64) -> UInt64 {
        earlier &* 0x9E37_79B9_7F4A_7C15 ^ content
    }

    static let notFound = PageFacts(outcome: .notFound)

    /// - Parameter leftOut: records that aren't wanted.
    mutating func add(_ page: SourcePage, leftOut: Int = 0, next: PagePosition?, at url: HTTPURL) {
        records = page.records.count - leftOut
        listed = page.listed
        count = page.lead.count
        (hasMore, sign) = (page.lead.hasMore, page.lead.sign)
        (self.next, leadsFurther) = (next, page.lead.leadsFurther)
        leadsByNumber = next?.isNumber(after: url) ?? false
    }
}

extension PageFacts {
    var text: String {
        ByteBuffer.object { object in
            object.addMember("records", records)
            if listed != records { object.addMember("listed", listed) }
            object.addMember("count", count)
            if let hasMore { object.addMember("more", hasMore) }
            object.addMember("unseen", unseen)
            object.addMember("distinct", distinct)
            object.addMember("repeats", repeats)
            if let first { object.addMember("first", String(first, radix: 16)) }
            if let last { object.addMember("last", String(last, radix: 16)) }
            object.addMember("content", String(content, radix: 16))
            if let sequence { object.addMember("sequence", String(sequence, radix: 16)) }
            if isVaried { object.addMember("varied", true) }
            object.addMember("next", json: next?.json ?? "null")
            if leadsByNumber { object.addMember("number", true) }
            if leadsFurther { object.addMember("further", true) }
            if outcome != .page { object.addMember("outcome", outcome.rawValue) }
        }.text
    }

    init?(_ tree: JSONTree, _ pagination: Pagination) {
        guard let records = tree["records"]?.count, let unseen = tree["unseen"]?.count,
            let distinct = tree["distinct"]?.count, let repeats = tree["repeats"]?.count, let next = tree["next"],
            let content = Self.hash(tree["content"]), case let count = tree["count"]?.integer, count ?? 0 >= 0,
            let outcome = tree["outcome"].map({ $0.string.flatMap { Outcome(rawValue: $0) } }) ?? .page
        else { return nil }
        let position = PagePosition(next, pagination)
        if position == nil, next.kind != "null" { return nil }
        self.init(
            outcome: outcome, records: records, listed: tree["listed"]?.count ?? records,
            count: count, hasMore: tree["more"]?.boolean, next: position,
            leadsByNumber: tree["number"]?.boolean ?? false, leadsFurther: tree["further"]?.boolean ?? false,
            unseen: unseen, distinct: distinct, repeats: repeats, first: Self.hash(tree["first"]),
            last: Self.hash(tree["last"]), content: content,
            sequence: Self.hash(tree["sequence"]), isVaried: tree["varied"]?.boolean ?? false)
    }

    private static func hash(_ tree: JSONTree?) -> UInt64? { tree?.string.flatMap { UInt64($0, radix: 16) } }
}
