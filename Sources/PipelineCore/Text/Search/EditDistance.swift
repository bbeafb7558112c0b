// The number of typing errors between two words.

/// The distance of Damerau and Levenshtein, each pair of letters swapped at most once (optimal string alignment).
package enum EditDistance {
    /// For short words such as option names: the cost is the product of the lengths.
    package static func between(_ left: String, _ right: String) -> Int {
        let left = Array(left.unicodeScalars)
        let right = Array(right.unicodeScalars)
        var beforeLast = [Int](repeating: 0, count: right.count + 1)
        var last = Array(0...right.count)
        for row in left.indices {
            var current = [row + 1]
            for column in right.indices {
                let substitution = last[column] + (left[row] == right[column] ? 0 : 1)
                var best = min(substitution, last[column + 1] + 1, current[column] + 1)
                if row > 0, column > 0, left[row] == right[column - 1], left[row - 1] == right[column] {
                    best = min(best, beforeLast[column - 1] + 1)
                }
                current.append(best)
            }
            beforeLast = last
            last = current
        }
        return last[right.count]
    }
}

extension EditDistance {
    /// The name that a misspelt one most likely means; nil if none is near.
    package static func nearest(to name: String, among names: [String]) -> String? {
        let nearest = names.map { (name: $0, distance: between($0, name)) }.min { $0.distance < $1.distance }
        guard let nearest, nearest.distance <= max(1, name.count / 3) else { return nil }
        return nearest.name
    }
}
