// A URL that is composed of a description's texts and a record's values. A value stays in its place: it names something
// in the path or the query, and never becomes another host, path, query or fragment.
//
//     https://api.example/objects/{$.name}?in={$.set}      name = C#, set = A&B
//     https://api.example/objects/C%23?in=A%26B
//
// A value may have slashes, as some services give paths. At the beginning a value may be a whole URL.

import PipelineCore
import PipelineHTTP

/// A URL, literal by literal and value by value.
struct ComposedURL {
    private enum Place {
        case host, path, query, fragment
    }

    private(set) var text: [UInt8]
    /// The same with an `x` for each value: what the description itself asks for.
    private var sample: [UInt8]
    /// It begins with what no value gave: a literal, or a value that is a whole URL.
    private var mayNameHost: Bool

    init(_ literal: [UInt8], sample: [UInt8]) {
        text = literal
        self.sample = sample
        mayNameHost = literal.starts(with: "//".utf8)
    }

    mutating func append(_ literal: [UInt8], sample: [UInt8]) {
        text += literal
        self.sample += sample
    }

    /// - Returns: false if the value can't be in this place.
    mutating func append(_ value: [UInt8]) -> Bool {
        guard !text.isEmpty || !Self.isWhole(value) else {
            text = value
            sample = value
            mayNameHost = true
            return true
        }
        var place = place
        if case .host = place {
            // A path that begins with its slash ends the host, if there is one.
            if value.first == UInt8(ascii: "/"), text.last != UInt8(ascii: "/") {
                place = .path
            } else {
                guard Placeholders.isHostPart(value.span.text) else { return false }
            }
        }
        // What stands before a colon in the first segment would be a scheme.
        let mayBeScheme = !text.contains(UInt8(ascii: "/"))
        text += HTTPURL.percentEncoded(value) { Self.isEncoded($0, place, mayBeScheme: mayBeScheme) }.utf8
        sample.append(UInt8(ascii: "x"))
        return true
    }

    /// Whether the values make a segment `.` or `..`, or a host of the beginning of a path.
    var leavesItsPath: Bool {
        !mayNameHost && text.starts(with: "//".utf8)
            || HTTPURL.dotSegments(in: text) > HTTPURL.dotSegments(in: sample)
    }

    /// Where the next value stands.
    private var place: Place {
        if text.contains(UInt8(ascii: "#")) { return .fragment }
        if text.contains(UInt8(ascii: "?")) { return .query }
        let slashes = text.indices.first { text[$0...].starts(with: "//".utf8) }
        guard let slashes, slashes == 0 || text[slashes - 1] == UInt8(ascii: ":"),
            !text[..<slashes].contains(UInt8(ascii: "/"))
        else { return .path }
        return text[(slashes + 2)...].contains(UInt8(ascii: "/")) ? .path : .host
    }

    private static func isWhole(_ value: [UInt8]) -> Bool {
        let start = String(decoding: value.prefix(8), as: UTF8.self).lowercased()
        return ["http://", "https://", "//"].contains { start.hasPrefix($0) }
    }

    /// RFC 3986, section 3. A semicolon is encoded as some servers cut a segment there.
    private static func isEncoded(_ byte: UInt8, _ place: Place, mayBeScheme: Bool) -> Bool {
        switch byte {
        case 0x30...0x39, 0x41...0x5A, 0x61...0x7A: false
        case _ where "-._~/@!$'()*,".utf8.contains(byte): false
        case _ where "&=+".utf8.contains(byte): place == .query
        case UInt8(ascii: ":"): mayBeScheme
        default: true
        }
    }
}
