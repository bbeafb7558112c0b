// Reads what surrounds the root of an XML property list and has no meaning in it.
//
//     <?xml version="1.0" encoding="UTF-8"?>
//     <!DOCTYPE plist PUBLIC "-//Apple//DTD PLIST 1.0//EN" "http://www.apple.com/DTDs/PropertyList-1.0.dtd">
//     <plist version="1.0">

extension XMLReader {
    mutating func readProlog() throws(StoreReadError) {
        if try window.ensure(2), window[0] ^ window[1] == 1, window[0] >= 0xFE {
            throw .unfit("UTF-16 isn't read; convert it to UTF-8", path: "$")
        }
        _ = try window.take("\u{FEFF}")
        while true {
            try window.skipSpace()
            if try window.take("<!DOCTYPE") {
                guard let end = try window.distance(to: UInt8(ascii: ">")) else {
                    throw invalid("the file ends too early")
                }
                guard !window.holds(UInt8(ascii: "["), within: end) else {
                    throw invalid("declarations in the DOCTYPE aren't read")
                }
                window.position += end + 1
            } else if try window.take("<?xml") {
                try readDeclaration()
            } else if try window.take("<plist") {
                try skipAttributes()
                guard try window.take(">") else { throw invalid("expected a value in <plist>") }
                stage = .root
                return
            } else {
                guard try window.ensure(2), window[window.position] == UInt8(ascii: "<"),
                    window[window.position + 1] == UInt8(ascii: "?")
                        || window[window.position + 1] == UInt8(ascii: "!")
                else { throw invalid("expected <plist>") }
                try skipRemark()
            }
        }
    }

    /// Reads the rest of the declaration. Bytes in another encoding can be valid UTF-8 and mean something else.
    private mutating func readDeclaration() throws(StoreReadError) {
        guard let end = try window.distance(to: UInt8(ascii: ">")) else {
            throw invalid("the file ends too early")
        }
        let bytes = (0..<end).map { window[window.position + $0] }
        window.position += end + 1
        guard let encoding = XMLDeclaration.encoding(bytes.span) else { return }
        guard ["utf-8", "utf8", "us-ascii", "ascii"].contains(encoding) else {
            throw .unfit("\(encoding.uppercased()) isn't read; convert it to UTF-8", path: "$")
        }
    }

    /// Skips a comment or a processing instruction.
    mutating func skipRemark() throws(StoreReadError) {
        if try window.take("<!--") {
            try window.skip(past: "-->", "a comment")
        } else if try window.take("<?") {
            try window.skip(past: "?>", "an instruction")
        } else {
            throw invalid("expected an element")
        }
    }

    /// Skips attributes, which mean nothing in a property list, up to `>` or `/>`.
    mutating func skipAttributes() throws(StoreReadError) {
        while try window.ensure(1) {
            let byte = window[window.position]
            if byte == UInt8(ascii: ">") || byte == UInt8(ascii: "/") { return }
            window.position += 1
            guard byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "'") else { continue }
            guard let end = try window.distance(to: byte) else { break }
            window.position += end + 1
        }
        throw invalid("a tag that doesn't end")
    }
}
