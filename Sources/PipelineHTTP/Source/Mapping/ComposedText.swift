// A text that is composed of a record's members:
//
//     "https://img.example/{$.image_id}/full.jpg"
//     {"image_id":"ab1"}  →  https://img.example/ab1/full.jpg

package import PipelineCore

/// Literal texts, and a path between each two of them.
package struct ComposedText: Sendable {
    /// What a description writes before the first name of a path.
    static let mark = "{$"

    /// One more than there are paths.
    let literals: [[UInt8]]
    let paths: [JSONPath]
    /// As written.
    package let text: String

    /// - Throws: the first mistake in its paths, in words.
    init(_ text: String) throws(MistakeError) {
        var literals: [[UInt8]] = []
        var paths: [JSONPath] = []
        var rest = text.unicodeScalars[...]
        while let start = rest.firstRange(of: Self.mark.unicodeScalars) {
            literals.append(Array(String(rest[..<start.lowerBound]).utf8))
            let written = String(rest[start.lowerBound...].dropFirst())
            let found: (path: JSONPath, rest: String.UnicodeScalarView.SubSequence)
            do throws(JSONPathError) { found = try JSONPath.prefix(of: written) } catch {
                throw MistakeError("'\(written)': \(error.account)")
            }
            guard found.rest.first == "}" else {
                throw MistakeError("'{\(found.path.text)' needs a } after the path")
            }
            paths.append(found.path)
            rest = String(found.rest.dropFirst()).unicodeScalars[...]
        }
        self.literals = literals + [Array(String(rest).utf8)]
        self.paths = paths
        self.text = text
    }

    /// What is wrong with such a text.
    struct MistakeError: Error {
        let account: String

        init(_ account: String) { self.account = account }
    }
}

/// Composes texts of records. Reuses its buffers.
package struct ComposedTextEvaluator: Sendable {
    private let literals: [[UInt8]]
    private var paths: [JSONPathEvaluator]

    package init(_ text: ComposedText) {
        literals = text.literals
        paths = text.paths.map { JSONPathEvaluator($0) }
    }

    /// The text. Each part is the first text or number at its path, as it is.
    /// - Parameter json: checked.
    /// - Returns: nil where a part is missing.
    package mutating func text(in json: Span<UInt8>) throws(JSONError) -> [UInt8]? {
        var text = literals[0]
        for index in paths.indices {
            try paths[index].evaluate(json, isChecked: true)
            let before = text.count
            for node in paths[index].nodes where text.count == before {
                switch node.kind {
                case .string: JSONStringDecoder.append(json.extracting(node.content), to: &text)
                case .number: text.append(json.extracting(node.range))
                default: break
                }
            }
            guard text.count > before else { return nil }
            text += literals[index + 1]
        }
        return text
    }
}
