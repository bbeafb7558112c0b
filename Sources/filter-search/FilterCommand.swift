// The command line of filter-search, for the parser and the help alike.

import PipelineCore

extension Command<FilterSettings> {
    static var filterSearch: Command {
        Command(
            name: "filter-search",
            summary: "Print the records of JSON Lines that contain a text.",
            options: searching.under("Searching") + output.under("Output") + input.under("Input"),
            rules: [
                .refuses(
                    ["fuzzy"], "looks for words anywhere in the text", ["prefix", "word", "whole", "regex"]),
                .refuses(["loose"], "works on plain text only", ["regex"]),
                .refuses(["any"], "searches every string of the record", ["field"]),
                .refuses(["whole"], "matches the whole text", ["word", "prefix"]),
                .refuses(["prefix"], "matches the beginning of a text", ["word"]),
                .refuses(["explain"], "prints where a record matches", ["invert", "quiet"]),
                .refuses(["best"], "ranks what matches", ["invert"]),
                .refuses(["best"], "chooses records to print", ["count"]),
                .refuses(["best"], "reads all records before it writes any", ["limit"]),
            ],
            operand: { (settings, operand) in settings.operands.append(operand) }
        ) { manual in
            manual.synopsis = ["[options] QUERY [FILE...]", "[options] -e QUERY... [FILE...]"]
            manual.description = [
                "Reads records, one JSON object per line, from the files or from stdin, and prints those whose name "
                    + "contains the query, byte for byte. The search ignores case and accents: bjork finds Björk, "
                    + "BJÖRK and Bj\\u00f6rk. Accents in the query must match."
            ]
            manual.examples = [
                (
                    "fetch-characters | filter-search Mick | store-plist",
                    "Keep characters whose name contains Mick."
                ),
                (
                    "filter-search -f films -f tvShows house characters.jsonl",
                    "Search all the strings in two other members."
                ),
                ("filter-search -q --any error log.jsonl && echo found", "Test for a match, and print nothing."),
            ]
            manual.mainOptions = [
                ("field", "Search this member, not name; repeatable."),
                ("any", "Search every string of the record."),
                ("where", "Also require this condition, such as 'age >= 3'."),
                ("invert", "Print the records that don't match."),
                ("word", "Match whole words."),
                ("whole", "Match the whole text."),
                ("regex", "QUERY is a regular expression."),
                ("fuzzy", "Find whole words with typing errors."),
                ("count", "Print how many match."),
                ("quiet", "Print nothing; status 0 if any matches, else 1."),
            ]
            manual.meanings = [
                .noMatch: "no match, with --quiet or --exit-status", .badData: "a line isn't a record",
            ]
            manual.habits = habits
        }
    }

    private static var searching: [CommandOption<FilterSettings>] {
        [
            .value("query", short: "e", "QUERY", help: "Search for QUERY; repeat it to match any of several.") {
                $0.queries.append($1)
            },
            .value(
                "field", short: "f", "PATH",
                help: "Search the member PATH, such as films; repeatable. Default: name."
            ) { $0.fields.append($1) },
            .flag("any", short: "a", help: "Search every string value of the record.", \.matching.searchesAnyField),
            .value(
                "where", "CONDITION",
                help:
                    "Only records that also satisfy 'PATH OP VALUE', with =, !=, <, <=, > or >=, or 'PATH exists'; "
                    + "repeatable, all must hold."
            ) { $0.conditions.append($1) },
            .flag(
                "invert", short: "v",
                help: "Print the records that don't match; negates the query and --where as a whole.",
                \.matching.isInverted),
            .flag("word", short: "w", help: "Match whole words (UAX 29).") { $0.placement = .word },
            .flag("whole", short: "x", help: "Match the whole text.") { $0.placement = .whole },
            .flag("prefix", short: "p", help: "Match the beginning of a text.") { $0.placement = .prefix },
            .flag("regex", short: "E", help: "QUERY is a regular expression; any case unless -s.") {
                $0.kind = .regex
            },
            .flag(
                "fuzzy", short: "z",
                help: "Find whole words with typing errors: none up to 4 letters, one up to 8, two from 9."
            ) { $0.kind = .fuzzy },
            .flag(
                "loose",
                help: "Ignore punctuation and spaces, and find Cyrillic, Greek and kana by their Latin spellings.",
                \.matching.isLoose),
            .flag("case-sensitive", short: "s", help: "Match case and accents as typed.") { $0.strength = .exact },
            .flag("accents", help: "Match accents and strokes as typed, in any case unless -s.") {
                if $0.strength != .exact { $0.strength = .accents }
            },
            .flag("all", help: "Match records that contain every query, not just one.", \.matching.requiresAll),
        ]
    }

    private static var output: [CommandOption<FilterSettings>] {
        [
            .count("limit", short: "m", "Stop reading after N matches.") { $0.limit = $1 },
            .flag("count", short: "c", help: "Print {\"count\":N} instead of the records.", \.counts),
            .flag(
                "quiet", short: "q", help: "Print nothing; status 0 at the first match, 1 if none.",
                \.messages.isQuiet),
            .count(
                "best",
                "Print the N best matches, best first: whole text, prefix, word, beginning of a word, anywhere else.",
                in: 1...Int.max
            ) { $0.best = $1 },
            .flag("exit-status", help: "End with 1 if no record matches.", \.answersByStatus),
            .word(
                "color", "auto|always|never", [.auto, .always, .never] as [TerminalMode],
                help: "Highlight matches. Default: auto, at a terminal unless NO_COLOR is set."
            ) { $0.color = $1 },
            .flag("explain", help: "Print where each match is to stderr, as JSON.", \.explains),
            .report(),
        ]
    }

    private static var input: [CommandOption<FilterSettings>] {
        CommandOption.input(default: "skip") + [
            .flag("strict", help: "Check every line, even those that can't match.", \.isStrict)
        ]
    }
}

enum FilterSearch {
    static func run() -> Never {
        Tool.run(Command.filterSearch, FilterSettings()) { (settings, diagnostics, report) throws(ToolFailure) in
            var run = try FilterRun(settings, try RecordFilter.checked(settings), diagnostics)
            defer { report.figures = run.figures }
            return try run.run()
        }
    }
}
