// The beginning of a path, for those who need to know why it found nothing: `$.data[?@.kind == 'x'].items[*]` finds
// nothing where `$.data` is missing, and where `$.data` has no such element.

extension JSONPath {
    /// The names, in UTF-8, if the path is nested members: `$.info.data`. None for the whole text.
    package var names: [[UInt8]]? {
        guard let steps else { return nil }
        var names: [[UInt8]] = []
        for step in steps {
            guard case .name(let name) = step else { return nil }
            names.append(name)
        }
        return names
    }

    /// The names, in UTF-8, that the path begins with: `$.info.data` of `$.info.data[0].id`.
    package var leadingNames: [[UInt8]] {
        var names: [[UInt8]] = []
        for segment in query.segments {
            guard !segment.isDescendant, segment.selectors.count == 1, case .name(let name) = segment.selectors[0]
            else { break }
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

    /// Whether a filter chooses among values, at any place of the path.
    package var isFiltered: Bool { query.segments.contains { $0.hasFilter } }

    /// Whether it leads through the elements of one list to those of others: `$.groups[*].items[*]`.
    package var isNested: Bool { query.segments.count { $0.isOpen } > (endsOpen ? 1 : 0) }

    /// Whether it looks for values at any depth.
    package var isDescendant: Bool { query.segments.contains { $0.isDescendant } }

    private func part(_ segments: ArraySlice<JSONPathSegment>) -> JSONPath {
        JSONPath(text: text, query: JSONPathQuery(isAbsolute: query.isAbsolute, segments: Array(segments)))
    }
}

extension JSONPathSegment {
    /// May find nothing though all that it names is there.
    fileprivate var isOpen: Bool {
        isDescendant
            || selectors.contains { selector in
                switch selector {
                case .name, .index: false
                case .wildcard, .slice, .filter: true
                }
            }
    }

    fileprivate var hasFilter: Bool {
        selectors.contains { selector in
            if case .filter = selector { true } else { false }
        }
    }
}
