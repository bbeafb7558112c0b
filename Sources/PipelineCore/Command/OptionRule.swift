// Which options go together: a command lists rules, and the parser holds the options that were given against them. What
// counts is that an option was given, whatever its value, so a default value that somebody writes down is refused too.

/// The names are those of options, without dashes. `mode=append` is an option with that value, `cache!=none` one with
/// any other value, and `FILE` an operand.
package enum OptionRule: Sendable {
    /// The option asks for another kind of run, which `does` says. That takes the options listed, all of a heading that is
    /// listed, and those about messages.
    case mode(String, _ does: String, takes: [String])
    /// Each of the first options refuses all of the second ones, as what it `does` leaves them no meaning.
    case refuses([String], _ does: String, [String], with: String? = nil, unless: String? = nil)
    /// Each of the first options has a meaning only with one of the second ones.
    case needs([String], anyOf: [String], _ reason: String, unless: [String] = [])
}

struct GivenOptions {
    var all: [(name: String, value: String)] = []

    /// Of an option that is repeated the last value counts.
    func has(_ condition: String) -> Bool {
        guard let pair = ArgumentValue.pair(condition, at: "=") else {
            return all.contains { $0.name == condition }
        }
        let isOther = pair.name.hasSuffix("!")
        let name = isOther ? String(pair.name.dropLast()) : pair.name
        return all.last { $0.name == name }.map { ($0.value == pair.value) != isOther } ?? false
    }
}

extension Command {
    func check(_ given: GivenOptions) throws(UsageError) {
        guard !given.all.isEmpty else { return }
        let rules = rules()
        let modes = rules.compactMap { if case .mode(let name, _, _) = $0 { name } else { nil } }
        if let chosen = given.all.first(where: { modes.contains($0.name) }),
            let rival = given.all.first(where: { modes.contains($0.name) && $0.name != chosen.name })
        {
            throw UsageError("--\(chosen.name) and --\(rival.name) each say what to do; leave out one of them")
        }
        for rule in rules { try check(given, against: rule) }
    }

    private func check(_ given: GivenOptions, against rule: OptionRule) throws(UsageError) {
        switch rule {
        case .mode(let name, let does, let takes):
            guard given.has(name) else { return }
            let other = given.all.first { option in
                guard let heading = self.option(option.name)?.heading else { return false }
                return option.name != name && heading != CommandOption<Settings>.messagesHeading
                    && !takes.contains(option.name) && !takes.contains(heading)
            }
            if let other { throw UsageError("--\(name) \(does); leave out --\(other.name)") }
        case .refuses(let names, let does, let others, let with, let unless):
            guard let name = names.first(where: given.has), let other = others.first(where: given.has),
                with.map(given.has) ?? true, unless.map({ !given.has($0) }) ?? true
            else { return }
            throw UsageError("--\(name) \(does); leave out --\(other.prefix { $0 != "!" })")
        case .needs(let names, let others, let reason, let unless):
            guard let name = names.first(where: given.has), !(others + unless).contains(where: given.has) else {
                return
            }
            throw UsageError("--\(name) needs \(others.map(spelled).joined(separator: " or ")), \(reason)")
        }
    }

    /// The option with the name of its value: `--key PATH`, `--mode=merge`.
    private func spelled(_ name: String) -> String {
        if case .required(let value)? = option(name)?.argument { return "--\(name) \(value)" }
        return "--\(name)"
    }
}
