// The completion for fish as a function of the command: one call of `complete` for each option.

import PipelineCore

extension Command {
    /// A script that fish reads.
    var fishCompletion: String {
        var script = "# Completion of \(name) for fish, made from the tool's command line.\n\n"
        if !takesFiles { script += "complete -c \(name) -f\n" }
        for option in options { script += option.fishLine(of: name) }
        script += "complete -c \(name) -s h -l help -d 'Show the help'\n"
        return script + "complete -c \(name) -l version -d 'Show the version'\n"
    }
}

extension CommandOption {
    fileprivate func fishLine(of command: String) -> String {
        var line = "complete -c \(command)"
        if let short { line += " -s \(short)" }
        line += " -l \(name)"
        if let kind = valueKind {
            var offers = kind.words.joined(separator: " ")
            if kind.hasDirectories { offers += (offers.isEmpty ? "" : " ") + "(__fish_complete_directories)" }
            if !demandsValue {
                if kind.hasFiles { offers += "(__fish_complete_path)" }
            } else {
                line += kind.hasFiles ? " -r -F" : " -x"
            }
            if !offers.isEmpty { line += " -a '\(offers)'" }
        }
        return line + " -d '\(Self.quoted(firstSentence))'\n"
    }

    private static func quoted(_ text: String) -> String {
        text.map { "\\'".contains($0) ? "\\\($0)" : String($0) }.joined()
    }
}
