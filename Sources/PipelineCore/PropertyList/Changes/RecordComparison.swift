// Whether an incoming record is the stored one, as the new store would hold both.

struct RecordComparison: ~Copyable {
    private var ignored: IgnoredPaths
    private var converted: RecordEncoder
    private var conversion: RecordConversion
    private var lines = LineComparison()
    private let format: StoreFormat
    /// Whether stored records are first made what the new format, which can't hold all that theirs can, would hold.
    private var drops = false

    /// - Parameter format: of the new store; incoming records are encoded for it.
    init(_ format: StoreFormat, _ rules: ValueRules, ignoring: [JSONPath]) {
        ignored = IgnoredPaths(ignoring)
        converted = RecordEncoder(for: format, replacesControls: rules.isLossy)
        conversion = RecordConversion(rules: rules, format: format)
        self.format = format
    }

    mutating func begin(_ oldFormat: StoreFormat) { drops = !format.losses.isSubset(of: oldFormat.losses) }

    mutating func fate(_ old: Span<UInt8>, _ new: Span<UInt8>) -> KeyedRecords.Fate {
        if new.equals(old) { return .same }
        // The same members in another order take as many bytes, unless one value has several spellings.
        let mayDiffer = drops || !ignored.isEmpty || RecordDecoder.line(of: old) != nil || format.keepsLines
        guard mayDiffer || old.count == new.count else { return .changed }
        return difference(old, new).isEmpty ? .equivalent : .changed
    }

    /// Where they differ. Records that are the same but for what the format drops, or for the order of members, have no
    /// difference.
    mutating func difference(_ old: Span<UInt8>, _ new: Span<UInt8>) -> RecordDifference {
        if let line = RecordDecoder.line(of: old), convert(old.extracting(line)) {
            let places = ignored.places(in: converted, new)
            return RecordDifference(converted.record, new, ignoring: places)
        }
        if RecordDecoder.line(of: old) != nil || RecordDecoder.line(of: new) != nil {
            let places = ignored.places(in: old, new)
            return lines.difference(old, new, ignoring: places)
        }
        guard drops, converted.hold(old) else {
            return RecordDifference(old, new, ignoring: ignored.places(in: old, new))
        }
        let places = ignored.places(in: converted, new)
        return RecordDifference(converted.record, new, ignoring: places)
    }
}

extension RecordComparison {
    /// Makes `converted` what a property list would hold of an old line.
    /// - Returns: false if it can't hold it, or if the new store has lines too.
    private mutating func convert(_ line: Span<UInt8>) -> Bool {
        guard !format.keepsLines else { return false }
        converted.beginValue()
        do throws(BadRecord) { try conversion.convert(line, into: &converted) } catch { return false }
        return true
    }
}

/// Compares records as JSON: of a line the values, of a record of a property list what `--load` prints.
private struct LineComparison: ~Copyable {
    private var json = JSONLineWriter(writesNonfiniteAsText: true)
    private var old = RecordEncoder(for: .lossless)
    private var new = RecordEncoder(for: .lossless)

    mutating func difference(
        _ old: Span<UInt8>, _ new: Span<UInt8>, ignoring places: Set<RecordPlace>
    ) -> RecordDifference {
        // What has no line, such as a date in the year 10000, differs from whatever has.
        guard Self.take(old, &self.old, &json), Self.take(new, &self.new, &json) else {
            return RecordDifference(old, new, ignoring: places)
        }
        return RecordDifference(self.old.record, self.new.record, ignoring: places)
    }

    private static func take(
        _ record: Span<UInt8>, _ values: inout RecordEncoder, _ json: inout JSONLineWriter
    ) -> Bool {
        if let line = RecordDecoder.line(of: record) { return take(line: record.extracting(line), &values) }
        return json.hold(record) && take(json, &values)
    }

    private static func take(_ json: borrowing JSONLineWriter, _ values: inout RecordEncoder) -> Bool {
        take(line: json.line, &values)
    }

    private static func take(line: Span<UInt8>, _ values: inout RecordEncoder) -> Bool {
        values.beginValue()
        do throws(BadRecord) { try LineValues.put(line, into: &values) } catch { return false }
        return true
    }
}

/// A place in records, as the hash of the steps that lead there.
struct RecordPlace: Hashable {
    private static let hash = PolynomialHash()
    private var steps = WideHash()

    /// - Parameter step: as normalized paths write it: `['films']`, `[0]`.
    func child(_ step: Span<UInt8>) -> RecordPlace {
        var child = self
        Self.hash.extend(&child.steps, by: step)
        return child
    }
}

/// `--ignore`: the places where a difference between two records doesn't count.
///
/// A path of names and indexes is the same place in each record. For any other path both records are written as JSON
/// and searched; what it finds in either is ignored.
private struct IgnoredPaths: ~Copyable {
    private var fixed: Set<RecordPlace> = []
    private var searches: [JSONPathEvaluator] = []
    private var json = JSONLineWriter(writesNonfiniteAsText: true)

    init(_ paths: [JSONPath]) {
        for path in paths {
            if let location = path.location {
                fixed.insert(Self.place(location))
            } else {
                searches.append(JSONPathEvaluator(path))
            }
        }
    }

    private static func place(_ steps: [JSONLocation.PathStep]) -> RecordPlace {
        var place = RecordPlace()
        for step in steps {
            var text: [UInt8] = []
            JSONLocation.append(step, to: &text)
            place = place.child(text.span)
        }
        return place
    }

    var isEmpty: Bool { fixed.isEmpty && searches.isEmpty }

    mutating func places(in old: Span<UInt8>, _ new: Span<UInt8>) -> Set<RecordPlace> {
        guard !searches.isEmpty else { return fixed }
        var places = fixed
        find(in: old, &places)
        find(in: new, &places)
        return places
    }

    mutating func places(in old: borrowing RecordEncoder, _ new: Span<UInt8>) -> Set<RecordPlace> {
        places(in: old.record, new)
    }

    private mutating func find(in record: Span<UInt8>, _ places: inout Set<RecordPlace>) {
        // What can't be searched isn't ignored: it counts as a difference.
        guard json.hold(record) else { return }
        for index in searches.indices { Self.find(&searches[index], in: json, &places) }
    }

    private static func find(
        _ search: inout JSONPathEvaluator, in json: borrowing JSONLineWriter, _ places: inout Set<RecordPlace>
    ) {
        let text = json.line
        do throws(JSONError) {
            try search.evaluate(text, isChecked: true)
            let offsets = Set(search.nodes.map(\.range.lowerBound))
            for steps in try JSONLocation.paths(to: offsets, in: text) { places.insert(place(steps)) }
        } catch {}
    }
}
