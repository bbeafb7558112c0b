// The completion for zsh as a function of the command: a specification for its _arguments.

import PipelineCore

extension Command {
    /// A file to be put on zsh's `fpath` as `_` and the tool's name.
    var zshCompletion: String {
        let queryOption = optionForFirstOperand?.name
        let mixed = options.filter { $0.valueKind?.needsFunction == true }
        let specifications =
            options.map { $0.zshSpecification(of: name, excluding: $0.name == queryOption ? "(1)" : "") } + [
                "'(- *)'{-h,--help}'[Show the help]'", "'(- *)--version[Show the version]'",
            ]
        let query = queryOption == nil ? "" : " \\\n        '1:query: '"
        let operands = takesFiles ? query + " \\\n        '*:file:_files'" : ""
        return """
            #compdef \(name)
            # Completion of \(name) for zsh, made from the tool's command line.

            \(mixed.map { $0.zshFunction(of: name) }.joined())_\(name)() {
                _arguments -s -S : \\
                    \(specifications.joined(separator: " \\\n        "))\(operands)
            }

            _\(name) "$@"

            """
    }
}

extension CommandOption {
    /// The option for _arguments. A value may be given again, a switch has had its effect.
    /// - Parameter excluding: what isn't offered after it.
    fileprivate func zshSpecification(of command: String, excluding: String) -> String {
        let explanation = Self.escaped("[", firstSentence)
        switch argument {
        case .none:
            guard let short else { return "'--\(name)\(explanation)'" }
            return "'(-\(short) --\(name))'{-\(short),--\(name)}'\(explanation)'"
        case .required(let value):
            let action = Self.escaped(":", value) + ":" + zshAction(of: command)
            guard let short else { return "'\(excluding)*--\(name)=\(explanation)\(action)'" }
            return "'\(excluding)*'{-\(short)+,--\(name)=}'\(explanation)\(action)'"
        case .optional(let value):
            return "'--\(name)=-\(explanation):\(Self.escaped(":", value)):\(zshAction(of: command))'"
        }
    }

    private func zshAction(of command: String) -> String {
        guard let kind = valueKind else { return "" }
        if kind.needsFunction { return zshName(of: command) }
        if !kind.words.isEmpty { return kind.zshWords }
        return kind.hasFiles ? kind.zshFiles : kind.hasDirectories ? "_files -/" : " "
    }

    private func zshName(of command: String) -> String { "_\(command)_\(name)" }

    /// What offers words and files together, which no specification can say in place.
    fileprivate func zshFunction(of command: String) -> String {
        if let listing = valueKind?.listing { return zshFunction(of: command, listing: listing) }
        let words = valueKind?.zshWords ?? ""
        let files =
            valueKind?.hasFiles == true
            ? "'files:file:\(valueKind?.zshFiles ?? "")'" : "'files:directory:_files -/'"
        return """
            \(zshName(of: command))() {
                _alternative 'words:\(name):\(words)' \(files)
            }


            """
    }

    /// What asks the installed tool.
    private func zshFunction(of command: String, listing: String) -> String {
        let files = valueKind?.hasFiles == true ? "; \(valueKind?.zshFiles ?? "")" : ""
        return """
            \(zshName(of: command))() {
                local -a found
                found=(${(f)"$(_call_program \(name) \(command) --\(listing) 2>/dev/null |
                    sed -E 's/:/\\\\:/g; s/^([^ ]+) +(.*[^ ])  +.*$/\\1:\\2/')"})
                _describe -t \(name) \(name) found\(files)
            }


            """
    }

    /// The text between brackets, or after a colon, inside single quotes.
    private static func escaped(_ mark: Character, _ text: String) -> String {
        var result = String(mark)
        for character in text {
            if "[]:\\".contains(character) { result.append("\\") }
            result += character == "'" ? "'\\''" : String(character)
        }
        return mark == "[" ? result + "]" : result
    }
}

extension ValueKind {
    /// The words, with what they mean where that is known.
    fileprivate var zshWords: String {
        guard !meanings.isEmpty else { return "(\(words.joined(separator: " ")))" }
        let items = words.map { word in
            word
                + (meanings[word].map {
                    "\\:\"\($0.replacing("'", with: "\u{2019}").filter { !"\"$:\\".contains($0) })\""
                } ?? "")
        }
        return "((\(items.joined(separator: " "))))"
    }

    fileprivate var zshFiles: String { fileExtension.map { "_files -g \"*.\($0)\"" } ?? "_files" }

    /// Whether no specification can say it in place.
    fileprivate var needsFunction: Bool { listing != nil || !words.isEmpty && (hasFiles || hasDirectories) }
}
