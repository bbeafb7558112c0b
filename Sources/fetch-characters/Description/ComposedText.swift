// A text that is composed of a record's members:
//
//     "https://img.example/{$.image_id}/full.jpg"
//     {"image_id":"ab1"}  →  https://img.example/ab1/full.jpg

import PipelineCore
import PipelineHTTP

/// Literal texts, and a path between each two of them.
struct ComposedText: Sendable {
    /// What a description writes before the first name of a path.
    static let mark = "{$"

    /// One more than there are paths.
    private(set) var literals: [String] = []
    private(set) var paths: [JSONPath] = []
    let text: String

    /// - Throws: the first mistake in its paths, in words.
    init(_ text: String) throws(MistakeError) {
        self.text = text
        var rest = text.unicodeScalars[...]
        while let start = rest.firstRange(of: Self.mark.unicodeScalars) {
            literals.append(String(rest[..<start.lowerBound]))
            let written = String(rest[start.lowerBound...].dropFirst())
            let found: (path: JSONPath, rest: String.UnicodeScalarView.SubSequence)
            do throws(JSONPathError) { found = try JSONPath.prefix(of: written) } catch {
                throw MistakeError(account: "'\(written)': \(error.account)")
            }
            guard found.rest.first == "}" else {
                throw MistakeError(account: "'{\(found.path.text)' needs a } after the path")
            }
            paths.append(found.path)
            rest = String(found.rest.dropFirst()).unicodeScalars[...]
        }
        literals.append(String(rest))
    }

    var placeholders: [String] { literals.flatMap { Placeholders.names(in: $0) } }

    struct MistakeError: Error {
        let account: String
    }
}

/// Composes texts of records. Reuses its buffers.
struct ComposedTextEvaluator: Sendable {
    private let literals: [[UInt8]]
    private var paths: [JSONPathEvaluator]
    /// Each part is encoded for its place in a URL.
    private let isURL: Bool
    /// The segments `.` and `..` of the literals.
    private let ownDots: Int
    /// The last record has every part, and one that no URL can hold in its place.
    private(set) var isRefused = false

    /// - Parameter values: of the placeholders in the literals.
    init(_ text: ComposedText, isURL: Bool, filling values: [String: String] = [:]) {
        literals = text.literals.map { Array(Placeholders.path($0, values).utf8) }
        let samples = text.literals.map { Placeholders.filled($0) { values[$0].map { _ in "x" } } }
        ownDots = HTTPURL.dotSegments(in: samples.joined(separator: "x").utf8)
        paths = text.paths.map { JSONPathEvaluator($0) }
        self.isURL = isURL
    }

    /// Each part is the first text or number at its path.
    /// - Returns: nil where a part is missing or can't be in its place.
    mutating func text(in json: Span<UInt8>) throws(ToolFailure) -> [UInt8]? {
        isRefused = false
        var composed = ComposedURL(literals[0], ownDots: ownDots)
        var part: [UInt8] = []
        for index in paths.indices {
            try paths[index].find(in: json)
            part.removeAll(keepingCapacity: true)
            var isUnicode = true
            for node in paths[index].nodes where part.isEmpty { isUnicode = node.appendScalar(in: json, to: &part) }
            guard !part.isEmpty else { return nil }
            if isURL {
                isRefused = isRefused || !isUnicode || !composed.append(part)
            } else {
                composed.text += part
            }
            composed.text += literals[index + 1]
        }
        isRefused = isRefused || isURL && composed.leavesItsPath
        return isRefused ? nil : composed.text
    }
}

struct TextEvaluator: Sendable {
    /// Nil for a composed text.
    var path: JSONPathEvaluator?
    var composed: ComposedTextEvaluator?

    init(_ place: Source.TextPlace, isURL: Bool, filling values: [String: String] = [:]) {
        switch place {
        case .path(let path): self.path = JSONPathEvaluator(path)
        case .composed(let text): composed = ComposedTextEvaluator(text, isURL: isURL, filling: values)
        }
    }
}

extension JSONPathEvaluator {
    /// - Throws: status 76 if that takes too much work.
    mutating func find(in json: Span<UInt8>, limit: Int = .max) throws(ToolFailure) {
        do throws(JSONError) { try evaluate(json, isChecked: true, limit: limit) } catch {
            throw ToolFailure(
                .protocolError, "a record is too large for the paths of the description: \(error)")
        }
    }
}

extension JSONNode {
    /// - Returns: false for what is neither text nor number, and for half of a surrogate pair.
    func appendScalar(in json: Span<UInt8>, to text: inout [UInt8]) -> Bool {
        switch kind {
        case .string: return JSONStringDecoder.append(json.extracting(content), to: &text)
        case .number: text.append(json.extracting(range))
        case .object, .array, .boolean, .null: return false
        }
        return true
    }
}

/// A URL that is composed of a description's texts and a record's values. A value stays in its place: it names something
/// in the path or the query, and never becomes another host, path, query or fragment.
///
///     https://api.example/objects/{$.name}?in={$.set}      name = C#, set = A&B
///     https://api.example/objects/C%23?in=A%26B
///
/// A value may have slashes, as some services give paths. At the beginning a value may be a whole URL.
struct ComposedURL {
    private enum Place {
        case host, path, query, fragment
    }

    fileprivate(set) var text: [UInt8]
    /// The segments `.` and `..` that no value made, and those of a value that is a whole URL.
    private var ownDots: Int
    /// It begins with what no value gave: a literal, or a value that is a whole URL.
    private var mayNameHost: Bool

    init(_ literal: [UInt8], ownDots: Int) {
        text = literal
        self.ownDots = ownDots
        mayNameHost = literal.starts(with: "//".utf8)
    }

    /// - Returns: false if the value can't be in this place.
    mutating func append(_ value: [UInt8]) -> Bool {
        guard !text.isEmpty || !Self.isWhole(value) else {
            text = value
            ownDots += HTTPURL.dotSegments(in: value)
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
        return true
    }

    /// Whether the values make a segment `.` or `..`, or a host of the beginning of a path.
    var leavesItsPath: Bool {
        !mayNameHost && text.starts(with: "//".utf8)
            || HTTPURL.dotSegments(in: text) > ownDots
    }

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
