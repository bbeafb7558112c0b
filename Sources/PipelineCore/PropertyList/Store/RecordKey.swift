// What identifies a record: the first value that a path finds, a string or the text of a number.
//
// Both incoming and stored records are searched in their encoded form, so that both are read alike. A path of names
// and indexes is followed there; for any other path the record is first written as JSON.

/// Finds the keys of records.
struct RecordKey: ~Copyable {
    /// The names and indexes of the path, one for each level; nil for any other kind of path.
    private let steps: [JSONPathStep]?
    private var evaluator: JSONPathEvaluator
    private var json = JSONLineWriter(writesNonfiniteAsText: true)

    init(_ path: JSONPath) {
        evaluator = JSONPathEvaluator(path)
        let isPlain = path.steps?.allSatisfy { if case .wildcard = $0 { false } else { true } } ?? false
        steps = isPlain ? path.steps : nil
    }

    /// Appends the key's text.
    /// - Returns: false if the path finds nothing, or the first value it finds isn't a string or a number.
    mutating func appendText(in record: Span<UInt8>, to key: inout [UInt8]) -> Bool {
        guard let steps else { return appendTextFound(in: record, to: &key) }
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
        case .string: key.append(reader.text)
        case .integer(let value):
            if value.isNegative { key.append(UInt8(ascii: "-")) }
            key.appendDecimal(value.magnitude)
        case .real(let value): key.append(contentsOf: value.description.utf8)
        default: return false
        }
        return true
    }

    /// The first part of the member's value; nil if there is no such member.
    private static func member(_ name: [UInt8], _ reader: inout RecordDecoder) -> StoredElement? {
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

    /// Does the same by way of JSON.
    private mutating func appendTextFound(in record: Span<UInt8>, to key: inout [UInt8]) -> Bool {
        json.removeAll()
        var reader = RecordDecoder(record)
        do throws(PropertyListError.Reason) { try reader.replay(into: &json) } catch { return false }
        return Self.appendFirst(&evaluator, in: json, to: &key)
    }

    private static func appendFirst(
        _ evaluator: inout JSONPathEvaluator, in json: borrowing JSONLineWriter, to key: inout [UInt8]
    ) -> Bool {
        let text = json.bytes.span
        do throws(JSONError) { try evaluator.evaluate(text, isChecked: true, limit: 1) } catch { return false }
        guard let node = evaluator.nodes.first else { return false }
        switch node.kind {
        case .string: JSONStringDecoder.append(text.extracting(node.content), to: &key)
        case .number: key.append(text.extracting(node.range))
        default: return false
        }
        return true
    }
}
