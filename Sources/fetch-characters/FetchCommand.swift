// The command line of fetch-characters, for both the parser and the help.

import PipelineCore
import PipelineHTTP

extension Command<FetchSettings> {
    static var fetchCharacters: Command {
        Command(
            name: "fetch-characters",
            summary: "Fetch the records of a web API and write them as JSON Lines.",
            options: everything, rules: rules,
            operandAdvice: advice(forOperand:)
        ) { manual in
            manual.synopsis = ["[options]"]
            manual.description = [
                "Reads the API page by page and writes each record once, in the API's order, as one JSON object per "
                    + "line: source, id, name, then description, imageURL and pageURL if the API has them, then the "
                    + "API's other members unchanged.",
                "If fewer records arrive than the API announces, the run ends with 76.",
            ]
            manual.examples = [
                (
                    "fetch-characters | filter-search Mick | store-plist",
                    "Store the characters whose name contains Mick."
                ),
                ("fetch-characters --search mick", "Let the API search, and check its results."),
                ("fetch-characters --id 31 --raw", "Print one record as the API has it."),
            ]
            manual.mainOptions = [
                ("source", "The API. Default: disney."),
                ("list-sources", "List the known APIs."),
                ("learn", "Describe another API, from a URL or curl command."),
                ("search", "Only records with TEXT in their name."),
                ("id", "Only the record with this id."),
                ("limit", "Stop after N records."),
                ("seal", "Mark the end of a complete list."),
                ("max-age", "Use cached responses up to this age, such as 1d."),
                ("state", "Save progress to FILE, and resume from it."),
                ("quiet", "Print errors only."),
            ]
            manual.meanings = [
                .noMatch: "no record with that --id, or no such list for --each",
                .badData: "bad data: a line, a source description, or saved progress",
            ]
            manual.environment += UserAgent.advice + CommandManual.network
            manual.habits = habits
        }
    }

    private static var rules: [OptionRule] {
        [
            .mode("list-sources", "contacts no service", takes: ["base-url"]),
            .mode("show-source", "contacts no service", takes: ["base-url"]),
            .mode(
                "learn",
                "works out a description, with each request once and no cache, and fetches no list",
                takes: [
                    "base-url", "plan", "explain", "report", "timeout", "deadline",
                    "rate", "record", "replay",
                ]),
            .mode(
                "input", "reads a response and sends no requests",
                takes: [
                    "source", "base-url", "limit", "raw", "seal", "min-records", "deadline", "report",
                ]),
            .needs(["with-each"], anyOf: ["each"], "as it applies to its lists"),
            .needs(["on-bad-line"], anyOf: ["each"], "whose records it is about"),
            .refuses(
                ["twice"], "reads whole lists from the service again",
                ["state", "limit", "page", "id", "offline", "max-age", "stale-if-error"]),
            .refuses(
                ["id"], "asks for single records",
                ["search", "limit", "page", "page-size", "with-page", "since", "each"]),
            .refuses(["page"], "asks for one page, which leaves no progress to save", ["state"]),
            .refuses(["quiet"], "prints errors only", ["explain"]),
        ] + OptionRule.client
    }

    private static var everything: [CommandOption<FetchSettings>] {
        var options = source.under("Source") + selection.under("Selection") + output.under("Output")
        options += input.under("Records on stdin, with --each")
        options += [
            CommandOption<FetchSettings>.count(
                "jobs", "Simultaneous requests, 1 to 64. Default: \(FetchSettings().jobs).", in: 1...64
            ) { $0.jobs = $1 }
        ].under(CommandOption<FetchSettings>.networkHeading)
        options += CommandOption.client(rate: "the description's") + CommandOption.messages
        return options
    }

    private static var source: [CommandOption<FetchSettings>] {
        [
            .value(
                "source", "NAME|FILE.json", listing: "list-sources",
                help: "The API: a name from --list-sources, or a file with your own description. Default: disney."
            ) { $0.source = $1 },
            .flag("list-sources", help: "List the named sources, and the keys they take.", \.listsSources),
            .value(
                "learn", "URL|CURL|-",
                help:
                    "Work out an API's description from the URL of a list or a curl command (- is stdin, also for a "
                    + "HAR), and print it, with at most \(ListProbe.usualLimit) requests (\(ListProbe.largeLimit) for a curl command "
                    + "or a HAR). Anything unverified is left out; status 76 if records seem to be missing."
            ) { $0.learntURL = $1 },
            .value(
                "show-source", "NAME", listing: "list-sources",
                help: "Print a source's description, to copy and change."
            ) { $0.shownSource = $1 },
            .value(
                "input", "FILE|-",
                help: "Read one saved response, of any size, in place of the API; - is stdin."
            ) { $0.inputPath = $1 },
            .value("base-url", "URL", help: "A mirror or test server in place of the API.") { $0.baseURL = $1 },
            .value(
                "key-file", "FILE",
                help: "Read the API's key from FILE. Default: the environment variable that the description names."
            ) { $0.keyFile = $1 },
        ]
    }

    private static var selection: [CommandOption<FetchSettings>] {
        [
            .count("limit", "Stop after N records.") { $0.limit = $1 },
            .count(
                "page", "Only page N of the list, by the number that --with-page gives.", in: 0...1_000_000_000
            ) { $0.page = $1 },
            .value(
                "search", "TEXT", help: "Only records whose name contains TEXT; the API searches, the tool checks."
            ) { $0.search = $1 },
            .value(
                "id", "ID", help: "Only the record with this id; repeatable. Status 1 if it doesn't exist.",
                needs: "an id"
            ) { $0.add(id: $1) },
            .value(
                "param", "NAME=VALUE",
                help: "Set a value that the description leaves open, or add a query parameter; repeatable."
            ) { (settings, text) throws(UsageError) in
                guard let pair = ArgumentValue.pair(text, at: "="), !pair.name.isEmpty else {
                    throw UsageError("--param takes a name and a value such as films=Cars, not '\(text)'")
                }
                settings.parameters.append(Source.Parameter(pair.name, pair.value))
            },
            .value(
                "since", "TIME", help: "Only records newer than TIME, if the description supports it."
            ) { (settings, text) throws(UsageError) in
                settings.since = text.isEmpty ? nil : try SinceTime(text)
            },
            .value(
                "each", "[NAME=]MEMBER",
                help: "Read records on stdin, and fetch a list for each value of their MEMBER; repeatable."
            ) { $0.each.append($1) },
            .flag(
                "twice", help: "Read each list until a reading finds nothing new, three times at most.",
                \.readsTwice
            ),
            .count(
                "page-size", "Records per page. Default: the description's.", in: Pagination.Size.numbers
            ) { $0.pageSize = $1 },
        ]
    }

    private static var output: [CommandOption<FetchSettings>] {
        [
            .flag("seal", help: "End the output with a line that marks it complete.", \.form.addsSeal),
            .value(
                "state", "FILE",
                help:
                    "Save progress to FILE after each page. To resume, run the same command again, and append with "
                    + ">>."
            ) { $0.statePath = $1 },
            .flag("raw", help: "Write the API's own records.", \.form.isRaw),
            .flag("plan", help: "Print the requests and the time they take; send none.", \.isPlan),
            .flag(
                "explain", help: "Print each request as a curl command on stderr, with the keys hidden.", \.explains
            ),
            .count("min-records", "End with 76 if fewer than N records arrive.") { $0.leastRecords = $1 },
            .report(),
            .flag("with-each", help: "Add the values of --each as the last member, each.", \.form.addsEach),
            .flag("with-page", help: "Add the page number as the last member, page.", \.form.addsPage),
        ]
    }

    private static var input: [CommandOption<FetchSettings>] {
        [
            .word(
                "on-error", "stop|skip", [.stop, .skip] as [FetchSettings.FailurePolicy],
                help: "If a list or a step of a record fails: stop, or skip it. Default: stop."
            ) { $0.failurePolicy = $1 }
        ] + CommandOption.input(default: "skip")
    }
}
