// Where a value stands in its record, for messages: `$.films[2]`.

/// Finds paths.
package enum ValuePath {
    /// The path of the value (or of the member whose name) begins at `offset`, as a normalized JSONPath in its short
    /// form. The text up to there must have been read before.
    package static func path(of offset: Int, in line: Span<UInt8>) -> String {
        var steps: [String] = []
        /// For each open container: the index of the next element, nil for an object.
        var indices: [Int?] = []
        var reader = JSONReader(line)
        while reader.position < line.count, let token = next(&reader), let token {
            switch token {
            case .name(let name):
                steps[steps.count - 1] = step(name, in: line)
                if reader.tokenStart >= offset { return "$" + steps.joined() }
                continue
            case .endObject, .endArray:
                steps.removeLast()
                indices.removeLast()
                continue
            default: break
            }
            if let index = indices.last, let index {
                steps[steps.count - 1] = "[\(index)]"
                indices[indices.count - 1] = index + 1
            }
            if reader.tokenStart >= offset { break }
            if token == .beginObject || token == .beginArray {
                steps.append("")
                indices.append(token == .beginArray ? 0 : nil)
            }
        }
        return "$" + steps.joined()
    }

    /// The next token; nil at a fault, and a nil within at the end.
    private static func next(_ reader: inout JSONReader) -> JSONToken?? {
        do throws(JSONError) {
            return .some(try reader.next())
        } catch {
            return nil
        }
    }

    private static func step(_ name: JSONString, in line: Span<UInt8>) -> String {
        var bytes: [UInt8] = []
        JSONStringDecoder.append(line.extracting(name.range), to: &bytes)
        let isPlain = bytes.allSatisfy { byte in
            byte | 0x20 >= UInt8(ascii: "a") && byte | 0x20 <= UInt8(ascii: "z") || byte == UInt8(ascii: "_")
                || byte >= UInt8(ascii: "0") && byte <= UInt8(ascii: "9") || byte >= 0x80
        }
        let text = String(decoding: bytes, as: UTF8.self)
        if isPlain, let first = bytes.first, first > UInt8(ascii: "9") { return "." + text }
        return "['" + text.replacing("\\", with: "\\\\").replacing("'", with: "\\'") + "']"
    }
}
