// A parsed path: a query consists of segments, a segment of selectors.

/// A query: `$…` from the root of the text, or `@…` from the node that a filter is testing.
struct JSONPathQuery: Sendable {
    let isAbsolute: Bool
    let segments: [JSONPathSegment]

    /// Only names and indexes, one per segment, so it finds at most one node (RFC 9535, section 2.3.5.1).
    var isSingular: Bool {
        segments.allSatisfy { segment in
            guard !segment.isDescendant, segment.selectors.count == 1 else { return false }
            switch segment.selectors[0] {
            case .name, .index: return true
            case .wildcard, .slice, .filter: return false
            }
        }
    }
}

/// One step down, from each node to its children, or to all its descendants.
struct JSONPathSegment: Sendable {
    let isDescendant: Bool
    let selectors: [JSONPathSelector]
}

/// What a segment selects.
enum JSONPathSelector: Sendable {
    /// All members of this name, in UTF-8.
    case name([UInt8])
    case wildcard
    /// From 0; negative counts from the end.
    case index(Int)
    case slice(JSONPathSlice)
    case filter(JSONPathCondition)
}

/// `start:end:step`.
struct JSONPathSlice: Sendable {
    let start: Int?
    let end: Int?
    let step: Int

    /// The indexes it selects in an array of `count` elements (RFC 9535, section 2.3.4.2.2).
    func indexes(count: Int) -> StrideTo<Int> {
        func normalized(_ index: Int) -> Int { index >= 0 ? index : count + index }
        if step >= 0 {
            let lower = min(max(normalized(start ?? 0), 0), count)
            let upper = min(max(normalized(end ?? count), 0), count)
            return stride(from: lower, to: step == 0 ? lower : upper, by: max(step, 1))
        }
        let upper = min(max(normalized(start ?? count - 1), -1), count - 1)
        let lower = min(max(end.map(normalized) ?? -1, -1), count - 1)
        return stride(from: upper, to: lower, by: step)
    }
}

/// A segment of a path that can be followed in one pass.
enum JSONPathStep: Sendable {
    case name([UInt8])
    case index(Int)
    case wildcard
}
