// A list that grows without being copied. An array that grows takes up to three times the memory of its elements
// while it is copied; the last segment of this one is all that can be free.

/// Elements by position.
struct SegmentedArray<Element> {
    /// Elements in a segment.
    private static var segmentSize: Int { 1 << 13 }

    private var segments: [[Element]] = []
    private(set) var count = 0

    var indices: Range<Int> { 0..<count }

    mutating func append(_ element: Element) {
        if count % Self.segmentSize == 0 {
            var segment: [Element] = []
            segment.reserveCapacity(count == 0 ? 0 : Self.segmentSize)
            segments.append(segment)
        }
        segments[segments.count - 1].append(element)
        count += 1
    }

    subscript(index: Int) -> Element {
        get { segments[index / Self.segmentSize][index % Self.segmentSize] }
        _modify { yield &segments[index / Self.segmentSize][index % Self.segmentSize] }
    }
}
