// The completion for bash as a function of the command. It needs nothing but bash 3.2, which macOS has; later versions
// leave out files where a value is none.

import PipelineCore

extension Command {
    var bashCompletion: String {
        let function = "_" + String(name.map { $0 == "-" ? "_" : $0 })
        let everything = options.map { "--\($0.name)" } + ["--help", "--version"]
        let noFiles = takesFiles ? "" : "compopt +o default 2>/dev/null\n    "
        return """
            # Completion of \(name) for bash, made from the tool's command line.

            \(function)() {
                local word=${COMP_WORDS[COMP_CWORD]} option=${COMP_WORDS[COMP_CWORD-1]} index IFS=$'\\n'
                COMPREPLY=()
                # What is typed as --option=value comes in three words.
                if [ "$word" = "=" ]; then
                    word=
                    option=$option=
                elif [ "$option" = "=" ]; then
                    option=${COMP_WORDS[COMP_CWORD-2]}=
                fi
                # After -- all words are operands.
                for ((index = 1; index < COMP_CWORD; index++)); do
                    if [ "${COMP_WORDS[index]}" = "--" ]; then option=operand word=./$word; fi
                done
                case $option in
            \(cases)
                esac
                case $word in
                    -*)
                        COMPREPLY=($(compgen -W \(Self.quoted(everything)) -- "$word"))
                        return ;;
                esac
                \(noFiles)\(bashQuery)return 0
            }

            complete -o default -F \(function) \(name)

            """
    }

    /// No file is offered where a text is due.
    private var bashQuery: String {
        guard let option = optionForFirstOperand else { return "" }
        let patterns = options.filter(\.demandsValue).map { option in
            (option.short.map { "-\($0) | " } ?? "") + "--\(option.name)"
        }
        return """
            option=
                for ((index = 1; index < COMP_CWORD; index++)); do
                    case ${COMP_WORDS[index]} in
                        \(option.short.map { "-\($0) | " } ?? "")--\(option.name)) return 0 ;;
                        -?*) ;;
                        *)
                            case $option in
                                \(patterns.joined(separator: " | "))) ;;
                                *) return 0 ;;
                            esac ;;
                    esac
                    option=${COMP_WORDS[index]}
                done
                compopt +o default 2>/dev/null

            """ + "    "
    }

    /// The branches for options with a value, those that are completed alike in one.
    private var cases: String {
        var branches: [(patterns: [String], action: String)] = []
        for option in options {
            guard let kind = option.valueKind else { continue }
            if let index = branches.firstIndex(where: { $0.action == kind.bashAction }) {
                branches[index].patterns.append(option.bashPattern)
            } else {
                branches.append(([option.bashPattern], kind.bashAction))
            }
        }
        return branches.map { branch in
            let patterns = branch.patterns.joined(separator: " | \\\n        ")
            return "        \(patterns))\n            \(branch.action)\n            return ;;"
        }.joined(separator: "\n")
    }

    fileprivate static func quoted(_ words: [String]) -> String { "$'" + words.joined(separator: "\\n") + "'" }
}

extension CommandOption {
    /// The words after which its value stands.
    fileprivate var bashPattern: String {
        demandsValue ? "\(short.map { "-\($0) | " } ?? "")--\(name) | --\(name)=" : "--\(name)="
    }
}

extension ValueKind {
    /// What fills COMPREPLY. Files are left to bash itself, which knows how to quote them.
    fileprivate var bashAction: String {
        var action: [String] = []
        if !words.isEmpty {
            action.append("COMPREPLY=($(compgen -W \(Command<Void>.quoted(words)) -- \"$word\"))")
        }
        if let listing {
            action.append(
                "COMPREPLY=($(compgen -W \"$(\"${COMP_WORDS[0]}\" --\(listing) 2>/dev/null | cut -d ' ' -f 1)\" -- \"$word\"))"
            )
        }
        if hasFiles {
            if let fileExtension {
                action.append(
                    "COMPREPLY+=($(compgen -f -X '!*.\(fileExtension)' -- \"$word\") $(compgen -d -- \"$word\"))")
            } else if !words.isEmpty {
                action.append("COMPREPLY+=($(compgen -f -- \"$word\"))")
            }
        } else if hasDirectories {
            action.append("COMPREPLY+=($(compgen -d -- \"$word\"))")
        } else {
            action.append("compopt +o default 2>/dev/null")
        }
        if hasDirectories || hasFiles && (!words.isEmpty || fileExtension != nil) {
            action.append("compopt -o filenames 2>/dev/null")
        }
        return action.isEmpty ? ":" : action.joined(separator: "\n            ")
    }
}
