// `--ignore`: the places where a difference between two records doesn't count.
//
// A path of names and indexes is the same place in each record. For any other path both records are written as JSON
// and searched; what it finds in either is ignored.

/// Finds the ignored places.
struct IgnoredPaths: ~Copyable {
    private var fixed: Set<[UInt8]> = []
    private var searches: [JSONPathEvaluator] = []
    private var json = JSONLineWriter(writesNonfiniteAsText: true)

    init(_ paths: [JSONPath]) {
        for path in paths {
            if let place = Self.place(path) {
                fixed.insert(place)
            } else {
                searches.append(JSONPathEvaluator(path))
            }
        }
    }

    var isEmpty: Bool { fixed.isEmpty && searches.isEmpty }

    /// The normalized path; nil for a path that depends on the record.
    private static func place(_ path: JSONPath) -> [UInt8]? {
        guard let steps = path.steps else { return nil }
        var place = [UInt8(ascii: "$")]
        for step in steps {
            switch step {
            case .name(let name): JSONLocation.appendStep(name: name.span, to: &place)
            case .index(let index): place += Array("[\(index)]".utf8)
            case .wildcard: return nil
            }
        }
        return place
    }

    /// The normalized paths to what is ignored in two encoded records.
    mutating func places(in old: Span<UInt8>, _ new: Span<UInt8>) -> Set<[UInt8]> {
        guard !searches.isEmpty else { return fixed }
        var places = fixed
        find(in: old, &places)
        find(in: new, &places)
        return places
    }

    private mutating func find(in record: Span<UInt8>, _ places: inout Set<[UInt8]>) {
        json.removeAll()
        var reader = RecordDecoder(record)
        // What can't be searched isn't ignored: it counts as a difference.
        do throws(PropertyListError.Reason) { try reader.replay(into: &json) } catch { return }
        for index in searches.indices {
            do throws(JSONError) { try Self.find(&searches[index], in: json, &places) } catch {}
        }
    }

    private static func find(
        _ search: inout JSONPathEvaluator, in json: borrowing JSONLineWriter, _ places: inout Set<[UInt8]>
    ) throws(JSONError) {
        let text = json.bytes.span
        try search.evaluate(text, isChecked: true)
        guard !search.nodes.isEmpty else { return }
        let offsets = Set(search.nodes.map(\.range.lowerBound))
        for path in try JSONLocation.paths(to: offsets, in: text) { places.insert(Array(path.utf8)) }
    }
}
