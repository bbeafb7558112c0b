// Writes the records of a page as lines to stdout: each id once, and only the records wanted.

import PipelineCore
import PipelineHTTP

struct RecordWriter: ~Copyable {
    private let limit: Int
    private let since: SinceTime?
    /// `--page`: the records are those of this page alone.
    private let page: Int?
    /// `--state`: if a write fails, what reached a file of the page is truncated, as the page will be written again.
    private let takesBack: Bool
    /// Records come in parts, so that another reading may have found others of the same record.
    private let readsParts: Bool
    /// `--input`: the records are of a file, and not of a service.
    let takesInput: Bool
    /// A larger page is written in parts, unless a failed write must be undone for the whole page.
    static let waitingLimitBytes = 8 << 20
    private static let endBytes = 128
    var mapper: RecordMapper
    var filter: TextQuery?
    var age: AgeFilter?
    var output = OutputBuffer(.standardOutput)
    private let display = RecordDisplay()
    var deadline: RunDeadline
    let hash: ByteHash
    /// Hashes of the ids of all records of the list so far, and, from the second pass on, of those in this pass.
    var ids = SeenIDs()
    var idsOfReading: SeenIDs?
    /// The record that `--id` requests. Nil if any record may be written.
    private(set) var asked: RequestedRecord?
    /// Hashes of the ids that came again with different content, which was left out.
    private(set) var repeated: Set<UInt64> = []
    /// The lines of a list since it began, as long as they are wanted again and not too long.
    private var kept: [UInt8]?
    private var keptLimitBytes = 0
    var recordsIn = 0
    var recordsOut = 0
    var recordsFlushed = 0

    init(_ settings: FetchSettings, _ source: Source, hash: ByteHash) {
        since = settings.since
        page = settings.page
        age = AgeFilter(source.since, settings.since?.instant)
        limit = settings.limit ?? .max
        takesBack = settings.statePath != nil
        readsParts = source.merge != nil
        takesInput = settings.inputPath != nil
        mapper = RecordMapper(
            source, isRaw: settings.form.isRaw || source.isVerbatim, addsPage: settings.form.addsPage,
            addsEach: settings.form.addsEach)
        deadline = RunDeadline(seconds: settings.client.deadlineSeconds)
        filter = settings.search.map { TextQuery(Array($0.utf8).span) }
        self.hash = hash
    }

    /// Starts another list, or a single record. Ids are unique within one.
    mutating func begin(asked: RequestedRecord? = nil) {
        ids = SeenIDs()
        idsOfReading = nil
        self.asked = asked
    }

    var isAtLimit: Bool { recordsOut >= limit }
    var room: Int { limit - recordsOut }

    /// What the records of a page are among those of their list.
    struct PageCounts {
        var facts = PageFacts()
        /// Those that `--since` leaves out.
        fileprivate(set) var older = 0
        private(set) var count = 0
        /// The ids that came before with different content: on this page, and on one before.
        private(set) var contradicted: Set<UInt64> = []
        private(set) var changed: Set<UInt64> = []
        private(set) var changedID: [UInt8] = []
        /// A record that this reading found other parts of than an earlier one. Empty for none.
        private(set) var partedID: [UInt8] = []
        private(set) var hasUnnamed = false
        private var latestContent: UInt64 = 0
        /// The record that the page was asked for from, which came with the page before.
        private let expectedFirst: UInt64?
        /// The contents of the page's records by id. Nil for a response of any size, which is one page.
        private var contents: [UInt64: UInt64]? = [:]

        init(expectedFirst: UInt64? = nil, isStream: Bool = false) {
            self.expectedFirst = expectedFirst
            if isStream { contents = nil }
        }

        /// - Parameters:
        ///   - novelty: in this reading of the list.
        ///   - hash: of its id. Nil without one.
        mutating func add(
            isUnseen: Bool, _ novelty: SeenIDs.Novelty, hash: UInt64?, content: UInt64, id: borrowing [UInt8]
        ) {
            facts.unseen += isUnseen ? 1 : 0
            facts.distinct += novelty == .new ? 1 : 0
            if count == 0 { facts.first = hash }
            facts.last = hash
            facts.content = PageFacts.sequence(facts.content, content)
            facts.isVaried = facts.isVaried || count > 0 && content != latestContent
            latestContent = content
            count += 1
            guard let hash else { return hasUnnamed = true }
            let earlier = contents?[hash]
            if earlier == nil { contents?[hash] = content }
            guard novelty != .new, !(count == 1 && hash == expectedFirst) else { return }
            let isOnPage = contents == nil || earlier != nil
            facts.repeats += isOnPage ? 1 : 0
            facts.doubled &+= isOnPage ? 0 : hash
            guard earlier.map({ $0 != content }) ?? (novelty == .changed) else { return }
            if isOnPage { contradicted.insert(hash) } else { changed.insert(hash) }
            if changedID.isEmpty { changedID = copy id }
        }

        /// Takes back what was found of ids whose records say the same in other bytes.
        mutating func settle(_ equal: Set<UInt64>) {
            changed.subtract(equal)
            contradicted.subtract(equal)
            if changed.isEmpty, contradicted.isEmpty { changedID = [] }
        }

        fileprivate mutating func addParted(id: [UInt8]) { if partedID.isEmpty { partedID = id } }

        /// Whether `--since` leaves out the whole page, which isn't empty.
        var isOlder: Bool { older > 0 && count == 0 }

        /// Whether ids aren't unique, or records come in parts: a record that changed while the list was read is rare.
        var areIDsAmbiguous: Bool { !contradicted.isEmpty || changed.count * 10 > count }
    }

    /// Writes the records of a page, or some of a larger answer, that are new and wanted.
    /// - Parameters:
    ///   - body: the text of the outline.
    ///   - url: of the response, after redirects.
    mutating func write(
        _ body: Span<UInt8>, _ outline: RecordOutline, from url: HTTPURL?, page: Int?, _ counts: inout PageCounts
    ) throws(ToolFailure) {
        mapper.url = url
        recordsIn += outline.records.count
        for index in outline.records.indices where !isAtLimit {
            try deadline.check(outline.records[index].range.count)
            if try isOlder(body.extracting(outline.records[index].range), &counts) { continue }
            try mapper.map(body, outline, index, page: page)
            try writeMapped(body.extracting(outline.records[index].range), &counts)
            if !takesBack, bytesWaiting >= Self.waitingLimitBytes { try flushPart() }
        }
    }

    /// Writes a record, with the responses of its steps, if it is new and wanted.
    /// - Parameters:
    ///   - record: checked JSON, as are the responses of the steps.
    ///   - url: of the response that has it, after redirects.
    ///   - listed: the record as the list has it.
    mutating func write(
        _ record: Span<UInt8>, from url: HTTPURL?, listed: Span<UInt8>, page: Int?, steps: [HTTPResponse],
        _ counts: inout PageCounts
    ) throws(ToolFailure) {
        recordsIn += 1
        // The answers of its steps may have come from the cache.
        if deadline.isPast { throw deadline.failure }
        if try isOlder(record, &counts) { return }
        mapper.url = url
        try mapper.map(record, page: page, steps: steps)
        try writeMapped(listed, &counts)
    }

    /// Counts a record of the list that its step doesn't find, so that its place in the list isn't taken for lost.
    /// - Parameter hasIDs: the records of the source have ids. What the list has of it stands for this one's.
    /// - Returns: whether it is the first time.
    mutating func leaveOut(_ listed: Span<UInt8>, hasIDs: Bool, _ counts: inout PageCounts) -> Bool {
        let content = hash.digest(listed)
        let identity = hasIDs ? content : identityWithoutID(content)
        let first = ids.insert(identity, content: hasIDs && idsOfReading == nil ? content : nil)
        let inReading = idsOfReading?.insert(identity, content: hasIDs ? content : nil) ?? first
        counts.add(isUnseen: first == .new, inReading, hash: hasIDs ? identity : nil, content: content, id: [])
        return first == .new
    }

    /// Checks that the response of a step is the record that was asked for, where that has an id.
    /// - Parameter needsID: a record without an id is none.
    mutating func check(
        _ record: Span<UInt8>, is listed: Span<UInt8>, needsID: Bool
    ) throws(ToolFailure) {
        var other: (id: [UInt8], request: RequestedRecord)?
        let ids = try mapper.ids(of: record)
        let hasNone = ids.allSatisfy(\.isEmpty)
        for (asked, received) in zip(try mapper.ids(of: listed), ids)
        where !asked.isEmpty && (hasNone || !received.isEmpty) {
            var request = RequestedRecord(asked.span.text)
            if request.accept(id: received, name: []) { return }
            other = other ?? (asked, request)
        }
        if other == nil { other = try otherThan(listed, record) }
        guard let other else {
            guard needsID, hasNone else { return }
            throw ToolFailure(
                .protocolError,
                "a step returned a record without an id; check the description's expand, or report it to the service"
            )
        }
        throw ToolFailure(
            .protocolError,
            "id \(other.id.span.text.prefix(100)): a step returned \(other.request.others) in its place; check the "
                + "description's expand, or report it to the service")
    }

    /// A list of numbers alone has the ids where no place of the id finds them. Nil if the record has that one.
    private mutating func otherThan(
        _ listed: Span<UInt8>, _ record: Span<UInt8>
    ) throws(ToolFailure) -> (id: [UInt8], request: RequestedRecord)? {
        guard case .object(let members)? = try? JSONTree.read(listed), members.count == 1,
            members[0].name == "value",
            case .integer(let number) = members[0].value
        else { return nil }
        let received = try mapper.ids(of: record).filter { Int($0.span.text) != nil }
        var request = RequestedRecord("\(number)")
        let isAsked = received.isEmpty || received.contains { request.accept(id: $0, name: []) }
        return isAsked ? nil : (Array("\(number)".utf8), request)
    }

    private mutating func isOlder(_ record: Span<UInt8>, _ counts: inout PageCounts) throws(ToolFailure) -> Bool {
        guard try age?.isOlder(record) == true else { return false }
        counts.older += 1
        return true
    }

    private mutating func writeMapped(_ listed: Span<UInt8>, _ counts: inout PageCounts) throws(ToolFailure) {
        // Readers would take it for our seal, and the list for complete. Only a raw record can be one.
        guard SealClaim(mapper.line) == nil else { throw sealFailure }
        if asked?.accept(id: mapper.id, name: mapper.name) == false { return mapper.dropLine() }
        let hasID = !mapper.id.isEmpty
        let content = readsParts ? ValueHash(hash).of(listed) : hash.digest(listed)
        let idHash = hasID ? RecordID.hash(mapper.id.span, isNumber: mapper.isIDNumber, hash) : nil
        if takesInput, !hasID {
            // In a response that isn't kept, all records without an id count as distinct: no second reading follows.
            counts.add(isUnseen: true, .new, hash: nil, content: content, id: mapper.id)
            return endRecord(isUnseen: true)
        }
        let identity = idHash ?? identityWithoutID(content)
        let first = ids.insert(identity, content: hasID && (idsOfReading == nil || readsParts) ? content : nil)
        if readsParts, first == .changed { counts.addParted(id: mapper.id) }
        let inReading = idsOfReading?.insert(identity, content: hasID ? content : nil) ?? first
        counts.add(isUnseen: first == .new, inReading, hash: idHash, content: content, id: mapper.id)
        endRecord(isUnseen: first == .new)
    }

    private mutating func endRecord(isUnseen: Bool) {
        let name = mapper.name
        if isUnseen, filter?.matches(name.span) ?? true {
            mapper.lines.append(0x0A)
            recordsOut += 1
        } else {
            mapper.dropLine()
        }
    }

    var sealFailure: ToolFailure {
        takesInput
            ? ToolFailure(.badData, "a record looks like a seal; take seals out before --input")
            : ToolFailure(.protocolError, "a record of the service looks like a seal; leave out --raw")
    }

    /// The identity of a record without an id. All of a list are written, even if their bytes are equal, but no second pass
    /// writes them again: the third one with these bytes is the third one of the first pass.
    private func identityWithoutID(_ hash: UInt64) -> UInt64 {
        // The number of equal records in this pass. They are numbered without gaps, so a binary search finds it.
        var most = 0
        while hasCome(identity(hash, most)) { most = 2 * most + 1 }
        var least = (most + 1) / 2
        while least < most {
            let middle = (least + most) / 2
            if hasCome(identity(hash, middle)) { least = middle + 1 } else { most = middle }
        }
        return identity(hash, least)
    }

    /// The identity of the record with this hash that has `count` equal ones before it.
    private func identity(_ hash: UInt64, _ count: Int) -> UInt64 {
        hash &+ UInt64(truncatingIfNeeded: count) &* 0x9E37_79B9_7F4A_7C15
    }

    private func hasCome(_ identity: UInt64) -> Bool { (idsOfReading ?? ids).contains(identity) }

    /// Ends the output with a line that says that it is complete.
    /// - Parameters:
    ///   - earlier: the records of the list that an earlier run wrote elsewhere.
    ///   - stale: when the oldest response was current that stood in for the service.
    ///   - parents: what is known of the records whose lists these are.
    mutating func seal(
        by proof: SealClaim.Proof, after earlier: Int, stale: String? = nil, of parents: SealClaim? = nil
    ) throws(ToolFailure) {
        try flush()
        var claim = SealClaim(
            records: recordsOut, by: proof, limit: isAtLimit ? recordsOut : parents?.limit,
            since: since?.text ?? parents?.since, after: earlier > 0 ? earlier : parents?.after,
            page: page ?? parents?.page,
            isOfUnsealed: parents?.isOfUnsealed ?? false)
        claim.stale = SealClaim.older(stale, parents?.stale)
        output.append(claim.line.span)
    }

    /// - Throws: status 76 if the ids of a page don't name one record each.
    mutating func checkIDs(_ counts: PageCounts, _ subject: String) throws(ToolFailure) {
        guard !counts.changedID.isEmpty else { return }
        guard counts.areIDsAmbiguous else { return repeated.formUnion(counts.changed) }
        throw ToolFailure(
            .protocolError,
            "\(subject)id \(counts.changedID.span.text) came twice with different content; the id isn't unique, or records "
                + "come in parts: see members.id and merge")
    }

    var bytesWaiting: Int { mapper.lines.count }

    /// Keeps the lines that are written from now on.
    mutating func keepLines(most bytes: Int) { (kept, keptLimitBytes) = ([], bytes) }

    /// The lines since then. Nil if there were too many.
    mutating func takeLines() -> [UInt8]? { kept.take() }

    /// Writes lines again that were kept.
    mutating func repeatLines(_ lines: Span<UInt8>, records: Int) throws(ToolFailure) {
        mapper.lines.append(lines)
        recordsOut += records
        try flush()
    }

    /// Forgets the lines that wait, without writing them.
    mutating func dropLines() { mapper.lines.removeAll() }

    /// Writes part of a page. Drops the lists of the latest ids, which only `--state` needs.
    mutating func flushPart() throws(ToolFailure) {
        try flush()
        _ = ids.takeLatest()
        _ = idsOfReading?.takeLatest()
    }

    mutating func flush() throws(ToolFailure) {
        let size = takesBack ? Descriptor.standardOutput.fileSize : nil
        do throws(ToolFailure) {
            if display.isPlain {
                try output.write(mapper.mapped)
            } else {
                try output.write(display.shown(lines: mapper.mapped).span)
            }
            try output.flush()
        } catch {
            if let size { Descriptor.standardOutput.takeBack(to: size, limit: mapper.lines.count + Self.endBytes) }
            throw error
        }
        if let count = kept?.count {
            let isTooLong = count + mapper.lines.count > keptLimitBytes
            if isTooLong { kept = nil } else { kept?.append(mapper.mapped) }
        }
        mapper.lines.removeAll()
        recordsFlushed = recordsOut
    }
}

/// A response that is written while it comes, whatever its size: nothing is kept of a record but the hash of its id.
extension RecordWriter {
    /// Writes the records that have come.
    /// - Parameter buffer: what has come of the response. What is used is dropped.
    /// - Returns: what is wrong with the response, if anything, once the records before that are written.
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
            if let own = stream.finder.text {
                try write(own.span, stream.finder.outline, from: url, page: nil, &counts)
            } else if isVerbatim, !stream.finder.outline.hasLineEnds {
                try writeVerbatim(buffer.text, stream.finder.outline)
            } else {
                try write(buffer.text, stream.finder.outline, from: url, page: nil, &counts)
            }
            buffer.drop(used)
            if isAtLimit || used == 0 && stream.finder.outline.records.isEmpty { return nil }
        }
    }

    /// Only for --input: the records of a page are looked at, to know the page again.
    var isVerbatim: Bool { takesInput && mapper.isVerbatim && filter == nil && age == nil && asked == nil }

    private mutating func writeVerbatim(_ text: Span<UInt8>, _ outline: RecordOutline) throws(ToolFailure) {
        let records = outline.records.prefix(room)
        for record in records {
            try deadline.check(record.range.count)
            let line = text.extracting(record.range)
            guard !SealClaim.mayBeSeal(line) || SealClaim(line) == nil else { throw sealFailure }
            mapper.lines.append(line)
            mapper.lines.append(0x0A)
        }
        recordsIn += records.count
        recordsOut += records.count
    }
}
