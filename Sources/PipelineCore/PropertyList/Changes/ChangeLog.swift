// What an update has changed, as JSON Lines: in the order of the new store, then what was removed, in the order of the
// old one.
//
//     {"change":"added","key":"31","record":{…}}
//     {"change":"changed","key":"31","at":["$['films'][2]"],"record":{…},"was":{…}}
//     {"change":"removed","key":"31","was":{…}}
//
// Records are written as `--load` gives them.

/// Writes the lines. They are a file that appears whole or not at all, or gathered for a stream.
package struct ChangeLog: ~Copyable {
    private static let blockSize = 262_144

    private var file: AtomicFile
    /// Where lines of removed records wait for the others.
    private var removed: SpillFile
    private let location: FileLocation?
    private let writesNonfiniteAsText: Bool
    private var line: JSONLineWriter

    /// - Parameters:
    ///   - location: a spill file is created beside it; nil means the directory for temporary files.
    ///   - writesNonfiniteAsText: writes NaN and infinity of a stored record as text; else they are an error.
    package init(_ file: consuming AtomicFile, beside location: FileLocation?, writesNonfiniteAsText: Bool) {
        self.file = file
        self.location = location
        self.writesNonfiniteAsText = writesNonfiniteAsText
        removed = SpillFile(beside: location)
        line = JSONLineWriter(writesNonfiniteAsText: writesNonfiniteAsText)
    }

    /// Reals that were written as text.
    package var nonfiniteAsText: Int { line.nonfiniteAsText }

    package var bytes: Int { file.bytesAppended }

    mutating func restart() throws(StoreFailure) {
        try StoreFailure.of(file.restart())
        removed = SpillFile(beside: location)
        line = JSONLineWriter(writesNonfiniteAsText: writesNonfiniteAsText)
    }

    // MARK: Lines

    mutating func add(_ key: ChangeKey, _ record: borrowing RecordEncoder) throws(StoreFailure) {
        try add(key, record.record)
    }

    mutating func add(_ key: ChangeKey, _ record: Span<UInt8>) throws(StoreFailure) {
        begin("added", key)
        try write("record", record)
        try end()
    }

    mutating func change(
        _ key: ChangeKey, _ difference: RecordDifference, _ record: Span<UInt8>, was old: Span<UInt8>
    ) throws(StoreFailure) {
        begin("changed", key)
        write("at")
        line.beginArray()
        for path in difference.paths { line.string(path.span) }
        line.endArray()
        if difference.more > 0 {
            write("more")
            line.integer(PropertyListInteger(isNegative: false, magnitude: UInt64(difference.more)))
        }
        try write("record", record)
        try write("was", old)
        try end()
    }

    mutating func remove(_ key: ChangeKey, was old: Span<UInt8>) throws(StoreFailure) {
        begin("removed", key)
        try write("was", old)
        line.endDictionary()
        line.endLine()
        try StoreFailure.of(line.drain(into: &removed))
    }

    private mutating func begin(_ change: String, _ key: ChangeKey) {
        line.beginDictionary()
        write("change")
        line.string(Array(change.utf8).span)
        write("key")
        switch key {
        case .none: line.value(json: Array("null".utf8).span)
        case .text(let text): line.string(text.span)
        case .json(let json): line.value(json: json.span)
        }
    }

    private mutating func write(_ name: String) { line.key(Array(name.utf8).span) }

    private mutating func write(_ name: String, _ record: Span<UInt8>) throws(StoreFailure) {
        write(name)
        var reader = RecordDecoder(record)
        do throws(BadRecord) {
            try reader.replay(into: &line)
        } catch {
            throw .unfit(error.reason.message, path: line.path)
        }
    }

    private mutating func end() throws(StoreFailure) {
        line.endDictionary()
        line.endLine()
        if line.bytesHeld >= Self.blockSize { try StoreFailure.of(line.drain(into: &file)) }
    }

    // MARK: Ending

    mutating func endRecords() throws(SystemError) {
        try line.drain(into: &file)
        try Self.copy(removed, to: &file)
        try file.flush()
    }

    private static func copy(_ lines: borrowing SpillFile, to file: inout AtomicFile) throws(SystemError) {
        try lines.forEachBlock { (block) throws(SystemError) in try file.append(block) }
    }

    /// Gives the file its name, or hands the lines to the stream; then takes the last step of the run.
    /// - Parameter last: if it throws, the file that had the name before has it again.
    package mutating func commit(
        before last: () throws(SystemError) -> Void = { () throws(SystemError) in }
    ) throws(SystemError) {
        try file.commit(mayMoveOld: true, before: last)
    }
}

enum ChangeKey {
    /// A stored record without a key.
    case none
    case text([UInt8])
    /// Of several values.
    case json([UInt8])
}
