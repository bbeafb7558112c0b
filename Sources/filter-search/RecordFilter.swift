// Whether a record has the query in one of its fields.
//
// Most records don't, and most of a record's bytes have no part in that: where the fields are members by name, their
// texts are found and compared first, and only a record that may match is read as JSON. A line that may not need not even
// be a record, though one that was cut off is noticed.

import PipelineCore

/// Compares records with the queries.
struct RecordFilter: ~Copyable {
    /// Names of members, in UTF-8; empty where every member counts.
    private let fields: [[UInt8]]
    /// One for each field; empty where each record has to be read.
    private let finders: [MemberFinder]
    private var query: QuerySet
    /// The text of a string with escapes; kept to be used again.
    private var decoded: [UInt8] = []

    /// - Parameters:
    ///   - fields: names of members; empty for every string of the record.
    ///   - readsAll: every record is read as JSON to its end, so that only what is one is counted out.
    init(fields: [String], query: consuming QuerySet, readsAll: Bool) {
        self.fields = fields.map { Array($0.utf8) }
        finders = readsAll ? [] : self.fields.map { MemberFinder(name: $0) }
        self.query = query
    }

    /// Whether the record matches. One that does has been read to its end, so that only what is a record is passed on.
    mutating func matches(_ line: Span<UInt8>) throws(JSONError) -> Bool {
        switch guess(line) {
        case .none: return false
        case .member(let place):
            var reader = JSONReader(line)
            try reader.beginRecord()
            if try reader.skipToEnd(findingMemberAt: place) { return true }
            return try read(line)
        case .unsure: return try read(line)
        }
    }

    /// The plain path: the whole line is read as JSON, and each string of a field is compared.
    private mutating func read(_ line: Span<UInt8>) throws(JSONError) -> Bool {
        query.begin()
        var reader = JSONReader(line)
        try reader.beginRecord()
        while let token = try reader.next() {
            guard case .name(let name) = token, let value = try reader.next() else { continue }
            if isSearched(name, line) {
                try search(value, in: line, &reader)
                if query.isSatisfied { break }
            } else {
                try reader.skipRest(of: value)
            }
        }
        try reader.skipToEnd()
        return query.isSatisfied
    }

    /// What the texts that stand behind the fields' names let expect.
    private enum Guess {
        /// None of them matches, and the record doesn't.
        case none
        /// The one whose name stands at this offset does; it may be another member's, deeper in the record.
        case member(Int)
        /// Only reading the record can tell.
        case unsure
    }

    private mutating func guess(_ line: Span<UInt8>) -> Guess {
        guard !finders.isEmpty, line.isEnclosedInBraces else { return .unsure }
        query.begin()
        var isFieldThere = false
        let hasEscapes = line.firstIndex(of: UInt8(ascii: "\\")) != nil
        for finder in finders {
            if hasEscapes, finder.mayBeHidden(in: line) { return .unsure }
            var index = 0
            search: while true {
                switch finder.next(in: line, from: &index) {
                case .end: break search
                case .unsure: return .unsure
                case .other: isFieldThere = true
                case .string(let string, let name):
                    isFieldThere = true
                    compare(string, in: line)
                    if query.isSatisfied { return query.requiresAll ? .unsure : .member(name) }
                }
            }
        }
        // A line without any of the fields may be no record at all, and there are few of them: it is read.
        return isFieldThere ? .none : .unsure
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
