// A record as a run of bytes: what the writers are told, written down, to be compared, kept in a file and told again.
//
//     {"a":[7]}  ->  D k 1 a A i 7… E E        a letter for the part, then its length or its eight bytes

/// The first byte of each part.
enum EncodedTag {
    static let beginDictionary = UInt8(ascii: "D")
    static let beginArray = UInt8(ascii: "A")
    static let endDictionary = UInt8(ascii: "F")
    static let endArray = UInt8(ascii: "E")
    static let key = UInt8(ascii: "k")
    static let string = UInt8(ascii: "s")
    static let integer = UInt8(ascii: "i")
    static let negative = UInt8(ascii: "n")
    static let real = UInt8(ascii: "r")
    static let yes = UInt8(ascii: "y")
    static let no = UInt8(ascii: "o")
    static let date = UInt8(ascii: "t")
    static let data = UInt8(ascii: "b")
}

/// Writes values down.
struct RecordEncoder: RecordSink, HeldSink, ~Copyable {
    private(set) var bytes = ByteBuffer()
    /// Whether the values will be XML, so that what XML can't hold is found here, where the line is known, and what it
    /// drops is dropped here, before records are compared.
    private let isForXML: Bool
    private let replacesControls: Bool
    private(set) var controlsReplaced = 0
    private(set) var fractionsDropped = 0
    private var keys = EncodedKeyCache()

    init(isForXML: Bool, replacesControls: Bool) {
        self.isForXML = isForXML
        self.replacesControls = replacesControls
    }

    struct Mark {
        fileprivate let count: Int
        fileprivate let controlsReplaced, fractionsDropped: Int
    }

    var bytesHeld: Int { bytes.count }

    func checkpoint() -> Mark {
        Mark(count: bytes.count, controlsReplaced: controlsReplaced, fractionsDropped: fractionsDropped)
    }

    mutating func rollBack(to mark: Mark) {
        bytes.truncate(to: mark.count)
        controlsReplaced = mark.controlsReplaced
        fractionsDropped = mark.fractionsDropped
    }

    mutating func removeAll() { bytes.removeAll() }

    mutating func beginDictionary() { bytes.append(EncodedTag.beginDictionary) }
    mutating func endDictionary() { bytes.append(EncodedTag.endDictionary) }
    mutating func beginArray() { bytes.append(EncodedTag.beginArray) }
    mutating func endArray() { bytes.append(EncodedTag.endArray) }

    mutating func key(_ text: Span<UInt8>) throws(PropertyListError.Reason) {
        let (start, replaced) = (bytes.count, controlsReplaced)
        try append(EncodedTag.key, text)
        keys.noteStart(start, isAsItCame: controlsReplaced == replaced)
    }

    mutating func rememberKey() -> Int? { keys.add(from: bytes) }

    @inline(__always)
    mutating func key(remembered number: Int) { keys.append(number, to: &bytes) }

    mutating func forgetKeys() { keys.removeAll() }

    mutating func string(_ text: Span<UInt8>) throws(PropertyListError.Reason) {
        try append(EncodedTag.string, text)
    }

    private mutating func append(_ tag: UInt8, _ text: Span<UInt8>) throws(PropertyListError.Reason) {
        guard isForXML, let excluded = XMLText.firstExcluded(in: text) else { return append(plain: tag, text) }
        guard replacesControls, let replaced = XMLText.replacingExcluded(in: text) else {
            throw .control(excluded.value)
        }
        controlsReplaced += replaced.count
        append(plain: tag, replaced.text.span)
    }

    private mutating func append(plain tag: UInt8, _ content: Span<UInt8>) {
        bytes.append(tag)
        bytes.append(number: UInt64(content.count))
        bytes.append(content)
    }

    mutating func integer(_ value: PropertyListInteger) {
        bytes.append(value.isNegative ? EncodedTag.negative : EncodedTag.integer)
        bytes.append(bigEndian: value.magnitude, size: 8)
    }

    mutating func real(_ value: Double) {
        bytes.append(EncodedTag.real)
        // XML has one NaN.
        let stored = isForXML && value.isNaN ? Double.nan : value
        bytes.append(bigEndian: stored.bitPattern, size: 8)
    }

    mutating func boolean(_ value: Bool) { bytes.append(value ? EncodedTag.yes : EncodedTag.no) }

    mutating func date(_ seconds: Double) {
        bytes.append(EncodedTag.date)
        var stored = seconds
        if isForXML {
            // XML has no parts of a second, and no negative zero.
            stored = seconds.rounded(.down) + 0
            if stored != seconds { fractionsDropped += 1 }
        }
        bytes.append(bigEndian: stored.bitPattern, size: 8)
    }

    mutating func data(_ content: Span<UInt8>) { append(plain: EncodedTag.data, content) }
}

/// Reads what a `RecordEncoder` has written.
struct RecordDecoder: ~Escapable {
    private let bytes: Span<UInt8>
    private(set) var position = 0

    @_lifetime(copy bytes)
    init(_ bytes: Span<UInt8>) { self.bytes = bytes }

    var isAtEnd: Bool { position == bytes.count }

    /// The next part's tag, and where its content lies.
    @_lifetime(self: copy self)
    mutating func next() -> (tag: UInt8, content: Range<Int>) {
        let tag = bytes[position]
        position += 1
        switch tag {
        case EncodedTag.key, EncodedTag.string, EncodedTag.data:
            let count = number()
            position += count
            return (tag, position - count..<position)
        case EncodedTag.integer, EncodedTag.negative, EncodedTag.real, EncodedTag.date:
            position += 8
            return (tag, position - 8..<position)
        default: return (tag, position..<position)
        }
    }

    /// Passes over a value whose first part was just read.
    @_lifetime(self: copy self)
    mutating func skipRest(of tag: UInt8) {
        var depth = tag == EncodedTag.beginArray || tag == EncodedTag.beginDictionary ? 1 : 0
        while depth > 0 {
            let tag = next().tag
            if tag == EncodedTag.beginArray || tag == EncodedTag.beginDictionary { depth += 1 }
            if tag == EncodedTag.endArray || tag == EncodedTag.endDictionary { depth -= 1 }
        }
    }

    /// The number in eight bytes.
    static func number(in bytes: Span<UInt8>, _ content: Range<Int>) -> UInt64 {
        var value: UInt64 = 0
        for index in content { value = value << 8 | UInt64(bytes[index]) }
        return value
    }

    @_lifetime(self: copy self)
    private mutating func number() -> Int {
        var value: UInt64 = 0
        var shift: UInt64 = 0
        while true {
            let byte = bytes[position]
            position += 1
            value |= UInt64(byte & 0x7F) << shift
            if byte < 0x80 { return Int(value) }
            shift += 7
        }
    }

    /// Tells a sink all that is left.
    @_lifetime(self: copy self)
    mutating func replay<Sink: PropertyListSink & ~Copyable>(
        into sink: inout Sink
    ) throws(PropertyListError.Reason) {
        while !isAtEnd {
            let (tag, content) = next()
            switch tag {
            case EncodedTag.beginDictionary: sink.beginDictionary()
            case EncodedTag.endDictionary: sink.endDictionary()
            case EncodedTag.beginArray: sink.beginArray()
            case EncodedTag.endArray: sink.endArray()
            case EncodedTag.key: try sink.key(bytes.extracting(content))
            case EncodedTag.string: try sink.string(bytes.extracting(content))
            case EncodedTag.data: sink.data(bytes.extracting(content))
            case EncodedTag.integer, EncodedTag.negative:
                sink.integer(
                    PropertyListInteger(
                        isNegative: tag == EncodedTag.negative, magnitude: Self.number(in: bytes, content)))
            case EncodedTag.real: try sink.real(Double(bitPattern: Self.number(in: bytes, content)))
            case EncodedTag.date: try sink.date(Double(bitPattern: Self.number(in: bytes, content)))
            default: sink.boolean(tag == EncodedTag.yes)
            }
        }
    }
}
