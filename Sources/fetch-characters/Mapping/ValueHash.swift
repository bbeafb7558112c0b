// A hash of what JSON says, however it is written: equal for objects with the same members in another order, for texts with
// other escapes, and for 2 and 2.0.

import PipelineCore

struct ValueHash {
    private let hash: ByteHash

    init(_ hash: ByteHash) { self.hash = hash }

    /// - Parameter json: checked.
    func of(_ json: Span<UInt8>) -> UInt64 {
        var reader = JSONReader(json)
        do throws(JSONError) {
            guard let token = try reader.next() else { return 0 }
            return try value(token, json, &reader)
        } catch {
            return hash.digest(json)
        }
    }

    private func value(
        _ token: JSONToken, _ json: Span<UInt8>, _ reader: inout JSONReader
    ) throws(JSONError) -> UInt64 {
        switch token {
        case .beginObject:
            var sum: UInt64 = 1
            while case .name(let name)? = try reader.next() {
                guard let token = try reader.next() else { break }
                let member = text(json.extracting(name.range)) &* 31 &+ (try value(token, json, &reader))
                sum &+= Self.mixed(member)
            }
            return Self.mixed(sum)
        case .beginArray:
            var sum: UInt64 = 2
            while let element = try reader.next(), element != .endArray {
                sum = Self.mixed(sum &* 31 &+ (try value(element, json, &reader)))
            }
            return Self.mixed(sum)
        case .string(let string), .name(let string): return text(json.extracting(string.range)) &+ 3
        case .number(let number): return Self.mixed(self.number(json.extracting(number.range)))
        case .boolean(let isTrue): return isTrue ? 5 : 6
        case .null, .endObject, .endArray: return 7
        }
    }

    private func text(_ string: Span<UInt8>) -> UInt64 {
        hash.hash(JSONStringDecoder.decoded(string).span)
    }

    /// Of the digits without zeros at their ends, and the power of ten of the last one.
    private func number(_ text: Span<UInt8>) -> UInt64 {
        var digits: [UInt8] = []
        var (power, isFraction, isExponent, isNegative) = (0, false, false, false)
        var exponent = Array<UInt8>()
        for byte in text.array {
            switch byte {
            case UInt8(ascii: "e"), UInt8(ascii: "E"): isExponent = true
            case _ where isExponent: exponent.append(byte)
            case UInt8(ascii: "-"): isNegative = true
            case UInt8(ascii: "."): isFraction = true
            default:
                digits.append(byte)
                if isFraction { power -= 1 }
            }
        }
        guard let ten = exponent.isEmpty ? 0 : Int(exponent.span.text) else { return hash.hash(text) }
        while digits.last == UInt8(ascii: "0") {
            digits.removeLast()
            power += 1
        }
        let significant = Array(digits.drop { $0 == UInt8(ascii: "0") })
        guard !significant.isEmpty else { return 11 }
        let place = UInt64(bitPattern: Int64(power &+ ten))
        return hash.hash(significant.span) &+ place &* 0x9E37_79B9 &+ (isNegative ? 13 : 0)
    }

    private static func mixed(_ number: UInt64) -> UInt64 {
        let folded = (number ^ number >> 31) &* 0xBF58_476D_1CE4_E5B9
        return folded ^ folded >> 29
    }
}
