// The names that a mapping has to know: those that common members are read from, and those that they take. The
// length and two bytes rule out most other names of a record.

import PipelineCore
import PipelineHTTP

/// A small set of names, each with an index.
struct NameTable: Sendable {
    private var ranges: [Range<Int>] = []
    /// All names, concatenated.
    private var bytes: [UInt8] = []
    /// A bit for each first byte and each length of a name, modulo 64.
    private var firsts: UInt64 = 0
    private var counts: UInt64 = 0
    /// For each key, the index of the last name added with it, or -1.
    private var last = [Int](repeating: -1, count: 256)
    /// For each name, the previous one with the same key.
    private var before: [Int] = []

    var count: Int { ranges.count }

    /// The name's index. Adds the name if it is new.
    mutating func index(adding name: [UInt8]) -> Int {
        if let index = index(of: name.span) { return index }
        let key = Self.key(name.span)
        firsts |= Self.bit(name.first ?? UInt8(ascii: "\""))
        counts |= Self.bit(UInt8(truncatingIfNeeded: name.count))
        before.append(last[key])
        last[key] = ranges.count
        ranges.append(bytes.count..<bytes.count + name.count)
        bytes += name
        return ranges.count - 1
    }

    /// The name's index, nil if it isn't known.
    @inline(__always)
    func index(of name: Span<UInt8>) -> Int? {
        let index = last[Self.key(name)]
        return index < 0 ? nil : self.index(of: name, from: index)
    }

    /// Whether a name with this first byte and length may be known. Most aren't.
    @inline(__always)
    func mayKnow(first: UInt8, count: UInt32) -> Bool {
        firsts & Self.bit(first) != 0 && counts & Self.bit(UInt8(truncatingIfNeeded: count)) != 0
    }

    @inline(__always)
    private static func bit(_ byte: UInt8) -> UInt64 { 1 &<< UInt64(byte & 63) }

    private func index(of name: Span<UInt8>, from last: Int) -> Int? {
        var index = last
        while index >= 0 {
            if name.equals(bytes.span.extracting(ranges[index])) { return index }
            index = before[index]
        }
        return nil
    }

    @inline(__always)
    private static func key(_ name: Span<UInt8>) -> Int {
        let count = name.count
        guard count > 0 else { return 0 }
        let key = UInt8(truncatingIfNeeded: count) &* 31 &+ name[0] &* 7 &+ name[count &- 1]
        return Int(key)
    }
}
