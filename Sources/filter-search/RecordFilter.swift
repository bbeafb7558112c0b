// Whether a record has the query in one of its fields.

import PipelineCore

/// The plain path: the whole line is read as JSON, and each string of a field is compared.
struct RecordFilter: ~Copyable {
    /// Names of members, in UTF-8; empty where every member counts.
    private let fields: [[UInt8]]
    private var query: QuerySet
    /// The text of a string with escapes; kept to be used again.
    private var decoded: [UInt8] = []

    /// - Parameter fields: names of members; empty for every string of the record.
    init(fields: [String], query: consuming QuerySet) {
        self.fields = fields.map { Array($0.utf8) }
        self.query = query
    }

    /// Reads the record to its end, so that only what is one is passed on.
    mutating func matches(_ line: Span<UInt8>) throws(JSONError) -> Bool {
        query.begin()
        var reader = JSONReader(line)
        try reader.beginRecord()
        while let token = try reader.next() {
            guard case .name(let name) = token, let value = try reader.next() else { continue }
            if !query.isSatisfied, isSearched(name, line) {
                try search(value, in: line, &reader)
            } else {
                try reader.skipRest(of: value)
            }
        }
        return query.isSatisfied
    }

    private mutating func isSearched(_ name: JSONString, _ line: Span<UInt8>) -> Bool {
        if fields.isEmpty { return true }
        let bytes = line.extracting(name.range)
        guard name.hasEscapes else { return fields.contains { $0.span.equals(bytes) } }
        decoded.removeAll(keepingCapacity: true)
        JSONStringDecoder.append(bytes, to: &decoded)
        return fields.contains { $0 == decoded }
    }

    /// Compares a string, or all the strings inside an array or an object.
    private mutating func search(
        _ value: JSONToken, in line: Span<UInt8>, _ reader: inout JSONReader
    ) throws(JSONError) {
        if case .string(let string) = value { return compare(string, in: line) }
        guard value == .beginObject || value == .beginArray else { return }
        let outer = reader.depth - 1
        while reader.depth > outer {
            if case .string(let string) = try reader.next() { compare(string, in: line) }
        }
    }

    private mutating func compare(_ string: JSONString, in line: Span<UInt8>) {
        Self.compare(line.extracting(string.range), string.hasEscapes, &decoded, &query)
    }

    private static func compare(
        _ content: Span<UInt8>, _ hasEscapes: Bool, _ decoded: inout [UInt8], _ query: inout QuerySet
    ) {
        guard hasEscapes else { return query.compare(content) }
        decoded.removeAll(keepingCapacity: true)
        JSONStringDecoder.append(content, to: &decoded)
        query.compare(decoded.span)
    }
}
