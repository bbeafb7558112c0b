// A record as bytes: its parts, encoded so that they can be compared, kept in a file and replayed.
//
//     {"a":[7]}  ->  D k 1 a A i 7… E F        a byte for the part, here a letter, then its length or its eight bytes

enum EncodedTag: UInt8 {
    case beginDictionary, beginArray, endDictionary, endArray, key, string, integer, negative, real, yes, no, date,
        data, line, number, null
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

    typealias Mark = (count: Int, choices: Substitutions)

    var bytesHeld: Int { bytes.count }

    var record: Span<UInt8> {
        @_lifetime(borrow self)
        borrowing get { bytes.span }
    }

    func checkpoint() -> Mark { (bytes.count, choices) }

    mutating func rollBack(to mark: Mark) {
        bytes.truncate(to: mark.count)
        choices = mark.choices
    }

    mutating func beginValue() { bytes.removeAll() }

    @inline(__always)
    mutating func put(_ part: StoredElement, _ text: Span<UInt8>) throws(BadRecord) {
        switch part {
        case .beginDictionary: append(.beginDictionary)
        case .endDictionary: append(.endDictionary)
        case .beginArray: append(.beginArray)
        case .endArray: append(.endArray)
        case .key: try key(text)
        case .string: try append(.string, text)
        case .integer(let value):
            append(value.isNegative ? .negative : .integer)
            bytes.append(bigEndian: value.magnitude, size: 8)
        case .real(let value): append(.real, losses.contains(.bitsOfNaN) && value.isNaN ? .nan : value)
        case .boolean(let value): append(value ? .yes : .no)
        case .date(let seconds): date(seconds)
        case .data: append(plain: .data, text)
        case .line: append(plain: .line, text)
        case .number: append(plain: .number, text)
        case .null: append(.null)
        }
    }

    private mutating func key(_ text: Span<UInt8>) throws(BadRecord) {
        let (start, replaced) = (bytes.count, choices.controlsReplaced)
        try append(.key, text)
        keys.noteStart(start, isAsItCame: choices.controlsReplaced == replaced)
    }

    mutating func rememberKey() -> Int? { keys.add(from: bytes) }

    @inline(__always)
    mutating func key(remembered number: Int) { keys.append(number, to: &bytes) }

    mutating func forgetKeys() { keys.removeAll() }

    private mutating func append(_ tag: EncodedTag) { bytes.append(tag.rawValue) }

    private mutating func append(_ tag: EncodedTag, _ text: Span<UInt8>) throws(BadRecord) {
        let excluded = losses.contains(.controls) ? XMLText.firstExcluded(in: text) : nil
        guard let excluded else { return append(plain: tag, text) }
        guard replacesControls, let replaced = XMLText.replacingExcluded(in: text) else {
            throw BadRecord(.control(excluded.value))
        }
        choices.controlsReplaced += replaced.count
        append(plain: tag, replaced.text.span)
    }

    private mutating func append(plain tag: EncodedTag, _ content: Span<UInt8>) {
        append(tag)
        bytes.append(number: UInt64(content.count))
        bytes.append(content)
    }

    private mutating func append(_ tag: EncodedTag, _ value: Double) {
        append(tag)
        bytes.append(bigEndian: value.bitPattern, size: 8)
    }

    private mutating func date(_ seconds: Double) {
        guard losses.contains(.fractions) else { return append(.date, seconds) }
        // Nor is there a negative zero.
        let stored = seconds.rounded(.down) + 0
        if stored != seconds { choices.fractionsDropped += 1 }
        append(.date, stored)
    }
}

struct RecordDecoder: ~Escapable {
    private let bytes: Span<UInt8>
    private(set) var position = 0
    private var content = 0..<0

    @_lifetime(copy bytes)
    init(_ bytes: Span<UInt8>) { self.bytes = bytes }

    /// Where in a record the line is that it came as; nil for one that is encoded part by part.
    static func line(of record: Span<UInt8>) -> Range<Int>? {
        guard !record.isEmpty, record[0] == EncodedTag.line.rawValue else { return nil }
        var reader = RecordDecoder(record)
        _ = reader.next()
        return reader.content
    }

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
        guard let tag = EncodedTag(rawValue: bytes[position]) else { preconditionFailure("a part without a tag") }
        position += 1
        switch tag {
        case .beginDictionary: return .beginDictionary
        case .endDictionary: return .endDictionary
        case .beginArray: return .beginArray
        case .endArray: return .endArray
        case .key:
            readText()
            return .key
        case .string:
            readText()
            return .string
        case .data:
            readText()
            return .data
        case .line:
            readText()
            return .line
        case .number:
            readText()
            return .number
        case .null: return .null
        case .integer, .negative:
            return .integer(PropertyListInteger(isNegative: tag == .negative, magnitude: eightBytes()))
        case .real: return .real(Double(bitPattern: eightBytes()))
        case .date: return .date(Double(bitPattern: eightBytes()))
        case .yes, .no: return .boolean(tag == .yes)
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
    mutating func replay<Sink: PropertyListSink & ~Copyable>(into sink: inout Sink) throws(BadRecord) {
        while !isAtEnd { try sink.put(next(), text) }
    }
}
