// `--newest`: the greatest value of a member, as one line. A time comes before a number, a number before a text.
//
//     "pending", 7, "2026-11-23", 2026-11-22T23:30:00-01:00     ->  2026-11-22T23:30:00-01:00

import PipelineCore

/// Keeps the greatest of the values that a path finds in the lines of `--load`; of equal ones the first.
struct Newest {
    private enum Value {
        case text([UInt8])
        case number([UInt8])
        /// Whole seconds since 1970, and the fraction.
        case time(Int, Double)
    }

    private var search: JSONPathEvaluator
    private var value: Value?
    /// The value as `--load` writes it, without quotes: a text's escapes stay, so it is always one line.
    private(set) var line: String?
    private var records = 0
    private var watch: UnmatchedPaths

    init(_ path: JSONPath) {
        search = JSONPathEvaluator(path)
        watch = UnmatchedPaths([(path, .anything)])
    }

    mutating func take(_ record: Span<UInt8>) throws(JSONError) {
        records += 1
        try search.evaluate(record, isChecked: true)
        watch.look(record)
        for node in search.nodes {
            guard let other = Self.value(of: node, in: record), isLess(than: other) else { continue }
            value = other
            line = record.extracting(node.kind == .string ? node.content : node.range).text
        }
    }

    /// - Returns: nil for what has no order.
    private static func value(of node: JSONNode, in record: Span<UInt8>) -> Value? {
        switch node.kind {
        case .number: return .number(record.extracting(node.range).array)
        case .string:
            var text: [UInt8] = []
            JSONStringDecoder.append(record.extracting(node.content), to: &text)
            // A leap second is the first second of the next minute, as fetch-characters reads it.
            if let time = UTCCalendar.seconds(rfc3339: text.span, allowsLeapSecond: true) {
                return .time(time.whole, time.part)
            }
            return UTCCalendar.day(rfc3339: text.span).map { .time($0 * 86_400, 0) } ?? .text(text)
        default: return nil
        }
    }

    private func isLess(than other: Value) -> Bool {
        switch (value, other) {
        case (nil, _): true
        case (.time(let seconds, let part)?, .time(let otherSeconds, let otherPart)):
            (seconds, part) < (otherSeconds, otherPart)
        case (.number(let number)?, .number(let other)): JSONNumberOrder.between(number.span, other.span) == .less
        // In UTF-8 the order of bytes is that of code points.
        case (.text(let text)?, .text(let other)): text.lexicographicallyPrecedes(other)
        case (.text?, _), (.number?, .time): true
        case (.number?, .text), (.time?, _): false
        }
    }

    /// What a run says where there are records, and nothing to print: most often the path is misspelt.
    var warning: String? {
        mutating get {
            guard line == nil, records > 0 else { return nil }
            let those = records == 1 ? "the one record" : "\(records.grouped) records"
            return watch.take().message(0, search.path)
                ?? "\(search.path.text) finds no time, number or text in \(those); name a member that has one"
        }
    }
}
