// `--newest`: the greatest value of a member in a store.

/// Finds the greatest value that a path finds in the records of a property list. Memory holds one record.
package struct NewestFinder: ~Copyable {
    private var store: StoredRecordReader
    private var record = RecordEncoder(isForXML: false, replacesControls: false)
    private var search: NewestSearch
    package private(set) var records = 0
    /// The first records, as long as the path has found nothing.
    package private(set) var sample = RecordSample()

    /// - Parameter file: must allow reads at any offset, so not a pipe.
    package static func opened(
        _ file: Descriptor, layout: StoreLayout, path: JSONPath
    ) throws(StoreReadError) -> NewestFinder {
        NewestFinder(try StoredRecordReader.opened(file, layout: layout), NewestSearch(path))
    }

    private init(_ store: consuming StoredRecordReader, _ search: consuming NewestSearch) {
        self.store = store
        self.search = search
    }

    /// The value as `--load` writes it, without quotes: one line. Nil if no record has any.
    package var line: String? { search.newest.line }

    /// Whether the path has found any value, such as a boolean or an object.
    package var hasFound: Bool { search.hasFound }

    /// Reads all records.
    package mutating func run() throws(StoreReadError) {
        while try store.advance() {
            record.removeAll()
            do throws(StoreReader.CopyError) {
                try store.copy(to: &record, limitBytes: ReadLimits.recordBytes)
            } catch {
                switch error {
                case .read(let error): throw error
                case .value(let reason): throw .unfit(reason.message, path: store.path)
                }
            }
            records += 1
            do throws(NewestSearch.Failure) {
                try Self.search(record, by: &search)
            } catch {
                switch error {
                case .value(let reason): throw .unfit(reason.message, path: store.path)
                case .path(let error): throw .unfit("\(error)", path: store.path)
                }
            }
            if !search.hasFound, sample.hasRoom { Self.keep(record, in: &sample) }
        }
    }

    private static func search(
        _ record: borrowing RecordEncoder, by search: inout NewestSearch
    ) throws(NewestSearch.Failure) {
        try search.search(record.bytes.span)
    }

    private static func keep(_ record: borrowing RecordEncoder, in sample: inout RecordSample) {
        var json = JSONLineWriter(writesNonfiniteAsText: true)
        var decoder = RecordDecoder(record.bytes.span)
        do throws(PropertyListError.Reason) { try decoder.replay(into: &json) } catch { return }
        sample.add(json.bytes.span)
    }
}

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

// The greatest of the values that were offered: a time before a number, a number before a text.
//
//     "pending", 7, "2026-11-23", 2026-11-22T23:30:00-01:00     ->  2026-11-22T23:30:00-01:00

/// Keeps the greatest value. Of equal ones it keeps the first.
struct NewestValue {
    private enum Value {
        case text
        case integer(PropertyListInteger)
        case real(Double)
        /// Whole seconds since 1970, and the fraction.
        case time(seconds: Int, part: Double)
    }

    private var value: Value?
    /// The value as `--load` writes it, without quotes and escapes.
    private var text: [UInt8] = []

    /// The value as `--load` writes it, without quotes: a text's escapes stay, so it is always one line. Nil without a
    /// value.
    var line: String? {
        guard value != nil else { return nil }
        var quoted: [UInt8] = []
        JSONWriter.appendString(text.span, to: &quoted)
        return quoted.span.extracting(1..<quoted.count - 1).text
    }

    /// Takes a value if it is greater than the one kept. Booleans, data, containers, NaN and infinity don't count.
    /// - Parameter content: of a string.
    /// - Throws: `farDate` for a date that no text can say.
    mutating func offer(_ element: StoredElement, _ content: Span<UInt8>) throws(PropertyListError.Reason) {
        switch element {
        case .string:
            if let (seconds, part) = Self.time(content) {
                let time = Value.time(seconds: seconds, part: part)
                if isLess(than: time) { keep(time, content) }
            } else if isLess(thanText: content) {
                keep(.text, content)
            }
        case .integer(let integer): offer(.integer(integer))
        case .real(let real) where real.isFinite: offer(.real(real))
        case .date(let seconds):
            guard let text = DateText.text(seconds, withFraction: true) else { throw .farDate }
            try offer(.string, Array(text.utf8).span)
        default: return
        }
    }

    private mutating func offer(_ number: Value) {
        guard isLess(than: number) else { return }
        let text = Self.text(of: number)
        keep(number, text.span)
    }

    private mutating func keep(_ value: Value, _ text: Span<UInt8>) {
        self.value = value
        self.text = text.array
    }

    /// A time, or the beginning of a day in UTC; a leap second is the first second of the next minute, as fetch-characters
    /// reads it.
    private static func time(_ text: Span<UInt8>) -> (seconds: Int, part: Double)? {
        if let (whole, part) = UTCCalendar.seconds(rfc3339: text, allowsLeapSecond: true) { return (whole, part) }
        return UTCCalendar.day(rfc3339: text).map { ($0 * 86_400, 0) }
    }

    // MARK: Order

    private func isLess(thanText other: Span<UInt8>) -> Bool {
        switch value {
        case nil: return true
        case .text?: break
        default: return false
        }
        // In UTF-8 the order of bytes is that of code points.
        let count = min(text.count, other.count)
        for index in 0..<count where text[index] != other[index] { return text[index] < other[index] }
        return text.count < other.count
    }

    /// - Parameter other: a number or a time.
    private func isLess(than other: Value) -> Bool {
        switch (value, other) {
        case (nil, _), (.text?, _): true
        case (.time(let seconds, let part)?, .time(let otherSeconds, let otherPart)):
            (seconds, part) < (otherSeconds, otherPart)
        case (_, .time): true
        case (.time?, _): false
        case (.integer(let integer)?, .integer(let other)): Self.isLess(integer, other)
        case (.real(let real)?, .real(let other)): real < other
        default: JSONNumberOrder.between(text.span, Self.text(of: other).span) == .less
        }
    }

    private static func isLess(_ left: PropertyListInteger, _ right: PropertyListInteger) -> Bool {
        guard left.isNegative == right.isNegative else { return left.isNegative }
        return left.isNegative ? left.magnitude > right.magnitude : left.magnitude < right.magnitude
    }

    /// The number as `--load` writes it. As these digits it is compared where integers and reals mix, so that
    /// filter-search's `--where` agrees.
    private static func text(of number: Value) -> [UInt8] {
        switch number {
        case .integer(let value): Array("\(value.isNegative ? "-" : "")\(value.magnitude)".utf8)
        case .real(let value): Array(value.description.utf8)
        case .text, .time: []
        }
    }
}
