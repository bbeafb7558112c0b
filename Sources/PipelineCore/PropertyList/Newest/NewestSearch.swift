// Offers the values that a path finds in a record to the greatest so far. A path of names, wildcards and indexes from
// the front is followed in the encoded record; for any other one the record is first written as JSON.

/// Searches record after record.
struct NewestSearch: ~Copyable {
    private let steps: [JSONPathStep]?
    private var evaluator: JSONPathEvaluator
    private var json = JSONLineWriter(writesNonfiniteAsText: true)
    /// Where values end in the JSON text that are no texts in the store, though JSON has no other form for them.
    private var disguised: Set<Int> = []
    private(set) var newest = NewestValue()
    /// Whether the path found any value, of whatever kind.
    private(set) var hasFound = false

    /// Why a record can't be searched.
    enum Failure: Error {
        case value(PropertyListError.Reason)
        case path(JSONError)
    }

    init(_ path: JSONPath) {
        evaluator = JSONPathEvaluator(path)
        steps = path.steps
    }

    /// - Parameter record: encoded.
    mutating func search(_ record: Span<UInt8>) throws(Failure) {
        var decoder = RecordDecoder(record)
        guard let steps else { return try searchJSON(&decoder) }
        do throws(PropertyListError.Reason) {
            try follow(steps[...], in: decoder.next(), &decoder)
        } catch {
            throw .value(error)
        }
    }

    /// Follows the steps in a value whose first part was just read, and reads it to its end.
    private mutating func follow(
        _ steps: ArraySlice<JSONPathStep>, in value: StoredElement, _ decoder: inout RecordDecoder
    ) throws(PropertyListError.Reason) {
        guard let step = steps.first else {
            hasFound = true
            try newest.offer(value, decoder.text)
            return decoder.skipRest(of: value)
        }
        switch value {
        case .beginDictionary:
            while decoder.next() == .key {
                let isFound = step.selects(decoder.text)
                let member = decoder.next()
                if isFound {
                    try follow(steps.dropFirst(), in: member, &decoder)
                } else {
                    decoder.skipRest(of: member)
                }
            }
        case .beginArray:
            var index = 0
            while true {
                let element = decoder.next()
                if element == .endArray { return }
                if step.selects(index) {
                    try follow(steps.dropFirst(), in: element, &decoder)
                } else {
                    decoder.skipRest(of: element)
                }
                index += 1
            }
        default: return
        }
    }

    private mutating func searchJSON(_ decoder: inout RecordDecoder) throws(Failure) {
        json.removeAll()
        disguised.removeAll(keepingCapacity: true)
        do throws(PropertyListError.Reason) {
            while !decoder.isAtEnd {
                let element = decoder.next()
                try json.put(element, decoder.text)
                if element.isDisguisedInJSON { disguised.insert(json.bytes.count) }
            }
        } catch {
            throw .value(error)
        }
        let text = json.bytes.span.array
        do throws(JSONError) { try evaluator.evaluate(text.span, isChecked: true) } catch { throw .path(error) }
        for node in evaluator.nodes { try offer(node, in: text.span) }
    }

    private mutating func offer(_ node: JSONNode, in text: Span<UInt8>) throws(Failure) {
        hasFound = true
        var content: [UInt8] = []
        let element: StoredElement?
        switch node.kind {
        case .string where !disguised.contains(node.range.upperBound):
            JSONStringDecoder.append(text.extracting(node.content), to: &content)
            element = .string
        case .number: element = Self.number(text.extracting(node.range))
        default: element = nil
        }
        guard let element else { return }
        do throws(PropertyListError.Reason) { try newest.offer(element, content.span) } catch {
            throw .value(error)
        }
    }

    /// A number as `JSONLineWriter` writes it: a real has a fraction or an exponent.
    private static func number(_ text: Span<UInt8>) -> StoredElement? {
        let isReal = text.firstIndex(of: UInt8(ascii: ".")) != nil || text.firstIndex(of: UInt8(ascii: "e")) != nil
        return isReal ? NumberText.real(text).map { .real($0) } : NumberText.integer(text).map { .integer($0) }
    }
}

extension JSONPathStep {
    fileprivate func selects(_ name: Span<UInt8>) -> Bool {
        switch self {
        case .name(let wanted): wanted.span.equals(name)
        case .wildcard: true
        case .index: false
        }
    }

    fileprivate func selects(_ position: Int) -> Bool {
        switch self {
        case .name: false
        case .wildcard: true
        case .index(let wanted): wanted == position
        }
    }
}

extension StoredElement {
    /// Whether JSON has only a string for it, which isn't what it says.
    fileprivate var isDisguisedInJSON: Bool {
        switch self {
        case .data: true
        case .real(let value): !value.isFinite
        default: false
        }
    }
}
