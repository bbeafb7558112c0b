// From the records of a page to lines on stdout: each id once, and only what is asked for.

import PipelineCore
import PipelineHTTP

/// Writes records, and counts them.
struct RecordWriter: ~Copyable {
    private let limit: Int
    /// `--state`: what of a page went to a file before the write failed comes again.
    private let takesBack: Bool
    /// A page of more bytes goes out in parts, unless a part that can't be written has to be taken back with the rest.
    static let waitingLimitBytes = 8 << 20
    /// A seal at most.
    private static let endBytes = 128
    private var mapper: RecordMapper
    private var filter: TextQuery?
    private var output = OutputBuffer(.standardOutput)
    let hash: ByteHash
    /// The ids of all records of the list so far, hashed, and of those of this reading of it where another came before.
    var ids = SeenIDs()
    var idsOfReading: SeenIDs?
    /// What `--id` asks for; nil where any record may come.
    private(set) var asked: AskedRecord?
    var recordsIn = 0
    var recordsOut = 0
    /// Those of `recordsOut` that are on stdout.
    var recordsFlushed = 0

    init(_ settings: FetchSettings, _ source: Source, hash: ByteHash) {
        limit = settings.limit ?? .max
        takesBack = settings.statePath != nil
        mapper = RecordMapper(source, isRaw: settings.isRaw, addsPage: settings.addsPage)
        filter = settings.search.map { TextQuery(Array($0.utf8).span) }
        self.hash = hash
    }

    /// Begins with a list of its own, or with a single record. Ids are unique within one.
    mutating func begin(asked: AskedRecord? = nil) {
        ids = SeenIDs()
        idsOfReading = nil
        self.asked = asked
    }

    var isAtLimit: Bool { recordsOut >= limit }
    /// Records that may still be written.
    var room: Int { limit - recordsOut }
    var bytesWritten: Int { output.bytesWritten }

    /// What the records of a page were to the list.
    struct PageCounts {
        /// Those that hadn't come before.
        private(set) var unseen = 0
        /// Those that hadn't come before in this reading of the list.
        private(set) var distinct = 0
        /// The same for pages with the same records, by their ids or by what stands there.
        private(set) var digest: UInt64 = 0
        private var count = 0
        /// What stands for each record that may stand there more than once.
        private var identities: [UInt64] = []

        /// - Parameters:
        ///   - identity: the same for the same record only; nil for one that comes once in any case.
        ///   - hash: the same for records with the same id, or the same bytes.
        mutating func add(isUnseen: Bool, isDistinct: Bool, identity: UInt64?, hash: UInt64) {
            unseen += isUnseen ? 1 : 0
            distinct += isDistinct ? 1 : 0
            digest = digest &* 0x9E37_79B9_7F4A_7C15 ^ hash
            count += 1
            if let identity { identities.append(identity) }
        }

        /// Those that stand on the page more than once, without the first of each.
        var repeats: Int {
            guard distinct < count else { return 0 }
            let sorted = identities.sorted()
            return zip(sorted, sorted.dropFirst()).count { $0 == $1 }
        }
    }

    /// Writes those of a page's records that haven't come before and that are asked for.
    /// - Parameters:
    ///   - body: the page's.
    ///   - outline: where its records are in that.
    mutating func write(
        _ body: Span<UInt8>, _ outline: RecordOutline, page: Int?
    ) throws(ToolFailure) -> PageCounts {
        var novelty = PageCounts()
        recordsIn += outline.records.count
        for index in outline.records.indices where !isAtLimit {
            do throws(JSONError) { try mapper.map(body, outline, index, page: page) } catch {
                throw Self.failure(error)
            }
            try writeMapped(body.extracting(outline.records[index].range), &novelty)
            if !takesBack, bytesWaiting >= Self.waitingLimitBytes { try flushPart() }
        }
        return novelty
    }

    /// Writes a record that may have had further requests, unless it has come before or isn't asked for.
    /// - Parameters:
    ///   - record: checked JSON, as are the responses of the steps.
    ///   - listed: what the list has of it.
    ///   - page: its page's number.
    mutating func write(
        _ record: Span<UInt8>, listed: Span<UInt8>, page: Int?, steps: [[UInt8]?], _ novelty: inout PageCounts
    ) throws(ToolFailure) {
        recordsIn += 1
        do throws(JSONError) { try mapper.map(record, page: page, steps: steps) } catch {
            throw Self.failure(error)
        }
        try writeMapped(listed, &novelty)
    }

    private static func failure(_ error: JSONError) -> ToolFailure {
        ToolFailure(.protocolError, "a record is too large for the paths of the description: \(error)")
    }

    private mutating func writeMapped(_ listed: Span<UInt8>, _ novelty: inout PageCounts) throws(ToolFailure) {
        // Whoever reads on would take it for ours, and the list for whole. Only a raw record can be one.
        guard !Seal.isSeal(mapper.line) else {
            throw ToolFailure(.protocolError, "a record of the service is what a seal is; leave out --raw")
        }
        if asked?.accept(id: mapper.id, name: mapper.name) == false { return mapper.dropLine() }
        let hasID = !mapper.id.isEmpty
        let hash = hasID ? hash.hash(mapper.id.span) : hash.digest(listed)
        let identity = hasID ? hash : identityWithoutID(hash)
        let isUnseen = ids.insert(identity)
        let isDistinct = idsOfReading?.insert(identity) ?? isUnseen
        // Of those without an id each is another one.
        novelty.add(
            isUnseen: isUnseen, isDistinct: isDistinct, identity: hasID ? identity : nil, hash: hash)
        if isUnseen, isFound() {
            mapper.endLine()
            recordsOut += 1
        } else {
            mapper.dropLine()
        }
    }

    /// What stands for a record without an id. All that a list has are written, also those with the same bytes, but a
    /// second reading must not write them again: the third one with these bytes is the third one of the first reading.
    private func identityWithoutID(_ hash: UInt64) -> UInt64 {
        // How many like it came in this reading: they are numbered without gaps, so their end is found by halves.
        var most = 0
        while hasCome(identity(hash, most)) { most = 2 * most + 1 }
        var least = (most + 1) / 2
        while least < most {
            let middle = (least + most) / 2
            if hasCome(identity(hash, middle)) { least = middle + 1 } else { most = middle }
        }
        return identity(hash, least)
    }

    /// The one with this hash that that many like it came before.
    private func identity(_ hash: UInt64, _ count: Int) -> UInt64 {
        hash &+ UInt64(truncatingIfNeeded: count) &* 0x9E37_79B9_7F4A_7C15
    }

    private func hasCome(_ identity: UInt64) -> Bool { (idsOfReading ?? ids).contains(identity) }

    private mutating func isFound() -> Bool {
        guard filter != nil else { return true }
        let name = mapper.name
        return filter?.matches(name.span) ?? true
    }

    /// Ends the output with a line that says that it is whole.
    mutating func seal() throws(ToolFailure) {
        try flush()
        output.append("{\"$seal\":{\"records\":\(recordsOut),\"complete\":true}}\n")
    }

    /// Bytes that are to be written.
    var bytesWaiting: Int { mapper.mapped.count }

    /// Writes a part of a page. Its ids are known; the list of the latest ones is for `--state` alone.
    private mutating func flushPart() throws(ToolFailure) {
        try flush()
        _ = ids.takeLatest()
        _ = idsOfReading?.takeLatest()
    }

    /// Writes all that was mapped.
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
