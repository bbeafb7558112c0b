// Lists whose records come in parts on several pages. A page in the middle writes nothing. The page that completes its
// records has them written, or the first one with others, in the order in which they first came.

import PipelineCore
import PipelineHTTP

extension FetchRun {
    /// Joins the parts of a page with those that wait, and writes the records that are whole by it.
    /// - Returns: nil if no further page is wanted.
    func writeParts(
        _ fetched: FetchedPage, _ list: inout ListReading, _ name: String
    ) throws(ToolFailure) -> PageFacts? {
        let ids = try fetched.page.records.map { record throws(ToolFailure) in
            try merge.id(of: fetched.body.span.extracting(record.range))
        }
        if source.merge?.complete == nil, !ids.contains(where: { merge.contains($0) }) {
            guard try writeWaiting(&list) else { return nil }
            try state.save(&list.unsaved, &writer)
        }
        var found = PageFacts.Novelty()
        var added = 0
        found.content = writer.hash.digest(fetched.received.span)
        for (record, id) in zip(fetched.page.records, ids) {
            switch try merge.add(fetched.body.span.extracting(record.range), id: id) {
            case .added: added += 1
            case .known: found.repeats += 1
            case .first:
                let hash = writer.hash.hash(id.span)
                guard !(writer.idsOfReading ?? writer.ids).contains(hash) else {
                    throw list.incomplete(
                        "id \(id.span.text) came again after its record was complete; check merge and members.id, or run it "
                            + "again if the list has changed")
                }
                found.distinct += 1
                found.unseen += writer.ids.contains(hash) ? 0 : 1
            }
        }
        list.lastPart = fetched
        if fetched.page.lead.completesRecords { guard try writeWaiting(&list) else { return nil } }
        return PageFacts(
            fetched.page, leftOut: added, next: try next(fetched.page.lead, fetched.url, list.requests, name),
            at: fetched.url, found)
    }

    /// Writes the records that wait.
    /// - Returns: whether further pages are wanted.
    func writeWaiting(_ list: inout ListReading) throws(ToolFailure) -> Bool {
        guard let last = list.lastPart.take() else { return true }
        let (text, outline) = merge.take()
        let whole = FetchedPage(
            page: SourcePage(records: outline.records, listed: outline.records.count), body: text, url: last.url,
            completion: last.completion)
        let counts = try write(whole, outline, list.requests, number: list.walk.number)
        return !writer.isAtLimit && !counts.isOlder
    }
}
