// The variables and files that affect a command, and the headings of its options.

/// A variable or a file, and its purpose.
package struct GlossaryEntry: Sendable {
    package let name: String
    package let meaning: String

    package init(_ name: String, _ meaning: String) {
        self.name = name
        self.meaning = meaning
    }
}

extension Array {
    /// These options under a heading in the help and the manual.
    package func under<Settings>(_ heading: String) -> [CommandOption<Settings>]
    where Element == CommandOption<Settings> {
        var options = self
        for index in 0..<options.count { options[index].heading = heading }
        return options
    }
}

extension Command {
    /// The options in order, grouped by heading.
    package var groups: [(heading: String, options: [CommandOption<Settings>])] {
        var groups: [(heading: String, options: [CommandOption<Settings>])] = []
        for option in options {
            if let index = groups.firstIndex(where: { $0.heading == option.heading }) {
                groups[index].options.append(option)
            } else {
                groups.append((option.heading, [option]))
            }
        }
        return groups
    }
}
