// The completion for fish as a function of the command: one call of `complete` for each option.

import PipelineCore

extension Command {
    var fishCompletion: String {
        var script = "# Completion of \(name) for fish, made from the tool's command line.\n\n"
        if !takesFiles { script += "complete -c \(name) -f\n" }
        script += fishQueryCondition
        for option in options { script += option.fishLine(of: name) }
        script += "complete -c \(name) -s h -l help -d 'Show the help'\n"
        return script + "complete -c \(name) -l version -d 'Show the version'\n"
    }
}

extension Command {
    /// No file is offered where a text is due.
    private var fishQueryCondition: String {
        guard let option = optionForFirstOperand else { return "" }
        let function = "__" + String(name.map { $0 == "-" ? "_" : $0 }) + "_has_query"
        let letter = option.short.map { "-\($0) " } ?? ""
        let valued = options.filter(\.demandsValue).flatMap { option in
            (option.short.map { ["-\($0)"] } ?? []) + ["--\(option.name)"]
        }
        return """
            function \(function)
                set -l previous ''
                for word in (commandline -opc)[2..]
                    if contains -- $word \(letter)--\(option.name); return 0; end
                    if not string match -q -- '-*' $word
                        and not contains -- $previous \(valued.joined(separator: " "))
                        return 0
                    end
                    set previous $word
                end
                return 1
            end
            complete -c \(name) -n 'not \(function)' -f

            """
    }
}

extension ValueKind {
    /// A word, and after a tab what it means.
    fileprivate func fishOffer(_ word: String) -> String {
        guard let meaning = meanings[word] else { return word }
        return word + "\\t\"" + meaning.replacing("'", with: "\u{2019}").filter { !"\"$\\".contains($0) } + "\""
    }
}

extension CommandOption {
    fileprivate func fishLine(of command: String) -> String {
        var line = "complete -c \(command)"
        if let short { line += " -s \(short)" }
        line += " -l \(name)"
        if let kind = valueKind {
            var offers = kind.words.map { kind.fishOffer($0) }.joined(separator: " ")
            if let listing = kind.listing {
                offers =
                    #"(\#(command) --\#(listing) 2>/dev/null | string replace -r "^(\S+) +(.*?)  .*" "\$1\t\$2")"#
            }
            if kind.hasDirectories { offers += (offers.isEmpty ? "" : " ") + "(__fish_complete_directories)" }
            if !demandsValue {
                if kind.hasFiles { offers += "(__fish_complete_path)" } else { line += " -f" }
            } else {
                line += kind.hasFiles && kind.fileExtension == nil ? " -r -F" : " -x"
            }
            if let suffix = kind.fileExtension {
                offers += (offers.isEmpty ? "" : " ") + "(__fish_complete_suffix .\(suffix))"
            }
            if !offers.isEmpty { line += " -a '\(offers)'" }
        }
        return line + " -d '\(Self.quoted(firstSentence))'\n"
    }

    private static func quoted(_ text: String) -> String {
        text.map { "\\'".contains($0) ? "\\\($0)" : String($0) }.joined()
    }
}
