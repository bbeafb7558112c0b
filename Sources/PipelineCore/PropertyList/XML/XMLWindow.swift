// A buffer that moves along an XML file and grows for a long text.

struct XMLWindow: ~Copyable {
    private static let initialCapacity = 262_144

    private let file: Descriptor
    private var bytes: [UInt8]
    var position = 0
    private(set) var filled = 0
    /// The offset in the file of the first byte of the buffer.
    private var base = 0
    private(set) var isAtEnd = false

    init(_ file: Descriptor) {
        self.file = file
        bytes = [UInt8](repeating: 0, count: Self.initialCapacity)
    }

    var offset: Int { base + position }

    var span: Span<UInt8> {
        @_lifetime(borrow self)
        borrowing get { bytes.span.extracting(..<filled) }
    }

    @inline(__always)
    subscript(index: Int) -> UInt8 { bytes[index] }

    /// Drops what was read and reads more. False at the end of the file.
    mutating func fill() throws(StoreFailure) -> Bool {
        guard !isAtEnd else { return false }
        if position > 0 {
            bytes.replaceSubrange(0..<(filled - position), with: Array(bytes[position..<filled]))
            base += position
            filled -= position
            position = 0
        }
        if filled > bytes.count / 2 {
            guard bytes.count < ReadLimits.textBytes else {
                throw .invalid("a text of more than \(ReadLimits.textBytes) bytes", offset: offset)
            }
            bytes.append(contentsOf: repeatElement(0, count: bytes.count))
        }
        let count = try StoreFailure.of(file.read(into: &bytes, filled..<bytes.count, at: base + filled))
        isAtEnd = count == 0
        filled += count
        return count > 0
    }

    /// Whether the bytes are anywhere in the file, of which the window then has nothing.
    /// - Parameter text: few bytes.
    mutating func fileContains(_ text: [UInt8]) throws(StoreFailure) -> Bool {
        let needle = Needle(text)
        var offset = 0
        while true {
            let count = try StoreFailure.of(file.read(into: &bytes, 0..<bytes.count, at: offset))
            if needle.firstIndex(in: bytes.span.extracting(..<count)) != nil { return true }
            // They may be on both sides of a border.
            guard count >= text.count else { return false }
            offset += count - text.count + 1
        }
    }

    @inline(__always)
    mutating func ensure(_ count: Int) throws(StoreFailure) -> Bool {
        while filled - position < count {
            guard try fill() else { return false }
        }
        return true
    }

    /// The distance from the position to the next such byte; nil if there is none.
    mutating func distance(to byte: UInt8) throws(StoreFailure) -> Int? {
        var searched = 0
        while true {
            if let index = span.firstIndex(of: byte, from: position + searched) { return index - position }
            searched = filled - position
            guard try fill() else { return nil }
        }
    }

    func appendText(_ count: Int, to text: inout [UInt8], isSection: Bool = false) -> XMLText.Fault? {
        XMLText.append(span.extracting(position..<position + count), to: &text, isSection: isSection)
    }

    /// The next eight bytes, the first one lowest; nil if the window has fewer.
    @inline(__always)
    var word: UInt64? { filled - position >= 8 ? bytes.span.word(at: position) : nil }

    /// Where plain text, in which each byte is literal, ends in the window.
    @inline(__always)
    func plainEnd(from start: Int) -> Int {
        var end = XMLTextScan().first(in: span, from: start)
        while end < filled, bytes[end] >= 0x80 {
            let length = UTF8Sequence.length(in: span, at: end)
            guard length > 0, bytes[end] != 0xEF else { return start }
            end += length
            if end < filled, bytes[end] < 0x80 { end = XMLTextScan().first(in: span, from: end) }
        }
        return end
    }

    @inline(__always)
    func holds(_ text: StaticString, at index: Int) -> Bool {
        index + text.utf8CodeUnitCount <= filled
            && span.extracting(index..<index + text.utf8CodeUnitCount).equals(text)
    }

    /// - Returns: whether the window has anything else.
    @inline(__always)
    mutating func skipSpaceInWindow() -> Bool {
        while position < filled {
            switch bytes[position] {
            case 0x20, 0x09, 0x0A, 0x0D: position += 1
            default: return true
            }
        }
        return false
    }

    mutating func skipSpace() throws(StoreFailure) {
        while !skipSpaceInWindow(), try fill() {}
    }

    mutating func skip(past text: StaticString, _ what: String) throws(StoreFailure) {
        let start = offset
        while try ensure(text.utf8CodeUnitCount) {
            if try take(text) { return }
            position += 1
        }
        throw .invalid("\(what) that doesn't end", offset: start)
    }

    mutating func take(_ text: StaticString) throws(StoreFailure) -> Bool {
        guard try ensure(text.utf8CodeUnitCount), holds(text, at: position) else { return false }
        position += text.utf8CodeUnitCount
        return true
    }
}

/// A tag of at most eight bytes as a word, so that eight bytes of the file are compared at once.
struct XMLTag {
    let count: Int
    private let word: UInt64
    private let mask: UInt64

    private init(_ text: StaticString, _ word: UInt64) {
        count = text.utf8CodeUnitCount
        self.word = word
        mask = UInt64.max >> UInt64(64 - 8 * text.utf8CodeUnitCount)
    }

    @inline(__always)
    func begins(_ bytes: UInt64) -> Bool { bytes & mask == word }

    static let key = XMLTag("<key>", 0x3E_7965_6B3C)
    static let string = XMLTag("<string>", 0x3E67_6E69_7274_733C)
    /// Without its `>`, which would be the ninth.
    static let integer = XMLTag("<integer", 0x7265_6765_746E_693C)
    static let array = XMLTag("<array>", 0x3E_7961_7272_613C)
    static let emptyArray = XMLTag("<array/>", 0x3E2F_7961_7272_613C)
    static let arrayEnd = XMLTag("</array>", 0x3E79_6172_7261_2F3C)
    static let dictionary = XMLTag("<dict>", 0x3E74_6369_643C)
    static let dictionaryEnd = XMLTag("</dict>", 0x3E_7463_6964_2F3C)
}
