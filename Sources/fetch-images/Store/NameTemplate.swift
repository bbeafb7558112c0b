// `--name`: the name of a picture, made from members of its record.
//
//     {name} ({id})       {"name":"Mick","id":7}  →  Mick (7).png

package import PipelineCore

/// Text and members in turn.
package struct NameTemplate: Sendable {
    private let texts: [String]
    /// The members in the template; each follows the text of the same index.
    package let fields: [JSONPath]

    /// - Throws: for an unpaired brace, or an invalid path.
    package init(_ template: String) throws(UsageError) {
        var texts: [String] = []
        var fields: [JSONPath] = []
        var rest = template.unicodeScalars[...]
        while let brace = rest.firstIndex(where: { $0 == "{" || $0 == "}" }) {
            guard rest[brace] == "{" else { throw Self.unpaired(template) }
            texts.append(String(rest[..<brace]))
            let (field, behind) = try ArgumentValue.pathPrefix(
                of: String(rest[rest.index(after: brace)...]), option: "--name")
            guard behind.first == "}" else { throw Self.unpaired(template) }
            fields.append(field)
            rest = behind.dropFirst()
        }
        guard !fields.isEmpty else {
            throw UsageError("--name takes a template with a member in braces, such as '{name}', not '\(template)'")
        }
        self.texts = texts + [String(rest)]
        self.fields = fields
    }

    private static func unpaired(_ template: String) -> UsageError {
        UsageError("--name takes a template such as '{name}', with pairs of braces, not '\(template)'")
    }

    /// - Parameter values: of the fields; a missing one is replaced by nothing.
    package func text(_ values: [String?]) -> String {
        var text = ""
        for (index, value) in values.enumerated() { text += texts[index] + (value ?? "") }
        return text + texts[values.count]
    }
}
