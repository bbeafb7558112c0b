// Records that came twice with other bytes may say the same: a service may write the members of an object in another order each
// time. They are compared by their values, as far as their pages are still there.

import PipelineCore

extension FetchRun {
    /// The largest page that is kept to compare the next one with.
    static let comparedBytes = 8 << 20

    /// Leaves out of what has changed the records with the same values.
    /// - Parameter earlier: the page before, nil if it isn't kept.
    func compareValues(
        _ counts: inout RecordWriter.PageCounts, _ page: FetchedPage, after earlier: FetchedPage?
    ) throws(ToolFailure) {
        let ids = counts.changed.union(counts.contradicted)
        guard !ids.isEmpty else { return }
        var values: [UInt64: [UInt64]] = [:]
        var mapper = RecordMapper(source, isRaw: true)
        for page in [earlier, page].compactMap(\.self) {
            for record in page.page.records {
                let text = page.body.span.extracting(record.range)
                try mapper.map(text)
                mapper.lines.removeAll()
                let id = RecordID.hash(mapper.id.span, isNumber: mapper.isIDNumber, writer.hash)
                if ids.contains(id) { values[id, default: []].append(ValueHash(writer.hash).of(text)) }
            }
        }
        let equal = values.filter { $0.value.count > 1 && Set($0.value).count == 1 }
        counts.settle(Set(equal.keys))
    }
}
