// From arguments to settings, by GNU conventions: options may follow operands, `--` ends them, short ones may be
// clustered (`-qv`), and values follow a space, an equals sign, or a short option directly (`-n5`).
//
// An argument is taken apart by code points, not by Swift's characters: in `-e` with a combining accent after it, the
// accent is the value.

extension Command {
    package enum Request {
        case run(Settings)
        case shortHelp
        case help
        case version
    }

    /// Parses the arguments, without the tool's name. `--help` and `--version` override what follows them.
    package func parse(_ arguments: [String], into settings: Settings) throws(UsageError) -> Request {
        var settings = settings
        var given = GivenOptions()
        var rest = arguments[...]
        while let argument = rest.popFirst() {
            if argument == "--" {
                for operand in rest { try store(operand: operand, in: &settings, &given) }
                break
            }
            if argument == "--help" { return .help }
            if argument == "--version" { return .version }
            let scalars = argument.unicodeScalars
            if scalars.starts(with: "--".unicodeScalars) {
                try parse(long: scalars.dropFirst(2), rest: &rest, into: &settings, &given)
            } else if scalars.first == "-", scalars.count > 1 {
                if try parse(cluster: scalars.dropFirst(), rest: &rest, into: &settings, &given) {
                    return .shortHelp
                }
            } else {
                try store(operand: argument, in: &settings, &given)
            }
        }
        try check(given)
        return .run(settings)
    }

    private func store(
        operand: String, in settings: inout Settings, _ given: inout GivenOptions
    ) throws(UsageError) {
        guard let store = self.operand else {
            throw UsageError(
                "'\(operand)' isn't expected; \(operandAdvice?(operand) ?? "\(name) takes options only")")
        }
        given.add("FILE", operand)
        try store(&settings, operand)
    }

    private func apply(
        _ option: CommandOption<Settings>, _ value: String, to settings: inout Settings, _ given: inout GivenOptions
    ) throws(UsageError) {
        given.add(option.name, value)
        let isFile = option.valueForms.contains(where: \.isFile)
        try option.apply(&settings, isFile ? value : try ArgumentValue.text(value, option: "--\(option.name)"))
    }

    private func parse(
        long argument: Substring.UnicodeScalarView, rest: inout ArraySlice<String>, into settings: inout Settings,
        _ given: inout GivenOptions
    ) throws(UsageError) {
        let pair = ArgumentValue.pair(String(argument), at: "=")
        let name = pair?.name ?? String(argument)
        let attached = pair?.value
        guard let option = self.option(name) else { throw unknown(long: name) }
        switch option.argument {
        case .none:
            if attached != nil { throw UsageError("--\(name) takes no value") }
            try apply(option, "", to: &settings, &given)
        case .optional:
            try apply(option, attached ?? "", to: &settings, &given)
        case .required(let valueName):
            guard let value = attached ?? rest.popFirst() else {
                throw UsageError("--\(name) needs a value: --\(name) \(valueName)")
            }
            try apply(option, value, to: &settings, &given)
        }
    }

    /// - Returns: whether the cluster asks for the short help.
    private func parse(
        cluster argument: Substring.UnicodeScalarView, rest: inout ArraySlice<String>,
        into settings: inout Settings,
        _ given: inout GivenOptions
    ) throws(UsageError) -> Bool {
        var letters = argument
        while let letter = letters.popFirst() {
            if letter == "h" { return true }
            guard let option = options.first(where: { $0.short == letter }) else {
                throw unknown(letter: letter, of: argument)
            }
            guard case .required(let valueName) = option.argument else {
                try apply(option, "", to: &settings, &given)
                continue
            }
            let attached = letters.first == "=" ? letters.dropFirst() : letters
            guard let value = letters.isEmpty ? rest.popFirst() : String(attached) else {
                throw UsageError("-\(letter) needs a value: -\(letter) \(valueName)")
            }
            try apply(option, value, to: &settings, &given)
            return false
        }
        return false
    }

    /// The error for an unknown option, with the nearest known one.
    private func unknown(long name: String) -> UsageError {
        let own = ["help", "version"]
        if own.contains(name) { return UsageError("--\(name) takes no value") }
        if let cure = manual.habit(name) { return UsageError("unknown option --\(name); \(cure)") }
        let known = options.map(\.name) + own
        if let nearest = EditDistance.nearest(to: name, among: known) ?? begun(name, known) {
            return UsageError("unknown option --\(name); did you mean --\(nearest)?")
        }
        return UsageError("unknown option --\(name); \(self.name) --help lists them")
    }

    /// The error for an unknown letter, or for a word after a single dash, as in `-convert xml1`.
    private func unknown(letter: Unicode.Scalar, of word: Substring.UnicodeScalarView) -> UsageError {
        let manual = manual
        let whole = String(word)
        if whole.count > 1, let cure = manual.habit(whole) {
            return UsageError("unknown option -\(whole); \(cure)")
        }
        return UsageError(
            "unknown option -\(letter); \(manual.habit(String(letter)) ?? "\(name) --help lists them")")
    }

    /// The shortest option that begins with these letters.
    private func begun(_ name: String, _ known: [String]) -> String? {
        guard name.count >= 2 else { return nil }
        return known.filter { $0.hasPrefix(name) }.min { ($0.count, $0) < ($1.count, $1) }
    }
}
