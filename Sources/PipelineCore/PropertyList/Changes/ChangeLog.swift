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
    private var removed: SpillFile
    private let location: FileLocation?
    private let writesNonfiniteAsText: Bool
    /// How a terminal shows the lines; nil for anything else.
    private let display: RecordDisplay?
    private var lines = ByteBuffer()
    private var writer: JSONLineWriter

    /// - Parameter isOutput: whether the lines go to stdout.
    package init(
        _ file: consuming AtomicFile, isOutput: Bool, beside location: FileLocation?, writesNonfiniteAsText: Bool
    ) {
        let display = RecordDisplay()
        self.display = isOutput && !display.isPlain ? display : nil
        self.file = file
        self.location = location
        self.writesNonfiniteAsText = writesNonfiniteAsText
        removed = SpillFile(beside: location)
        writer = JSONLineWriter(writesNonfiniteAsText: writesNonfiniteAsText)
    }

    package var nonfiniteAsText: Int { writer.nonfiniteAsText }

    package var bytes: Int { file.bytesAppended }

    mutating func restart() throws(StoreFailure) {
        try StoreFailure.of(file.restart())
        removed = SpillFile(beside: location)
        lines.removeAll()
        writer = JSONLineWriter(writesNonfiniteAsText: writesNonfiniteAsText)
    }

    mutating func add(_ key: Span<UInt8>, _ record: borrowing RecordEncoder) throws(StoreFailure) {
        try add(key, record.record)
    }

    /// - Parameter key: as JSON; of a stored record without one `null`.
    mutating func add(_ key: Span<UInt8>, _ record: Span<UInt8>) throws(StoreFailure) {
        begin("added", key)
        try append("record", record)
        try end()
    }

    mutating func change(
        _ key: Span<UInt8>, _ difference: RecordDifference, _ record: Span<UInt8>, was old: Span<UInt8>
    ) throws(StoreFailure) {
        begin("changed", key)
        lines.addMember("at", texts: difference.paths.map { $0.span.text })
        if difference.more > 0 { lines.addMember("more", difference.more) }
        try append("record", record)
        try append("was", old)
        try end()
    }

    mutating func remove(_ key: Span<UInt8>, was old: Span<UInt8>) throws(StoreFailure) {
        begin("removed", key)
        try append("was", old)
        endLine()
        Self.move(&lines, to: &removed)
        try StoreFailure.of(removed.settle())
    }

    private static func move(_ lines: inout ByteBuffer, to removed: inout SpillFile) {
        removed.append(lines.span)
        lines.removeAll()
    }

    private mutating func begin(_ change: String, _ key: Span<UInt8>) {
        lines.append(UInt8(ascii: "{"))
        lines.addMember("change", change)
        lines.addMember("key", json: key)
    }

    private mutating func append(_ name: StaticString, _ record: Span<UInt8>) throws(StoreFailure) {
        writer.beginValue()
        var reader = RecordDecoder(record)
        do throws(BadRecord) { try reader.replay(into: &writer) } catch {
            throw .unfit(error.reason.message, path: "$.\(name)" + writer.path.dropFirst())
        }
        Self.append(name, writer, to: &lines)
    }

    private static func append(
        _ name: StaticString, _ record: borrowing JSONLineWriter, to lines: inout ByteBuffer
    ) {
        lines.addMember(name, json: record.value)
    }

    private mutating func end() throws(StoreFailure) {
        endLine()
        try StoreFailure.of(file.take(&lines, ifAtLeast: display == nil ? Self.blockSize : 0))
    }

    private mutating func endLine() {
        lines.append("}\n")
        guard let shown = display?.shown(lines: lines.span) else { return }
        lines.removeAll()
        lines.append(shown.span)
    }

    mutating func endRecords() throws(SystemError) {
        try file.take(&lines)
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
