// Writes the records of a page as lines to stdout: each id once, and only the records wanted.

import PipelineCore
import PipelineHTTP

/// Writes records, and counts them.
struct RecordWriter: ~Copyable {
    private let limit: Int
    private let since: SinceTime?
    /// `--state`: if a write fails, what reached a file of the page is truncated, as the page will be written
    /// again.
    private let takesBack: Bool
    /// `--input`: the records are of a file, and not of a service.
    let takesInput: Bool
    /// A larger page is written in parts, unless a failed write must be undone for the whole page.
    static let waitingLimitBytes = 8 << 20
    /// The maximum size of a seal.
    private static let endBytes = 128
    var mapper: RecordMapper
    var filter: TextQuery?
    var age: AgeFilter?
    var output = OutputBuffer(.standardOutput)
    let hash: ByteHash
    /// Hashes of the ids of all records of the list so far, and, from the second pass on, of those in this pass.
    var ids = SeenIDs()
    var idsOfReading: SeenIDs?
    /// The record that `--id` requests. Nil if any record may be written.
    private(set) var asked: AskedRecord?
    /// Records come from an answer that is written while it comes: see RecordWriter+Streaming.
    var isStreaming = false
    /// Such a record had no id.
    var hasUnnamed = false
    var recordsIn = 0
    var recordsOut = 0
    /// Those of `recordsOut` that are on stdout.
    var recordsFlushed = 0

    init(_ settings: FetchSettings, _ source: Source, hash: ByteHash) {
        since = settings.since
        age = AgeFilter(source.since, settings.since?.instant)
        limit = settings.limit ?? .max
        takesBack = settings.statePath != nil
        takesInput = settings.inputPath != nil
        mapper = RecordMapper(
            source, isRaw: settings.isRaw || source.isVerbatim, addsPage: settings.addsPage,
            addsEach: settings.addsEach)
        filter = settings.search.map { TextQuery(Array($0.utf8).span) }
        self.hash = hash
    }

    /// Starts another list, or a single record. Ids are unique within one.
    mutating func begin(asked: AskedRecord? = nil) {
        ids = SeenIDs()
        idsOfReading = nil
        hasUnnamed = false
        self.asked = asked
    }

    /// `--with-each`: the values of the list as a JSON object.
    var each: String {
        get { mapper.each }
        set { mapper.each = newValue }
    }

    var isAtLimit: Bool { recordsOut >= limit }
    /// Records that may still be written.
    var room: Int { limit - recordsOut }
    var bytesWritten: Int { output.bytesWritten }

    /// The common members found in all records so far.
    var presence: MemberPresence {
        get { mapper.presence }
        set { mapper.presence = newValue }
    }

    /// How many records of a page are new or repeated, and their digest.
    struct PageCounts {
        /// Those that are new.
        private(set) var unseen = 0
        /// Those that are new in this pass over the list.
        private(set) var distinct = 0
        /// Equal for pages with the same records, compared by id or content.
        private(set) var digest: UInt64 = 0
        /// Those that `--since` leaves out.
        fileprivate(set) var older = 0
        /// Equal for pages whose records have the same bytes.
        private(set) var content: UInt64 = 0
        private var count = 0
        /// Whether to find repeated records, which takes memory for each.
        private let countsRepeats: Bool
        /// The identity of each record that the page may contain more than once.
        private var identities: [UInt64] = []

        /// - Parameter earlier: new records of the page that an earlier run wrote.
        init(countsRepeats: Bool = true, earlier: Int = 0) {
            self.countsRepeats = countsRepeats
            unseen = earlier
            distinct = earlier
        }

        /// - Parameters:
        ///   - identity: equal only for the same record. Nil for one that can't repeat.
        ///   - hash: equal for records with the same id, or the same bytes.
        ///   - content: equal for records with the same bytes.
        mutating func add(isUnseen: Bool, isDistinct: Bool, identity: UInt64?, hash: UInt64, content: UInt64) {
            unseen += isUnseen ? 1 : 0
            distinct += isDistinct ? 1 : 0
            digest = digest &* 0x9E37_79B9_7F4A_7C15 ^ hash
            self.content = self.content &* 0x9E37_79B9_7F4A_7C15 ^ content
            count += 1
            if let identity, countsRepeats { identities.append(identity) }
        }

        /// Whether `--since` leaves out the whole page, which isn't empty.
        var isOlder: Bool { older > 0 && count == 0 }

        /// Those that repeat a record of this page. Where they aren't told apart, those that repeat any.
        var repeats: Int {
            guard distinct < count else { return 0 }
            guard countsRepeats else { return max(0, count - distinct) }
            let sorted = identities.sorted()
            return zip(sorted, sorted.dropFirst()).count { $0 == $1 }
        }
    }

    /// Writes the records of a page that are new and wanted.
    /// - Parameters:
    ///   - body: the page's.
    ///   - outline: the ranges of its records in the body.
    ///   - url: the page's, after redirects.
    mutating func write(
        _ body: Span<UInt8>, _ outline: RecordOutline, from url: HTTPURL, page: Int?
    ) throws(ToolFailure) -> PageCounts {
        var novelty = PageCounts()
        try write(body, outline, from: url, page: page, &novelty)
        return novelty
    }

    /// Writes some of the records of a page or of a larger answer.
    mutating func write(
        _ body: Span<UInt8>, _ outline: RecordOutline, from url: HTTPURL?, page: Int?, _ novelty: inout PageCounts
    ) throws(ToolFailure) {
        mapper.url = url
        recordsIn += outline.records.count
        for index in outline.records.indices where !isAtLimit {
            if try isOlder(body.extracting(outline.records[index].range), &novelty) { continue }
            do throws(JSONError) { try mapper.map(body, outline, index, page: page) } catch {
                throw Self.failure(error)
            }
            try writeMapped(body.extracting(outline.records[index].range), &novelty)
            if !takesBack, bytesWaiting >= Self.waitingLimitBytes { try flushPart() }
        }
    }

    /// Writes a record, with the responses of its steps, if it is new and wanted.
    /// - Parameters:
    ///   - record: checked JSON, as are the responses of the steps.
    ///   - url: of the response that has it, after redirects.
    ///   - listed: the record as the list has it.
    ///   - page: its page's number.
    mutating func write(
        _ record: Span<UInt8>, from url: HTTPURL?, listed: Span<UInt8>, page: Int?, steps: [StepResponse],
        _ novelty: inout PageCounts
    ) throws(ToolFailure) {
        recordsIn += 1
        if try isOlder(record, &novelty) { return }
        mapper.url = url
        do throws(JSONError) { try mapper.map(record, page: page, steps: steps) } catch {
            throw Self.failure(error)
        }
        try writeMapped(listed, &novelty)
    }

    /// Checks that the answer of a step is the record that was asked for, where both have an id.
    mutating func check(_ record: Span<UInt8>, is listed: Span<UInt8>) throws(ToolFailure) {
        let ids: [(asked: [UInt8], received: [UInt8])]
        do throws(JSONError) {
            ids = Array(zip(try mapper.ids(of: listed), try mapper.ids(of: record)))
        } catch {
            throw Self.failure(error)
        }
        var other: (id: [UInt8], request: AskedRecord)?
        for (asked, received) in ids where !asked.isEmpty && !received.isEmpty {
            var request = AskedRecord(asked.span.text)
            if request.accept(id: received, name: []) { return }
            other = other ?? (asked, request)
        }
        guard let other else { return }
        throw ToolFailure(
            .protocolError,
            "id \(other.id.span.text.prefix(100)): a step brought \(other.request.others) in its place; check the "
                + "description's expand, or ask those who run the service")
    }

    /// Whether a record is older than what `--since` asks for, and is left out.
    private mutating func isOlder(_ record: Span<UInt8>, _ counts: inout PageCounts) throws(ToolFailure) -> Bool {
        guard age != nil else { return false }
        do throws(JSONError) {
            guard try age?.isOlder(record) == true else { return false }
        } catch {
            throw Self.failure(error)
        }
        counts.older += 1
        return true
    }

    private static func failure(_ error: JSONError) -> ToolFailure {
        ToolFailure(.protocolError, "a record is too large for the paths of the description: \(error)")
    }

    private mutating func writeMapped(_ listed: Span<UInt8>, _ novelty: inout PageCounts) throws(ToolFailure) {
        // Readers would take it for our seal, and the list for complete. Only a raw record can be one.
        guard !Seal.isSeal(mapper.line) else { throw sealFailure }
        if asked?.accept(id: mapper.id, name: mapper.name) == false { return mapper.dropLine() }
        let hasID = !mapper.id.isEmpty
        let content = hash.digest(listed)
        let hash = hasID ? hash.hash(mapper.id.span) : content
        let identity = hasID || isStreaming ? hash : identityWithoutID(hash)
        // In an answer that isn't kept, all records without an id count as distinct: no second reading follows.
        let isUnseen = isStreaming && !hasID || ids.insert(identity)
        hasUnnamed = hasUnnamed || isStreaming && !hasID
        let isDistinct = isStreaming && !hasID || idsOfReading?.insert(identity) ?? isUnseen
        // Records without an id are all distinct.
        novelty.add(
            isUnseen: isUnseen, isDistinct: isDistinct, identity: hasID ? identity : nil, hash: hash,
            content: content)
        if isUnseen, isFound() {
            mapper.endLine()
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

    /// The identity of a record without an id. All of a list are written, even if their bytes are equal, but a
    /// second pass must not write them again: the third one with these bytes is the third one of the first pass.
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

    private mutating func isFound() -> Bool {
        guard filter != nil else { return true }
        let name = mapper.name
        return filter?.matches(name.span) ?? true
    }

    /// Ends the output with a line that says that it is complete.
    /// - Parameter earlier: the records of the list that an earlier run wrote elsewhere.
    mutating func seal(after earlier: Int) throws(ToolFailure) {
        try flush()
        let line = ByteBuffer.object { line in
            line.addMember(
                "$seal",
                object: { seal in
                    seal.addMember("records", recordsOut)
                    seal.addMember("complete", true)
                    if let since { seal.addMember("since", since.text) }
                    if earlier > 0 { seal.addMember("after", earlier) }
                })
        }
        output.append(line.span)
        output.append(0x0A)
    }

    /// Bytes not written yet.
    var bytesWaiting: Int { mapper.mapped.count }

    /// Writes part of a page. Drops the lists of the latest ids, which only `--state` needs.
    private mutating func flushPart() throws(ToolFailure) {
        try flush()
        _ = ids.takeLatest()
        _ = idsOfReading?.takeLatest()
    }

    /// Writes all mapped lines.
    mutating func flush() throws(ToolFailure) {
        let size = takesBack ? Descriptor.standardOutput.fileSize : nil
        do throws(SystemError) { try Self.write(mapper, to: &output) } catch {
            if let size { Descriptor.standardOutput.takeBack(to: size, limit: mapper.mapped.count + Self.endBytes) }
            throw ToolFailure(error)
        }
        mapper.removeLines()
        recordsFlushed = recordsOut
    }

    private static func write(
        _ mapper: borrowing RecordMapper, to output: inout OutputBuffer
    ) throws(SystemError) {
        try output.write(mapper.mapped)
        try output.flush()
    }
}
