// Finds that overlap, of several queries or of one field named twice, are one.

extension [Range<Int>] {
    /// The ranges in ascending order, those that overlap or touch in one, and none empty.
    var merged: [Range<Int>] {
        var merged: [Range<Int>] = []
        for range in sorted(by: { ($0.lowerBound, $0.upperBound) < ($1.lowerBound, $1.upperBound) })
        where !range.isEmpty {
            if let last = merged.last, range.lowerBound <= last.upperBound {
                merged[merged.count - 1] = last.lowerBound..<Swift.max(last.upperBound, range.upperBound)
            } else {
                merged.append(range)
            }
        }
        return merged
    }
}
