// The header fields of a response: names in any case, repeated fields kept separate.

import CCurl
import PipelineCore
import Synchronization

package struct HTTPHeaders: Equatable, Sendable {
    package static let limitCount = 256
    package static let limitBytes = 262_144

    package struct Field: Equatable, Sendable {
        package let name: String
        package internal(set) var value: String
    }

    package private(set) var fields: [Field] = []

    package init() {}

    package mutating func append(_ name: String, _ value: String) { fields.append(Field(name: name, value: value)) }

    /// Continues the last field's value (the obsolete line folding of RFC 9112, section 5.2).
    mutating func continueLast(_ more: String) {
        guard let last = fields.indices.last else { return }
        fields[last].value += fields[last].value.isEmpty ? more : " " + more
    }

    mutating func remove(_ name: String) { self = filter { !Self.areEqual($0.name, name) } }

    func filter(_ isKept: (Field) -> Bool) -> HTTPHeaders {
        var kept = HTTPHeaders()
        kept.fields = fields.filter(isKept)
        return kept
    }

    package subscript(_ name: String) -> String? {
        fields.first { Self.areEqual($0.name, name) }?.value
    }

    package func values(_ name: String) -> [String] {
        fields.filter { Self.areEqual($0.name, name) }.map(\.value)
    }

    /// The parts of a value between separators, without white space. Separators in quotes don't separate.
    static func elements(of value: String, at separator: UInt8) -> [String] {
        var elements: [[UInt8]] = [[]]
        var isQuoted = false
        for byte in value.utf8 {
            if byte == UInt8(ascii: "\"") { isQuoted.toggle() }
            if byte == separator, !isQuoted {
                elements.append([])
            } else if byte != 0x20, byte != 0x09 {
                elements[elements.count - 1].append(byte)
            }
        }
        return elements.filter { !$0.isEmpty }.map { String(decoding: $0, as: UTF8.self) }
    }

    package static func isOne(_ name: String, of names: [String]) -> Bool {
        names.contains { areEqual($0, name) }
    }

    /// Whether two names are equal, ignoring ASCII case (RFC 9110, section 5.1).
    package static func areEqual(_ left: String, _ right: String) -> Bool {
        guard left.utf8.count == right.utf8.count else { return false }
        return zip(left.utf8, right.utf8).allSatisfy { $0.lowercased == $1.lowercased }
    }
}

/// Dates as services send them, in seconds since 1970.
package enum HTTPDate {
    /// 10000-01-01: libcurl reads larger years too.
    private static let endSeconds = 253_402_300_800

    /// The date read last. Responses that came together have the same one: libcurl takes a twentieth of what a cached
    /// picture takes in all.
    private static let last = Mutex<(text: String, seconds: Double?)>(("", nil))

    /// A date of HTTP in any of its three spellings (RFC 9110, section 5.6.7), or close enough to one for libcurl.
    package static func epochSeconds(_ text: String) -> Double? {
        last.withLock { last in
            if last.text != text {
                let seconds = unsafe curl_getdate(text, nil)
                last = (text, seconds != -1 && seconds < endSeconds ? Double(seconds) : nil)
            }
            return last.seconds
        }
    }
}
