// Whether an incoming record is the stored one, as the new store would hold both.

struct RecordComparison: ~Copyable {
    private var ignored: IgnoredPaths
    private var converted: RecordEncoder
    /// Whether stored records are first made what XML, which can't hold all that binary can, would hold.
    private let drops: Bool

    /// - Parameters:
    ///   - format: of the new store; incoming records are encoded for it.
    ///   - oldFormat: of the stored records.
    init(_ format: PropertyListFormat, oldFormat: PropertyListFormat, _ rules: ValueRules, ignoring: [JSONPath]) {
        ignored = IgnoredPaths(ignoring)
        converted = RecordEncoder(for: format, replacesControls: rules.replacesControls)
        drops = format.isXML && !oldFormat.isXML
    }

    /// What an incoming record does to the stored one of the same key.
    mutating func fate(_ old: Span<UInt8>, _ new: Span<UInt8>) -> KeyedRecords.Fate {
        if new.equals(old) { return .same }
        guard drops || !ignored.isEmpty else { return .changed }
        return difference(old, new).isEmpty ? .sameButForIgnored : .changed
    }

    /// Where they differ. Records that are the same but for what XML drops have no difference.
    mutating func difference(_ old: Span<UInt8>, _ new: Span<UInt8>) -> RecordDifference {
        guard drops, convert(old) else { return Self.difference(old, new, &ignored) }
        return Self.difference(converted, new, &ignored)
    }

    private static func difference(
        _ old: borrowing RecordEncoder, _ new: Span<UInt8>, _ ignored: inout IgnoredPaths
    ) -> RecordDifference {
        difference(old.bytes.span, new, &ignored)
    }

    private static func difference(
        _ old: Span<UInt8>, _ new: Span<UInt8>, _ ignored: inout IgnoredPaths
    ) -> RecordDifference {
        let places = ignored.places(in: old, new)
        return RecordDifference(old, new, ignoring: places)
    }

    /// - Returns: false for a record that XML can't hold.
    private mutating func convert(_ record: Span<UInt8>) -> Bool {
        converted.removeAll()
        var reader = RecordDecoder(record)
        do throws(BadRecord) { try reader.replay(into: &converted) } catch { return false }
        return true
    }
}

/// `--ignore`: the places where a difference between two records doesn't count.
///
/// A path of names and indexes is the same place in each record. For any other path both records are written as JSON
/// and searched; what it finds in either is ignored.
private struct IgnoredPaths: ~Copyable {
    private var fixed = JSONPlaces()
    private var searches: [JSONPathEvaluator] = []
    private var json = JSONLineWriter(writesNonfiniteAsText: true)

    init(_ paths: [JSONPath]) {
        for path in paths {
            if let place = path.place {
                fixed.insert(place)
            } else {
                searches.append(JSONPathEvaluator(path))
            }
        }
    }

    var isEmpty: Bool { fixed.isEmpty && searches.isEmpty }

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
        do throws(BadRecord) { try reader.replay(into: &json) } catch { return }
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
