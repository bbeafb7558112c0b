// `--ignore`: the places where a difference between two records doesn't count.
//
// A path of names and indexes is the same place in each record. For any other path both records are written as JSON
// and searched; what it finds in either is ignored.

/// Finds the ignored places.
struct IgnoredPaths: ~Copyable {
    private var fixed = JSONPlaces()
    private var searches: [JSONPathEvaluator] = []
    private var json = JSONLineWriter(writesNonfiniteAsText: true)

    init(_ paths: [JSONPath]) {
        for path in paths {
            if let steps = Self.steps(path) {
                fixed.insert(steps)
            } else {
                searches.append(JSONPathEvaluator(path))
            }
        }
    }

    var isEmpty: Bool { fixed.isEmpty && searches.isEmpty }

    /// Nil for a path that depends on the record.
    private static func steps(_ path: JSONPath) -> [JSONPlaces.Step]? {
        guard let steps = path.steps else { return nil }
        var places: [JSONPlaces.Step] = []
        for step in steps {
            switch step {
            case .name(let name): places.append(.name(name))
            case .index(let index): places.append(.index(index))
            case .wildcard: return nil
            }
        }
        return places
    }

    /// What is ignored in two encoded records.
    mutating func places(in old: Span<UInt8>, _ new: Span<UInt8>) -> JSONPlaces {
        guard !searches.isEmpty else { return fixed }
        var places = fixed
        find(in: old, &places)
        find(in: new, &places)
        return places
    }

    private mutating func find(in record: Span<UInt8>, _ places: inout JSONPlaces) {
        json.removeAll()
        var reader = RecordDecoder(record)
        // What can't be searched isn't ignored: it counts as a difference.
        do throws(PropertyListError.Reason) { try reader.replay(into: &json) } catch { return }
        for index in searches.indices {
            do throws(JSONError) { try Self.find(&searches[index], in: json, &places) } catch {}
        }
    }

    private static func find(
        _ search: inout JSONPathEvaluator, in json: borrowing JSONLineWriter, _ places: inout JSONPlaces
    ) throws(JSONError) {
        let text = json.bytes.span
        try search.evaluate(text, isChecked: true)
        guard !search.nodes.isEmpty else { return }
        try places.insert(Set(search.nodes.map(\.range.lowerBound)), in: text)
    }
}
