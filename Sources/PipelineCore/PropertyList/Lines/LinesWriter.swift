// Writes a store in JSON Lines: each record as the line that it came as, byte for byte.
//
// A record of an old property list, which has no line, becomes the one that `--load` prints.

struct LinesWriter: StoreEncoder, ~Copyable {
    private var lines = ByteBuffer()
    private var record = JSONLineWriter(writesNonfiniteAsText: false)

    /// JSON has all that a line can have.
    var choices: Substitutions { Substitutions() }
    var refusesControlsInKeys = false

    func beginRecords(isKeyed: Bool) { precondition(!isKeyed, "lines have no keys") }

    func endRecords(into file: inout AtomicFile) {}

    mutating func prepare(for bytes: Int, _ file: inout AtomicFile) throws(SystemError) {
        try file.take(&lines, ifAtLeast: Self.blockSize)
    }

    mutating func endDocument(into file: inout AtomicFile) throws(SystemError) { try file.take(&lines) }

    func checkpoint() -> Int { lines.count }

    mutating func rollBack(to mark: Int) { lines.truncate(to: mark) }

    /// Takes whole lines only.
    mutating func put(_ part: StoredElement, _ text: Span<UInt8>) {
        precondition(part == .line, "a part of a record without the others")
        lines.append(text)
        lines.append(0x0A)
    }

    mutating func append(encoded parts: Span<UInt8>) throws(BadRecord) {
        if let line = RecordDecoder.line(of: parts) { return put(.line, parts.extracting(line)) }
        // The root of the layout has no members here.
        guard !parts.isEmpty else { return }
        record.beginValue()
        var reader = RecordDecoder(parts)
        do throws(BadRecord) { try reader.replay(into: &record) } catch {
            throw error.reason == .nonfinite ? BadRecord(.nonfiniteInLine) : error
        }
        Self.append(record, to: &lines)
    }

    private static func append(_ record: borrowing JSONLineWriter, to lines: inout ByteBuffer) {
        lines.append(record.line)
        lines.append(0x0A)
    }

    // Names are never written alone.
    func rememberKey() -> Int? { nil }
    func key(remembered number: Int) {}
    func forgetKeys() {}
}
