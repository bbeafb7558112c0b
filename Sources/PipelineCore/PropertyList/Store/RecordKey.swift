// What tells records apart: the first value that a path finds, a string or the text of a number, a date or data, or the
// values of several paths together, as a JSON array.
//
//     --key id                   31 and "31" are one key       31
//     --key owner --key repo     1 and "1" are two             ["o",1]
//
// Both incoming and stored records are searched in their encoded form, so that both are read alike. A path of names
// and indexes is followed there; for any other path the record is first written as JSON.

struct RecordKey: ~Copyable {
    private struct Part {
        /// The names and indexes of the path, one for each level; nil for any other kind of path.
        let steps: [JSONPathSelector]?
        var evaluator: JSONPathEvaluator

        init(_ path: JSONPath) {
            evaluator = JSONPathEvaluator(path)
            steps = path.isSingular ? path.steps : nil
        }
    }

    private var parts: [Part]
    private var json = JSONLineWriter(writesNonfiniteAsText: true)
    /// The number of the path that found nothing in the record searched last, from 0.
    private(set) var missing = 0

    init(_ paths: [JSONPath]) { parts = paths.map { Part($0) } }

    var isEmpty: Bool { parts.isEmpty }

    var isCompound: Bool { parts.count > 1 }

    /// - Returns: false if a path finds nothing, or the first value it finds isn't a string or a number.
    mutating func appendText(in encoded: borrowing RecordEncoder, to key: inout [UInt8]) -> Bool {
        let record = encoded.record
        let line = RecordDecoder.line(of: record)
        for index in parts.indices {
            if isCompound { key.append(UInt8(ascii: index == 0 ? "[" : ",")) }
            let isFound =
                if let line {
                    appendFirst(index, in: record.extracting(line), to: &key)
                } else {
                    append(index, of: record, to: &key)
                }
            guard isFound else {
                missing = index
                return false
            }
        }
        if isCompound { key.append(UInt8(ascii: "]")) }
        return true
    }

    private mutating func append(_ index: Int, of record: Span<UInt8>, to key: inout [UInt8]) -> Bool {
        guard let steps = parts[index].steps else {
            return json.hold(record)
                && Self.appendFirst(&parts[index].evaluator, in: json, to: &key, isQuoted: isCompound)
        }
        var reader = RecordDecoder(record)
        if reader.isAtEnd { return false }
        var element = reader.next()
        for step in steps {
            switch (step, element) {
            case (.name(let name), .beginDictionary):
                guard let found = Self.member(name, &reader) else { return false }
                element = found
            case (.index(let index), .beginArray):
                guard let found = Self.element(index, &reader) else { return false }
                element = found
            default: return false
            }
        }
        switch element {
        case .string where isCompound: JSONWriter.appendString(reader.text, to: &key)
        case .string: key.append(reader.text)
        // As `--load` prints them, so that a record has the key that it had as a line.
        case .date(let seconds): Self.append(DateText.text(seconds, withFraction: true) ?? "", isCompound, to: &key)
        case .data: Self.append(Base64.encoded(reader.text).span.text, isCompound, to: &key)
        case .integer(let value): key.append(contentsOf: value.text.utf8)
        case .real(let value): key.append(contentsOf: value.description.utf8)
        default: return false
        }
        return true
    }

    private static func append(_ text: String, _ isQuoted: Bool, to key: inout [UInt8]) {
        let text = Array(text.utf8)
        if isQuoted { JSONWriter.appendString(text.span, to: &key) } else { key.append(contentsOf: text) }
    }

    /// The first part of the member's value; nil if there is no such member.
    static func member(_ name: [UInt8], _ reader: inout RecordDecoder) -> StoredElement? {
        while reader.next() == .key {
            let isFound = name.span.equals(reader.text)
            let value = reader.next()
            if isFound { return value }
            reader.skipRest(of: value)
        }
        return nil
    }

    private static func element(_ index: Int, _ reader: inout RecordDecoder) -> StoredElement? {
        var position = 0
        while true {
            let value = reader.next()
            guard value != .endArray else { return nil }
            if position == index { return value }
            reader.skipRest(of: value)
            position += 1
        }
    }

    private mutating func appendFirst(_ index: Int, in line: Span<UInt8>, to key: inout [UInt8]) -> Bool {
        Self.appendFirst(&parts[index].evaluator, in: line, to: &key, isQuoted: isCompound)
    }

    private static func appendFirst(
        _ evaluator: inout JSONPathEvaluator, in json: borrowing JSONLineWriter, to key: inout [UInt8],
        isQuoted: Bool
    ) -> Bool {
        appendFirst(&evaluator, in: json.line, to: &key, isQuoted: isQuoted)
    }

    private static func appendFirst(
        _ evaluator: inout JSONPathEvaluator, in text: Span<UInt8>, to key: inout [UInt8], isQuoted: Bool
    ) -> Bool {
        // Of several members of one name the last counts, as in a property list.
        let isSingular = evaluator.path.isSingular
        do throws(JSONError) {
            try evaluator.evaluate(text, isChecked: true, limit: isSingular ? .max : 1)
        } catch { return false }
        guard let node = isSingular ? evaluator.nodes.last : evaluator.nodes.first else { return false }
        switch node.kind {
        case .string where !isQuoted: JSONStringDecoder.append(text.extracting(node.content), to: &key)
        case .string, .number: key.append(text.extracting(node.range))
        default: return false
        }
        return true
    }
}
