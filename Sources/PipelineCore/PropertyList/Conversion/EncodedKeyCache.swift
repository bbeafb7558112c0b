// Keys as a writer encoded them. Most keys come again in every record and are then copied, not encoded again.
// `KnownNames` has the measurement.
//
//     notes    <key>_id</key>LF<key>name</key>LF        a note's number is its index: 0, 1

/// Encoded keys that a writer remembers.
struct EncodedKeyCache: ~Copyable {
    /// The notes one after another, and where each ends.
    private var bytes = ByteBuffer()
    private var ends: [Int] = [0]
    /// Where the key written last starts in the writer's bytes; nil if the key was changed and can't be noted.
    private var start: Int?

    /// Remembers that a key was written at `start`.
    mutating func noteStart(_ start: Int, isAsItCame: Bool) { self.start = isAsItCame ? start : nil }

    /// Notes the key that was written last.
    mutating func add(from written: borrowing ByteBuffer) -> Int? {
        guard let start else { return nil }
        bytes.append(written, start..<written.count)
        ends.append(bytes.count)
        return ends.count - 2
    }

    @inline(__always)
    func append(_ note: Int, to written: inout ByteBuffer) {
        written.append(bytes, ends[note]..<ends[note + 1])
    }

    mutating func removeAll() {
        bytes.removeAll()
        ends = [0]
    }
}
