// A way into a JSON text by the names of members: `info.totalPages`.

package import PipelineCore

/// The names from the outermost object inwards, at least one.
package struct MemberPath: Equatable, Sendable {
    let names: [[UInt8]]

    package init(_ names: String...) {
        precondition(!names.isEmpty)
        self.names = names.map { Array($0.utf8) }
    }

    /// As it is written in a description.
    package var text: String { names.map { String(decoding: $0, as: UTF8.self) }.joined(separator: ".") }

    /// Where the values stand that the paths lead to, nil where there is none. Of duplicate names the last one counts,
    /// as it does for most readers. The whole text is read, and so checked.
    /// - Parameter start: where in `json` the text begins.
    package static func values(
        of paths: [MemberPath], in json: Span<UInt8>, from start: Int = 0
    ) throws(JSONError) -> [JSONValue?] {
        var reader = JSONReader(json, from: start)
        var found = [JSONValue?](repeating: nil, count: paths.count)
        var trail: [[UInt8]] = []
        while let token = try reader.next() {
            switch token {
            case .name(let name):
                trail.removeLast(trail.count - (reader.depth - 1))
                trail.append(text(of: name, in: json))
                let places = paths.indices.filter { paths[$0].names == trail }
                let isOnTheWay = paths.contains { $0.names.count > trail.count && $0.names.starts(with: trail) }
                if places.isEmpty, isOnTheWay { continue }
                let value = try JSONValue.next(&reader)
                for place in places { found[place] = value }
            case .beginArray: try reader.skipRest(of: token)
            default: continue
            }
        }
        return found
    }

    /// The text of a string or a name.
    static func text(of string: JSONString, in json: Span<UInt8>) -> [UInt8] {
        var text: [UInt8] = []
        if string.hasEscapes {
            JSONStringDecoder.append(json.extracting(string.range), to: &text)
        } else {
            text.append(json.extracting(string.range))
        }
        return text
    }
}
