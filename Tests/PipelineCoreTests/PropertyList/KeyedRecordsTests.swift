// Incoming records come back from the spill file, small and large, in any order, with the stored ones they replace; and
// the keys that a store has more than once are found, however many others there are.

import Testing

@testable import PipelineCore

@Suite struct KeyedRecordsTests {
    /// A text for each number, of lengths around those of the reads; more than a mebibyte in all, so that some are in the
    /// file and some in memory.
    private static func text(_ number: Int, _ letter: Character) -> [UInt8] {
        let lengths = [0, 1, 30, 200, 4060, 4096, 5000, 65_500, 65_536, 150_000]
        return Array("\(number)\(String(repeating: letter, count: lengths[number * 7 % lengths.count]))".utf8)
    }

    private static func encoded(_ text: [UInt8]) throws -> [UInt8] {
        var encoder = RecordEncoder(for: .binary)
        try encoder.put(.string, text.span)
        return encoder.record.array
    }

    private func key(_ number: Int) -> [UInt8] { Array("key \(number)".utf8) }

    private func hash(_ number: Int) -> WideHash { WideHash(first: UInt64(number) << 21, second: 7) }

    @Test(arguments: [1, 17, 99])
    func `records are read in any order, and so is what they replace, kept once or again`(step: Int) throws {
        let count = 100
        var records = KeyedRecords(beside: nil)
        var encoder = RecordEncoder(for: .binary)
        for number in 0..<count {
            encoder.beginValue()
            try encoder.put(.string, Self.text(number, "n").span)
            try records.insert(hash(number), key: number % 10 == 3 ? nil : key(number), encoder)
        }
        #expect(records.count == count && records.replaced == 0)
        var (new, old) = (SpilledRecord(), SpilledRecord())
        for letter in ["o", "p"] as [Character] {
            for index in 0..<count {
                let number = index * step % count
                #expect(records.find(hash(number), guess: index) == number)
                try records.read(number, into: &new)
                #expect(try new.record.array == Self.encoded(Self.text(number, "n")))
                #expect(new.hasKey == (number % 10 != 3) && new.key.array == (new.hasKey ? key(number) : []))
                guard number.isMultiple(of: 3) else { continue }
                let stored = try Self.encoded(Self.text(number, letter))
                try records.keep(stored.span, for: number)
                records.fates[number] = .changed
            }
            for number in stride(from: 0, to: count, by: 3) {
                #expect(records.fates[number] == .changed)
                try records.read(number, into: &new, old: &old)
                #expect(try old.record.array == Self.encoded(Self.text(number, letter)))
                #expect(try new.record.array == Self.encoded(Self.text(number, "n")))
            }
            for number in records.fates.indices { records.fates[number] = .new }
            #expect((0..<count).allSatisfy { records.fates[$0] == .new })
        }
    }

    @Test
    func `of two records with one key the last is kept, in the place of the first`() throws {
        var records = KeyedRecords(beside: nil)
        var encoder = RecordEncoder(for: .binary)
        for (number, text) in [(1, "a"), (2, "b"), (1, "c")] {
            encoder.beginValue()
            try encoder.put(.string, Array(text.utf8).span)
            try records.insert(hash(number), key: key(number), encoder)
        }
        #expect(records.count == 2 && records.replaced == 1)
        #expect(records.find(hash(1), guess: 1) == 0 && records.find(hash(3), guess: 0) == nil)
        var record = SpilledRecord()
        try records.read(0, into: &record)
        #expect(try record.record.array == Self.encoded(Array("c".utf8)))
    }

    @Test
    func `hashes that differ in one half, or have one slot, are different keys`() {
        var index = HashIndex()
        let hashes = (0..<5000).map { WideHash(first: UInt64($0 / 50), second: UInt64($0 % 50)) }
        for (number, hash) in hashes.enumerated() {
            let inserted = index.insert(hash)
            #expect(inserted.number == number && inserted.isNew)
        }
        for (number, hash) in hashes.enumerated() {
            #expect(index.find(hash, guess: number / 2) == number)
            let again = index.insert(hash)
            #expect(again.number == number && !again.isNew)
        }
        #expect(index.find(WideHash(first: 3, second: 50), guess: 5000) == nil)
    }

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
