// RFC 8259 once more, as plainly as it can be read: the whole text at once, by recursive descent, into a tree.
//
// Nothing of it is shared with the reader that it is held against. A fault is at the first byte after which no text
// could go on, so it also tells where the reader's fault has to be.

/// A value of a JSON text.
package struct PlainJSON {
    package enum Kind: Sendable { case object, array, string, number, boolean, null }

    package let kind: Kind
    /// The value's bytes, quotes counted.
    package fileprivate(set) var range: Range<Int>
    /// A string's text, or a member's name, with U+FFFD for half of a surrogate pair.
    package fileprivate(set) var text: [UInt8] = []
    /// Whether an escape in it is half of a surrogate pair.
    package fileprivate(set) var hasLoneSurrogate = false
    /// Elements; of an object the members' values, each after its name, which is a string.
    package fileprivate(set) var children: [PlainJSON] = []

    /// The first byte after which no text could go on.
    package struct Fault: Error {
        package let offset: Int
    }

    package static func read(_ bytes: [UInt8]) throws(Fault) -> PlainJSON {
        var parser = PlainParser(bytes: bytes)
        return try parser.text()
    }
}

private struct PlainParser {
    let bytes: [UInt8]
    var index = 0
    var depth = 0

    mutating func text() throws(PlainJSON.Fault) -> PlainJSON {
        let value = try value()
        guard index == bytes.count else { throw fault }
        return value
    }

    private var fault: PlainJSON.Fault { PlainJSON.Fault(offset: index) }
    private var next: UInt8? { index < bytes.count ? bytes[index] : nil }

    private mutating func take(_ sign: Character) -> Bool {
        guard next == sign.asciiValue else { return false }
        index += 1
        return true
    }

    private mutating func expect(_ text: String) throws(PlainJSON.Fault) {
        for sign in text { guard take(sign) else { throw fault } }
    }

    private mutating func space() { while take(" ") || take("\t") || take("\n") || take("\r") {} }

    /// A value and the white space around it.
    private mutating func value() throws(PlainJSON.Fault) -> PlainJSON {
        space()
        let start = index
        var value: PlainJSON
        switch next.map({ Character(Unicode.Scalar($0)) }) {
        case "{": value = try container(.object, "}")
        case "[": value = try container(.array, "]")
        case "\"": value = try string()
        case "-", "0", "1", "2", "3", "4", "5", "6", "7", "8", "9": value = try number()
        case "t": value = try literal("true", .boolean)
        case "f": value = try literal("false", .boolean)
        case "n": value = try literal("null", .null)
        default: throw fault
        }
        value.range = start..<index
        space()
        return value
    }

    private mutating func literal(_ text: String, _ kind: PlainJSON.Kind) throws(PlainJSON.Fault) -> PlainJSON {
        try expect(text)
        return PlainJSON(kind: kind, range: 0..<0)
    }

    private mutating func container(_ kind: PlainJSON.Kind, _ end: Character) throws(PlainJSON.Fault) -> PlainJSON {
        guard depth < 512 else { throw fault }
        depth += 1
        defer { depth -= 1 }
        index += 1
        var container = PlainJSON(kind: kind, range: 0..<0)
        space()
        if take(end) { return container }
        repeat {
            if kind == .object {
                space()
                container.children.append(try string())
                space()
                try expect(":")
            }
            container.children.append(try value())
        } while take(",")
        guard take(end) else { throw fault }
        return container
    }

    private mutating func digits() throws(PlainJSON.Fault) {
        var count = 0
        while let byte = next, (0x30...0x39).contains(byte) {
            index += 1
            count += 1
        }
        guard count > 0 else { throw fault }
    }

    private mutating func number() throws(PlainJSON.Fault) -> PlainJSON {
        _ = take("-")
        if !take("0") { try digits() }
        if take(".") { try digits() }
        if take("e") || take("E") {
            if !take("+") { _ = take("-") }
            try digits()
        }
        return PlainJSON(kind: .number, range: 0..<0)
    }

    private mutating func string() throws(PlainJSON.Fault) -> PlainJSON {
        let start = index
        try expect("\"")
        var units: [UInt16] = []
        while !take("\"") { try character(&units) }
        let text = Array(String(decoding: units, as: UTF16.self).utf8)
        let isLone = Array(String(decoding: units, as: UTF16.self).utf16) != units
        return PlainJSON(kind: .string, range: start..<index, text: text, hasLoneSurrogate: isLone)
    }

    private mutating func character(_ units: inout [UInt16]) throws(PlainJSON.Fault) {
        guard let byte = next, byte >= 0x20 else { throw fault }
        if take("\\") { return try escape(&units) }
        index += 1
        guard byte >= 0x80 else { return units.append(UInt16(byte)) }
        let (length, least): (Int, UInt32) =
            switch byte {
            case 0xC2...0xDF: (2, 0x80)
            case 0xE0...0xEF: (3, 0x800)
            case 0xF0...0xF4: (4, 0x10000)
            default: throw PlainJSON.Fault(offset: index - 1)
            }
        var value = UInt32(byte) & (0x7F >> UInt32(length))
        for _ in 1..<length {
            guard let more = next, more & 0xC0 == 0x80 else { throw fault }
            value = value << 6 | UInt32(more & 0x3F)
            index += 1
        }
        guard value >= least, let scalar = Unicode.Scalar(value) else { throw PlainJSON.Fault(offset: index - 1) }
        units.append(contentsOf: String(scalar).utf16)
    }

    private mutating func escape(_ units: inout [UInt16]) throws(PlainJSON.Fault) {
        let plain: [(Character, UInt16)] = [
            ("\"", 0x22), ("\\", 0x5C), ("/", 0x2F), ("b", 8), ("f", 12), ("n", 10), ("r", 13), ("t", 9),
        ]
        for (sign, unit) in plain where take(sign) { return units.append(unit) }
        try expect("u")
        var unit: UInt16 = 0
        for _ in 0..<4 {
            guard let byte = next, let digit = Character(Unicode.Scalar(byte)).hexDigitValue, byte < 0x80 else {
                throw fault
            }
            unit = unit << 4 | UInt16(digit)
            index += 1
        }
        units.append(unit)
    }
}
