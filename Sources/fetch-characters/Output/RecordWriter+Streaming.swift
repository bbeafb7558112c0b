// The records of an answer that is written while it comes, whatever its size: nothing is kept for each but the hash of its
// id.

import PipelineCore
import PipelineHTTP

extension RecordWriter {
    /// Begins such an answer. From now on no id is forgotten, as nothing but the ids shows what was written of an answer
    /// that breaks off and is asked for again.
    mutating func beginStream() {
        isStreaming = true
        ids.forgetsOldest = false
    }

    mutating func endStream() { isStreaming = false }

    /// Whether records are written as they are, whatever is in them.
    var isVerbatim: Bool { mapper.isVerbatim && filter == nil && age == nil && asked == nil }

    /// Writes records as they are.
    /// - Parameter outline: of records without line ends.
    mutating func writeVerbatim(_ text: Span<UInt8>, _ outline: RecordOutline) throws(ToolFailure) {
        let records = outline.records.prefix(room)
        for record in records {
            let line = text.extracting(record.range)
            guard !Seal.isSeal(line) else { throw sealFailure }
            mapper.addVerbatim(line)
        }
        recordsIn += records.count
        recordsOut += records.count
    }

    /// Writes all that waits. Drops the list of the latest ids, which only `--state` needs.
    mutating func flushStream() throws(ToolFailure) {
        try flush()
        _ = ids.takeLatest()
    }
}
