// The encodings of a set of scalars: a small deterministic automaton over UTF-8, built from sorted sequences of
// byte ranges that share equal suffixes (Daciuk et al., 2000).
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
    private var known: [[ByteTransition]: Int32] = [:]
    /// The nodes along the newest sequence. The last transition of each has no target yet.
    private var unfinished: [[ByteTransition]] = [[]]

    init(_ set: ScalarSet) {
        for range in set.ranges { add(range.lower, range.upper) }
        finish(above: 0)
        nodes.append(unfinished[0])
        known = [:]
        unfinished = []
    }

    /// Splits a range where the length of the encoding changes and at the surrogates, which have no encoding.
    private mutating func add(_ lower: UInt32, _ upper: UInt32) {
        var lower = lower
        for (last, next) in [(0x7F, 0x80), (0x7FF, 0x800), (0xD7FF, 0xE000), (0xFFFF, 0x10000)]
            as [(UInt32, UInt32)]
        {
            guard lower <= upper else { return }
            if lower <= last { addAligned(lower, min(upper, last)) }
            lower = max(lower, next)
        }
        if lower <= upper { addAligned(lower, upper) }
    }

    /// Splits a range of one encoded length until the range of each byte is independent of the others.
    private mutating func addAligned(_ lower: UInt32, _ upper: UInt32) {
        let first = Self.encode(lower)
        let last = Self.encode(upper)
        for position in 1..<first.count {
            let mask: UInt32 = 1 << (6 * UInt32(position)) - 1
            guard lower & ~mask != upper & ~mask else { continue }
            if lower & mask != 0 {
                addAligned(lower, lower | mask)
                return addAligned((lower | mask) + 1, upper)
            }
            if upper & mask != mask {
                addAligned(lower, (upper & ~mask) - 1)
                return addAligned(upper & ~mask, upper)
            }
        }
        insert(zip(first, last).map { ByteTransition(lower: $0, upper: $1, target: Self.end) })
    }

    /// - Parameter scalar: no surrogate.
    static func encode(_ scalar: UInt32) -> [UInt8] {
        var bytes: [UInt8] = []
        UTF8Sequence.append(scalar, to: &bytes)
        return bytes
    }

    /// Adds a sequence that sorts after all earlier ones.
    private mutating func insert(_ sequence: [ByteTransition]) {
        var shared = 0
        while shared + 1 < unfinished.count, let last = unfinished[shared].last,
            last.lower == sequence[shared].lower, last.upper == sequence[shared].upper
        {
            shared += 1
        }
        finish(above: shared)
        unfinished[shared].append(sequence[shared])
        for transition in sequence[(shared + 1)...] { unfinished.append([transition]) }
    }

    /// Completes the nodes deeper than `depth`, the deepest first, and links their parents to them.
    private mutating func finish(above depth: Int) {
        while unfinished.count > depth + 1, let node = unfinished.popLast() {
            let target = intern(Self.joined(node))
            let parent = unfinished.count - 1
            unfinished[parent][unfinished[parent].count - 1].target = target
        }
        if depth == 0 { unfinished[0] = Self.joined(unfinished[0]) }
    }

    private mutating func intern(_ node: [ByteTransition]) -> Int32 {
        if let target = known[node] { return target }
        let target = Int32(nodes.count)
        nodes.append(node)
        known[node] = target
        return target
    }

    /// Merges adjacent ranges that have the same target.
    private static func joined(_ node: [ByteTransition]) -> [ByteTransition] {
        var result: [ByteTransition] = []
        for transition in node {
            if let last = result.last, last.target == transition.target, last.upper &+ 1 == transition.lower {
                result[result.count - 1].upper = transition.upper
            } else {
                result.append(transition)
            }
        }
        return result
    }
}
