// The text of a fault taken apart: names and values, escapes resolved.

import PipelineCore

/// What is wrong with the value of a part.
struct FaultValueError: Error {
    let reason: String
}

/// The lexer of the grammar that Fault.swift describes, and the readers of its values.
enum FaultSpec {
    static func parts(_ text: String) throws(ToolFailure) -> [(name: String, value: [UInt8]?)] {
        var parts: [(name: String, value: [UInt8]?)] = []
        var name: [UInt8] = []
        var value: [UInt8]?
        var rest = Array(text.utf8)[...]
        while let byte = rest.popFirst() {
            if byte == UInt8(ascii: ",") {
                parts.append((String(decoding: name, as: UTF8.self), value))
                name = []
                value = nil
            } else if value != nil {
                value?.append(byte == UInt8(ascii: "\\") ? try escaped(&rest, text) : byte)
            } else if byte == UInt8(ascii: "=") {
                value = []
            } else {
                name.append(byte)
            }
        }
        parts.append((String(decoding: name, as: UTF8.self), value))
        return parts
    }

    private static func escaped(_ rest: inout ArraySlice<UInt8>, _ text: String) throws(ToolFailure) -> UInt8 {
        switch rest.popFirst() {
        case UInt8(ascii: ","): return UInt8(ascii: ",")
        case UInt8(ascii: "\\"): return UInt8(ascii: "\\")
        case UInt8(ascii: "n"): return 0x0A
        case UInt8(ascii: "r"): return 0x0D
        case UInt8(ascii: "t"): return 0x09
        case UInt8(ascii: "x"):
            let digits = String(decoding: rest.prefix(2), as: UTF8.self)
            rest = rest.dropFirst(2)
            if digits.utf8.count == 2, let byte = UInt8(digits, radix: 16) { return byte }
        default: break
        }
        throw ToolFailure(.usage, "fault \(text): after a backslash one of , \\ n r t xHH must stand")
    }

    /// A whole number, at least `minimum`.
    static func number(_ value: [UInt8], atLeast minimum: Int = 0) throws(FaultValueError) -> Int {
        guard let number = Int(string(value)), number >= minimum else {
            throw FaultValueError(reason: "\(string(value)) is not a whole number from \(minimum) on")
        }
        return number
    }

    /// A DURATION, in seconds; at most an hour, as every wait here has an end.
    static func seconds(_ value: [UInt8]) throws(FaultValueError) -> Double {
        let text = string(value)
        for (unit, factor) in [("ms", 0.001), ("s", 1), ("m", 60), ("", 1)] where text.hasSuffix(unit) {
            if let count = Double(text.dropLast(unit.count)), (0...3600).contains(count * factor) {
                return count * factor
            }
        }
        throw FaultValueError(reason: "\(text) is not a duration up to an hour, as in 500ms, 5s, 10m")
    }

    /// `Name: value`.
    static func header(_ value: [UInt8]) throws(FaultValueError) -> Header {
        guard let colon = value.firstIndex(of: UInt8(ascii: ":")), colon > 0 else {
            throw FaultValueError(reason: "\(string(value)) is not of the form Name: value")
        }
        let text = value[(colon + 1)...].drop { $0 == UInt8(ascii: " ") }
        return Header(string(Array(value[..<colon])), bytes: Array(text))
    }

    static func string(_ value: [UInt8]) -> String { String(decoding: value, as: UTF8.self) }
}
