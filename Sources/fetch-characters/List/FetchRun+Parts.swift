// A page that is larger than pages usually are: it is written while it comes, in memory that doesn't grow with it.
//
//     part ──► records ──► stdout ──► part ──► … ──► what the page says of its list
//
// One that breaks off is asked for again, and the records that were written are passed over by their ids. Without ids
// nobody could tell which those are, and the run ends.

import PipelineCore
import PipelineHTTP

/// One attempt to get such a page.
private struct PartsAttempt {
    var url: HTTPURL?
    /// Nothing of it has come.
    var isUntouched = true
    /// Once the attempt has ended, well or not.
    var completion: HTTPClient.Completion?
    /// All of it has come.
    var isWhole = false
}

extension FetchRun {
    /// How an attempt ended.
    private enum Ending {
        case whole
        /// No more records are wanted.
        case enough
        case broken(HTTPFailure)
    }

    /// Under `--state`: what is written before its place is saved.
    private static let bytesBetweenSaves = 1 << 20

    /// Whether pages of any size are taken. A recording has whole ones.
    var isStreamed: Bool { source.isStreamable && source.expand.isEmpty && settings.client.recordPath == nil }

    /// Writes the records of a page that comes in parts.
    /// - Returns: what the walk needs to know about it. Nil if no further page is wanted.
    mutating func writtenInParts(
        _ ticket: Ticket, _ requests: SourceRequests, _ walk: Paginator, _ name: String
    ) throws(ToolFailure) -> PageSummary? {
        writer.beginStream()
        defer {
            writer.endStream()
            pool.drop(ticket)
        }
        let earlier = state.takePartCount()
        var isRepeated = earlier > 0
        var counts = RecordWriter.PageCounts(countsRepeats: false, earlier: earlier)
        while var stream = RecordStream(source) {
            var page = PartsAttempt()
            switch try read(&page, &stream, ticket, &counts, number: walk.number) {
            case .whole:
                let summary = try summary(page, &stream, ticket, counts, requests, name)
                // What was written of the first answer has to be in the one that was whole.
                if isRepeated, let summary, summary.listed < counts.unseen {
                    try state.remove()
                    throw ToolFailure(
                        .protocolError,
                        "\(name): the answer broke off, and came again without records that it had; run it again")
                }
                return summary
            case .enough: return nil
            case .broken(let failure):
                // Without a part of its own, an attempt has had all its retries.
                guard !page.isUntouched, !writer.hasUnnamed, let completion = page.completion else {
                    throw ToolFailure(pool.naming(failure, of: ticket), about: name)
                }
                isRepeated = true
                pool.retry(ticket, after: completion, because: failure.reason)
            }
        }
        return nil
    }

    private mutating func read(
        _ page: inout PartsAttempt, _ stream: inout RecordStream, _ ticket: Ticket,
        _ counts: inout RecordWriter.PageCounts, number: Int
    ) throws(ToolFailure) -> Ending {
        var buffer = PieceBuffer()
        while !page.isWhole {
            let part: [UInt8]
            do throws(HTTPFailure) { part = try receive(&page, ticket) } catch { return .broken(error) }
            var end = 0
            repeat {
                let start = end
                end = min(start + PieceBuffer.pieceBytes, part.count)
                buffer.append(part.span.extracting(start..<end))
                let isLast = page.isWhole && end == part.count
                let fault = try writer.write(
                    &stream, &buffer, isLast: isLast, from: page.url, page: number, &counts)
                try flushPart(counts, isLast: isLast || writer.isAtLimit || fault != nil)
                if let fault { return .broken(pool.failure(fault, of: ticket, page.url)) }
                if writer.isAtLimit { return .enough }
            } while end < part.count
            show(most: nil)
        }
        return .whole
    }

    /// Waits for a part of the page, or for its rest.
    private mutating func receive(_ page: inout PartsAttempt, _ ticket: Ticket) throws(HTTPFailure) -> [UInt8] {
        guard let completion = try pool.arrival(of: ticket) else {
            page.isUntouched = false
            let (part, url) = pool.takePart(of: ticket)
            page.url = url
            return part
        }
        page.completion = completion
        let response = try completion.result.get()
        page.url = response.redirectChain.last
        page.isWhole = true
        return response.body
    }

    /// Writes what waits. Under `--state` much is written at once, and its place is saved with it: what is written and not
    /// saved would be written twice.
    private mutating func flushPart(_ counts: RecordWriter.PageCounts, isLast: Bool) throws(ToolFailure) {
        guard state.isKept, !writer.hasUnnamed else {
            if state.isKept { try state.savePartWithoutIDs(&writer) }
            return try writer.flushStream()
        }
        guard isLast || writer.bytesWaiting >= Self.bytesBetweenSaves else { return }
        try writer.flush()
        try state.savePart(counts.unseen, &writer)
    }

    private mutating func summary(
        _ page: PartsAttempt, _ stream: inout RecordStream, _ ticket: Ticket, _ counts: RecordWriter.PageCounts,
        _ requests: SourceRequests, _ name: String
    ) throws(ToolFailure) -> PageSummary? {
        guard case .success(let response)? = page.completion?.result, let url = page.url else { return nil }
        let end: (lead: PageLead, listed: Int)
        do throws(SourcePage.Fault) { end = try stream.end(response.headers) } catch {
            throw ToolFailure(pool.naming(pool.failure(error, of: ticket, url), of: ticket), about: name)
        }
        guard !counts.isOlder else { return nil }
        return PageSummary(
            records: end.listed - counts.older, listed: end.listed, end.lead,
            next: try next(end.lead, url, requests, name), unseen: counts.unseen, distinct: counts.distinct,
            repeats: counts.repeats, digest: counts.digest, content: counts.content)
    }
}
