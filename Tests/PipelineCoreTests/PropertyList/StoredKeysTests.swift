// The keys that a store has more than once are found, however many others there are.

import Testing

@testable import PipelineCore

@Suite struct StoredKeysTests {
    @Test(arguments: [0, 1, 2, 1000, 600_000])
    func `keys that come again are found, in one part or in several`(count: Int) throws {
        var keys = StoredKeys(beside: nil)
        func key(_ number: Int) -> WideHash {
            WideHash(first: UInt64(number + 1) &* 0x1_0001, second: UInt64(number / 3))
        }
        for number in 0..<count { try keys.append(key(number)) }
        #expect(try keys.repeated().isEmpty)
        guard count > 0 else { return }
        for number in [0, count / 2, count / 2, count - 1] { try keys.append(key(number)) }
        #expect(try keys.repeated() == Set([0, count / 2, count - 1].map(key)))
    }

    @Test
    func `of two hashes both halves count`() throws {
        var keys = StoredKeys(beside: nil)
        for first in [1, 2] as [UInt64] {
            for second in [1, 2] as [UInt64] { try keys.append(WideHash(first: first, second: second)) }
        }
        #expect(try keys.repeated().isEmpty)
    }
}
