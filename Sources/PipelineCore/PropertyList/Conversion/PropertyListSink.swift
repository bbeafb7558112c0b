// The interface of what writes values part by part: XML, binary, or JSON on the way back.
//
//     {"name":"Mick","films":[1]}
//     beginDictionary  key  string  key  beginArray  integer  endArray  endDictionary

/// Takes the parts of a value in order. Texts are UTF-8; a member is a key, then one value.
protocol PropertyListSink: ~Copyable {
    mutating func beginDictionary()
    mutating func endDictionary()
    mutating func beginArray()
    mutating func endArray()
    mutating func key(_ text: Span<UInt8>) throws(PropertyListError.Reason)
    mutating func string(_ text: Span<UInt8>) throws(PropertyListError.Reason)
    mutating func integer(_ value: PropertyListInteger)
    mutating func real(_ value: Double) throws(PropertyListError.Reason)
    mutating func boolean(_ value: Bool)
    /// - Parameter seconds: since 2001-01-01T00:00:00Z.
    mutating func date(_ seconds: Double) throws(PropertyListError.Reason)
    mutating func data(_ content: Span<UInt8>)
}

extension PropertyListSink where Self: ~Copyable {
    /// Takes a part that was read.
    /// - Parameter text: of a key, a string or data.
    @inline(__always)
    mutating func put(_ element: StoredElement, _ text: Span<UInt8>) throws(PropertyListError.Reason) {
        switch element {
        case .beginDictionary: beginDictionary()
        case .endDictionary: endDictionary()
        case .beginArray: beginArray()
        case .endArray: endArray()
        case .key: try key(text)
        case .string: try string(text)
        case .integer(let value): integer(value)
        case .real(let value): try real(value)
        case .boolean(let value): boolean(value)
        case .date(let seconds): try date(seconds)
        case .data: data(text)
        }
    }
}

/// Takes converted records. Names repeat from record to record, so a sink can write one again unchecked.
protocol RecordSink: PropertyListSink, ~Copyable {
    /// A state to roll back to when a value can't be written.
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

/// Holds a record until it is complete.
protocol HeldSink: PropertyListSink, ~Copyable {
    var bytesHeld: Int { get }
}

/// An integer from −2^63 to 2^64−1.
package struct PropertyListInteger: Equatable, Sendable {
    package let isNegative: Bool
    package let magnitude: UInt64

    package init(isNegative: Bool, magnitude: UInt64) {
        self.isNegative = isNegative && magnitude != 0
        self.magnitude = magnitude
    }
}
