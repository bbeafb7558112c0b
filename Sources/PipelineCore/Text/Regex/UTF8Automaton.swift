// The encodings of a set of scalars: a small deterministic automaton over UTF-8. Equal states are one.
//
//     U+00E9, U+00EA, U+03B1     node 0: A9-AA -> end    node 1: B1 -> end    root: C3 -> 0, CE -> 1

/// A transition from one state of an automaton to another on a range of bytes.
struct ByteTransition: Hashable, Sendable {
    var lower: UInt8
    /// The last byte of the range, inclusive.
    var upper: UInt8
    var target: Int32
}

struct UTF8Automaton: Sendable {
    /// The target at the end of a scalar.
    static let end: Int32 = -1

    /// Transitions in ascending order; those to other nodes lead to earlier ones. The root is last.
    private(set) var nodes: [[ByteTransition]] = []

    init(_ set: ScalarSet) {
        var known: [[ByteTransition]: Int32] = [:]
        _ = add(set.ranges.flatMap { Self.sequences($0.lower, $0.upper) }[...], at: 0, &known)
    }

    /// Adds the node for byte sequences that are the same before a position.
    private mutating func add(
        _ sequences: ArraySlice<[ClosedRange<UInt8>]>, at position: Int, _ known: inout [[ByteTransition]: Int32]
    ) -> Int32 {
        var node: [ByteTransition] = []
        var rest = sequences
        while let first = rest.first {
            let bytes = first[position]
            let group = rest.prefix { $0[position] == bytes }
            rest = rest.dropFirst(group.count)
            let target = position + 1 == first.count ? Self.end : add(group, at: position + 1, &known)
            if let last = node.last, last.target == target, last.upper &+ 1 == bytes.lowerBound {
                node[node.count - 1].upper = bytes.upperBound
            } else {
                node.append(ByteTransition(lower: bytes.lowerBound, upper: bytes.upperBound, target: target))
            }
        }
        if let target = known[node] { return target }
        nodes.append(node)
        known[node] = Int32(nodes.count - 1)
        return Int32(nodes.count - 1)
    }

    /// The encodings of a range of scalars, without the surrogates, which have none.
    private static func sequences(_ lower: UInt32, _ upper: UInt32) -> [[ClosedRange<UInt8>]] {
        let lengths: [ClosedRange<UInt32>] = [
            0...0x7F, 0x80...0x7FF, 0x800...0xD7FF, 0xE000...0xFFFF, 0x10000...ScalarSet.last,
        ]
        return lengths.filter { $0.overlaps(lower...upper) }.flatMap { length in
            aligned(max(lower, length.lowerBound), min(upper, length.upperBound))
        }
    }

    /// Splits a range of one encoded length until the range of each byte is independent of the others.
    private static func aligned(_ lower: UInt32, _ upper: UInt32) -> [[ClosedRange<UInt8>]] {
        let first = encode(lower)
        let last = encode(upper)
        for position in 1..<first.count {
            let mask: UInt32 = 1 << (6 * UInt32(position)) - 1
            guard lower & ~mask != upper & ~mask else { continue }
            if lower & mask != 0 { return aligned(lower, lower | mask) + aligned((lower | mask) + 1, upper) }
            if upper & mask != mask { return aligned(lower, (upper & ~mask) - 1) + aligned(upper & ~mask, upper) }
        }
        return [zip(first, last).map { $0...$1 }]
    }

    /// - Parameter scalar: no surrogate.
    static func encode(_ scalar: UInt32) -> [UInt8] {
        var bytes: [UInt8] = []
        UTF8Sequence.append(scalar, to: &bytes)
        return bytes
    }
}
