// From arguments to settings, by GNU conventions: options may follow operands, `--` ends them, short ones may be
// clustered (`-qv`), and values follow a space, an equals sign, or a short option directly (`-n5`).
//
// An argument is taken apart by code points, not by Swift's characters: in `-e` with a combining accent after it, the
// accent is the value.

extension Command {
    package enum Request {
        case run
        case shortHelp
        case help
        case version
    }

    /// Parses the arguments, without the tool's name. `--help` and `--version` override what follows them. The settings
    /// have what precedes an error.
    package func parse(_ arguments: [String], into settings: inout Settings) throws(UsageError) -> Request {
        var parser = ArgumentParser(command: self, settings: settings, rest: arguments[...])
        defer { settings = parser.settings }
        return try parser.parse()
    }
}

private struct ArgumentParser<Settings> {
    let command: Command<Settings>
    var settings: Settings
    var rest: ArraySlice<String>
    var given = GivenOptions()

    mutating func parse() throws(UsageError) -> Command<Settings>.Request {
        while let argument = rest.popFirst() {
            if argument == "--" {
                for operand in rest { try store(operand: operand) }
                break
            }
            if argument == "--help" { return .help }
            if argument == "--version" { return .version }
            let scalars = argument.unicodeScalars
            try checkDashes(scalars)
            if scalars.starts(with: "--".unicodeScalars) {
                try parse(long: String(scalars.dropFirst(2)))
            } else if scalars.first == "-", scalars.count > 1 {
                if try parse(cluster: scalars.dropFirst()) { return .shortHelp }
            } else {
                try store(operand: argument)
            }
        }
        try command.check(given)
        return .run
    }

    /// Refuses an option that begins with the long dash that a web page has made of its hyphens.
    private func checkDashes(_ argument: String.UnicodeScalarView) throws(UsageError) {
        let name = argument.drop { $0 == "–" || $0 == "—" || $0 == "-" }
        guard let dash = argument.first, dash == "–" || dash == "—", let first = name.first, "A"..."z" ~= first,
            name.count == 1 || name.prefix(while: { $0 != "=" }).allSatisfy({ "a"..."z" ~= $0 || $0 == "-" })
        else { return }
        let option = (name.count == 1 ? "-" : "--") + String(name)
        throw UsageError("'\(String(argument))' begins with a dash that isn't '-'; write \(option)")
    }

    private mutating func store(operand: String) throws(UsageError) {
        guard let store = command.operand else {
            let advice = command.operandAdvice?(operand) ?? "\(command.name) takes options only"
            throw UsageError("'\(operand)' isn't expected; \(advice)")
        }
        given.all.append(("FILE", operand))
        try store(&settings, operand)
    }

    private mutating func apply(_ option: CommandOption<Settings>, _ value: String = "") throws(UsageError) {
        given.all.append((option.name, value))
        let isFile = option.valueForms.contains(where: \.isFile)
        if isFile, value == "~" || value.hasPrefix("~/") {
            throw UsageError(
                "--\(option.name)=\(value): the shell replaces ~ only at the beginning of a word, without quotes; write "
                    + "--\(option.name) \(value), or ./\(value) for a name with a tilde")
        }
        try option.apply(&settings, isFile ? value : try ArgumentValue.text(value, option: "--\(option.name)"))
    }

    private mutating func parse(long argument: String) throws(UsageError) {
        let pair = ArgumentValue.pair(argument, at: "=")
        let name = pair?.name ?? argument
        guard let option = command.option(name) else { throw command.unknown(long: name) }
        switch option.argument {
        case .none:
            if pair != nil { throw UsageError("--\(name) takes no value") }
            try apply(option)
        case .optional:
            try apply(option, pair?.value ?? "")
        case .required(let valueName):
            guard let value = pair?.value ?? rest.popFirst() else {
                throw UsageError("--\(name) needs a value: --\(name) \(valueName)")
            }
            try apply(option, value)
        }
    }

    /// - Returns: whether the cluster asks for the short help.
    private mutating func parse(cluster argument: Substring.UnicodeScalarView) throws(UsageError) -> Bool {
        var letters = argument
        while let letter = letters.popFirst() {
            if letter == "h" { return true }
            guard let option = command.options.first(where: { $0.short == letter }) else {
                throw command.unknown(letter: letter, of: argument)
            }
            guard case .required(let valueName) = option.argument else {
                try apply(option)
                continue
            }
            let attached = letters.first == "=" ? letters.dropFirst() : letters
            guard let value = letters.isEmpty ? rest.popFirst() : String(attached) else {
                throw UsageError("-\(letter) needs a value: -\(letter) \(valueName)")
            }
            try apply(option, value)
            return false
        }
        return false
    }
}

/// Options of one tool, after its name, that people write to another.
private let owners = """
    fetch-characters each id key-file learn list-sources page-size param plan raw search seal show-source since source
    fetch-characters state twice with-each with-page
    fetch-images allow-private dir embed gallery name per-host placeholder prune
    filter-search accents any best case-sensitive color field fuzzy invert loose prefix query regex where whole word
    store-plist backup changes date describe diff format ignore key keyed load lossy mode newest root same-shape sealed wait
    """

extension Command {
    fileprivate func unknown(long name: String) -> UsageError {
        let own = ["help", "version"]
        if own.contains(name) { return UsageError("--\(name) takes no value") }
        if let cure = manual.habit(name) { return UsageError("unknown option --\(name); \(cure)") }
        let lines = owners.split(separator: "\n").map { $0.split(separator: " ") }
        if let owner = lines.first(where: { $0.dropFirst().contains(name[...]) })?.first {
            return UsageError("unknown option --\(name); it is an option of \(owner)")
        }
        let known = options.map(\.name) + own
        // Nobody is to drop a safeguard by mistake.
        let harmless = known.filter { $0 != "force" }
        // The shortest option that begins with these letters.
        let begun = known.filter { name.count > 1 && $0.hasPrefix(name) }.min { ($0.count, $0) < ($1.count, $1) }
        if let nearest = EditDistance.nearest(to: name, among: harmless) ?? begun {
            return UsageError("unknown option --\(name); did you mean --\(nearest)?")
        }
        return UsageError("unknown option --\(name); \(self.name) --help lists them")
    }

    /// The error for an unknown letter, or for a word after a single dash, as in `-convert xml1`.
    fileprivate func unknown(letter: Unicode.Scalar, of word: Substring.UnicodeScalarView) -> UsageError {
        let manual = manual
        let whole = String(word)
        if whole.count > 1, let cure = manual.habit(whole) {
            return UsageError("unknown option -\(whole); \(cure)")
        }
        if options.contains(where: { $0.name == whole }) {
            return UsageError("unknown option -\(whole); write --\(whole)")
        }
        let place = whole.count > 1 ? " in -\(whole)" : ""
        return UsageError(
            "unknown option -\(letter)\(place); \(manual.habit(String(letter)) ?? "\(name) --help lists them")")
    }
}
