// Checks that a store that was just written holds its input, value by value: names, types, order and each bit.
//
//     line  ->  encoded record  ->  XML or binary  ->  file
//                  v                                    v
//                hash    ==  or status 74  ==          hash of the records read back, encoded
//
// The input is encoded separately, never by the writer of the file. What XML can't hold is left out of the file on
// purpose, so it is left out here too.

/// A digest of what was stored.
struct StoreCheck: ~Copyable {
    private let format: PropertyListFormat
    private let hash = PolynomialHash()
    private var came = Sum()
    private var conversion: RecordConversion
    private var flat: RecordEncoder

    /// A store as hashes: one of all its records, one of the members beside them.
    private struct Sum: Equatable {
        var records = WideHash()
        var members = WideHash()
    }

    init(_ format: PropertyListFormat, _ rules: ValueRules) {
        self.format = format
        conversion = RecordConversion(rules: rules, format: format)
        flat = RecordEncoder(isForXML: format == .xml, replacesControls: rules.replacesControls)
    }

    /// Takes a line that was stored.
    mutating func take(line: Span<UInt8>) {
        flat.removeAll()
        do throws(RecordError) {
            try conversion.convert(line, into: &flat)
        } catch {
            // It was stored and can't be encoded: the hashes will differ.
            flat.removeAll()
        }
        let noKey: [UInt8] = []
        hash.extend(&came.records, by: noKey.span)
        Self.extend(&came.records, by: flat, hash)
    }

    /// Takes a record that was stored.
    /// - Parameter key: empty unless the store is keyed.
    mutating func take(key: Span<UInt8>, record: Span<UInt8>) {
        hash.extend(&came.records, by: key)
        write(record)
        Self.extend(&came.records, by: flat, hash)
    }

    /// Takes members of the root: call it once for those before the records, once for those after them.
    mutating func takeMembers(_ members: Span<UInt8>) {
        write(members)
        Self.extend(&came.members, by: flat, hash)
    }

    /// Encodes values as the file's format holds them.
    private mutating func write(_ value: Span<UInt8>) {
        flat.removeAll()
        var reader = RecordDecoder(value)
        do throws(PropertyListError.Reason) { try reader.replay(into: &flat) } catch { flat.removeAll() }
    }

    private static func extend(_ sum: inout WideHash, by value: borrowing RecordEncoder, _ hash: PolynomialHash) {
        hash.extend(&sum, by: value.bytes.span)
    }

    /// Reads a store to its end.
    /// - Returns: whether it holds what was taken.
    func agrees(with file: Descriptor, _ layout: StoreLayout) throws(StoreReadError) -> Bool {
        if format == .binary, try !Self.isReadEverywhere(file) { return false }
        var stored = Sum()
        var records = try ExistingRecords.opened(file, layout: layout)
        if layout.root != nil { hash.extend(&stored.members, by: records.membersBefore.span) }
        while try records.advance() {
            hash.extend(&stored.records, by: records.key.span)
            hash.extend(&stored.records, by: records.record)
        }
        hash.extend(&stored.members, by: records.membersAfter.span)
        return stored == came
    }

    /// Whether a binary file has a trailer that all readers accept.
    private static func isReadEverywhere(_ file: Descriptor) throws(StoreReadError) -> Bool {
        var end = [UInt8](repeating: 0, count: BinaryTrailer.byteCount)
        do throws(SystemError) {
            let size = try file.status().bytes
            guard size >= end.count, try file.read(into: &end, at: size - end.count) == end.count else {
                return false
            }
            return BinaryTrailer(end[...], fileSize: size)?.isStrict(fileSize: size) ?? false
        } catch {
            throw .system(error)
        }
    }
}
