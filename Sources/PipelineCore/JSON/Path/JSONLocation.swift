// The location of a value in a JSON text, as a path to it:
//
//     {"films":[{"year":1950}]}     at byte 18:  $['films'][0]['year']     or short:  films[0].year

package enum JSONLocation {
    package enum Style: Sendable {
        /// RFC 9535, section 2.7.
        case normalized
        /// As people write paths: `films[0].year`, or `$['my name']` if the short form can't express a name. It can
        /// be parsed again.
        case short
        /// The same after `$`: `$.films[0].year`.
        case rooted
    }

    package enum PathStep: Hashable, Sendable {
        case name(String)
        /// To an element of an array, from 0.
        case index(Int)
    }

    /// The path to the value, or the member whose name, begins at a byte, or to whatever encloses that byte. Reads the
    /// text from its start, so use it only for messages.
    package static func path(toPart offset: Int, in text: Span<UInt8>, style: Style = .rooted) -> String {
        var trail = JSONTrail()
        var reader = JSONReader(text)
        do throws(JSONError) {
            while let token = try reader.next() {
                let isEnd = token == .endObject || token == .endArray
                _ = trail.take(token)
                if !isEnd, reader.tokenStart >= offset { break }
                trail.enter(token)
            }
        } catch {
            // The part before the fault has been found.
        }
        return path(of: trail.steps(in: text), style: style)
    }

    /// The paths to the values that begin at these bytes.
    /// - Throws: the text's first fault.
    static func paths(to offsets: Set<Int>, in text: Span<UInt8>) throws(JSONError) -> [[PathStep]] {
        var paths: [[PathStep]] = []
        var reader = JSONReader(text)
        var trail = JSONTrail()
        while paths.count < offsets.count, let token = try reader.next() {
            if trail.take(token), offsets.contains(reader.tokenStart) { paths.append(trail.steps(in: text)) }
            trail.enter(token)
        }
        return paths
    }

    package static func path(of steps: [PathStep], style: Style) -> String {
        let root = UInt8(ascii: "$")
        var path: [UInt8] = style == .rooted ? [root] : []
        for step in steps {
            if style != .normalized, case .name(let name) = step,
                JSONPathParser.isName(name, isShort: path.first != root)
            {
                if !path.isEmpty { path.append(UInt8(ascii: ".")) }
                path.append(contentsOf: name.utf8)
            } else {
                if path.isEmpty { path.append(root) }
                append(step, to: &path)
            }
        }
        return path.isEmpty ? "$" : path.span.text
    }

    /// Appends a step as normalized paths write it: `['name']`, `[0]`.
    static func append(_ step: PathStep, to path: inout [UInt8]) {
        switch step {
        case .name(let name): appendStep(name: Array(name.utf8).span, to: &path)
        case .index(let index): path.append(contentsOf: "[\(index)]".utf8)
        }
    }

    static func appendStep(name: Span<UInt8>, to path: inout [UInt8]) {
        path.append(contentsOf: "['".utf8)
        for index in name.indices {
            switch name[index] {
            case UInt8(ascii: "'"), UInt8(ascii: "\\"):
                path.append(UInt8(ascii: "\\"))
                path.append(name[index])
            case 8: path.append(contentsOf: "\\b".utf8)
            case 9: path.append(contentsOf: "\\t".utf8)
            case 10: path.append(contentsOf: "\\n".utf8)
            case 12: path.append(contentsOf: "\\f".utf8)
            case 13: path.append(contentsOf: "\\r".utf8)
            case let byte where byte < 32:
                path.append(contentsOf: ("\\u" + String(byte, radix: 16).padded(to: 4)).utf8)
            case let byte: path.append(byte)
            }
        }
        path.append(contentsOf: "']".utf8)
    }
}

/// The way from the beginning of a text to the value that was read last.
struct JSONTrail {
    /// In an object the range between the quotes of the member's name, in an array the index.
    private enum Step {
        case name(Range<Int>)
        case index(Int)
    }

    /// For each open container, outermost first, the step to the value in it that was read last.
    private var open: [Step] = []

    /// Takes the next token; returns whether a value begins with it.
    mutating func take(_ token: JSONToken) -> Bool {
        switch token {
        case .name(let name):
            open[open.count - 1] = .name(name.range)
            return false
        case .endObject, .endArray:
            open.removeLast()
            return false
        default:
            if case .index(let index)? = open.last { open[open.count - 1] = .index(index + 1) }
            return true
        }
    }

    mutating func enter(_ token: JSONToken) {
        if token == .beginObject { open.append(.name(0..<0)) }
        if token == .beginArray { open.append(.index(-1)) }
    }

    func steps(in text: Span<UInt8>) -> [JSONLocation.PathStep] {
        var steps: [JSONLocation.PathStep] = []
        for step in open {
            switch step {
            case .index(let index): steps.append(.index(index))
            case .name(let range): steps.append(.name(JSONString(range: range, hasEscapes: true).text(in: text)))
            }
        }
        return steps
    }
}
