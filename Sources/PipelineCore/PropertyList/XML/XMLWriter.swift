// Writes an XML property list as Apple's tools do: tabs, one element a line, an empty container as one element.
//
//     <dict>
//     	<key>name</key>
//     	<string>Mick</string>
//     	<key>films</key>
//     	<array/>
//     </dict>

/// Writes values as XML into a buffer that its owner empties between values.
struct XMLWriter: StoreEncoder, ~Copyable {
    private static let tab: UInt8 = 0x09

    private var bytes = ByteBuffer()
    private var depth = 0
    private var recordsAreKeyed = false
    /// The end of the buffer right after an opening tag; −1 once anything was written after it.
    private var emptyEnd = -1
    private let replacesControls: Bool
    private(set) var choices = Substitutions()
    /// The keys without their tabs.
    private var keys = EncodedKeyCache()

    var refusesControlsInKeys = false

    init(replacesControls: Bool) {
        self.replacesControls = replacesControls
        // No reader has to fetch the DTD.
        bytes.append(
            """
            <?xml version="1.0" encoding="UTF-8"?>
            <!DOCTYPE plist PUBLIC "-//Apple//DTD PLIST 1.0//EN" "http://www.apple.com/DTDs/PropertyList-1.0.dtd">
            <plist version="1.0">

            """)
    }

    // MARK: Output

    mutating func beginRecords(isKeyed: Bool) {
        recordsAreKeyed = isKeyed
        open(isKeyed ? "<dict>\n" : "<array>\n")
    }

    mutating func endRecords(into file: inout AtomicFile) {
        close(recordsAreKeyed ? "</dict>\n" : "</array>\n")
    }

    mutating func prepare(for bytes: Int, _ file: inout AtomicFile) throws(SystemError) {
        if self.bytes.count >= Self.blockSize { try drain(into: &file) }
    }

    mutating func endDocument(into file: inout AtomicFile) throws(SystemError) {
        bytes.append("</plist>\n")
        try drain(into: &file)
    }

    private mutating func drain(into file: inout AtomicFile) throws(SystemError) {
        try file.take(&bytes)
        emptyEnd = -1
    }

    struct Mark {
        fileprivate let count, depth, emptyEnd: Int
        fileprivate let choices: Substitutions
    }

    func checkpoint() -> Mark {
        Mark(count: bytes.count, depth: depth, emptyEnd: emptyEnd, choices: choices)
    }

    mutating func rollBack(to mark: Mark) {
        bytes.truncate(to: mark.count)
        depth = mark.depth
        emptyEnd = mark.emptyEnd
        choices = mark.choices
    }

    // MARK: Elements

    @inline(__always)
    mutating func put(_ part: StoredElement, _ text: Span<UInt8>) throws(BadRecord) {
        switch part {
        case .beginDictionary: open("<dict>\n")
        case .endDictionary: close("</dict>\n")
        case .beginArray: open("<array>\n")
        case .endArray: close("</array>\n")
        case .key: try key(text)
        case .string: try string(text)
        case .integer(let value):
            begin("<integer>")
            bytes.append(text: value.text)
            bytes.append("</integer>\n")
        case .real(let value):
            begin("<real>")
            bytes.append(text: NumberText.text(ofReal: value))
            bytes.append("</real>\n")
        case .boolean(let value): begin(value ? "<true/>\n" : "<false/>\n")
        case .date(let seconds): try date(seconds)
        case .data: data(text)
        case .line, .number, .null: preconditionFailure("JSON that nothing has converted")
        }
    }

    @inline(__always)
    private mutating func begin(_ tag: StaticString) {
        indent()
        bytes.append(tag)
    }

    private mutating func key(_ text: Span<UInt8>) throws(BadRecord) {
        if refusesControlsInKeys, let excluded = XMLText.firstExcluded(in: text) {
            throw BadRecord(.controlInName(excluded.value))
        }
        indent()
        let (start, replaced) = (bytes.count, choices.controlsReplaced)
        bytes.append("<key>")
        try append(text)
        bytes.append("</key>\n")
        keys.noteStart(start, isAsItCame: choices.controlsReplaced == replaced)
    }

    mutating func rememberKey() -> Int? { keys.add(from: bytes) }

    @inline(__always)
    mutating func key(remembered number: Int) {
        indent()
        keys.append(number, to: &bytes)
    }

    mutating func forgetKeys() { keys.removeAll() }

    private mutating func string(_ text: Span<UInt8>) throws(BadRecord) {
        begin("<string>")
        try append(text)
        bytes.append("</string>\n")
    }

    /// Drops fractions of a second, which XML can't hold.
    private mutating func date(_ seconds: Double) throws(BadRecord) {
        guard let text = DateText.text(seconds, withFraction: false) else { throw BadRecord(.farDate) }
        if seconds != seconds.rounded(.down) { choices.fractionsDropped += 1 }
        begin("<date>")
        bytes.append(text: text)
        bytes.append("</date>\n")
    }

    /// Writes lines of at most 76 columns, a tab counted as eight. Past eight tabs they are indented no further.
    private mutating func data(_ content: Span<UInt8>) {
        begin("<data>\n")
        let tabs = min(depth, 8)
        let lineBytes = (76 - 8 * tabs) / 4 * 3
        var index = 0
        while index < content.count {
            let end = min(index + lineBytes, content.count)
            bytes.append(repeating: Self.tab, count: tabs)
            bytes.append(Base64.encoded(content.extracting(index..<end)).span)
            bytes.append(0x0A)
            index = end
        }
        begin("</data>\n")
    }

    @inline(__always)
    private mutating func indent() { bytes.append(repeating: Self.tab, count: depth) }

    @inline(__always)
    private mutating func open(_ tag: StaticString) {
        begin(tag)
        depth += 1
        emptyEnd = bytes.count
    }

    @inline(__always)
    private mutating func close(_ tag: StaticString) {
        depth -= 1
        if emptyEnd == bytes.count {
            bytes.truncate(to: bytes.count - 2)
            bytes.append("/>\n")
        } else {
            begin(tag)
        }
        emptyEnd = -1
    }

    // MARK: Text

    @inline(__always)
    private mutating func append(_ text: Span<UInt8>) throws(BadRecord) {
        var index = bytes.append(text, from: 0, upTo: XMLScan())
        while index < text.count {
            index += try appendSpecial(text, at: index)
            index = bytes.append(text, from: index, upTo: XMLScan())
        }
    }

    private mutating func appendSpecial(_ text: Span<UInt8>, at index: Int) throws(BadRecord) -> Int {
        if let excluded = XMLText.excluded(in: text, at: index) {
            guard replacesControls else { throw BadRecord(.control(excluded.value)) }
            choices.controlsReplaced += 1
            bytes.append("\u{FFFD}")
            return excluded.length
        }
        switch text[index] {
        case UInt8(ascii: "&"): bytes.append("&amp;")
        case UInt8(ascii: "<"): bytes.append("&lt;")
        case UInt8(ascii: ">"): bytes.append("&gt;")
        // Readers turn a bare CR into a line feed (XML 1.0, section 2.11).
        case 0x0D: bytes.append("&#13;")
        default: bytes.append(text[index])
        }
        return 1
    }
}
