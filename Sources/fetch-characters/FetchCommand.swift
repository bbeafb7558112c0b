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
                "Reads the API page by page and writes each record once, in the API's order, as one JSON object on a "
                    + "line: source, id, name, then description, imageURL and pageURL where the API has them, then "
                    + "every other member as the API wrote it.",
                "An API is described by a JSON file of about ten lines. --show-source prints one, and --source FILE "
                    + "--plan checks your own.",
                "The run ends with 76 where the API lists more records than it sends. A list that shows a change while it "
                    + "is read is read again, three times at most; --seal says what shows that it is whole. "
                    + "Proxies are taken from http_proxy, https_proxy, all_proxy and no_proxy.",
            ]
            manual.examples = [
                (
                    "fetch-characters | filter-search Mick | store-plist", "Keep the characters called Mick."
                ),
                (
                    "fetch-characters --search 'jack sparrow'", "Let the service search, then check again here."
                ),
                ("fetch-characters --id 31 --raw", "Print one record as the API has it."),
            ]
            manual.mainOptions = [
                ("source", "The API. Default: disney."),
                ("list-sources", "List the APIs that have a name."),
                ("search", "Only records with TEXT in their name."),
                ("id", "Only the record with this id."),
                ("limit", "Stop after N records."),
                ("seal", "End with a line that says the list is whole."),
                ("max-age", "Don't ask again for this long, such as 1d."),
                ("offline", "Use the cache alone."),
                ("state", "Go on from here after a crash or Ctrl-C."),
                ("quiet", "Print nothing but errors."),
            ]
            manual.endings = RunEnding.of(
                ExitStatus.allCases, answer: "a record of --id, or a list of --each, isn't there")
            manual.environment = [CommandManual.caches, CommandManual.proxies, CommandManual.certificates]
            manual.habits = habits
        }
    }

    private static var rules: [OptionRule] {
        [
            .mode("list-sources", "lists descriptions without a run", takes: []),
            .mode("show-source", "prints a description without a run", takes: []),
            .mode(
                "learn",
                "finds a description out, with each request once and no cache, and fetches no list",
                takes: [
                    "learn-key", "key-file", "base-url", "plan", "explain", "report", "connect-timeout", "timeout",
                    "deadline", "Manners", "Recordings",
                ]),
            .mode(
                "input", "reads an answer and sends no requests",
                takes: ["source", "base-url", "limit", "raw", "seal", "expect", "min-records", "report"]),
            .needs(["learn-key"], anyOf: ["learn"], "whose key it places"),
            .needs(["with-each", "on-error"], anyOf: ["each"], "whose lists it is about"),
            .needs(["on-bad-line", "rejects", "max-line"], anyOf: ["each"], "whose records it is about"),
            .refuses(
                ["twice"], "reads whole lists from the service again", ["state", "limit", "id", "offline"]),
            .refuses(
                ["id"], "asks for single records", ["search", "limit", "page-size", "with-page", "since", "each"]),
        ] + OptionRule.client
    }

    private static var everything: [CommandOption<FetchSettings>] {
        var options = (source + choice).under("What is fetched")
        options += input.under("Input of --each")
        options += output.under("Output")
        options += work.under("The run")
        options += CommandOption.client(rate: "the description's") + CommandOption.messages
        return options
    }

    private static var source: [CommandOption<FetchSettings>] {
        [
            .value(
                "source", "NAME|FILE.json", listing: "list-sources",
                help: "The API: one of --list-sources, or a description of your own. Default: disney."
            ) { $0.source = $1 },
            .flag("list-sources", help: "List the sources that have a name, what they give and the keys they take.")
            { $0.listsSources = true },
            .value(
                "show-source", "NAME", listing: "list-sources",
                help: "Print the description of a source, to be copied and changed."
            ) { $0.shownSource = $1 },
            .value(
                "input", "FILE|-",
                help:
                    "Read one answer from a file or, for -, from stdin in place of the service, whatever its size. "
                    + "Records are written as they come; only --seal says that the answer was whole. An answer of a "
                    + "service has at most 64 MiB: take curl URL | fetch-characters --input - for a larger one."
            ) { $0.inputPath = $1 },
            .value("base-url", "URL", help: "A mirror or a test server in place of the API's own address.") {
                $0.baseURL = $1
            },
            .value(
                "learn", "URL",
                help:
                    "Find the description of an API out from the URL of a list, with \(LearnRequests.limit) requests at "
                    + "most, and print it. What isn't proved is left out; status 76 if that may lose records."
            ) { $0.learntURL = $1 },
            .value(
                "learn-key", "header:NAME|query:NAME",
                help: "Where the key of --learn goes; --key-file or the environment has the key."
            ) { (settings, text) throws(UsageError) in settings.learntKey = try LearntKey(text) },
        ]
    }

    private static var choice: [CommandOption<FetchSettings>] {
        [
            .value("search", "TEXT", help: "Only records in whose name TEXT is found, by the API and again here.") {
                $0.search = $1
            },
            .value(
                "param", "NAME=VALUE",
                help: "A value that the description leaves open, or a query parameter for every page; repeatable."
            ) {
                (settings, text) throws(UsageError) in
                guard let pair = ArgumentValue.pair(text, at: "="), !pair.name.isEmpty else {
                    throw UsageError("--param takes a name and a value such as films=Cars, not '\(text)'")
                }
                settings.parameters.append(Source.Parameter(pair.name, pair.value))
            },
            .value(
                "id", "ID",
                help: "Only the record with this id; repeatable. One that isn't there is status 1, another 76.",
                needs: "an id"
            ) { $0.add(id: $1) },
            .value(
                "each", "[NAME=]MEMBER",
                help:
                    "Read records on stdin and fetch a list for each value that MEMBER has or a path finds, as the "
                    + "parameter that the description names; repeatable where it names several. Ids are unique within "
                    + "a list."
            ) { $0.each.append($1) },
            .value(
                "since", "TIME",
                help:
                    "Only what is newer than a time, a date, or a record's own text, where the description says how. Use "
                    + "--seal, so that store-plist can't take the part for the whole."
            ) { (settings, text) throws(UsageError) in
                settings.since = text.isEmpty ? nil : try SinceTime(text)
            },
            .count("limit", "Stop after N records. Default: no limit.") { $0.limit = $1 },
            .count(
                "page-size", "Records a page, 1 to \(Pagination.Size.largest). Default: the description's.",
                in: 1...Pagination.Size.largest
            ) { $0.pageSize = $1 },
            .flag(
                "twice",
                help:
                    "Read each list again until a reading finds nothing new, three times at most, then 76. For lists that "
                    + "may change while they are read and show it by their counts alone; see castline(7)."
            ) { $0.readsTwice = true },
            .value(
                "key-file", "FILE",
                help: "A file that holds the key. Default: the environment variable that the description names."
            ) { $0.keyFile = $1 },
        ]
    }

    private static var input: [CommandOption<FetchSettings>] {
        CommandOption.input(default: "skip") + [
            .word(
                "on-error", "stop|skip", [false, true],
                help:
                    "After a list that fails: stop, or go on and end with its status. One that isn't there is "
                    + "skipped anyway, with status 1. Default: stop."
            ) { $0.skipsFailedLists = $1 }
        ]
    }

    private static var output: [CommandOption<FetchSettings>] {
        [
            .flag("raw", help: "Write the API's own records, unchanged but for line ends between tokens.") {
                $0.isRaw = true
            },
            .flag("with-page", help: "Add the page's number as the last member, page.") { $0.addsPage = true },
            .flag("with-each", help: "Add the values of --each as the last member, each.") { $0.addsEach = true },
            .flag("seal", help: "End the output with a line that says that it is whole, and what shows that.") {
                $0.addsSeal = true
            },
            .count("expect", "End with 76 unless exactly N records come.") { $0.expected = $1 },
            .count("min-records", "End with 76 if fewer than N records come.") { $0.leastRecords = $1 },
            .report(),
        ]
    }

    private static var work: [CommandOption<FetchSettings>] {
        [
            .count("jobs", "Requests at once, 1 to 64. Default: \(FetchSettings().jobs).", in: 1...64) {
                $0.jobs = $1
            },
            .value(
                "state", "FILE",
                help:
                    "Keep the place there after each page, whose records come out together, so that the same command "
                    + "goes on from it after a crash or Ctrl-C. Append its output with >>. A run that gets to its end "
                    + "removes it."
            ) { $0.statePath = $1 },
            .flag("plan", help: "Write the requests and the time they take under the rate limit, and send none.") {
                $0.isPlan = true
            },
            .flag("explain", help: "Write each request as a curl command to stderr, secrets hidden.") {
                $0.explains = true
            },
        ]
    }
}
