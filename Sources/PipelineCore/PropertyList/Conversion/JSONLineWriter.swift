// Turns a stored record back into a line of JSON.
//
//     <dict><key>name</key><string>Mick</string></dict>  ->  {"name":"Mick"}

/// Writes values as JSON into a buffer that its owner empties between records.
package struct JSONLineWriter: HeldSink, ~Copyable {
    private var bytes = ByteBuffer()
    private var needsComma = false
    private let writesNonfiniteAsText: Bool
    /// Infinite reals and NaNs that were written as text.
    package private(set) var nonfiniteAsText = 0
    package let limitBytes: Int
    package let limitLevels = JSONReader.depthLimit

    /// - Parameter limitBytes: of a record, which is held until it is complete.
    package init(writesNonfiniteAsText: Bool, limitBytes: Int = ReadLimits.recordBytes) {
        self.writesNonfiniteAsText = writesNonfiniteAsText
        self.limitBytes = limitBytes
    }

    package var bytesHeld: Int { bytes.count }

    package var line: Span<UInt8> {
        @_lifetime(borrow self)
        borrowing get { bytes.span }
    }

    package mutating func beginValue() {
        bytes.removeAll()
        needsComma = false
    }

    mutating func endLine() {
        bytes.append(0x0A)
        needsComma = false
    }

    mutating func drain(into file: inout AtomicFile) throws(SystemError) {
        try file.append(bytes.span)
        bytes.removeAll()
    }

    /// Moves the buffered bytes to a spill file.
    mutating func drain(into spill: inout SpillFile) throws(SystemError) {
        spill.append(bytes.span)
        bytes.removeAll()
        try spill.settle()
    }

    @inline(__always)
    private mutating func separate() {
        if needsComma { bytes.append(UInt8(ascii: ",")) }
        needsComma = true
    }

    package mutating func beginDictionary() { open(UInt8(ascii: "{")) }
    package mutating func endDictionary() { close(UInt8(ascii: "}")) }
    package mutating func beginArray() { open(UInt8(ascii: "[")) }
    package mutating func endArray() { close(UInt8(ascii: "]")) }

    private mutating func open(_ bracket: UInt8) {
        separate()
        bytes.append(bracket)
        needsComma = false
    }

    private mutating func close(_ bracket: UInt8) {
        bytes.append(bracket)
        needsComma = true
    }

    package mutating func key(_ text: Span<UInt8>) {
        separate()
        JSONWriter.appendString(text, to: &bytes)
        bytes.append(UInt8(ascii: ":"))
        needsComma = false
    }

    package mutating func string(_ text: Span<UInt8>) {
        separate()
        JSONWriter.appendString(text, to: &bytes)
    }

    package mutating func integer(_ value: PropertyListInteger) {
        separate()
        if value.isNegative { bytes.append(UInt8(ascii: "-")) }
        bytes.appendDecimal(value.magnitude)
    }

    /// A real keeps its fraction or exponent, so that it reads back as a real.
    package mutating func real(_ value: Double) throws(BadRecord) {
        guard value.isFinite || writesNonfiniteAsText else { throw BadRecord(.nonfinite) }
        separate()
        if value.isFinite { return bytes.append(text: value.description) }
        nonfiniteAsText += 1
        bytes.append(text: value.isNaN ? "\"nan\"" : value < 0 ? "\"-infinity\"" : "\"+infinity\"")
    }

    package mutating func boolean(_ value: Bool) {
        separate()
        if value { bytes.append("true") } else { bytes.append("false") }
    }

    package mutating func date(_ seconds: Double) throws(BadRecord) {
        guard let text = DateText.text(seconds, withFraction: true) else { throw BadRecord(.farDate) }
        separate()
        JSONWriter.appendString(text, to: &bytes)
    }

    package mutating func data(_ content: Span<UInt8>) {
        separate()
        bytes.append(UInt8(ascii: "\""))
        Base64.append(content, to: &bytes)
        bytes.append(UInt8(ascii: "\""))
    }

    mutating func value(json: Span<UInt8>) {
        separate()
        bytes.append(json)
    }

    /// The path of the next value in the unfinished record.
    package var path: String {
        // With a placeholder value at the end, the path of that value is the answer.
        let text = bytes.span.array + Array((needsComma ? ",0" : "0").utf8)
        return JSONLocation.path(toPart: text.count - 1, in: text.span)
    }
}
