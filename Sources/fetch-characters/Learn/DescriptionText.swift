// JSON as people write descriptions: each member of the whole on a line of its own, and what fits stays on its line.

import PipelineCore
import PipelineHTTP

/// Writes the text of a description.
enum DescriptionText {
    private static let lineLimit = 110

    static func text(of tree: JSONTree) -> String { lines(tree, indent: 0, room: 0) }

    /// - Parameters:
    ///   - indent: of the line that the value begins on.
    ///   - room: that the line has for the value on it, in characters.
    private static func lines(_ tree: JSONTree, indent: Int, room: Int) -> String {
        let whole = line(tree)
        if whole.count <= room { return whole }
        let inner = String(repeating: " ", count: indent + 2)
        switch tree {
        case .object(let members) where !members.isEmpty:
            let parts = members.map { name, value in
                let start = inner + JSONTree.string(name).json + ": "
                return start + lines(value, indent: indent + 2, room: lineLimit - start.count)
            }
            return "{\n" + parts.joined(separator: ",\n") + "\n" + inner.dropLast(2) + "}"
        case .array(let elements) where !elements.isEmpty:
            let parts = elements.map { inner + lines($0, indent: indent + 2, room: lineLimit - inner.count) }
            return "[\n" + parts.joined(separator: ",\n") + "\n" + inner.dropLast(2) + "]"
        default: return whole
        }
    }

    /// The value on one line.
    private static func line(_ tree: JSONTree) -> String {
        switch tree {
        case .object(let members):
            "{" + members.map { JSONTree.string($0.name).json + ": " + line($0.value) }.joined(separator: ", ")
                + "}"
        case .array(let elements): "[" + elements.map(line).joined(separator: ", ") + "]"
        default: tree.json
        }
    }
}
