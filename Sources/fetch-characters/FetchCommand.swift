// The command line of fetch-characters, for the parser and the help alike.

import PipelineCore
import PipelineHTTP

extension Command<FetchSettings> {
    static var fetchCharacters: Command {
        Command(
            name: "fetch-characters",
            summary: "Fetch the records of a web API and write them as JSON Lines.",
            synopsis: ["[options]"],
            description: [
                "Reads the API page by page and writes each record once, in the API's order, as one JSON object on a "
                    + "line: source, id, name, then imageURL and pageURL where the API has them, then every other "
                    + "member as the API wrote it.",
                "The run ends with 76 where fewer records came than the API lists. A list that changes while it is "
                    + "read is read a second time for what was missed. Proxies are taken from http_proxy, https_proxy, "
                    + "all_proxy and no_proxy.",
            ],
            examples: [
                CommandExample(
                    "fetch-characters | filter-search Mick | store-plist", "Keep the characters called Mick."),
                CommandExample(
                    "fetch-characters --search 'jack sparrow'", "Let the service search, then check again here."),
                CommandExample("fetch-characters --id 31 --raw", "Print one record as the API has it."),
            ],
            options: everything,
            environment: [.proxies])
    }

    private static var everything: [CommandOption<FetchSettings>] {
        var options = choice.under("What is fetched")
        options += output.under("Output")
        options += CommandOption.client { $1(&$0.client) }
        options += CommandOption.messages { $1(&$0.messages) }
        return options
    }

    private static var choice: [CommandOption<FetchSettings>] {
        [
            .value(
                "source", "NAME", choices: Source.builtIn.map(\.name),
                help: "The API: \(names). Default: \(Source.disney.name)."
            ) {
                (settings, text) throws(UsageError) in
                guard let source = Source.builtIn.first(where: { $0.name == text }) else {
                    throw UsageError("--source '\(text)' is not known; known is \(names)")
                }
                settings.source = source
            },
            .value("base-url", "URL", help: "A mirror or a test server in place of the API's own address.") {
                $0.baseURL = $1
            },
            .value("search", "TEXT", help: "Only records in whose name TEXT is found, by the API and again here.") {
                $0.search = $1
            },
            .value("param", "NAME=VALUE", help: "A query parameter for every page; repeatable.") {
                (settings, text) throws(UsageError) in
                let parts = text.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false).map(
                    String.init)
                guard parts.count == 2, !parts[0].isEmpty else {
                    throw UsageError("--param takes a name and a value such as films=Cars, not '\(text)'")
                }
                settings.parameters.append(SourceURL.Parameter(parts[0], parts[1]))
            },
            .value("id", "ID", help: "Only the record with this id; repeatable. One that isn't there is status 1.")
            {
                (settings, text) throws(UsageError) in
                guard !text.isEmpty else { throw UsageError("--id needs an id") }
                settings.ids.append(text)
            },
            count("limit", "Stop after N records. Default: no limit.") { $0.limit = $1 },
            count("page-size", "Records a page, 1 to 10000. Default: \(Source.disney.paging.size).", in: 1...10_000)
            {
                $0.pageSize = $1
            },
            count("max-pages", "Stop after N pages. Default: no limit.", in: 1...Int.max) { $0.maxPages = $1 },
        ]
    }

    private static var output: [CommandOption<FetchSettings>] {
        [
            .flag("raw", help: "Write the API's own records, unchanged but for line ends between tokens.") {
                $0.isRaw = true
            },
            .flag("with-page", help: "Add the page's number as the last member, page.") { $0.addsPage = true },
            .flag("seal", help: "End the output with a line that says that it is whole.") { $0.addsSeal = true },
            count("expect", "End with 76 unless exactly N records come.") { $0.expected = $1 },
            count("min-records", "End with 76 if fewer than N records come.") { $0.leastRecords = $1 },
            .value("report", "FILE", help: "Write one JSON object about the run.") { $0.reportPath = $1 },
        ]
    }

    private static var names: String { Source.builtIn.map(\.name).joined(separator: ", ") }

    private static func count(
        _ name: String, _ help: String, in range: ClosedRange<Int> = 0...Int.max,
        _ store: @escaping (inout FetchSettings, Int) -> Void
    ) -> CommandOption<FetchSettings> {
        .value(name, "N", help: help) { (settings, text) throws(UsageError) in
            store(&settings, try ArgumentValue.count(text, option: "--\(name)", in: range))
        }
    }
}
