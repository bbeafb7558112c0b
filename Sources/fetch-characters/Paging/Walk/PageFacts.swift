// Decides what a walk has to know about a page. A walk over the same pages reaches the same position, so a list of facts is all
// that another run needs to continue; State/SavedPage.swift writes and reads them.

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
    /// At least so many records are there. Nil for an exact count.
    var least: Int?
    /// What a flag that the description names says of the pages after this one.
    var flag: PageLead.Flag?
    /// What a protocol says of further records, where the description leads to none. It isn't kept for another run.
    var sign: String?
    /// What stands beside the records otherwise than when the list was learnt. It isn't kept either: it ends the run.
    var difference: String?
    /// A list within the page's only record. It isn't kept, as the page isn't written again.
    var wrapping: Page.Wrapping?
    var next: PagePosition?
    /// How that position differs from the page's own.
    var stride: PagePosition.Stride?
    /// A page after the next one follows.
    var leadsFurther = false
    /// Nil where nothing stands beside the records.
    var kind: PageBeside.Kind?
    /// The paths beside its records that have a value, without those that had one on an earlier page.
    var valued: [String] = []

    // MARK: Its records among those of the list

    /// Those that no reading had.
    var unseen = 0
    /// Those that this reading hadn't had.
    var distinct = 0
    /// Those that repeat another of the same page.
    var repeats = 0
    /// The hashes of the ids that came on an earlier page of this reading, added up.
    var doubled: UInt64 = 0
    /// Hashes of the first and the last record's id. Nil for a record without one.
    var first: UInt64?
    var last: UInt64?
    /// Equal for pages that are the same to a reader: the same records if they have ids, else the same bytes.
    var content: UInt64 = 0
    /// Equal for pages with the same records in the same order. Nil if all have ids.
    var sequence: UInt64?
    /// Not all those records are equal.
    var isVaried = false

    /// Whether another page follows, according to this one. Nil if no flag says so.
    var hasMore: Bool? { flag.map { $0 == .more || $0 == .notDone } }

    /// Its records that came on an earlier page of this reading.
    var known: Int { max(0, records - distinct - repeats) }

    /// That of a page whose other records make `earlier`.
    static func sequence(_ earlier: UInt64, _ content: UInt64) -> UInt64 {
        earlier &* 0x9E37_79B9_7F4A_7C15 ^ content
    }

    static let notFound = PageFacts(outcome: .notFound)

    /// - Parameters:
    ///   - leftOut: records that aren't wanted.
    ///   - known: the paths that had a value on earlier pages.
    ///   - shape: what stood beside the records when the list was learnt.
    mutating func add(
        _ page: Page, leftOut: Int = 0, next: PagePosition?, at url: HTTPURL, known: Set<String> = [],
        shape: BesideShape? = nil
    ) {
        records = page.records.count - leftOut
        listed = page.listed
        (count, least) = (page.lead.count, page.lead.least)
        (flag, sign) = (page.lead.flag, page.lead.sign)
        (self.next, leadsFurther) = (next, page.lead.leadsFurther)
        wrapping = page.wrapping
        difference = shape?.difference(from: page.beside, listed: page.listed)
        stride = next?.stride(from: url)
        kind = page.beside.kind
        valued = page.beside.valued(at: url).filter { !known.contains($0) }
    }
}
