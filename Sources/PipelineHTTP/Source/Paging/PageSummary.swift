// What a walk needs to know about a page. A walk over the same pages reaches the same position, so a list of
// summaries is all that another run needs to continue:
//
//     {"records":50,"count":149,"unseen":50,"distinct":50,"repeats":0,"digest":"9f0c…","content":"51a7…","next":null}
//
// It may also have `listed`, `more` and `found`, where they say anything.

package import PipelineCore

/// A page, as entered in a walk.
package struct PageSummary: Equatable, Sendable {
    /// The number of its records.
    package let records: Int
    /// The number of elements of its list, including those that aren't wanted as records.
    package let listed: Int
    /// The number of records or pages, according to this one. Nil if it doesn't say.
    package let count: Int?
    /// Whether another page follows, according to this one. Nil if the API doesn't say.
    package let hasMore: Bool?
    /// The next position, for pages that contain it.
    package let next: PagePosition?
    /// Records that are new.
    package let unseen: Int
    /// Records that are new in this pass over the list.
    package let distinct: Int
    /// Records that repeat one of this page.
    package let repeats: Int
    /// Equal for pages with the same records, compared by id or content.
    package let digest: UInt64
    /// Equal for pages whose records have the same bytes.
    package let content: UInt64
    /// False if the API has no page at its position.
    package let isFound: Bool

    /// - Parameter leftOut: records that aren't wanted.
    package init(
        _ page: SourcePage, leftOut: Int = 0, next: PagePosition?, unseen: Int, distinct: Int, repeats: Int,
        digest: UInt64, content: UInt64
    ) {
        self.init(
            records: page.records.count - leftOut, listed: page.listed, page.lead, next: next, unseen: unseen,
            distinct: distinct, repeats: repeats, digest: digest, content: content)
    }

    package init(
        records: Int, listed: Int, _ lead: PageLead, next: PagePosition?, unseen: Int, distinct: Int, repeats: Int,
        digest: UInt64, content: UInt64
    ) {
        self.records = records
        self.listed = listed
        count = lead.count
        hasMore = lead.hasMore
        self.next = next
        self.unseen = unseen
        self.distinct = distinct
        self.repeats = repeats
        self.digest = digest
        self.content = content
        isFound = true
    }

    /// The page after the last one, which the API doesn't have.
    package static let notFound = PageSummary()

    private init() {
        (records, listed, unseen, distinct, repeats) = (0, 0, 0, 0, 0)
        (count, hasMore, next) = (nil, nil, nil)
        (digest, content) = (0, 0)
        isFound = false
    }

    /// The page as a JSON object.
    package var text: String {
        ByteBuffer.object { object in
            object.addMember("records", records)
            if listed != records { object.addMember("listed", listed) }
            object.addMember("count", count)
            if let hasMore { object.addMember("more", hasMore) }
            object.addMember("unseen", unseen)
            object.addMember("distinct", distinct)
            object.addMember("repeats", repeats)
            object.addMember("digest", String(digest, radix: 16))
            object.addMember("content", String(content, radix: 16))
            object.addMember("next", json: next?.json ?? "null")
            if !isFound { object.addMember("found", false) }
        }.text
    }

    /// - Returns: nil if it isn't a page of such a list.
    package init?(_ tree: JSONTree, _ pagination: Pagination) {
        guard let records = tree["records"]?.count, let unseen = tree["unseen"]?.count,
            let distinct = tree["distinct"]?.count, let repeats = tree["repeats"]?.count, let next = tree["next"],
            let digest = Self.hash(tree["digest"]), let content = Self.hash(tree["content"]),
            let listed = tree["listed"].map(\.count) ?? records,
            let isFound = tree["found"].map(\.boolean) ?? true
        else { return nil }
        self.records = records
        self.listed = listed
        self.unseen = unseen
        self.distinct = distinct
        self.repeats = repeats
        self.digest = digest
        self.content = content
        self.isFound = isFound
        hasMore = tree["more"]?.boolean
        count = tree["count"]?.integer
        // The API's count may be any number, but not negative.
        if let count, count < 0 { return nil }
        if case .null = next {
            self.next = nil
        } else {
            guard let position = PagePosition(next, pagination) else { return nil }
            self.next = position
        }
    }

    private static func hash(_ tree: JSONTree?) -> UInt64? { tree?.string.flatMap { UInt64($0, radix: 16) } }
}
