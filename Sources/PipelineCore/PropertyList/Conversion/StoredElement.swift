// What a reader of property lists finds, part by part, and why it may find nothing.

/// A part of a stored value. The text of a key or a string and the content of data lie in the reader.
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

    /// How many more containers are open after it.
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
    /// What is wrong, and the byte at which it shows.
    case invalid(String, offset: Int)
    /// A value that JSON can't hold, or a store whose shape isn't one of records; with the value's path.
    case unfit(String, path: String)

    /// Whether it is a part of the root that doesn't fit, so that what is beside that part could be kept.
    package var isBelowRoot: Bool {
        if case .unfit(_, let path) = self { path != "$" } else { false }
    }

    /// Whether the file is at fault, and not the reading of it.
    package var isOfData: Bool {
        if case .system = self { false } else { true }
    }
}

/// Reads a property list part by part.
protocol ElementReader: ~Copyable {
    /// The next part, nil after the root's last one.
    mutating func next() throws(StoreReadError) -> StoredElement?
    /// The text of the key or string, or the content of the data, that was read last. Lent until the next part.
    var text: Span<UInt8> {
        @_lifetime(borrow self)
        borrowing get
    }
}

/// What both readers allow.
package enum ReadLimits {
    /// Records have 512 levels; a root, a member of it and an array may be around them.
    static let depth = JSONReader.depthLimit + 4
    /// Bytes of one text or one piece of data.
    static let textBytes = 256 << 20
    /// Bytes of one record that is held, as JSON or written down.
    package static let recordBytes = 256 << 20
}
