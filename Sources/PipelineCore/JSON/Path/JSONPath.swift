// A path into a JSON text (RFC 9535), parsed once and used for every record.
//
//     $.films[?@.year > 1950].title     the title of each film released after 1950
//     image.url                         short for $.image.url

/// Besides the RFC's grammar it accepts a short form, which begins with a member's name instead of `$`: `films` is
/// `$.films`, `films[0].title` is `$.films[0].title`. Names in the short form, except those in filters, may contain
/// `-` and begin with a digit, so `short-films` is `$['short-films']`; any other name must be in quotes and
/// brackets, after `$`. White space is allowed in the brackets of a singular query; the RFC's grammar forgot it.
package struct JSONPath: Sendable {
    /// The most nested filters, parentheses and functions.
    package static let depthLimit = 64
    /// The most segments in a path, including those in its filters. No record is deeper.
    package static let segmentLimit = 512

    package let text: String
    let query: JSONPathQuery
    /// What to do at each level, if the path has only names, wildcards and indexes from the front. Such a path is
    /// followed in one pass over a record's bytes.
    let steps: [JSONPathSelector]?

    package init(_ text: String) throws(JSONPathError) {
        let (path, rest) = try Self.prefix(of: text)
        guard rest.isEmpty else {
            throw JSONPathError(reason: .expectedSegment, offset: path.text.unicodeScalars.count)
        }
        self = path
    }

    /// The path at the beginning of a text, as in `films[0].year >= 1950`, and the text after it.
    package static func prefix(
        of text: String
    ) throws(JSONPathError) -> (path: JSONPath, rest: String.UnicodeScalarView.SubSequence) {
        let scalars = Array(text.unicodeScalars)
        var parser = JSONPathParser(scalars)
        let query = try parser.path()
        let end = parser.position
        let path = JSONPath(text: String(String.UnicodeScalarView(scalars[..<end])), query: query)
        return (path, text.unicodeScalars.dropFirst(end))
    }

    init(text: String, query: JSONPathQuery) {
        self.text = text
        self.query = query
        steps = Self.steps(of: query)
    }

    /// Whether it finds at most one value, unless records have duplicate names.
    package var isSingular: Bool { query.isSingular }

    package static let whole = JSONPath(text: "$", query: JSONPathQuery(isAbsolute: true, segments: []))

    package var isWhole: Bool { query.segments.isEmpty }

    /// The name, in UTF-8, if the path is one member of the record.
    package var simpleMember: [UInt8]? { query.segments.count == 1 ? names?.first : nil }

    /// The names that lead to it, if the path is one member of nested objects: `$.variables.page`.
    package var memberNames: [String]? { isWhole ? nil : names?.map { $0.span.text } }

    /// The names and indexes that lead to it, if the path is one value: `$.queries[0].page`.
    package var location: [JSONLocation.PathStep]? {
        guard !isWhole, let steps else { return nil }
        var location: [JSONLocation.PathStep] = []
        for step in steps {
            switch step {
            case .name(let name): location.append(.name(name.span.text))
            case .index(let index): location.append(.index(index))
            default: return nil
            }
        }
        return location
    }

    private static func steps(of query: JSONPathQuery) -> [JSONPathSelector]? {
        let steps = query.segments.compactMap(\.only)
        return steps.count == query.segments.count && steps.allSatisfy(\.isForward) ? steps : nil
    }
}

/// A parsed path: a query consists of segments, a segment of selectors.
struct JSONPathQuery: Sendable {
    let isAbsolute: Bool
    let segments: [JSONPathSegment]

    /// Only names and indexes, one per segment, so it finds at most one node (RFC 9535, section 2.3.5.1).
    var isSingular: Bool {
        segments.allSatisfy { $0.only.map { !$0.isOpen } ?? false }
    }
}

/// One step down, from each node to its children, or to all its descendants.
struct JSONPathSegment: Sendable {
    let isDescendant: Bool
    let selectors: [JSONPathSelector]

    /// The one selector of a step from a node to its children.
    var only: JSONPathSelector? { isDescendant || selectors.count > 1 ? nil : selectors[0] }

    /// May find nothing though all that it names is there.
    fileprivate var isOpen: Bool { isDescendant || selectors.contains(where: \.isOpen) }

    fileprivate var hasFilter: Bool {
        selectors.contains { if case .filter = $0 { true } else { false } }
    }
}

enum JSONPathSelector: Sendable {
    /// All members of this name, in UTF-8.
    case name([UInt8])
    case wildcard
    /// From 0; negative counts from the end.
    case index(Int)
    case slice(JSONPathSlice)
    case filter(JSONPathCondition)

    /// Whether it chooses among values, not by their names or indexes alone.
    fileprivate var isOpen: Bool {
        switch self {
        case .name, .index: false
        case .wildcard, .slice, .filter: true
        }
    }

    /// Finds its values where they come, without those after them.
    fileprivate var isForward: Bool {
        switch self {
        case .name, .wildcard: true
        case .index(let index): index >= 0
        case .slice, .filter: false
        }
    }
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

/// A parsed filter: `?@.year > 1950 && match(@.title, "The .*")`.
indirect enum JSONPathCondition: Sendable {
    case any([JSONPathCondition])
    case all([JSONPathCondition])
    case not(JSONPathCondition)
    case exists(JSONPathQuery)
    case comparison(JSONPathOperand, JSONComparison, JSONPathOperand)
    /// `match` of the whole text, or `search` anywhere in it.
    case pattern(JSONPathOperand, in: JSONPathOperand, isWhole: Bool)
}

/// What can be compared: an expression of the RFC's ValueType.
indirect enum JSONPathOperand: Sendable {
    case literal(JSONPathLiteral)
    /// The node of a singular query; the first, if duplicate names make it several.
    case query(JSONPathQuery)
    case length(JSONPathOperand)
    case count(JSONPathQuery)
    case value(JSONPathQuery)
}

/// A scalar written in the path, or computed.
struct JSONPathLiteral: Sendable {
    /// Never a container.
    let kind: JSONNode.Kind
    /// A string's text without quotes and escapes, or any other value as written.
    let text: [UInt8]
}

/// The beginning of a path, for those who need to know why it found nothing: `$.data[?@.kind == 'x'].items[*]` finds
/// nothing where `$.data` is missing, and where `$.data` has no such element.
extension JSONPath {
    /// The names, in UTF-8, if the path is nested members: `$.info.data`. None for the whole text.
    package var names: [[UInt8]]? {
        let names = leadingNames
        return names.count == query.segments.count ? names : nil
    }

    /// The names, in UTF-8, that the path begins with: `$.info.data` of `$.info.data[0].id`.
    package var leadingNames: [[UInt8]] {
        var names: [[UInt8]] = []
        for segment in query.segments {
            guard case .name(let name)? = segment.only else { break }
            names.append(name)
        }
        return names
    }

    /// The part before the first wildcard, filter, slice or descendant: `$.data`. Nil for a path without any, whose
    /// every part must be there.
    package var fixedPart: JSONPath? {
        let segments = query.segments
        guard let end = segments.firstIndex(where: { $0.isOpen }) else { return nil }
        return part(segments[..<end])
    }

    /// The elements that the last filter chooses from: `$.data[*]`. Nil for a path without a filter, and for one that
    /// filters at any depth.
    package var unfiltered: JSONPath? {
        let segments = query.segments
        guard let end = segments.lastIndex(where: { $0.hasFilter }), !segments[end].isDescendant else { return nil }
        return part(segments[..<end] + [JSONPathSegment(isDescendant: false, selectors: [.wildcard])])
    }

    /// Whether the values that it finds are chosen among others, not by their names alone.
    package var endsOpen: Bool { query.segments.last?.isOpen ?? false }

    package var isFiltered: Bool { query.segments.contains { $0.hasFilter } }

    /// Whether it leads through the elements of one list to those of others: `$.groups[*].items[*]`.
    package var isNested: Bool { query.segments.count { $0.isOpen } > (endsOpen ? 1 : 0) }

    package var isDescendant: Bool { query.segments.contains { $0.isDescendant } }

    private func part(_ segments: ArraySlice<JSONPathSegment>) -> JSONPath {
        JSONPath(text: text, query: JSONPathQuery(isAbsolute: query.isAbsolute, segments: Array(segments)))
    }
}
