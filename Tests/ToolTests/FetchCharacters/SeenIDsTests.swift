// The ids that have come: none is new twice, until very many have come after it.

import TestSupport
import Testing

@testable import fetch_characters

@Suite struct SeenIDsTests {
    /// Numbers that are spread as hashes are.
    static func number(_ index: Int) -> UInt64 {
        var random = SplitMix64(seed: UInt64(index))
        return random.next()
    }

    @Test func `an id is new once`() {
        var ids = SeenIDs()
        let numbers = (0..<5000).map(Self.number) + [0]
        for expected in [true, false] {
            for number in numbers {
                let isNew = ids.insert(number) == .new
                #expect(isNew == expected)
            }
            let latest = ids.takeLatest()
            #expect(latest == (expected ? numbers : []))
        }
    }

    @Test func `an id whose record is another one is told, once its content is known`() {
        var ids = SeenIDs()
        let novelty = [(1, 5), (1, 5), (1, 6), (2, nil), (2, 7), (3, 8), (3, nil)].map { id, content in
            ids.insert(Self.number(id), content: content.map { Self.number($0) })
        }
        #expect(novelty == [.new, .known, .changed, .new, .known, .new, .known])
    }

    @Test func `as many as are promised are remembered, and the oldest are forgotten`() {
        var ids = SeenIDs()
        let count = 2 * SeenIDs.limit + 1
        var isNew = true
        for index in 0..<count {
            isNew = ids.insert(Self.number(index)) == .new && isNew
            _ = ids.takeLatest()
        }
        #expect(isNew)
        var isKnown = true
        for index in count - SeenIDs.limit..<count {
            isKnown = ids.insert(Self.number(index)) == .known && isKnown
        }
        #expect(isKnown)
        isNew = ids.insert(Self.number(0)) == .new
        #expect(isNew)
    }
}
