// Base64 (RFC 4648, section 4): three bytes as four characters.
//
//     M        a        n            TWFu
//     01001101 01100001 01101110     010011 010110 000101 101110

package enum Base64 {
    private static let characters = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/".utf8)
    private static let padding = UInt8(ascii: "=")
    private static let values: [UInt8] = {
        var values = [UInt8](repeating: 0xFF, count: 256)
        for (value, character) in characters.enumerated() { values[Int(character)] = UInt8(value) }
        return values
    }()

    /// The text, padded, in one line.
    package static func encoded(_ bytes: Span<UInt8>) -> [UInt8] {
        var text: [UInt8] = []
        text.reserveCapacity((bytes.count + 2) / 3 * 4)
        let characters = characters
        var index = 0
        while index < bytes.count {
            let rest = bytes.count - index
            let first = bytes[index]
            let second = rest > 1 ? bytes[index + 1] : 0
            let third = rest > 2 ? bytes[index + 2] : 0
            text.append(characters[Int(first >> 2)])
            text.append(characters[Int((first & 3) << 4 | second >> 4)])
            text.append(rest > 1 ? characters[Int((second & 15) << 2 | third >> 6)] : padding)
            text.append(rest > 2 ? characters[Int(third & 63)] : padding)
            index += 3
        }
        return text
    }

    /// The bytes encoded by the text. Ignores white space, and the padding may be missing (WHATWG Infra,
    /// forgiving-base64 decode).
    /// - Returns: nil if the text isn't base64.
    package static func decoded(_ text: Span<UInt8>) -> [UInt8]? {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(text.count / 4 * 3)
        let values = values
        var bits: UInt32 = 0
        var count = 0
        var paddings = 0
        for index in text.indices {
            let character = text[index]
            if character == padding {
                paddings += 1
                continue
            }
            if character.isJSONSpace || character == 0x0C { continue }
            let value = values[Int(character)]
            guard value < 64, paddings == 0 else { return nil }
            bits = bits << 6 | UInt32(value)
            count += 1
            guard count % 4 == 0 else { continue }
            bytes.append(UInt8(truncatingIfNeeded: bits >> 16))
            bytes.append(UInt8(truncatingIfNeeded: bits >> 8))
            bytes.append(UInt8(truncatingIfNeeded: bits))
        }
        let isPadded = paddings == 0 || paddings <= 2 && (count + paddings) % 4 == 0
        return isPadded && appendRest(bits, count % 4, to: &bytes) ? bytes : nil
    }

    /// Two leftover characters make one byte, three make two; one is an error.
    private static func appendRest(_ bits: UInt32, _ count: Int, to bytes: inout [UInt8]) -> Bool {
        switch count {
        case 0: return true
        case 2: bytes.append(UInt8(truncatingIfNeeded: bits >> 4))
        case 3:
            bytes.append(UInt8(truncatingIfNeeded: bits >> 10))
            bytes.append(UInt8(truncatingIfNeeded: bits >> 2))
        default: return false
        }
        return true
    }
}
