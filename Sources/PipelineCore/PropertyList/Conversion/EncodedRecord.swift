// A record as bytes: its parts, encoded so that they can be compared, kept in a file and replayed.
//
//     {"a":[7]}  ->  D k 1 a A i 7… E F        a letter for the part, then its length or its eight bytes

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

struct RecordEncoder: RecordSink, HeldSink, ~Copyable {
    private var bytes = ByteBuffer()
    /// What the format can't hold is found here, where the line is known, and dropped before records are compared.
    private let losses: StoreFormat.Losses
    private let replacesControls: Bool
    private(set) var choices = Substitutions()
    private var keys = EncodedKeyCache()

    init(for format: StoreFormat, replacesControls: Bool = false) {
        losses = format.losses
        self.replacesControls = replacesControls
    }

    struct Mark {
        fileprivate let count: Int
        fileprivate let choices: Substitutions
    }

    var bytesHeld: Int { bytes.count }

    var record: Span<UInt8> {
        @_lifetime(borrow self)
        borrowing get { bytes.span }
    }

    func checkpoint() -> Mark { Mark(count: bytes.count, choices: choices) }

    mutating func rollBack(to mark: Mark) {
        bytes.truncate(to: mark.count)
        choices = mark.choices
    }

    mutating func beginValue() { bytes.removeAll() }

    @inline(__always)
    mutating func put(_ part: StoredElement, _ text: Span<UInt8>) throws(BadRecord) {
        switch part {
        case .beginDictionary: bytes.append(EncodedTag.beginDictionary)
        case .endDictionary: bytes.append(EncodedTag.endDictionary)
        case .beginArray: bytes.append(EncodedTag.beginArray)
        case .endArray: bytes.append(EncodedTag.endArray)
        case .key: try key(text)
        case .string: try append(EncodedTag.string, text)
        case .integer(let value):
            bytes.append(value.isNegative ? EncodedTag.negative : EncodedTag.integer)
            bytes.append(bigEndian: value.magnitude, size: 8)
        case .real(let value): append(EncodedTag.real, losses.contains(.bitsOfNaN) && value.isNaN ? .nan : value)
        case .boolean(let value): bytes.append(value ? EncodedTag.yes : EncodedTag.no)
        case .date(let seconds): date(seconds)
        case .data: append(plain: EncodedTag.data, text)
        }
    }

    private mutating func key(_ text: Span<UInt8>) throws(BadRecord) {
        let (start, replaced) = (bytes.count, choices.controlsReplaced)
        try append(EncodedTag.key, text)
        keys.noteStart(start, isAsItCame: choices.controlsReplaced == replaced)
    }

    mutating func rememberKey() -> Int? { keys.add(from: bytes) }

    @inline(__always)
    mutating func key(remembered number: Int) { keys.append(number, to: &bytes) }

    mutating func forgetKeys() { keys.removeAll() }

    private mutating func append(_ tag: UInt8, _ text: Span<UInt8>) throws(BadRecord) {
        let excluded = losses.contains(.controls) ? XMLText.firstExcluded(in: text) : nil
        guard let excluded else { return append(plain: tag, text) }
        guard replacesControls, let replaced = XMLText.replacingExcluded(in: text) else {
            throw BadRecord(.control(excluded.value))
        }
        choices.controlsReplaced += replaced.count
        append(plain: tag, replaced.text.span)
    }

    private mutating func append(plain tag: UInt8, _ content: Span<UInt8>) {
        bytes.append(tag)
        bytes.append(number: UInt64(content.count))
        bytes.append(content)
    }

    private mutating func append(_ tag: UInt8, _ value: Double) {
        bytes.append(tag)
        bytes.append(bigEndian: value.bitPattern, size: 8)
    }

    private mutating func date(_ seconds: Double) {
        guard losses.contains(.fractions) else { return append(EncodedTag.date, seconds) }
        // Nor is there a negative zero.
        let stored = seconds.rounded(.down) + 0
        if stored != seconds { choices.fractionsDropped += 1 }
        append(EncodedTag.date, stored)
    }
}

struct RecordDecoder: ~Escapable {
    private let bytes: Span<UInt8>
    private(set) var position = 0
    private var content = 0..<0

    @_lifetime(copy bytes)
    init(_ bytes: Span<UInt8>) { self.bytes = bytes }

    /// Goes on at a part whose position was read before.
    @_lifetime(self: copy self)
    mutating func seek(_ position: Int) { self.position = position }

    var isAtEnd: Bool { position == bytes.count }

    /// The text of the key or string, or the content of the data, that was read last.
    var text: Span<UInt8> {
        @_lifetime(copy self)
        get { bytes.extracting(content) }
    }

    /// The next part. There must be one.
    @inline(__always)
    @_lifetime(self: copy self)
    mutating func next() -> StoredElement {
        let tag = bytes[position]
        position += 1
        switch tag {
        case EncodedTag.beginDictionary: return .beginDictionary
        case EncodedTag.endDictionary: return .endDictionary
        case EncodedTag.beginArray: return .beginArray
        case EncodedTag.endArray: return .endArray
        case EncodedTag.key:
            readText()
            return .key
        case EncodedTag.string:
            readText()
            return .string
        case EncodedTag.data:
            readText()
            return .data
        case EncodedTag.integer, EncodedTag.negative:
            return .integer(PropertyListInteger(isNegative: tag == EncodedTag.negative, magnitude: eightBytes()))
        case EncodedTag.real: return .real(Double(bitPattern: eightBytes()))
        case EncodedTag.date: return .date(Double(bitPattern: eightBytes()))
        default: return .boolean(tag == EncodedTag.yes)
        }
    }

    @_lifetime(self: copy self)
    mutating func skipRest(of first: StoredElement) {
        var depth = first.depthChange
        while depth > 0 { depth += next().depthChange }
    }

    @inline(__always)
    @_lifetime(self: copy self)
    private mutating func eightBytes() -> UInt64 {
        defer { position += 8 }
        return bytes.word(at: position).byteSwapped
    }

    @inline(__always)
    @_lifetime(self: copy self)
    private mutating func readText() {
        let count = number()
        content = position..<position + count
        position += count
    }

    @_lifetime(self: copy self)
    mutating func number() -> Int {
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

    @_lifetime(self: copy self)
    mutating func replay<Sink: PropertyListSink & ~Copyable>(
        into sink: inout Sink
    ) throws(BadRecord) {
        while !isAtEnd { try sink.put(next(), text) }
    }
}
