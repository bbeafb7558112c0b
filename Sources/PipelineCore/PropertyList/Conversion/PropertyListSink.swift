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

// What readers of property lists return, part by part, and why they may fail.

/// A part of a stored value. The reader holds the text of a key or string and the content of data.
enum StoredElement: Equatable, Sendable {
    case beginDictionary
    case endDictionary
    case beginArray
    case endArray
    case key
    case string
    case integer(PropertyListInteger)
    case real(Double)
    case boolean(Bool)
    case date(Double)
    case data

    /// Whether the reader has a text or content for it.
    @inline(__always)
    var hasText: Bool {
        switch self {
        case .key, .string, .data: true
        case .beginDictionary, .endDictionary, .beginArray, .endArray, .integer, .real, .boolean, .date: false
        }
    }

    /// Whether JSON has no such value, so that an option made it of a text.
    var isTyped: Bool {
        switch self {
        case .date, .data: true
        default: false
        }
    }

    /// The change in the number of open containers.
    @inline(__always)
    var depthChange: Int {
        switch self {
        case .beginDictionary, .beginArray: 1
        case .endDictionary, .endArray: -1
        case .key, .string, .integer, .real, .boolean, .date, .data: 0
        }
    }
}

/// A property list that can't be read.
package enum StoreReadError: Error, Equatable, Sendable {
    case system(SystemError)
    /// What is wrong, and the offset of the byte where it shows.
    case invalid(String, offset: Int)
    /// A value that JSON can't hold, or that isn't a record; with its path.
    case unfit(String, path: String)
    /// The records are laid out in another way than asked for; with the path of their container.
    case otherLayout(String, path: String)

    /// Whether only a part of the root doesn't fit, so that what is beside it could be kept.
    package var isBelowRoot: Bool {
        switch self {
        case .unfit(_, let path), .otherLayout(_, let path): path != "$"
        case .system, .invalid: false
        }
    }

    /// Whether it is a property list whose records are laid out in another way.
    package var isOfLayout: Bool {
        if case .otherLayout = self { true } else { false }
    }

    /// Whether the file's content is at fault, rather than reading it.
    package var isOfData: Bool {
        if case .system = self { false } else { true }
    }
}

/// Reads a property list part by part.
protocol ElementReader: ~Copyable {
    /// The next part; nil past the end of the root.
    mutating func next() throws(StoreReadError) -> StoredElement?
    /// The text of the key or string, or the content of the data, read last. Valid until the next part is read.
    var text: Span<UInt8> {
        @_lifetime(borrow self)
        borrowing get
    }
}

/// The limits of both readers.
package enum ReadLimits {
    /// Records have up to 512 levels; a root, a member of it and an array may enclose them.
    static let depth = JSONReader.depthLimit + 4
    /// Bytes of one text or one piece of data.
    static let textBytes = 256 << 20
    /// Bytes of one record that is held, as JSON or encoded.
    package static let recordBytes = 256 << 20
}
