// A set of Unicode scalars: what a class, a property or a letter in any case matches.

/// Sorted ranges with at least one scalar between any two. Surrogates inside a range match nothing in UTF-8.
struct ScalarSet: Hashable, Sendable {
    struct Bounds: Hashable, Sendable {
        var lower: UInt32
        /// The last scalar of the range, inclusive.
        var upper: UInt32
    }

    static let last: UInt32 = 0x10FFFF
    static let all = ScalarSet(0, last)

    private(set) var ranges: [Bounds]

    init() { ranges = [] }

    init(_ scalar: UInt32) { self.init(scalar, scalar) }

    init(_ lower: UInt32, _ upper: UInt32) { ranges = [Bounds(lower: lower, upper: upper)] }

    /// Takes ranges in any order, which may overlap.
    init(unsorted: [Bounds]) {
        ranges = []
        for range in unsorted.sorted(by: { $0.lower < $1.lower }) { append(range) }
    }

    var isEmpty: Bool { ranges.isEmpty }

    /// The only scalar in the set; nil if it has none or several.
    var single: UInt32? {
        guard ranges.count == 1, ranges[0].lower == ranges[0].upper else { return nil }
        return ranges[0].lower
    }

    /// Appends a range that begins at or after the start of the last one.
    private mutating func append(_ range: Bounds) {
        guard let last = ranges.last, range.lower <= last.upper &+ 1 else { return ranges.append(range) }
        ranges[ranges.count - 1].upper = max(last.upper, range.upper)
    }

    func contains(_ scalar: UInt32) -> Bool {
        let index = firstRange(endingAtOrAfter: scalar)
        return index < ranges.count && ranges[index].lower <= scalar
    }

    func firstRange(endingAtOrAfter scalar: UInt32) -> Int {
        var lower = 0
        var upper = ranges.count
        while lower < upper {
            let middle = (lower + upper) / 2
            if ranges[middle].upper < scalar { lower = middle + 1 } else { upper = middle }
        }
        return lower
    }

    var inverted: ScalarSet {
        var result = ScalarSet()
        var next: UInt32 = 0
        for range in ranges {
            if range.lower > next { result.ranges.append(Bounds(lower: next, upper: range.lower - 1)) }
            next = range.upper + 1
        }
        if next <= Self.last { result.ranges.append(Bounds(lower: next, upper: Self.last)) }
        return result
    }

    func union(_ other: ScalarSet) -> ScalarSet {
        if isEmpty { return other }
        if other.isEmpty || ranges == other.ranges { return self }
        var result = ScalarSet()
        result.ranges.reserveCapacity(ranges.count + other.ranges.count)
        var left = 0
        var right = 0
        while left < ranges.count || right < other.ranges.count {
            let takesLeft =
                right == other.ranges.count
                || (left < ranges.count && ranges[left].lower <= other.ranges[right].lower)
            result.append(takesLeft ? ranges[left] : other.ranges[right])
            if takesLeft { left += 1 } else { right += 1 }
        }
        return result
    }

    func intersection(_ other: ScalarSet) -> ScalarSet { inverted.union(other.inverted).inverted }
}

/// Simple case folding (Unicode, section 5.18): which scalars are the same letter if case is ignored.
///
///     K, k and U+212A (the kelvin sign) are one orbit; so are S, s and U+017F.
///
/// U+0130 (capital i with dot) is a capital of i, as in a plain search; Unicode has it so for Turkic languages alone.
enum CaseOrbits {
    /// `count` scalars, `stride` apart from `first` on, each of which maps to itself + `offset`.
    private struct Run: Sendable {
        let first: UInt32
        let count: UInt32
        let stride: UInt32
        let offset: Int32

        var last: UInt32 { first + (count - 1) * stride }

        func target(of scalar: UInt32) -> UInt32 { UInt32(Int32(scalar) + offset) }
    }

    private static let orbits: [Run] = {
        let numbers = PackedSequence.unpack(RegexCaseTables.orbits)
        var first: UInt32 = 0
        return stride(from: 0, to: numbers.count - 3, by: 4).map { index in
            first += numbers[index]
            let offset = numbers[index + 3]
            return Run(
                first: first, count: numbers[index + 1], stride: numbers[index + 2],
                offset: offset & 1 == 0 ? Int32(offset / 2) : -Int32((offset + 1) / 2))
        }
    }()

    /// The set, extended by the whole orbit of each scalar.
    static func closure(_ set: ScalarSet) -> ScalarSet {
        guard let last = set.ranges.last?.upper else { return set }
        var added: [ScalarSet.Bounds] = []
        for run in orbits {
            if run.first > last { break }
            var index = set.firstRange(endingAtOrAfter: run.first)
            while index < set.ranges.count && set.ranges[index].lower <= run.last {
                append(run, within: set.ranges[index], to: &added)
                index += 1
            }
        }
        return added.isEmpty ? set : set.union(ScalarSet(unsorted: added))
    }

    private static func append(_ run: Run, within range: ScalarSet.Bounds, to added: inout [ScalarSet.Bounds]) {
        let lower = max(range.lower, run.first)
        let upper = min(range.upper, run.last)
        if run.stride == 1 {
            added.append(ScalarSet.Bounds(lower: run.target(of: lower), upper: run.target(of: upper)))
            return
        }
        var scalar = lower + (lower - run.first) % run.stride
        while scalar <= upper {
            let target = run.target(of: scalar)
            added.append(ScalarSet.Bounds(lower: target, upper: target))
            scalar += run.stride
        }
    }
}
