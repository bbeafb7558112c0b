// What a walk is told of a page. A walk that is told the same pages stands at the same place, so a list of them is all
// that another run needs to go on from there:
//
//     {"records":50,"count":149,"unseen":50,"distinct":50,"repeats":0,"digest":"9f0c…","next":null}

package import PipelineCore

/// A page as a walk enters it.
package struct PageSummary: Equatable, Sendable {
    /// Its records.
    package let records: Int
    /// How many records or pages there are by this one, nil where it doesn't say.
    package let count: Int?
    /// Where it leads, for pages that lead on by themselves.
    package let next: PagePosition?
    /// Records that hadn't come before.
    package let unseen: Int
    /// Records that hadn't come before in this reading of the list.
    package let distinct: Int
    /// Records that stand on this page more than once, without the first of each.
    package let repeats: Int
    /// The same for pages with the same records.
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

    /// - Returns: nil for what is no page of such a list.
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
        // What the API says may be any number, but none below 0.
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
    /// As a JSON object; nil for positions that no page leads to.
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

    /// - Returns: nil for what doesn't fit the pagination.
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
