// What the lists of --each have written, by their values. A value that comes again is answered from here: its records come
// for each of its parents, and the service is asked once.

import PipelineCore

struct WrittenLists {
    /// Enough for thousands of short lists. The oldest are forgotten, and a longer one isn't kept.
    static let limitBytes = 32 << 20

    struct List {
        /// With their ends.
        var lines: [UInt8]
        var recordsIn: Int
        var recordsOut: Int
        var presence: MemberPresence
        /// False if the service has no such list.
        var isThere = true

        /// The lines of the first records.
        func lines(most: Int) -> ArraySlice<UInt8> {
            guard most < recordsOut else { return lines[...] }
            var (end, left) = (0, most)
            while left > 0, let next = lines.span.firstIndex(of: 0x0A, from: end) {
                end = next + 1
                left -= 1
            }
            return lines[..<end]
        }
    }

    private var lists: [String: List] = [:]
    private var oldestFirst: [String] = []
    private var dropped = 0
    private var byteCount = 0

    subscript(key: String) -> List? { lists[key] }

    mutating func keep(_ list: List, _ key: String) {
        let bytes = Self.bytes(list, key)
        guard bytes <= Self.limitBytes, lists[key] == nil else { return }
        lists[key] = list
        oldestFirst.append(key)
        byteCount += bytes
        while byteCount > Self.limitBytes {
            let key = oldestFirst[dropped]
            dropped += 1
            if let list = lists.removeValue(forKey: key) { byteCount -= Self.bytes(list, key) }
        }
        guard dropped > oldestFirst.count / 2 else { return }
        oldestFirst.removeFirst(dropped)
        dropped = 0
    }

    /// With about what the tables take.
    private static func bytes(_ list: List, _ key: String) -> Int { list.lines.count + key.utf8.count + 200 }
}
