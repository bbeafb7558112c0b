// Reads the text between two tags, whatever it consists of.
//
//     Tom &amp; Mick<!-- both --><![CDATA[ <3 ]]>

extension XMLReader {
    mutating func forgetText() {
        plain = 0..<0
        decoded.removeAll(keepingCapacity: true)
    }

    /// Skips an end tag, if it is next.
    /// - Parameter tag: without its `>`, which white space may precede.
    mutating func takeEnd(_ tag: StaticString) throws(StoreReadError) -> Bool {
        guard try window.take(tag) else { return false }
        try window.skipSpace()
        guard try window.take(">") else { throw invalid("expected '>'") }
        return true
    }

    /// Reads text up to an end tag.
    /// - Parameter end: without its `>`.
    mutating func readText(_ end: StaticString) throws(StoreReadError) {
        forgetText()
        while true {
            let start = window.offset
            guard let length = try window.distance(to: UInt8(ascii: "<")) else {
                throw invalid("a text that doesn't end")
            }
            if let fault = window.appendText(length, to: &decoded) {
                throw .invalid(fault.what, offset: start + fault.index)
            }
            window.position += length
            if try takeEnd(end) { return }
            if try window.take("<![CDATA[") {
                try readSection()
            } else if try window.take("<!--") {
                try window.skip(past: "-->", "a comment")
            } else {
                throw invalid("expected the end of the text")
            }
            guard decoded.count <= ReadLimits.textBytes else {
                throw invalid("a text of more than \(ReadLimits.textBytes) bytes")
            }
        }
    }

    /// Reads a CDATA section, which is all text.
    private mutating func readSection() throws(StoreReadError) {
        while true {
            let start = window.offset
            guard let length = try window.distance(to: UInt8(ascii: "]")) else {
                throw invalid("CDATA that doesn't end")
            }
            if let fault = window.appendText(length, to: &decoded, isSection: true) {
                throw .invalid(fault.what, offset: start + fault.index)
            }
            window.position += length
            if try window.take("]]>") { return }
            decoded.append(UInt8(ascii: "]"))
            window.position += 1
        }
    }
}
