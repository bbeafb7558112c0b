// A path into a JSON text (RFC 9535), parsed once and used for every record.
//
//     $.films[?@.year > 1950].title     the title of each film released after 1950
//     image.url                         short for $.image.url

/// A JSONPath query.
///
/// Besides the RFC's grammar it accepts a short form, which begins with a member's name instead of `$`: `films` is
/// `$.films`, `films[0].title` is `$.films[0].title`. Names in the short form, except those in filters, may contain
/// `-` and begin with a digit, so `short-films` is `$['short-films']`; any other name must be in quotes and
/// brackets, after `$`. White space is allowed in the brackets of a singular query; the RFC's grammar forgot it.
package struct JSONPath: Sendable {
    /// The most nested filters, parentheses and functions.
    package static let depthLimit = 64
    /// The most segments in a path, including those in its filters. No record is deeper.
    package static let segmentLimit = 512

    /// The path as written.
    package let text: String
    let query: JSONPathQuery
    /// What to do at each level, if the path has only names, wildcards and indexes from the front. Such a path is
    /// followed in one pass over a record's bytes.
    let steps: [JSONPathStep]?

    /// Parses a path.
    package init(_ text: String) throws(JSONPathError) {
        var parser = JSONPathParser(Array(text.unicodeScalars))
        let query = try parser.path()
        try parser.end()
        self.init(text: text, query: query)
    }

    /// Parses the path at the beginning of a text, as in `films[0].year >= 1950`.
    /// - Returns: the path, and the text after it.
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

    /// `$`, the whole text.
    package static let whole = JSONPath(text: "$", query: JSONPathQuery(isAbsolute: true, segments: []))

    /// Whether it is `$`, the whole text.
    package var isWhole: Bool { query.segments.isEmpty }

    /// The name, in UTF-8, if the path is one member of the record.
    package var simpleMember: [UInt8]? {
        guard let steps, steps.count == 1, case .name(let name) = steps[0] else { return nil }
        return name
    }

    /// The names that lead to it, if the path is one member of nested objects: `$.variables.page`.
    package var memberNames: [String]? {
        guard let steps, !steps.isEmpty else { return nil }
        var names: [String] = []
        for step in steps {
            guard case .name(let name) = step else { return nil }
            names.append(name.span.text)
        }
        return names
    }

    /// The names and indexes that lead to it, if the path is one value: `$.queries[0].page`.
    package var location: [JSONLocation.PathStep]? {
        guard let steps, !steps.isEmpty else { return nil }
        var location: [JSONLocation.PathStep] = []
        for step in steps {
            switch step {
            case .name(let name): location.append(.name(name.span.text))
            case .index(let index): location.append(.index(index))
            case .wildcard: return nil
            }
        }
        return location
    }

    private static func steps(of query: JSONPathQuery) -> [JSONPathStep]? {
        var steps: [JSONPathStep] = []
        for segment in query.segments {
            guard !segment.isDescendant, segment.selectors.count == 1 else { return nil }
            switch segment.selectors[0] {
            case .name(let name): steps.append(.name(name))
            case .wildcard: steps.append(.wildcard)
            case .index(let index) where index >= 0: steps.append(.index(index))
            default: return nil
            }
        }
        return steps
    }
}
