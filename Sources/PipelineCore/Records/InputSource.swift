// How a user would give a tool its input in another form: the commands that messages about an input offer.

/// The input that messages are about, and the command line that reads it.
package struct InputSource: Sendable {
    /// A longer command is cut down to the tool's name.
    private static let longestCommand = 120

    /// As messages call it.
    let name: String
    /// Nil for stdin.
    let file: String?
    let tool: String
    /// The arguments of the tool.
    let arguments: [String]
    /// Whether the tool reads other files too, so that stdin has to be named among them.
    let isOneOfSeveral: Bool

    package init(_ name: String, tool: String, arguments: [String], isOneOfSeveral: Bool = false) {
        self.name = name
        file = name == Descriptor.standardInput.name ? nil : name
        self.tool = tool
        self.arguments = arguments
        self.isOneOfSeveral = isOneOfSeveral
    }

    /// The tool's command with stdin in place of the file.
    var command: String {
        var words = arguments
        if let file, let index = words.lastIndex(of: file) {
            if isOneOfSeveral { words[index] = "-" } else { words.remove(at: index) }
        }
        let text = ([tool] + words.map { ShellWord.quoted($0) }).joined(separator: " ")
        return text.utf8.count <= Self.longestCommand ? text : "\(tool) …"
    }

    /// What an input of this kind is, and the command that makes records of it.
    package func verdict(_ kind: InputKind) -> String {
        "\(name) \(kind.isCertain ? "is" : "looks like") \(kind.noun); \(kind.advice(file: file, tool: command))"
    }

    /// The same, after what is wrong with the first line.
    func hint(_ kind: InputKind) -> String {
        kind == .loose
            ? "a record is on one line, its names in double quotes"
            : "it looks like \(kind.noun), \(kind.advice(file: file, tool: command))"
    }
}
