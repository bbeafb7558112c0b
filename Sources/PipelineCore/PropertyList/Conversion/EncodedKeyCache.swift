// Keys as a writer has written them: most come again in each record, and are then copied instead of written again.
// `KnownNames` says what that saves.
//
//     notes    <key>_id</key>LF<key>name</key>LF        a note is its number: 0, 1

/// What a writer remembers of its keys.
struct EncodedKeyCache: ~Copyable {
    /// The notes one after the other, and where each ends.
    private var bytes = ByteBuffer()
    private var ends: [Int] = [0]
    /// Where in the writer's bytes the key begins that it wrote last; nil where that isn't as it came and can't be noted.
    private var start: Int?

    /// A key was written from `start` on.
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
