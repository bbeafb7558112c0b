// Simple case folding (Unicode, section 5.18): which scalars are the same letter if case is ignored.
//
//     K, k and U+212A (the kelvin sign) are one orbit; so are S, s and U+017F; all fold to the lower-case letter.

enum CaseOrbits {
    /// `count` scalars, `stride` apart from `first` on, each of which maps to itself + `offset`.
    private struct Run: Sendable {
        let first: UInt32
        let count: UInt32
        let stride: UInt32
        let offset: Int32

        var last: UInt32 { first + (count - 1) * stride }

        func contains(_ scalar: UInt32) -> Bool {
            scalar >= first && scalar <= last && (scalar - first) % stride == 0
        }

        func target(of scalar: UInt32) -> UInt32 { UInt32(Int32(scalar) + offset) }
    }

    private static let foldings = runs(RegexCaseTables.folding)
    private static let orbits = runs(RegexCaseTables.orbits)

    private static func runs(_ packed: StaticString) -> [Run] {
        let numbers = PackedSequence.unpack(packed)
        var first: UInt32 = 0
        return stride(from: 0, to: numbers.count - 3, by: 4).map { index in
            first += numbers[index]
            let offset = numbers[index + 3]
            return Run(
                first: first, count: numbers[index + 1], stride: numbers[index + 2],
                offset: offset & 1 == 0 ? Int32(offset / 2) : -Int32((offset + 1) / 2))
        }
    }

    /// The scalar that represents this one's orbit.
    static func folded(_ scalar: UInt32) -> UInt32 {
        for run in foldings {
            if run.first > scalar { break }
            if run.contains(scalar) { return run.target(of: scalar) }
        }
        return scalar
    }

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
