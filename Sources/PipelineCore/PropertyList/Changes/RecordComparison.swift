// Whether an incoming record is the stored one, as the new store would hold both.

/// Compares stored records with incoming ones.
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
        converted = RecordEncoder(isForXML: format == .xml, replacesControls: rules.replacesControls)
        drops = format == .xml && oldFormat == .binary
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
        do throws(PropertyListError.Reason) { try reader.replay(into: &converted) } catch { return false }
        return true
    }
}
