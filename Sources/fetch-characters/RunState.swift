// How far a run has come, so that the same command can go on from there:
//
//     {"tool":"fetch-characters","command":"9f0c…","seed":"51a7…","items":0,"misses":false,"pages":12,
//      "recordsIn":600,"recordsOut":600,"walk":{…},"ids":"…","idsReadAgain":null,"sum":"77d1…"}
//
// It is written after each page that has been flushed to stdout, as a whole or not at all, so that what a run repeats is
// at most the page that was being written when it was killed. It holds eight bytes for each id and each page, the ids at
// most 4,194,304.

import PipelineCore
import PipelineHTTP

/// The place of a run, kept in a file where the user wants that.
struct RunState: ~Copyable {
    /// Hashes ids and pages with the seed of the first run.
    let hash: ByteHash
    /// Ids of `--id` or records of `--each` that are done.
    var itemsDone = 0
    /// Pages of the list that is being read.
    var pagesRead = 0
    /// A record of `--id` wasn't there.
    var missesItem = false
    private var walk: PageWalk?
    private var recordsIn = 0
    private var recordsOut = 0
    private var ids = SeenIDs()
    private var idsReadAgain: SeenIDs?
    private let file: StateFile?
    private let command: String

    /// The state of a run from its beginning, which is kept nowhere.
    init() {
        hash = ByteHash()
        file = nil
        command = ""
    }

    private init(_ file: StateFile, command: String, seed: UInt64) {
        self.file = file
        self.command = command
        hash = ByteHash(seed: seed)
    }

    /// What an earlier run left, or a beginning.
    /// - Parameters:
    ///   - command: the same for the same command.
    /// - Throws: status 65 for a file that is damaged or another command's, 73 and 74 for one that can't be used, 75
    ///   where another run uses it.
    static func opened(
        _ path: String, command: String, _ source: Source, pageSize: Int?
    ) throws(ToolFailure) -> RunState {
        let file = try StateFile.opened(path)
        guard let text = try file.read() else {
            return RunState(file, command: command, seed: .random(in: 0 ... .max))
        }
        guard let tree = tree(text), tree["tool"]?.string == "fetch-characters",
            let owner = tree["command"]?.string, let seed = tree["seed"]?.string.flatMap({ UInt64($0, radix: 16) })
        else { throw damaged(path) }
        guard owner == command else {
            throw ToolFailure(
                .badData, "\(path) is the place of another command; give this one a --state of its own")
        }
        var state = RunState(file, command: command, seed: seed)
        guard state.restore(tree, source, pageSize) else { throw damaged(path) }
        return state
    }

    private static func damaged(_ path: String) -> ToolFailure {
        ToolFailure(.badData, "\(path) is damaged or no saved place; remove it to begin anew")
    }

    private mutating func restore(_ tree: JSONTree, _ source: Source, _ pageSize: Int?) -> Bool {
        guard let items = tree["items"]?.integer, items >= 0, let misses = tree["misses"]?.boolean,
            let pages = tree["pages"]?.integer, pages >= 0, let recordsIn = tree["recordsIn"]?.integer,
            recordsIn >= 0, let recordsOut = tree["recordsOut"]?.integer, recordsOut >= 0,
            let ids = tree["ids"]?.string.flatMap({ PackedHashes.hashes($0) })
        else { return false }
        itemsDone = items
        missesItem = misses
        pagesRead = pages
        self.recordsIn = recordsIn
        self.recordsOut = recordsOut
        self.ids = SeenIDs(ids)
        if let text = tree["idsReadAgain"]?.string {
            guard let again = PackedHashes.hashes(text) else { return false }
            idsReadAgain = SeenIDs(again)
        }
        guard let place = tree["walk"] else { return false }
        if case .null = place { return true }
        walk = PageWalk(source.pagination, size: pageSize, hash: hash, place: place)
        return walk != nil
    }

    /// Gives the writer what it had.
    mutating func restore(_ writer: inout RecordWriter) {
        writer.recordsIn = recordsIn
        writer.recordsOut = recordsOut
        writer.ids = ids
        writer.idsReadAgain = idsReadAgain
        ids = SeenIDs()
        idsReadAgain = nil
    }

    /// The walk that was left off, for the list that is read first.
    mutating func takeWalk() -> PageWalk? { walk.take() }

    /// Goes on to the next record of `--each`.
    mutating func endItem() {
        itemsDone += 1
        pagesRead = 0
    }

    /// Writes the place.
    /// - Parameter walk: within a list, nil between two.
    func save(_ walk: PageWalk?, _ writer: borrowing RecordWriter) throws(ToolFailure) {
        guard let file else { return }
        let again = writer.idsReadAgain.map { "\"\(PackedHashes.text($0.inOrder))\"" } ?? "null"
        var text = "{\"tool\":\"fetch-characters\",\"command\":\"\(command)\","
        text += "\"seed\":\"\(String(hash.seed, radix: 16))\",\"items\":\(itemsDone),\"misses\":\(missesItem),"
        text += "\"pages\":\(pagesRead),\"recordsIn\":\(writer.recordsIn),\"recordsOut\":\(writer.recordsOut),"
        text += "\"walk\":\(walk?.place ?? "null"),\"ids\":\"\(PackedHashes.text(writer.ids.inOrder))\","
        text += "\"idsReadAgain\":\(again)"
        try file.write(text + Self.end(of: Array(text.utf8).span))
    }

    /// Removes the file of a run that has nothing to go on from.
    func remove() throws(ToolFailure) { try file?.remove() }

    // MARK: Sum

    /// The last member, a sum of all bytes before it.
    private static func end(of text: Span<UInt8>) -> String {
        ",\"sum\":\"\(String(ByteHash(seed: 0).hash(text), radix: 16))\"}\n"
    }

    /// The JSON of a file whose sum is right.
    private static func tree(_ text: [UInt8]) -> JSONTree? {
        let mark = Array(",\"sum\":".utf8)
        guard text.count >= 64 else { return nil }
        let starts = (text.count - 40..<text.count - mark.count).filter {
            Array(text[$0..<$0 + mark.count]) == mark
        }
        guard let start = starts.last, Array(text[start...]) == Array(end(of: text.span.extracting(..<start)).utf8)
        else { return nil }
        do throws(JSONError) { return try JSONTree.read(text.span) } catch { return nil }
    }
}
