// Hashes tell texts apart, also those that were made to look alike.

import Testing

@testable import PipelineCore

@Suite struct PolynomialHashTests {
    private static let hash = PolynomialHash(points: (589_016_108_321_111_109, 574_276_327_398_429_556))

    /// Texts that differ in little: neighbours, one bit, a length that zeros make.
    private static func texts() -> Set<[UInt8]> {
        var texts: Set<[UInt8]> = []
        for number in 0..<60_000 {
            texts.insert(Array("\(number)".utf8))
            texts.insert(Array("a name \(number)".utf8))
            texts.insert((0..<8).map { UInt8(truncatingIfNeeded: number >> (8 * $0)) })
        }
        for count in 0...70 {
            for fill in [0, 1, 0x61, 0xFF] as [UInt8] {
                let plain = [UInt8](repeating: fill, count: count)
                texts.insert(plain)
                for bit in 0..<8 * count {
                    var other = plain
                    other[bit / 8] ^= 1 << UInt8(bit % 8)
                    texts.insert(other)
                }
            }
        }
        return texts
    }

    @Test
    func `each half of a hash alone tells apart what differs in little`() {
        let texts = Self.texts()
        let hashes = texts.map { Self.hash.hash($0.span) }
        #expect(texts.count > 200_000)
        #expect(Set(hashes.map(\.first)).count == texts.count)
        #expect(Set(hashes.map(\.second)).count == texts.count)
    }

    @Test
    func `a few bits of a hash depend on every byte and on the length`() {
        // Of that many texts in that many cells about 1 in e finds its cell empty, whichever bits tell the cell.
        let texts = Self.texts().map { Self.hash.hash($0.span) }
        let cells = 1 << 18
        for part in [\WideHash.first, \.second] {
            let filled = Set(texts.map { $0[keyPath: part] &* 0x9E37_79B9_7F4A_7C15 >> 46 }).count
            let expected = Double(cells) * (1 - 1 / (1 + Double(texts.count) / Double(cells)))
            #expect(Double(filled) > expected * 0.9, "\(filled) of \(texts.count)")
        }
    }

    @Test
    func `texts in a row are told from the same bytes in other texts`() {
        let rows: [[String]] = [
            [], [""], ["", ""], ["a"], ["", "a"], ["a", ""], ["ab"], ["a", "b"], ["b", "a"], ["a\0"], ["a", "\0"],
            ["abcdefg"], ["abcdefg", ""], ["abcdef", "g"], ["abcdefgh"], ["abcdefg", "h"],
        ]
        var hashes: Set<WideHash> = []
        for row in rows {
            var hash = WideHash()
            for text in row { Self.hash.extend(&hash, by: Array(text.utf8).span) }
            hashes.insert(hash)
        }
        #expect(hashes.count == rows.count)
    }

    @Test(arguments: [0, 1, 7, .max] as [UInt64])
    func `no first word makes up for another length, whatever the seed`(seed: UInt64) {
        let hash = ByteHash(seed: seed)
        var texts: Set<[UInt8]> = []
        var hashes: Set<UInt64> = []
        for count in 8..<200 {
            for zeros in 0..<8 - count % 8 {
                // What the two lengths, multiplied, differ in is put into the first word.
                let (short, long) = (UInt64(count), UInt64(count + zeros))
                let word = short &* 0x9E37_79B9_7F4A_7C15 ^ long &* 0x9E37_79B9_7F4A_7C15
                let first = (0..<8).map { UInt8(truncatingIfNeeded: word >> (8 * $0)) }
                let text =
                    first + [UInt8](repeating: 0x78, count: count - 8) + [UInt8](repeating: 0, count: zeros)
                guard texts.insert(text).inserted else { continue }
                hashes.insert(hash.hash(text.span))
            }
        }
        #expect(hashes.count == texts.count)
    }
}
