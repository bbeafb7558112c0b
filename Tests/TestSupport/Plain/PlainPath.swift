// Paths without filters once more: over a tree, segment by segment, each from a list of nodes to the next list.
//
//     $.a['b c'][0,-1]..*[1:5:2]

/// The paths that this reading knows; more is left to the engine.
package struct PlainPath {
    private enum Selector {
        case name([UInt8])
        case index(Int)
        case slice(Int?, Int?, Int)
        case wildcard
    }

    private struct Segment {
        let isDescendant: Bool
        let selectors: [Selector]
    }

    /// So many nodes in one list are followed.
    private static let nodeLimit = 20_000

    private var segments: [Segment] = []

    /// Nil for a path of another kind, or no path.
    package init?(_ text: String) {
        var signs = Array(text.unicodeScalars)[...]
        guard signs.popFirst() == "$" else { return nil }
        while !signs.isEmpty {
            guard let segment = Self.segment(&signs) else { return nil }
            segments.append(segment)
        }
    }

    /// The nodes in their order; nil where they become too many.
    package func nodes(in root: PlainJSON) -> [PlainJSON]? {
        var nodes = [root]
        for segment in segments {
            if segment.isDescendant { nodes = nodes.flatMap { Self.descendants($0) } }
            nodes = nodes.flatMap { node in segment.selectors.flatMap { Self.select($0, node) } }
            guard nodes.count <= Self.nodeLimit else { return nil }
        }
        return nodes
    }

    private static func values(_ node: PlainJSON) -> [PlainJSON] {
        guard node.kind == .object else { return node.children }
        return stride(from: 1, to: node.children.count, by: 2).map { node.children[$0] }
    }

    private static func descendants(_ node: PlainJSON) -> [PlainJSON] {
        [node] + values(node).flatMap { descendants($0) }
    }

    private static func select(_ selector: Selector, _ node: PlainJSON) -> [PlainJSON] {
        let values = values(node)
        switch selector {
        case .wildcard: return values
        case .name(let name):
            guard node.kind == .object else { return [] }
            return values.indices.filter { node.children[2 * $0].text == name }.map { values[$0] }
        case .index(let index):
            let place = index < 0 ? values.count + index : index
            return node.kind == .array && values.indices.contains(place) ? [values[place]] : []
        case .slice(let start, let end, let step):
            return node.kind == .array ? slice(start, end, step, values) : []
        }
    }

    /// As Python counts.
    private static func slice(_ start: Int?, _ end: Int?, _ step: Int, _ values: [PlainJSON]) -> [PlainJSON] {
        func place(_ index: Int) -> Int { index < 0 ? values.count + index : index }
        let order = step < 0 ? Array(values.indices.reversed()) : Array(values.indices)
        let first = start.map(place) ?? (step < 0 ? values.count - 1 : 0)
        let kept = order.filter { index in
            if step < 0 { return index <= first && (end.map { index > place($0) } ?? true) }
            return index >= first && (end.map { index < place($0) } ?? true)
        }
        guard step != 0 else { return [] }
        return kept.enumerated().filter { $0.offset.isMultiple(of: abs(step)) }.map { values[$0.element] }
    }

    private typealias Signs = ArraySlice<Unicode.Scalar>

    private static func take(_ sign: Unicode.Scalar, _ signs: inout Signs) -> Bool {
        guard signs.first == sign else { return false }
        signs.removeFirst()
        return true
    }

    private static func segment(_ signs: inout Signs) -> Segment? {
        var isDescendant = false
        if take(".", &signs) {
            isDescendant = take(".", &signs)
            if take("*", &signs) { return Segment(isDescendant: isDescendant, selectors: [.wildcard]) }
            if let name = bareName(&signs) { return Segment(isDescendant: isDescendant, selectors: [.name(name)]) }
            guard isDescendant else { return nil }
        }
        guard take("[", &signs) else { return nil }
        var selectors: [Selector] = []
        repeat {
            guard let selector = selector(&signs) else { return nil }
            selectors.append(selector)
        } while take(",", &signs)
        return take("]", &signs) ? Segment(isDescendant: isDescendant, selectors: selectors) : nil
    }

    private static func bareName(_ signs: inout Signs) -> [UInt8]? {
        let letters = signs.prefix { sign in
            sign == "_" || sign.value >= 0x80 || (sign.value < 0x80 && sign.properties.isAlphabetic)
        }
        guard !letters.isEmpty else { return nil }
        signs = signs.dropFirst(letters.count)
        return Array(String(String.UnicodeScalarView(letters)).utf8)
    }

    private static func selector(_ signs: inout Signs) -> Selector? {
        if take("*", &signs) { return .wildcard }
        for quote in ["'", "\""] as [Unicode.Scalar] where take(quote, &signs) {
            let name = signs.prefix { $0 != quote && $0 != "\\" && $0.value >= 0x20 }
            signs = signs.dropFirst(name.count)
            return take(quote, &signs) ? .name(Array(String(String.UnicodeScalarView(name)).utf8)) : nil
        }
        guard let first = number(&signs) else { return nil }
        guard take(":", &signs) else { return first.value.map { .index($0) } }
        guard let second = number(&signs) else { return nil }
        guard take(":", &signs) else { return .slice(first.value, second.value, 1) }
        return number(&signs).map { .slice(first.value, second.value, $0.value ?? 1) }
    }

    /// A number or nothing; nil where it isn't written as numbers are.
    private static func number(_ signs: inout Signs) -> (value: Int?, isThere: Bool)? {
        let text = String(String.UnicodeScalarView(signs.prefix { $0 == "-" || ("0"..."9").contains($0) }))
        signs = signs.dropFirst(text.count)
        guard !text.isEmpty else { return (nil, false) }
        guard text.count <= 15, let value = Int(text), String(value) == text else { return nil }
        return (value, true)
    }
}
