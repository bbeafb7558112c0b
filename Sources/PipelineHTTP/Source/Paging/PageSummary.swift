// What a walk needs to know about a page. A walk over the same pages reaches the same position, so a list of
// summaries is all that another run needs to continue:
//
//     {"records":50,"count":149,"unseen":50,"distinct":50,"repeats":0,"digest":"9f0c…","next":null}

package import PipelineCore

/// A page, as entered in a walk.
package struct PageSummary: Equatable, Sendable {
    /// The number of its records.
    package let records: Int
    /// The number of records or pages, according to this one. Nil if it doesn't say.
    package let count: Int?
    /// The next position, for pages that contain it.
    package let next: PagePosition?
    /// Records that are new.
    package let unseen: Int
    /// Records that are new in this pass over the list.
    package let distinct: Int
    /// Records that repeat one of this page.
    package let repeats: Int
    /// Equal for pages with the same records.
    package let digest: UInt64

    package init(_ page: SourcePage, next: PagePosition?, unseen: Int, distinct: Int, repeats: Int, digest: UInt64)
    {
        records = page.records.count
        count = page.count
        self.next = next
        self.unseen = unseen
        self.distinct = distinct
        self.repeats = repeats
        self.digest = digest
    }

    /// The page as a JSON object.
    package var text: String {
        ByteBuffer.object { object in
            object.addMember("records", records)
            object.addMember("count", count)
            object.addMember("unseen", unseen)
            object.addMember("distinct", distinct)
            object.addMember("repeats", repeats)
            object.addMember("digest", String(digest, radix: 16))
            object.addMember("next", json: next?.text ?? "null")
        }.text
    }

    /// - Returns: nil if it isn't a page of such a list.
    package init?(_ tree: JSONTree, _ pagination: Pagination) {
        guard let records = tree["records"]?.count, let unseen = tree["unseen"]?.count,
            let distinct = tree["distinct"]?.count, let repeats = tree["repeats"]?.count, let next = tree["next"],
            let digest = tree["digest"]?.string.flatMap({ UInt64($0, radix: 16) })
        else { return nil }
        self.records = records
        self.unseen = unseen
        self.distinct = distinct
        self.repeats = repeats
        self.digest = digest
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
}

extension PagePosition {
    /// As a JSON object. Nil for positions that no page leads to.
    fileprivate var text: String? {
        let kind: String
        let target: String
        switch self {
        case .start, .number, .offset: return nil
        case .cursor(let text): (kind, target) = ("cursor", text)
        case .link(let url): (kind, target) = ("link", url.text)
        }
        return ByteBuffer.object {
            $0.addMember("kind", kind)
            $0.addMember("text", target)
        }.text
    }

    /// - Returns: nil if it doesn't fit the pagination.
    fileprivate init?(_ tree: JSONTree, _ pagination: Pagination) {
        guard let kind = tree["kind"]?.string, let text = tree["text"]?.string else { return nil }
        switch pagination.kind {
        case .cursor where kind == "cursor": self = .cursor(text)
        case .nextURL where kind == "link", .linkHeader where kind == "link":
            do throws(HTTPFailure) { self = .link(try HTTPURL(text)) } catch { return nil }
        case .none, .page, .offset, .cursor, .nextURL, .linkHeader: return nil
        }
    }
}
