// `--name`: what a picture is called, made of members of its record.
//
//     {name} ({id})       {"name":"Mick","id":7}  →  Mick (7).png

package import PipelineCore

/// Text and members in turn.
package struct NameTemplate: Sendable {
    private let texts: [String]
    /// The members that are asked for; each stands behind the text of the same number.
    package let fields: [FieldPath]

    /// - Throws: for a brace without its partner, and for what is no path of members.
    package init(_ template: String) throws(UsageError) {
        var texts: [String] = []
        var fields: [FieldPath] = []
        var rest = template[...]
        while let open = rest.firstIndex(where: { $0 == "{" || $0 == "}" }) {
            guard rest[open] == "{", let close = rest[open...].firstIndex(of: "}") else {
                throw UsageError(
                    "--name takes a template such as '{name}', with pairs of braces, not '\(template)'")
            }
            texts.append(String(rest[..<open]))
            fields.append(try FieldPath(String(rest[rest.index(after: open)..<close]), option: "--name"))
            rest = rest[rest.index(after: close)...]
        }
        guard !fields.isEmpty else {
            throw UsageError("--name takes a template with a member in braces, such as '{name}', not '\(template)'")
        }
        self.texts = texts + [String(rest)]
        self.fields = fields
    }

    /// - Parameter values: of the fields; one that is missing leaves nothing.
    package func text(_ values: [String?]) -> String {
        var text = ""
        for (index, value) in values.enumerated() { text += texts[index] + (value ?? "") }
        return text + texts[values.count]
    }
}
