// From the records of a page to lines on stdout: each id once, and only what is asked for.

import PipelineCore
import PipelineHTTP

/// Writes records, and counts them.
struct RecordWriter: ~Copyable {
    private let limit: Int
    private var mapper: RecordMapper
    private var filter: TextQuery?
    private var output = OutputBuffer(.standardOutput)
    let hash: ByteHash
    /// The ids of all records so far, hashed, and of those of this reading of the list where others came before it.
    var ids = SeenIDs()
    var idsOfReading: SeenIDs?
    var recordsIn = 0
    var recordsOut = 0

    init(_ settings: FetchSettings, _ source: Source, hash: ByteHash) {
        limit = settings.limit ?? .max
        mapper = RecordMapper(source, isRaw: settings.isRaw, addsPage: settings.addsPage)
        filter = settings.search.map { TextQuery(Array($0.utf8).span) }
        self.hash = hash
    }

    var isAtLimit: Bool { recordsOut >= limit }
    /// Records that may still be written.
    var room: Int { limit - recordsOut }
    var bytesWritten: Int { output.bytesWritten }

    /// What a record was to the list.
    struct Novelty {
        /// It hadn't come before.
        let isUnseen: Bool
        /// It hadn't come before in this reading of the list.
        let isDistinct: Bool
    }

    /// Writes those of a page's records that haven't come before and that are asked for.
    /// - Parameters:
    ///   - body: the page's.
    ///   - outline: where its records are in that.
    /// - Returns: how many hadn't come before, and how many hadn't in this reading of the list.
    mutating func write(
        _ body: Span<UInt8>, _ outline: RecordOutline, page: Int?
    ) throws(ToolFailure) -> (unseen: Int, distinct: Int) {
        var unseen = 0
        var distinct = 0
        recordsIn += outline.records.count
        for index in outline.records.indices where !isAtLimit {
            do throws(JSONError) { try mapper.map(body, outline, index, page: page) } catch {
                throw Self.failure(error)
            }
            let novelty = writeMapped()
            unseen += novelty.isUnseen ? 1 : 0
            distinct += novelty.isDistinct ? 1 : 0
        }
        return (unseen, distinct)
    }

    /// Writes a record that may have had further requests, unless it has come before or isn't asked for.
    /// - Parameters:
    ///   - record: checked JSON, as are the answers of the steps.
    ///   - page: its page's number.
    mutating func write(
        _ record: Span<UInt8>, page: Int?, steps: [[UInt8]?]
    ) throws(ToolFailure) -> Novelty {
        do throws(JSONError) { try mapper.map(record, page: page, steps: steps) } catch {
            throw Self.failure(error)
        }
        return writeMapped()
    }

    private static func failure(_ error: JSONError) -> ToolFailure {
        ToolFailure(.broken, "a record is too large for the paths of the description: \(error)")
    }

    private mutating func writeMapped() -> Novelty {
        var isUnseen = true
        var isDistinct = true
        if !mapper.id.isEmpty {
            let id = hash.hash(mapper.id.span)
            isUnseen = ids.insert(id)
            isDistinct = idsOfReading?.insert(id) ?? isUnseen
        }
        if isUnseen {
            let (name, line) = (mapper.name, mapper.line)
            guard filter?.matches(name.span) ?? true else { return Novelty(isUnseen: true, isDistinct: isDistinct) }
            output.append(line.span)
            output.append(0x0A)
            recordsOut += 1
        }
        return Novelty(isUnseen: isUnseen, isDistinct: isDistinct)
    }

    /// Ends the output with a line that says that it is whole.
    mutating func seal() { output.append("{\"$seal\":{\"records\":\(recordsOut),\"complete\":true}}\n") }

    mutating func flush() throws(ToolFailure) {
        do throws(SystemError) { try output.flush() } catch { throw ToolFailure(error) }
    }
}
