// The records of an answer that is written while it comes, whatever its size: nothing is kept for each but the hash of its
// id.

import PipelineCore
import PipelineHTTP

extension RecordWriter {
    /// Writes the records that have come.
    /// - Parameter buffer: what has come of the answer. What is used is dropped.
    /// - Returns: what is wrong with the answer, if anything, once the records before that are written.
    mutating func write(
        _ stream: inout RecordStream, _ buffer: inout PieceBuffer, isLast: Bool, from url: HTTPURL?,
        _ counts: inout PageCounts
    ) throws(ToolFailure) -> SourcePage.Fault? {
        while true {
            let used: Int
            do throws(SourcePage.Fault) {
                used = try stream.take(buffer.text, offset: buffer.offset, isLast: isLast)
            } catch {
                return error
            }
            if let own = stream.ownText {
                try write(own.span, stream.outline, from: url, page: nil, &counts)
            } else if isVerbatim, !stream.outline.hasLineEnds {
                try writeVerbatim(buffer.text, stream.outline)
            } else {
                try write(buffer.text, stream.outline, from: url, page: nil, &counts)
            }
            buffer.drop(used)
            if isAtLimit || used == 0 && stream.outline.records.isEmpty { return nil }
        }
    }

    /// Only for --input: the records of a page are looked at, to know the page again.
    var isVerbatim: Bool { takesInput && mapper.isVerbatim && filter == nil && age == nil && asked == nil }

    private mutating func writeVerbatim(_ text: Span<UInt8>, _ outline: RecordOutline) throws(ToolFailure) {
        let records = outline.records.prefix(room)
        for record in records {
            let line = text.extracting(record.range)
            guard !SealClaim.mayBeSeal(line) || SealClaim(line) == nil else { throw sealFailure }
            mapper.addVerbatim(line)
        }
        recordsIn += records.count
        recordsOut += records.count
    }
}
