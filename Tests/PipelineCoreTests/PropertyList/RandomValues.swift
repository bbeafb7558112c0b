// Random values, each as JSON text and as what Foundation must read back.

import Foundation
import TestSupport

struct RandomValues {
    private var random: SplitMix64

    init(seed: UInt64) { random = SplitMix64(seed: seed) }

    mutating func record() -> (json: String, value: NSDictionary) {
        let (json, value) = object(depth: 0)
        return (json, value)
    }

    private mutating func value(depth: Int) -> (String, Any) {
        switch Int.random(in: 0..<(depth < 4 ? 9 : 7), using: &random) {
        case 0:
            let value = Bool.random(using: &random)
            return ("\(value)", NSNumber(value: value))
        case 1:
            let value = Int64.random(in: -1000...1000, using: &random)
            return ("\(value)", NSNumber(value: value))
        case 2:
            let value = Int64.random(in: .min ... .max, using: &random)
            return ("\(value)", NSNumber(value: value))
        case 3: return real()
        case 4, 5, 6:
            let (json, text) = text()
            return (json, text)
        case 7:
            let (json, value) = object(depth: depth + 1)
            return (json, value)
        default:
            let elements = (0..<Int.random(in: 0..<4, using: &random)).map { _ in value(depth: depth + 1) }
            return ("[" + elements.map(\.0).joined(separator: " , ") + "]", elements.map(\.1) as NSArray)
        }
    }

    private mutating func real() -> (String, NSNumber) {
        let digits = Int64.random(in: -99_999_999_999...99_999_999_999, using: &random)
        let text =
            "\(digits).\(UInt32.random(in: 0...999_999, using: &random))e\(Int.random(in: -200...200, using: &random))"
        return (text, NSNumber(value: Double(text) ?? .nan))
    }

    private mutating func object(depth: Int) -> (String, NSDictionary) {
        let value = NSMutableDictionary()
        var members: [String] = []
        var names: Set<String> = []
        for _ in 0..<Int.random(in: 0..<(depth == 0 ? 14 : 5), using: &random) {
            let (json, name) = text()
            let (memberJSON, member) = self.value(depth: depth)
            // Foundation takes names of the same characters for one, however they are composed; JSON doesn't.
            guard names.insert((name as String).precomposedStringWithCanonicalMapping).inserted else { continue }
            value[name] = member
            members.append(json + ":" + memberJSON)
        }
        return ("{" + members.joined(separator: ",") + "}", value)
    }

    /// Texts of all lengths around the borders at which their encodings change.
    private mutating func text() -> (json: String, text: NSString) {
        let alphabet = [
            "a", "b", "Z", " ", "<", ">", "&", "\"", "\\", "'", "/", "\n", "\t", "\r", "é", "ß", "漢", "🚘", "\u{7F}",
            "\u{85}", "\u{2028}", "e\u{301}", "\u{FF21}", "\u{FFFD}",
        ]
        let isPlain = Bool.random(using: &random)
        var json = "\""
        var text = ""
        for _ in 0..<Int.random(in: 0..<24, using: &random) {
            let part = alphabet[Int.random(in: 0..<(isPlain ? 4 : alphabet.count), using: &random)]
            text += part
            for unit in part.utf16 {
                let mustEscape = unit < 0x20 || unit == 0x22 || unit == 0x5C
                if mustEscape || part.unicodeScalars.count == 1 && unit % 7 == 3 || (0xD800..<0xE000).contains(unit)
                {
                    let digits = String(unit, radix: 16)
                    json += "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
                } else {
                    json += String(decoding: [unit], as: UTF16.self)
                }
            }
        }
        return (json + "\"", text as NSString)
    }
}
