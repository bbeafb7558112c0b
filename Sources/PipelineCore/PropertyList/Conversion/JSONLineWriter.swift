// Turns a stored record back into a line of JSON.
//
//     <dict><key>name</key><string>Mick</string></dict>  ->  {"name":"Mick"}

/// Writes values as JSON into a buffer that its owner empties between records.
package struct JSONLineWriter: HeldSink, ~Copyable {
    private var bytes = ByteBuffer()
    private var needsComma = false
    private let writesNonfiniteAsText: Bool
    package private(set) var nonfiniteAsText = 0
    package let limitBytes: Int
    package let limitLevels = JSONReader.depthLimit

    package init(writesNonfiniteAsText: Bool, limitBytes: Int = ReadLimits.recordBytes) {
        self.writesNonfiniteAsText = writesNonfiniteAsText
        self.limitBytes = limitBytes
    }

    package var bytesHeld: Int { bytes.count }

    package var line: Span<UInt8> {
        @_lifetime(borrow self)
        borrowing get { bytes.span }
    }

    /// The line without the white space around it, which a line that came in may have.
    var value: Span<UInt8> {
        @_lifetime(borrow self)
        borrowing get {
            var (start, end) = (0, bytes.count)
            while start < end, bytes[start].isJSONSpace { start += 1 }
            while end > start, bytes[end - 1].isJSONSpace { end -= 1 }
            return bytes.span.extracting(start..<end)
        }
    }

    package mutating func beginValue() {
        bytes.removeAll()
        needsComma = false
    }

    @inline(__always)
    private mutating func separate() {
        if needsComma { bytes.append(UInt8(ascii: ",")) }
        needsComma = true
    }

    @inline(__always)
    package mutating func put(_ part: StoredElement, _ text: Span<UInt8>) throws(BadRecord) {
        switch part {
        case .beginDictionary: open(UInt8(ascii: "{"))
        case .endDictionary: close(UInt8(ascii: "}"))
        case .beginArray: open(UInt8(ascii: "["))
        case .endArray: close(UInt8(ascii: "]"))
        case .key: key(text)
        case .string: string(text)
        case .integer(let value):
            separate()
            bytes.append(text: value.text)
        case .real(let value): try real(value)
        case .boolean(let value):
            separate()
            bytes.append(value ? "true" : "false")
        case .date(let seconds):
            guard let text = DateText.text(seconds, withFraction: true) else { throw BadRecord(.farDate) }
            string(Array(text.utf8).span)
        case .data:
            separate()
            bytes.append(UInt8(ascii: "\""))
            bytes.append(Base64.encoded(text).span)
            bytes.append(UInt8(ascii: "\""))
        case .line, .number: plain(text)
        case .null:
            separate()
            bytes.append("null")
        }
    }

    /// Writes what is JSON already.
    private mutating func plain(_ text: Span<UInt8>) {
        separate()
        bytes.append(text)
    }

    private mutating func open(_ bracket: UInt8) {
        separate()
        bytes.append(bracket)
        needsComma = false
    }

    private mutating func close(_ bracket: UInt8) {
        bytes.append(bracket)
        needsComma = true
    }

    private mutating func key(_ text: Span<UInt8>) {
        string(text)
        bytes.append(UInt8(ascii: ":"))
        needsComma = false
    }

    private mutating func string(_ text: Span<UInt8>) {
        separate()
        JSONWriter.appendString(text, to: &bytes)
    }

    /// A real keeps its fraction or exponent, so that it reads back as a real.
    private mutating func real(_ value: Double) throws(BadRecord) {
        guard value.isFinite || writesNonfiniteAsText else { throw BadRecord(.nonfinite) }
        separate()
        if value.isFinite { return bytes.append(text: value.description) }
        nonfiniteAsText += 1
        bytes.append(text: "\"\(NumberText.text(ofReal: value))\"")
    }

    package var path: String {
        // With a placeholder value at the end, the path of that value is the answer.
        let text = bytes.span.array + Array((needsComma ? ",0" : "0").utf8)
        return JSONLocation.path(toPart: text.count - 1, in: text.span)
    }
}
