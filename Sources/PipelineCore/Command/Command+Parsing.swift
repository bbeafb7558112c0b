// From arguments to settings, by GNU conventions: options may follow operands, `--` ends them, short ones may be
// clustered (`-qv`), and values follow a space, an equals sign, or a short option directly (`-n5`).
//
// An argument is taken apart by code points, not by Swift's characters: in `-e` with a combining accent after it, the
// accent is the value.

extension Command {
    /// What the arguments ask for.
    package enum Request {
        case run(Settings)
        /// `-h`
        case shortHelp
        /// `--help`
        case help
        case version
    }

    /// Parses the arguments, without the tool's name. `--help` and `--version` override what follows them.
    package func parse(_ arguments: [String], into settings: Settings) throws(UsageError) -> Request {
        var settings = settings
        var rest = arguments[...]
        while let argument = rest.popFirst() {
            if argument == "--" {
                for operand in rest { try store(operand: operand, in: &settings) }
                return .run(settings)
            }
            if argument == "--help" { return .help }
            if argument == "--version" { return .version }
            let scalars = argument.unicodeScalars
            if scalars.starts(with: "--".unicodeScalars) {
                try parse(long: scalars.dropFirst(2), rest: &rest, into: &settings)
            } else if scalars.first == "-", scalars.count > 1 {
                if try parse(cluster: scalars.dropFirst(), rest: &rest, into: &settings) { return .shortHelp }
            } else {
                try store(operand: argument, in: &settings)
            }
        }
        return .run(settings)
    }

    private func store(operand: String, in settings: inout Settings) throws(UsageError) {
        guard let store = self.operand else {
            throw UsageError("'\(operand)' isn't expected; \(operandAdvice ?? "\(name) takes options only")")
        }
        try store(&settings, operand)
    }

    private func parse(
        long argument: Substring.UnicodeScalarView, rest: inout ArraySlice<String>, into settings: inout Settings
    ) throws(UsageError) {
        let pair = ArgumentValue.pair(String(argument), at: "=")
        let name = pair?.name ?? String(argument)
        let attached = pair?.value
        guard let option = options.first(where: { $0.name == name }) else { throw unknown(long: name) }
        switch option.argument {
        case .none:
            if attached != nil { throw UsageError("--\(name) takes no value") }
            try option.apply(&settings, "")
        case .optional:
            try option.take(attached ?? "", as: "--\(name)", into: &settings)
        case .required(let valueName):
            guard let value = attached ?? rest.popFirst() else {
                throw UsageError("--\(name) needs a value: --\(name) \(valueName)")
            }
            try option.take(value, as: "--\(name)", into: &settings)
        }
    }

    /// - Returns: whether the cluster asks for the short help.
    private func parse(
        cluster argument: Substring.UnicodeScalarView, rest: inout ArraySlice<String>, into settings: inout Settings
    ) throws(UsageError) -> Bool {
        var letters = argument
        while let letter = letters.popFirst() {
            if letter == "h" { return true }
            guard let option = options.first(where: { $0.short == letter }) else {
                throw UsageError("unknown option -\(letter); \(advice(for: String(letter)))")
            }
            guard case .required(let valueName) = option.argument else {
                try option.apply(&settings, "")
                continue
            }
            let attached = letters.first == "=" ? letters.dropFirst() : letters
            guard let value = letters.isEmpty ? rest.popFirst() : String(attached) else {
                throw UsageError("-\(letter) needs a value: -\(letter) \(valueName)")
            }
            try option.take(value, as: "-\(letter)", into: &settings)
            return false
        }
        return false
    }

    /// The error for an unknown option, with the nearest known one.
    private func unknown(long name: String) -> UsageError {
        let own = ["help", "version"]
        if own.contains(name) { return UsageError("--\(name) takes no value") }
        let known = options.map(\.name) + own
        let nearest = EditDistance.nearest(to: name, among: known) ?? begun(name, known)
        if hintsForForeignOptions[name] == nil, let nearest {
            return UsageError("unknown option --\(name); did you mean --\(nearest)?")
        }
        return UsageError("unknown option --\(name); \(advice(for: name))")
    }

    /// The shortest option that begins with these letters.
    private func begun(_ name: String, _ known: [String]) -> String? {
        guard name.count >= 2 else { return nil }
        return known.filter { $0.hasPrefix(name) }.min { ($0.count, $0) < ($1.count, $1) }
    }

    private func advice(for option: String) -> String {
        hintsForForeignOptions[option] ?? "\(name) --help lists them"
    }
}

extension CommandOption {
    fileprivate func take(_ value: String, as spelling: String, into settings: inout Settings) throws(UsageError) {
        let isFile = valueForms.contains { $0.isFile }
        try apply(&settings, isFile ? value : try ArgumentValue.text(value, option: spelling))
    }
}
