// Which characters a match can begin with: all those whose folding holds the query's first letter.

/// The characters above U+007F whose folding holds a letter, in a form that bytes can be scanned for.
struct FirstCharacters {
    /// How many ranges there are at most.
    private static let limit = 12

    /// The pairs of bytes that they begin with, in a few ranges that cover them.
    let ranges: [BytePairRange]
    /// The low twelve bits of their code points, as a set: bit `code & 63` of word `code >> 6 & 63`.
    let lowBits: [UInt64]

    init(of letter: Atom, _ strength: TextStrength) {
        var seconds = [ClosedRange<UInt8>?](repeating: nil, count: 256)
        var lowBits = [UInt64](repeating: 0, count: 64)
        let add = { (code: UInt32) in
            guard let pair = Self.firstPair(of: code) else { return }
            let known = seconds[Int(pair.first)]
            let low = min(known?.lowerBound ?? pair.second, pair.second)
            seconds[Int(pair.first)] = low...max(known?.upperBound ?? pair.second, pair.second)
            lowBits[Int(code >> 6 & 63)] |= 1 << UInt64(code & 63)
        }
        let letters = HangulSyllable.starts(of: letter)
        letters.forEach { add($0.code) }
        Folding.forEachCode(containing: letters, strength, add)
        ranges = Self.joined(seconds)
        self.lowBits = lowBits
    }

    private static func firstPair(of code: UInt32) -> (first: UInt8, second: UInt8)? {
        guard let scalar = Unicode.Scalar(code), let units = UTF8.encode(scalar) else { return nil }
        var bytes = units.makeIterator()
        guard let first = bytes.next(), let second = bytes.next() else { return nil }
        return (first, second)
    }

    /// A range for each first byte, and neighbours in one where there would be too many.
    private static func joined(_ seconds: [ClosedRange<UInt8>?]) -> [BytePairRange] {
        var ranges = seconds.indices.compactMap { first in
            seconds[first].map { BytePairRange(first: UInt8(first)...UInt8(first), second: $0) }
        }
        while ranges.count > limit {
            let gap = { (index: Int) in ranges[index + 1].first.lowerBound - ranges[index].first.upperBound }
            guard let at = (0..<ranges.count - 1).min(by: { gap($0) < gap($1) }) else { break }
            let (left, right) = (ranges[at], ranges.remove(at: at + 1))
            let low = min(left.second.lowerBound, right.second.lowerBound)
            let high = max(left.second.upperBound, right.second.upperBound)
            ranges[at] = BytePairRange(first: left.first.lowerBound...right.first.upperBound, second: low...high)
        }
        return ranges
    }
}
