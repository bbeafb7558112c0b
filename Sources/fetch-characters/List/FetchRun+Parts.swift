// Lists whose records come in parts on several pages. A page in the middle writes nothing; the one that completes its
// records, or the first with others, has them written, in the order in which they first came.

import PipelineCore
import PipelineHTTP

extension FetchRun {
    /// Joins the parts of a page with those that wait, and writes the records that are whole by it.
    /// - Returns: nil if no further page is wanted.
    func writeParts(
        _ fetched: FetchedPage, _ list: inout ListReading, _ name: String
    ) throws(ToolFailure) -> PageFacts? {
        var ids: [[UInt8]] = []
        let found: PageFacts.Novelty
        let added: Int
        do throws(RecordMerge.Fault) {
            for record in fetched.page.records {
                if let id = try merge?.id(of: fetched.body.span.extracting(record.range)) { ids.append(id) }
            }
        } catch { throw list.incomplete(error.text) }
        if source.merge?.complete == nil, !ids.contains(where: { merge?.contains($0) ?? false }) {
            guard try writeWaiting(&list) else { return nil }
            try save(&list)
        }
        do throws(RecordMerge.Fault) { (found, added) = try join(fetched, ids) } catch {
            throw list.incomplete(error.text)
        }
        list.lastPart = fetched
        if fetched.page.completesRecords { guard try writeWaiting(&list) else { return nil } }
        return PageFacts(
            fetched.page, leftOut: added, next: try next(fetched.page.lead, fetched.url, list.requests, name),
            at: fetched.url, found)
    }

    /// - Returns: what the parts are among those of the list, and how many added something to a record.
    private func join(
        _ fetched: FetchedPage, _ ids: [[UInt8]]
    ) throws(RecordMerge.Fault) -> (found: PageFacts.Novelty, added: Int) {
        var found = PageFacts.Novelty()
        var added = 0
        for (record, id) in zip(fetched.page.records, ids) {
            let hash = writer.hash.hash(id.span)
            let part = fetched.body.span.extracting(record.range)
            found.content = found.content &* 0x9E37_79B9_7F4A_7C15 ^ writer.hash.digest(part)
            switch try merge?.add(part, id: id) {
            case .added: added += 1
            case .known: found.repeats += 1
            case .first, nil:
                guard !(writer.idsOfReading ?? writer.ids).contains(hash) else {
                    throw .late(id)
                }
                found.distinct += 1
                found.unseen += writer.ids.contains(hash) ? 0 : 1
            }
        }
        if ids.isEmpty { found.content = writer.hash.digest(fetched.received.span) }
        return (found, added)
    }

    /// Writes the records that wait.
    /// - Returns: whether further pages are wanted.
    func writeWaiting(_ list: inout ListReading) throws(ToolFailure) -> Bool {
        guard let last = list.lastPart, let (text, outline) = merge?.take() else { return true }
        list.lastPart = nil
        let records = outline.records
        let whole = FetchedPage(
            page: SourcePage(records: records, listed: records.count), body: text, url: last.url,
            completion: last.completion)
        let counts = try write(whole, outline, list.requests, number: list.walk.number)
        return !writer.isAtLimit && !counts.isOlder
    }

    /// Saves that all records so far are written.
    func save(_ list: inout ListReading) throws(ToolFailure) {
        if !list.unsaved.isEmpty { try state.save(list.unsaved, &writer) }
        list.unsaved = []
    }

    /// `--max-pages` may end a list within its parts.
    func warn(ofWaiting list: ListReading) {
        guard let last = list.lastPart, merge?.isEmpty == false else { return }
        diagnostics.warning(
            list.prefix
                + "\(RecordStream.count(last.page.records.count)) of the last page may have further parts, and aren't "
                + "written; raise --max-pages")
    }
}
