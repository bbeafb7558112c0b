// The parts of a value, and the interface of what takes them one by one: XML, binary, or JSON on the way back.
//
//     {"name":"Mick","films":[1]}
//     beginDictionary  key  string  key  beginArray  integer  endArray  endDictionary

/// A part of a value. Its reader holds the text of a key or string and the content of data.
package enum StoredElement: Equatable, Sendable {
    case beginDictionary
    case endDictionary
    case beginArray
    case endArray
    case key
    case string
    case integer(PropertyListInteger)
    case real(Double)
    case boolean(Bool)
    /// Seconds since 2001-01-01T00:00:00Z.
    case date(Double)
    case data
    /// A record that is kept as the line of JSON that it came as; the text is all of it.
    case line
    /// What only lines have. The text of a number is as it is spelt there.
    case number
    case null

    @inline(__always)
    var hasText: Bool {
        switch self {
        case .key, .string, .data, .line, .number: true
        case .beginDictionary, .endDictionary, .beginArray, .endArray, .integer, .real, .boolean, .date, .null:
            false
        }
    }

    @inline(__always)
    var depthChange: Int {
        switch self {
        case .beginDictionary, .beginArray: 1
        case .endDictionary, .endArray: -1
        case .key, .string, .integer, .real, .boolean, .date, .data, .line, .number, .null: 0
        }
    }
}

/// An integer from −2^63 to 2^64−1.
package struct PropertyListInteger: Equatable, Sendable {
    package let isNegative: Bool
    package let magnitude: UInt64

    package init(isNegative: Bool, magnitude: UInt64) {
        self.isNegative = isNegative && magnitude != 0
        self.magnitude = magnitude
    }

    var text: String { isNegative ? String(Int64(bitPattern: 0 &- magnitude)) : String(magnitude) }
}

/// Takes the parts of a value in order. Texts are UTF-8; a member is a key, then one value. Writers of property lists take no
/// `line`, `number` or `null`: `RecordConversion` turns them into what there is.
package protocol PropertyListSink: ~Copyable {
    /// - Parameter text: of a key, a string or data.
    mutating func put(_ part: StoredElement, _ text: Span<UInt8>) throws(BadRecord)
}

extension PropertyListSink where Self: ~Copyable {
    @inline(__always)
    mutating func put(_ part: StoredElement) throws(BadRecord) { try put(part, Span()) }
}

/// Takes converted records. Names repeat from record to record, so a sink can write one again unchecked.
protocol RecordSink: PropertyListSink, ~Copyable {
    associatedtype Mark
    mutating func checkpoint() -> Mark
    mutating func rollBack(to mark: Mark)

    /// Notes the name that was written last, so that it can be written again.
    /// - Returns: what `key(remembered:)` takes; nil for a name that has to be checked each time.
    mutating func rememberKey() -> Int?
    mutating func key(remembered number: Int)
    /// Makes all notes so far invalid.
    mutating func forgetKeys()
}

/// Takes a stored value whole. A few bytes of a binary store can become a value of any size, so it has limits.
package protocol HeldSink: PropertyListSink, ~Copyable {
    mutating func beginValue()
    var bytesHeld: Int { get }
    /// The most bytes that it may hold, which one text may exceed.
    var limitBytes: Int { get }
    var limitLevels: Int { get }
    var path: String { get }
}

extension HeldSink where Self: ~Copyable {
    package var limitBytes: Int { ReadLimits.recordBytes }
    package var limitLevels: Int { ReadLimits.depth }
    package var path: String { "$" }

    /// - Returns: false if it can't hold all of it.
    mutating func hold(_ record: Span<UInt8>) -> Bool {
        beginValue()
        var reader = RecordDecoder(record)
        do throws(BadRecord) { try reader.replay(into: &self) } catch { return false }
        return true
    }
}
