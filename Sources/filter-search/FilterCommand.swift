// The command line of filter-search, for the parser and the help alike.

import PipelineCore

extension Command<FilterSettings> {
    static var filterSearch: Command {
        Command(
            name: "filter-search",
            summary: "Print the records of JSON Lines in which a text is found.",
            options: everything,
            rules: [
                .refuses(
                    ["fuzzy"], "looks for words anywhere in the text", ["prefix", "word", "whole", "regex"]),
                .refuses(["loose"], "is about plain texts", ["regex"]),
                .refuses(["best"], "ranks what matches", ["invert"]),
                .refuses(["best"], "reads all records before it writes any", ["limit"]),
            ],
            operand: { (settings, operand) in settings.operands.append(operand) }
        ) { manual in
            manual.synopsis = ["[options] QUERY [FILE...]", "[options] -e QUERY... [FILE...]"]
            manual.description = [
                "Reads records, one JSON object on each line, from the files or from stdin, and writes those whose name "
                    + "has the query in it, byte for byte as they came. The search ignores case and accents: bjork "
                    + "finds Björk, BJÖRK and Bj\\u00f6rk. An accent that is typed is demanded."
            ]
            manual.examples = [
                (
                    "fetch-characters | filter-search Mick | store-plist",
                    "Keep the characters called Mick something."
                ),
                (
                    "filter-search -f films -f tvShows 'star wars' characters.jsonl",
                    "Search two other members, with all the strings in them."
                ),
                ("filter-search -q --any error log.jsonl && echo found", "Ask, and print nothing."),
            ]
            manual.mainOptions = [
                ("field", "Search this member, not name; may be repeated."),
                ("any", "Search every text of the record."),
                ("word", "Find whole words only."),
                ("whole", "Find texts that are nothing else."),
                ("fuzzy", "Allow typing errors."),
                ("regex", "The query is a regular expression."),
                ("where", "Only where this holds too, such as 'age >= 3'."),
                ("invert", "Print the records that don't match."),
                ("count", "Print how many match."),
                ("quiet", "Print nothing; status 0 if any matches, else 1."),
            ]
            manual.endings = RunEnding.of(
                [.done, .noMatch, .usage, .badData, .noInput, .software, .cannotCreate, .inputOutput],
                answer: "--quiet or --exit-status, and nothing matched")
            manual.habits = habits
        }
    }

    private static var everything: [CommandOption<FilterSettings>] {
        (searching + matching).under("Searching") + output.under("Output") + CommandOption.input(default: "skip")
            + CommandOption.progress
    }

    private static var searching: [CommandOption<FilterSettings>] {
        [
            .value("query", short: "e", "QUERY", help: "Look for QUERY; repeat it to look for any of several.") {
                $0.queries.append($1)
            },
            .flag("all", help: "Demand all the queries, not any of them.") { $0.requiresAll = true },
            .value(
                "field", short: "f", "PATH",
                help: "Search the member PATH, such as films; repeatable. Default: name."
            ) { $0.fields.append($1) },
            .flag("any", short: "a", help: "Search every string value of the record.") {
                $0.searchesAnyField = true
            },
            .flag("accents", help: "Any case, but accents and strokes as typed.") { $0.strength = .accents },
            .flag("case-sensitive", short: "s", help: "Case and accents as typed.") { $0.strength = .exact },
        ]
    }

    private static var matching: [CommandOption<FilterSettings>] {
        [
            .flag("prefix", short: "p", help: "The text starts with the query.") { $0.placement = .prefix },
            .flag("word", short: "w", help: "The query must be whole words (UAX 29).") { $0.placement = .word },
            .flag(
                "fuzzy", short: "z",
                help: "Each word may have typing errors: none up to 4 letters, one up to 8, two from 9."
            ) { $0.isFuzzy = true },
            .flag(
                "loose",
                help:
                    "However people type it: signs and spaces don't count, kana are one, and Cyrillic, Greek and kana "
                    + "are found by their Latin spellings."
            ) { $0.isLoose = true },
            .flag("regex", short: "E", help: "The query is a regular expression; any case unless -s.") {
                $0.isRegex = true
            },
            .value(
                "where", "CONDITION",
                help: "Only records with this too: 'PATH OP VALUE' with =, !=, <, <=, > or >=, or 'PATH exists'; "
                    + "repeatable, all must hold."
            ) { $0.conditions.append($1) },
            .flag("whole", short: "x", help: "The query is the whole text.") { $0.placement = .whole },
            .flag("strict", help: "Check every line, also one that can't match.") { $0.isStrict = true },
            .flag(
                "invert", short: "v",
                help: "Print the records that don't match: query and --where together are turned round."
            ) {
                $0.isInverted = true
            },
        ]
    }

    private static var output: [CommandOption<FilterSettings>] {
        [
            .count("limit", short: "m", "Stop reading after N records are found.") { $0.limit = $1 },
            .count(
                "best",
                "Print the N best matches, best first: the whole text before a prefix, a word, the beginning of a "
                    + "word, the inside; then fewer typing errors, then the earlier place.", in: 1...Int.max
            ) { $0.best = $1 },
            .flag("count", short: "c", help: "Print {\"count\":N} in place of the records.") { $0.counts = true },
            .flag("quiet", short: "q", help: "Print nothing; status 0 at the first match, 1 without one.") {
                $0.isQuiet = true
                $0.messages.isQuiet = true
            },
            .flag("explain", help: "Tell on stderr, as JSON, where each match was found.") { $0.explains = true },
            .word(
                "color", "auto|always|never", [.auto, .always, .never] as [ColorMode],
                help: "Show what was found in colour. Default: auto, at a terminal unless NO_COLOR is set."
            ) { $0.color = $1 },
            .report(),
            .flag("exit-status", help: "End with status 1 where nothing is found.") { $0.answersByStatus = true },
        ]
    }
}

/// The tool.
enum FilterSearch {
    /// Runs the tool with the arguments of the process, and exits.
    static func run() -> Never {
        Tool.run(Command.filterSearch, FilterSettings()) { (settings, diagnostics, report) throws(ToolFailure) in
            var run = try FilterRun(settings, try RecordFilter.checked(settings), diagnostics)
            defer { report.figures = run.figures }
            return try run.run()
        }
    }
}
