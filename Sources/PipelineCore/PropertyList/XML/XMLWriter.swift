// Writes an XML property list as Apple's tools do: tabs, one element a line, an empty container as one element.
//
//     <dict>
//     	<key>name</key>
//     	<string>Mick</string>
//     	<key>films</key>
//     	<array/>
//     </dict>

/// Writes values as XML into a buffer that its owner empties between values.
struct XMLWriter: StoreFormat, ~Copyable {
    private static let tab: UInt8 = 0x09

    /// Bytes written and not yet drained.
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
        if isKeyed { beginDictionary() } else { beginArray() }
    }

    mutating func endRecords(into file: inout AtomicFile) {
        if recordsAreKeyed { endDictionary() } else { endArray() }
    }

    mutating func prepare(for bytes: Int, _ file: inout AtomicFile) throws(SystemError) {
        if self.bytes.count >= Self.blockSize { try drain(into: &file) }
    }

    mutating func endDocument(into file: inout AtomicFile) throws(SystemError) {
        bytes.append("</plist>\n")
        try drain(into: &file)
    }

    private mutating func drain(into file: inout AtomicFile) throws(SystemError) {
        try file.append(bytes.span)
        bytes.removeAll()
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
    mutating func beginDictionary() { open("<dict>\n") }
    mutating func endDictionary() { close("</dict>\n") }
    mutating func beginArray() { open("<array>\n") }
    mutating func endArray() { close("</array>\n") }

    mutating func key(_ text: Span<UInt8>) throws(BadRecord) {
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

    mutating func string(_ text: Span<UInt8>) throws(BadRecord) {
        indent()
        bytes.append("<string>")
        try append(text)
        bytes.append("</string>\n")
    }

    mutating func integer(_ value: PropertyListInteger) {
        indent()
        bytes.append("<integer>")
        if value.isNegative { bytes.append(UInt8(ascii: "-")) }
        bytes.appendDecimal(value.magnitude)
        bytes.append("</integer>\n")
    }

    mutating func real(_ value: Double) {
        indent()
        bytes.append("<real>")
        bytes.append(text: NumberText.text(ofReal: value))
        bytes.append("</real>\n")
    }

    mutating func boolean(_ value: Bool) {
        indent()
        if value { bytes.append("<true/>\n") } else { bytes.append("<false/>\n") }
    }

    /// Drops fractions of a second, which XML can't hold.
    mutating func date(_ seconds: Double) throws(BadRecord) {
        guard let text = DateText.text(seconds, withFraction: false) else { throw BadRecord(.farDate) }
        if seconds != seconds.rounded(.down) { choices.fractionsDropped += 1 }
        indent()
        bytes.append("<date>")
        bytes.append(text: text)
        bytes.append("</date>\n")
    }

    /// Writes lines of at most 76 columns, a tab counted as eight. Past eight tabs they are indented no further.
    mutating func data(_ content: Span<UInt8>) {
        indent()
        bytes.append("<data>\n")
        let tabs = min(depth, 8)
        let lineBytes = (76 - 8 * tabs) / 4 * 3
        var index = 0
        while index < content.count {
            let end = min(index + lineBytes, content.count)
            bytes.append(repeating: Self.tab, count: tabs)
            Base64.append(content.extracting(index..<end), to: &bytes)
            bytes.append(0x0A)
            index = end
        }
        indent()
        bytes.append("</data>\n")
    }

    @inline(__always)
    private mutating func indent() { bytes.append(repeating: Self.tab, count: depth) }

    @inline(__always)
    private mutating func open(_ tag: StaticString) {
        indent()
        bytes.append(tag)
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
            indent()
            bytes.append(tag)
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

    /// - Returns: the length of the character in `text`, in bytes.
    private mutating func appendSpecial(_ text: Span<UInt8>, at index: Int) throws(BadRecord) -> Int {
        switch text[index] {
        case UInt8(ascii: "&"): bytes.append("&amp;")
        case UInt8(ascii: "<"): bytes.append("&lt;")
        case UInt8(ascii: ">"): bytes.append("&gt;")
        case 0x09, 0x0A: bytes.append(text[index])
        // Readers turn a bare CR into a line feed (XML 1.0, section 2.11).
        case 0x0D: bytes.append("&#13;")
        case 0xEF:
            let isExcluded = text[index + 1] == 0xBF && text[index + 2] >= 0xBE
            if isExcluded {
                try replace(0xFFC0 | UInt32(text[index + 2] & 0x3F))
            } else {
                bytes.append(text.extracting(index..<index + 3))
            }
            return 3
        case let control: try replace(UInt32(control))
        }
        return 1
    }

    private mutating func replace(_ value: UInt32) throws(BadRecord) {
        guard replacesControls else { throw BadRecord(.control(value)) }
        choices.controlsReplaced += 1
        bytes.append("\u{FFFD}")
    }
}
