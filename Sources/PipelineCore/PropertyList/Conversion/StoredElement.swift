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
