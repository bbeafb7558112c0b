// The ids that have come: none is new twice.

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

    @Test func `none of a million is forgotten`() {
        var ids = SeenIDs()
        var (areNew, areKnown) = (true, true)
        for index in 0..<1_000_000 {
            areNew = ids.insert(Self.number(index)) == .new && areNew
            _ = ids.takeLatest()
        }
        for index in 0..<1_000_000 { areKnown = ids.contains(Self.number(index)) && areKnown }
        #expect(areNew && areKnown)
    }
}
