// The progress of a run, so that the same command can continue from there. The first line says which command it
// belongs to. Each page flushed to stdout then adds one:
//
//     {"tool":"fetch-characters","state":11,"command":"9f0c…","seed":"51a7…","keys":"c41e…","sum":"77d1…"}
//     {"items":0,"misses":false,"recordsIn":0,"recordsOut":0,"bytesOut":0,"output":"2049-1311","pages":[],…,"sum":"…"}
//     {"items":0,"misses":false,"recordsIn":50,"recordsOut":50,"bytesOut":8120,"output":"2049-1311","found":15,"pages":[{"records":50,…}],"ids":"…","again":"…","sum":"…"}
//
// Pages whose records come in parts add one line together. Between two lists `pages` is null. A checksum covers the one
// before, so that no line can be missing, repeated or moved. Of keys there is a digest, salted with the seed.
//
// Each line is on disk before the next page is written; one without its line end is ignored. A file has a line before its
// first page too, so that whatever a run has written and not noted can be cut off again, and no record comes twice. In a
// stream the page that was being written comes again. A line takes about 300 bytes, and eleven for each new record.

import PipelineCore

/// Whose run a state is.
struct StateOwner {
    /// The same for commands that fetch the same records.
    let command: String
    /// A digest of the keys and the login, from a seed. Nil without any.
    let keys: (UInt64) -> String?
}

/// The state of a run, saved to a file if the user wants that.
struct RunState: ~Copyable {
    private static let version = 11

    /// Hashes ids and pages with the seed of the first run.
    let hash: ByteHash
    /// Completed ids of `--id` or records of `--each`.
    private(set) var itemsDone = 0
    /// A record of `--id` doesn't exist.
    private(set) var missesItem = false
    /// The weakest of what shows that the lists so far are whole.
    var proof: SealClaim.Proof?
    /// Of the lists of --each that failed, the smallest status.
    private(set) var failedStatus: ExitStatus?
    /// Within a list that was interrupted, until the list that is read first takes it. Nil between two.
    var walk: ListWalk?
    private(set) var recordsIn = 0
    private(set) var recordsOut = 0
    private var presence = MemberPresence()
    /// The values of --each that an earlier run had started, and those of this run.
    private var savedTrail = InputFingerprint()
    private var trail = InputFingerprint()
    /// Those read so far, some of them ahead.
    private(set) var readTrail = InputFingerprint()
    private var ids = SeenIDs()
    private var idsOfReading: SeenIDs?
    /// The size of the output with all that was written: of a file the file's.
    private var bytesOut = 0
    private var output = OutputPlace.current
    /// The records of earlier runs that this output doesn't have.
    private(set) var recordsElsewhere = 0
    /// What stands in the output behind all that was noted.
    private var bytesTooMany = 0
    /// When the oldest response was current that stood in for a service that failed. Nil if none did.
    var staleDate: String?
    /// Of the list under way, once it has begun. Nil between two.
    var origin: ReadingOrigin?
    /// The size of the output, if that is a file, when the state was saved last.
    private var savedSize = Descriptor.standardOutput.fileSize
    private let file: StateFile?
    private let head: (line: String, sum: UInt64)
    /// Of the last line, nil if there is none.
    private var sum: UInt64?

    /// A state that isn't saved.
    init() {
        hash = ByteHash()
        file = nil
        head = ("", 0)
    }

    private init(_ file: StateFile, _ owner: StateOwner, seed: UInt64) {
        self.file = file
        hash = ByteHash(seed: seed)
        var first = ByteBuffer()
        first.append(UInt8(ascii: "{"))
        first.addMember("tool", "fetch-characters")
        first.addMember("state", Self.version)
        first.addMember("command", owner.command)
        first.addMember("seed", String(seed, radix: 16))
        first.addMember("keys", owner.keys(seed))
        head = Self.summed(first, after: nil)
    }

    // MARK: Read

    /// The state that an earlier run of the command left, or an initial one.
    /// - Throws: status 65 for a file that is damaged, of another command, key or version, or if the output is a file that
    ///   lacks what the earlier run wrote, 73 or 74 for one that can't be used, 75 if another run is using it.
    static func opened(
        _ path: String, _ owner: StateOwner, _ source: Source, pageSize: Int?
    ) throws(ToolFailure) -> RunState {
        let file = try StateFile(path)
        var state = RunState(file, owner, seed: .random(in: 0 ... .max))
        let damage = ToolFailure(.badData, "\(path) is not a state file, or damaged; remove it to start over")
        let isThere = try file.read { (line) throws(ToolFailure) in
            guard let (tree, sum) = tree(line, after: state.sum) else { throw damage }
            if state.sum == nil {
                guard let seed = try seed(tree, owner, path) else { throw damage }
                state = RunState(file, owner, seed: seed)
            } else {
                guard state.replay(tree, source, pageSize: pageSize) else { throw damage }
            }
            state.sum = sum
        }
        guard !isThere || state.sum != nil else { throw damage }
        if isThere { try state.take(.current, path) }
        return state
    }

    /// Compares the output of the earlier run with that of this one, which it becomes.
    private mutating func take(_ place: OutputPlace, _ path: String) throws(ToolFailure) {
        let size = Descriptor.standardOutput.fileSize
        switch output.continued(at: place, after: bytesOut, recordsOut, size: size) {
        case .here: break
        case .longer(let bytes): bytesTooMany = bytes
        case .elsewhere: recordsElsewhere = recordsOut
        case .lost:
            throw ToolFailure(
                .badData,
                "the \(recordsOut) records of the earlier run aren't in this output; append to them with >>, or if they "
                    + "are gone remove \(path) to start over")
        }
        output = place
    }

    /// Cuts off what an earlier run wrote to the file and didn't note: half a line, or a page that comes again.
    /// - Returns: the number of bytes.
    mutating func cutOutput() throws(ToolFailure) -> Int {
        defer { savedSize = Descriptor.standardOutput.fileSize }
        guard bytesTooMany > 0, let size = Descriptor.standardOutput.fileSize else { return 0 }
        try ToolFailure.of(Descriptor.standardOutput.cut(to: size - bytesTooMany))
        return bytesTooMany
    }

    /// - Returns: the seed in the first line, nil if it isn't one.
    private static func seed(
        _ tree: JSONTree, _ owner: StateOwner, _ path: String
    ) throws(ToolFailure) -> UInt64? {
        guard tree["tool"]?.string == "fetch-characters", let command = tree["command"]?.string,
            let seed = tree["seed"]?.string.flatMap({ UInt64($0, radix: 16) })
        else { return nil }
        guard tree["state"]?.integer == version else {
            throw ToolFailure(
                .badData, "\(path) was written by another version; end that run with it, or remove it to start over"
            )
        }
        guard command == owner.command else {
            throw ToolFailure(.badData, "\(path) belongs to another command; give this one its own --state")
        }
        guard tree["keys"]?.string == owner.keys(seed) else {
            throw ToolFailure(
                .badData,
                "\(path) belongs to a run with another key or login; take that again, or give this one its own --state"
            )
        }
        return seed
    }

    /// - Returns: false for a line that isn't valid here.
    private mutating func replay(_ tree: JSONTree, _ source: Source, pageSize: Int?) -> Bool {
        guard let items = tree["items"]?.count, items >= itemsDone, let misses = tree["misses"]?.boolean,
            let recordsIn = tree["recordsIn"]?.count, recordsIn >= self.recordsIn,
            let recordsOut = tree["recordsOut"]?.count, recordsOut >= self.recordsOut,
            let bytesOut = tree["bytesOut"]?.integer, bytesOut >= 0, let pages = tree["pages"],
            let output = OutputPlace(saved: tree["output"]?.string), let elsewhere = tree["elsewhere"]?.count,
            elsewhere <= recordsOut,
            let presence = tree["found"]?.count.map({ MemberPresence(records: recordsIn, found: $0) }),
            let new = tree["ids"]?.string.flatMap({ PackedHashes.hashes($0) }),
            let again = tree["again"]?.string.flatMap({ PackedHashes.hashes($0) }),
            let trail = InputFingerprint(saved: tree["values"]), trail.count >= savedTrail.count
        else { return false }
        if let failed = tree["failed"] {
            failedStatus = failed.integer.flatMap { Int32(exactly: $0) }.flatMap { ExitStatus(rawValue: $0) }
            guard failedStatus != nil else { return false }
        }
        (missesItem, self.recordsIn, self.recordsOut, self.bytesOut) = (misses, recordsIn, recordsOut, bytesOut)
        (self.presence, savedTrail) = (presence, trail)
        (self.output, recordsElsewhere) = (output, elsewhere)
        origin = ReadingOrigin(saved: tree["reading"])
        staleDate = tree["stale"]?.string
        proof = tree["proof"]?.string.map { SealClaim.Proof($0) }
        ids.restore(new)
        idsOfReading?.restore(again)
        if case .array(let pages) = pages {
            return items == itemsDone && pages.allSatisfy { replay(page: $0, source, pageSize: pageSize) }
        }
        itemsDone = items
        walk = nil
        ids = SeenIDs()
        idsOfReading = nil
        return true
    }

    private mutating func replay(page: JSONTree, _ source: Source, pageSize: Int?) -> Bool {
        guard let page = PageFacts(page, source.pagination) else { return false }
        var walk = walk ?? ListWalk(source, pageSize: pageSize, hash: hash)
        let verdict = walk.enter(page)
        self.walk = walk
        if verdict == .again { idsOfReading = SeenIDs() }
        return verdict == .more || verdict == .again
    }

    mutating func restore(_ writer: inout RecordWriter) {
        writer.recordsIn = recordsIn
        writer.recordsOut = recordsOut
        writer.recordsFlushed = recordsOut
        writer.mapper.presence = presence
        writer.ids = ids
        writer.idsOfReading = idsOfReading
        ids = SeenIDs()
        idsOfReading = nil
    }

    /// - Throws: status 65 if an earlier run started with other values of --each.
    mutating func check(value: String) throws(ToolFailure) {
        readTrail.enter(value, hash)
        guard readTrail.count == savedTrail.count, readTrail != savedTrail else { return }
        throw Self.otherInput
    }

    /// Adds the next value, whose list is done or starts now.
    mutating func enter(value: String) { trail.enter(value, hash) }

    /// - Throws: status 65 if an earlier run had started more values than were read.
    func checkInputEnd() throws(ToolFailure) {
        if readTrail.count < savedTrail.count { throw Self.otherInput }
    }

    private static var otherInput: ToolFailure {
        ToolFailure(
            .badData,
            "the records for --each differ from those of the interrupted run; give the same ones, or remove the "
                + "file of --state to start over")
    }

    var isKept: Bool { file != nil }

    /// A record of the list isn't there, which the next save keeps.
    mutating func noteMissing() { missesItem = true }

    /// A record of the list can't be had, which the next save keeps.
    mutating func note(failure: ExitStatus) {
        failedStatus = failedStatus.map { $0.combined(with: failure) } ?? failure
    }

    // MARK: Write

    /// Saves how long a file is before its first page, so that what is written and not noted can be told from the rest.
    mutating func begin(_ writer: inout RecordWriter) throws(ToolFailure) {
        guard sum == nil, file != nil, output != .stream else { return }
        try save("[]", &writer)
    }

    /// Saves that pages were written, together: another run continues after all of them or before. None is left.
    mutating func save(_ pages: inout [PageFacts], _ writer: inout RecordWriter) throws(ToolFailure) {
        guard !pages.isEmpty else { return }
        let texts = pages.map(\.text)
        pages = []
        try save("[\(texts.joined(separator: ","))]", &writer)
    }

    /// Saves that an id of `--id` or a record of `--each` is done, and moves on to the next.
    /// - Parameter failure: the status of a list that is skipped.
    mutating func saveItem(isMissing: Bool = false, failure: ExitStatus? = nil, _ writer: inout RecordWriter)
        throws(ToolFailure)
    {
        itemsDone += 1
        writer.begin()
        missesItem = missesItem || isMissing
        if let failure { note(failure: failure) }
        (walk, origin) = (nil, nil)
        try save("null", &writer)
    }

    private mutating func save(_ pages: String, _ writer: inout RecordWriter) throws(ToolFailure) {
        let ids = writer.ids.takeLatest()
        let again = writer.idsOfReading?.takeLatest() ?? []
        guard let file else { return }
        var entry = ByteBuffer()
        entry.append(UInt8(ascii: "{"))
        entry.addMember("items", itemsDone)
        entry.addMember("misses", missesItem)
        entry.addMember("recordsIn", writer.recordsIn)
        entry.addMember("recordsOut", writer.recordsOut)
        entry.addMember("bytesOut", Descriptor.standardOutput.fileSize ?? bytesOut + writer.output.bytesWritten)
        entry.addMember("output", output.text)
        entry.addMember("elsewhere", recordsElsewhere)
        entry.addMember("proof", proof?.text)
        if let staleDate { entry.addMember("stale", staleDate) }
        entry.addMember("found", writer.mapper.presence.found)
        entry.addMember("pages", json: pages)
        if let origin { entry.addMember("reading", json: origin.json) }
        entry.addMember("ids", PackedHashes.text(ids))
        entry.addMember("again", PackedHashes.text(again))
        if let failedStatus { entry.addMember("failed", Int(failedStatus.rawValue)) }
        if trail.count > 0 { entry.addMember("values", trail.text) }
        let (line, own) = Self.summed(entry, after: sum ?? head.sum)
        sum = own
        do throws(ToolFailure) { try file.append(line, first: head.line) } catch {
            // Another run would write again what no state has.
            let limit = writer.output.bytesWritten
            if let savedSize { Descriptor.standardOutput.takeBack(to: savedSize, limit: limit) }
            throw error
        }
        savedSize = Descriptor.standardOutput.fileSize
    }

    func remove() throws(ToolFailure) { try file?.remove() }

    /// Completes an object by its last member, a checksum of all bytes before it and of the previous line.
    private static func summed(_ object: borrowing ByteBuffer, after last: UInt64?) -> (line: String, sum: UInt64) {
        let sum = ByteHash(seed: last ?? 0).hash(object.span)
        return (object.text + end(sum), sum)
    }

    private static func end(_ sum: UInt64) -> String { ",\"sum\":\"\(String(sum, radix: 16))\"}" }

    /// The JSON and the checksum of a line, if the checksum is right.
    private static func tree(_ line: Span<UInt8>, after last: UInt64?) -> (tree: JSONTree, sum: UInt64)? {
        var start = line.count - 1
        while start > 0, line[start] != UInt8(ascii: ",") { start -= 1 }
        guard start > 0 else { return nil }
        let sum = ByteHash(seed: last ?? 0).hash(line.extracting(..<start))
        guard Array(end(sum).utf8).span.equals(line.extracting(start...)) else { return nil }
        return (try? JSONTree.read(line)).map { ($0, sum) }
    }
}
