// Which options go together in each tool: the rules of its command hold, whatever value an option is given, its default
// included.

import Testing

@testable import PipelineCore
@testable import fetch_characters
@testable import fetch_images
@testable import filter_search
@testable import store_plist

/// A command with its settings, and what its parser says of arguments.
struct OptionTool<Settings> {
    let command: Command<Settings>
    let settings: Settings

    func mistake(_ arguments: [String]) -> String? {
        do throws(UsageError) {
            var settings = settings
            _ = try command.parse(arguments, into: &settings)
            return nil
        } catch {
            return error.message.description
        }
    }

    /// Values of an option as arguments, its default first where it has one.
    func arguments(_ condition: String) throws -> [String] {
        if condition == "FILE!=-" { return ["store.plist"] }
        let parts = condition.split(separator: "!")[0].split(separator: "=", maxSplits: 1)
        let option = try #require(command.option(String(parts[0])), "\(command.name) has no option \(condition)")
        if parts.count > 1 { return ["--\(condition)"] }
        if case .none = option.argument { return ["--\(option.name)"] }
        return try values(option).map { "--\(option.name)=\($0)" }
    }

    func values(_ option: CommandOption<Settings>) throws -> [String] {
        guard case .required(let name) = option.argument else { return ["", "on"].filter { takes(option, $0) } }
        let samples = [
            "N/second|minute|hour": ["1/second", "5/minute"], "NAME=VALUE": ["a=b", "c=d"],
            "TIME": ["", "2026-01-01"],
            "header:NAME|query:NAME|basic": ["header:x", "query:x", "basic"],
            "header:NAME=VARIABLE|query:NAME=VARIABLE": ["header:x=KEY", "query:x=KEY"],
            "URL|CURL|-": ["http://127.0.0.1:9/a", "curl http://127.0.0.1:9/"],
            "URL": ["http://127.0.0.1:9/a", "http://127.0.0.1:9/"],
            "TEMPLATE": ["{name}", "{id}"], "BYTES": ["1k", "2M"], "DURATION": ["1s", "2h"], "AGE": ["0", "30d"],
            "SECONDS": ["1", "2m"],
        ]
        let usual = option.help.firstMatch(of: /Default: ([\w\/]+(?:\.\w+)?)[.,]/).map { [String($0.1)] } ?? []
        let words = try #require(option.valueKind).words
        let all =
            usual + (samples[name] ?? (words.count > 1 || words == [name] ? words : ["1", "2", "Film", "Other"]))
        let taken = all.filter { takes(option, $0) }
        try #require(taken.count > 1 || taken == [name], "--\(option.name) takes none of \(all)")
        return taken
    }

    private func takes(_ option: CommandOption<Settings>, _ value: String) -> Bool {
        var settings = settings
        do throws(UsageError) {
            try option.apply(&settings, value)
            return true
        } catch {
            return false
        }
    }

    func check() throws {
        let rules = command.rules()
        let modes = rules.compactMap { if case .mode(let name, _, _) = $0 { name } else { nil } }
        for rule in rules {
            switch rule {
            case .mode(let name, let does, let takes):
                try check(mode: name, does, takes, rivals: modes.filter { $0 != name })
            case .refuses(let names, let does, let others, let with, let unless):
                for name in names {
                    for other in others { try check(name, does, refuses: other, with: with, unless: unless) }
                }
            case .needs(let names, let others, _, let unless):
                for name in names { try check(name, needs: others, unless: unless) }
            }
        }
        checkHabits()
    }

    private func check(mode name: String, _ does: String, _ takes: [String], rivals: [String]) throws {
        let headings = Set(command.options.map(\.heading))
        for word in takes where !headings.contains(word) { _ = try arguments(word) }
        let mode = try arguments(name)[0]
        for option in command.options where option.name != name {
            let isRival = rivals.contains(option.name)
            let isTaken =
                takes.contains(option.name) || option.heading == "Messages"
                || !isRival && takes.contains(option.heading)
            let refusal =
                isRival
                ? "--\(name) and --\(option.name) each say what to do; leave out one of them"
                : "--\(name) \(does); leave out --\(option.name)"
            for argument in try arguments(option.name) {
                let mistake = mistake([mode, argument])
                #expect((mistake == refusal) == !isTaken, "\(mode) \(argument): \(mistake ?? "")")
            }
        }
    }

    private func check(
        _ name: String, _ does: String, refuses other: String, with: String?, unless: String?
    ) throws {
        let message = "--\(name) \(does); leave out --\(other.split(separator: "!")[0])"
        let condition = try with.map { [try arguments($0)[0]] } ?? []
        for first in try arguments(name) {
            for second in try arguments(other) {
                let pair = [first, second]
                for arguments in [pair, pair.reversed()] {
                    let mistake = mistake(arguments + condition)
                    #expect(mistake == message, "\(arguments): \(mistake ?? "")")
                }
                guard let unless else { continue }
                #expect(mistake(pair + [try arguments(unless)[0]]) != message)
            }
        }
    }

    /// What people type out of habit isn't an option here, and its cure is said however it is written.
    private func checkHabits() {
        var seen: Set<String> = []
        for (names, cure) in command.manual.habits {
            for name in names.split(separator: " ").map(String.init) {
                #expect(seen.insert(name).inserted, "\(name) stands in two rows")
                let dashes = name.count == 1 ? "-" : "--"
                #expect(mistake([dashes + name]) == "unknown option \(dashes)\(name); \(cure)")
            }
        }
    }

    private func check(_ name: String, needs others: [String], unless: [String]) throws {
        for argument in try arguments(name) {
            #expect(mistake([argument])?.hasPrefix("--\(name) needs --\(others[0])") == true, "\(argument)")
            for other in others + unless {
                for second in try arguments(other) {
                    #expect(
                        mistake([second, argument])?.hasPrefix("--\(name) needs") != true, "\(second) \(argument)")
                }
            }
        }
    }
}

@Suite("Options that don't go together") struct OptionRuleTests {
    @Test func `are refused in each tool, whatever their values, and habits are told what does their job`() throws {
        try OptionTool(command: .fetchCharacters, settings: FetchSettings()).check()
        try OptionTool(command: .fetchImages, settings: ImagesSettings()).check()
        try OptionTool(command: .filterSearch, settings: FilterSettings()).check()
        try OptionTool(command: .storePlist, settings: StoreSettings()).check()
    }

    /// What people combine, which no rule may refuse.
    @Test(arguments: [
        "fetch-characters --learn u --plan --rate 1/second --record r",
        "fetch-characters --input - --source disney --limit 1 --quiet",
        "fetch-characters --id 1 --param a=b --raw --jobs 4", "fetch-characters --record r --cache none",
        "fetch-characters --each id --on-error stop --with-each --on-bad-line f",
        "fetch-images --verify --dir d --jobs 64 --allow-private --cache none --report r",
        "filter-search -z --loose --best 3 x", "filter-search --limit 3 -v -E x",
        "store-plist --load --keyed --key id --root a s.plist", "store-plist --diff s --key id --null omit -",
        "store-plist --diff s --key id --lossy text --ignore a new.plist", "store-plist --newest a --keyed",
        "store-plist --keyed --key id --mode merge --ignore a --changes c",
        "store-plist --describe swift --type Film",
    ])
    func `are few`(line: String) {
        let words = line.split(separator: " ").map(String.init)
        let mistake =
            switch words[0] {
            case "fetch-characters":
                OptionTool(command: .fetchCharacters, settings: FetchSettings()).mistake(Array(words.dropFirst()))
            case "fetch-images":
                OptionTool(command: .fetchImages, settings: ImagesSettings()).mistake(Array(words.dropFirst()))
            case "filter-search":
                OptionTool(command: .filterSearch, settings: FilterSettings()).mistake(Array(words.dropFirst()))
            default: OptionTool(command: .storePlist, settings: StoreSettings()).mistake(Array(words.dropFirst()))
            }
        #expect(mistake == nil)
    }
}
