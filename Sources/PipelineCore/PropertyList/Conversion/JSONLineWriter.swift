// Turns a stored record back into a line of JSON.
//
//     <dict><key>name</key><string>Mick</string></dict>  ->  {"name":"Mick"}

/// Writes values as JSON into a buffer that its owner empties between records.
struct JSONLineWriter: HeldSink, ~Copyable {
    private(set) var bytes = ByteBuffer()
    /// Whether the next value or name needs a comma before it.
    private var needsComma = false
    private let writesNonfiniteAsText: Bool
    /// Infinite reals and NaNs that were written as text.
    private(set) var nonfiniteAsText = 0

    init(writesNonfiniteAsText: Bool) { self.writesNonfiniteAsText = writesNonfiniteAsText }

    var bytesHeld: Int { bytes.count }

    mutating func removeAll() {
        bytes.removeAll()
        needsComma = false
    }

    mutating func endLine() {
        bytes.append(0x0A)
        needsComma = false
    }

    /// Writes the buffered bytes to the output.
    mutating func drain(into output: inout OutputBuffer) throws(SystemError) {
        output.append(bytes.span)
        bytes.removeAll()
        try output.settle()
    }

    /// Writes the buffered bytes to a file.
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

    mutating func beginDictionary() { open(UInt8(ascii: "{")) }
    mutating func endDictionary() { close(UInt8(ascii: "}")) }
    mutating func beginArray() { open(UInt8(ascii: "[")) }
    mutating func endArray() { close(UInt8(ascii: "]")) }

    private mutating func open(_ bracket: UInt8) {
        separate()
        bytes.append(bracket)
        needsComma = false
    }

    private mutating func close(_ bracket: UInt8) {
        bytes.append(bracket)
        needsComma = true
    }

    mutating func key(_ text: Span<UInt8>) {
        separate()
        JSONWriter.appendString(text, to: &bytes)
        bytes.append(UInt8(ascii: ":"))
        needsComma = false
    }

    mutating func string(_ text: Span<UInt8>) {
        separate()
        JSONWriter.appendString(text, to: &bytes)
    }

    mutating func integer(_ value: PropertyListInteger) {
        separate()
        if value.isNegative { bytes.append(UInt8(ascii: "-")) }
        bytes.appendDecimal(value.magnitude)
    }

    /// A real keeps its fraction or exponent, so that it reads back as a real.
    mutating func real(_ value: Double) throws(PropertyListError.Reason) {
        guard value.isFinite || writesNonfiniteAsText else { throw .nonfinite }
        separate()
        if value.isFinite { return bytes.append(text: value.description) }
        nonfiniteAsText += 1
        bytes.append(text: value.isNaN ? "\"nan\"" : value < 0 ? "\"-infinity\"" : "\"+infinity\"")
    }

    mutating func boolean(_ value: Bool) {
        separate()
        if value { bytes.append("true") } else { bytes.append("false") }
    }

    mutating func date(_ seconds: Double) throws(PropertyListError.Reason) {
        guard let text = DateText.text(seconds, withFraction: true) else { throw .farDate }
        separate()
        JSONWriter.appendString(text, to: &bytes)
    }

    mutating func data(_ content: Span<UInt8>) {
        separate()
        bytes.append(UInt8(ascii: "\""))
        Base64.append(content, to: &bytes)
        bytes.append(UInt8(ascii: "\""))
    }

    /// Writes a value that is JSON already.
    mutating func value(json: Span<UInt8>) {
        separate()
        bytes.append(json)
    }

    /// The path of the next value in the unfinished record.
    var path: String {
        // With a placeholder value at the end, the path of that value is the answer.
        let text = bytes.span.array + Array((needsComma ? ",0" : "0").utf8)
        return JSONLocation.path(toPart: text.count - 1, in: text.span)
    }
}
