// The command line of fetch-images, for the parser and the help alike.

import PipelineCore
import PipelineHTTP

extension Command<ImagesSettings> {
    static var fetchImages: Command {
        Command(
            name: "fetch-images",
            summary: "Fetch a picture for every record of JSON Lines.",
            options: everything,
            rules: [
                .mode(
                    "verify", "reads no records",
                    takes: [
                        "dir", "allow-private", "report", "Bounds", "Waiting", "Manners", "Cache", "Recordings",
                    ]),
                .needs(["gallery-title"], anyOf: ["gallery"], "the page that has the title"),
            ] + OptionRule.client,
            operandAdvice: { "records come on stdin, write fetch-images < \(ShellWord.quoted($0))" }
        ) { manual in
            manual.synopsis = ["[options]"]
            manual.description = [
                "Reads records, one JSON object on each line, from stdin, and writes each of them once, in the same "
                    + "order, with a member imageFile added at its end that tells where its picture is and what it "
                    + "is. All other bytes of the line stay as they are. A run that is repeated writes the same bytes, "
                    + "so that a store of them isn't rewritten.",
                "Pictures are kept in a directory under names made of their content, so that each is there once, and "
                    + "whole or not at all. What isn't a picture, or not a whole one, is a failure, whatever the "
                    + "service calls it.",
                "Addresses that aren't public (this machine, private and link-local networks) are refused, redirects "
                    + "included, as URLs come from other people's data.",
                "With --gallery the run also makes a web page that holds the records and their pictures, and needs "
                    + "neither the directory nor a network. Its search finds names as filter-search does.",
            ]
            manual.examples = [
                (
                    "fetch-characters | fetch-images | store-plist", "Fetch the characters with their pictures."
                ),
                (
                    "fetch-images --dir cats --field image.url --on-error=drop <cats.jsonl",
                    "Keep the pictures in cats, and only the records that have one."
                ),
            ]
            manual.mainOptions = [
                ("dir", "Where the pictures are kept. Default: images."),
                ("field", "Where the URL is, such as image.url."),
                ("name", "Readable names too, such as '{name}'."),
                ("gallery", "Also write a page to look at them."),
                ("on-error", "For a picture that can't be had. Default: keep."),
                ("embed", "Put the pictures into the records too."),
                ("max-age", "Don't ask again for this long, such as 1d."),
                ("offline", "Use the cache alone."),
                ("allow-private", "Allow this machine and private networks."),
                ("quiet", "Print nothing but errors."),
            ]
            manual.endings = RunEnding.of(ExitStatus.allCases.filter { $0 != .noMatch })
            manual.environment = [CommandManual.caches, CommandManual.proxies, CommandManual.certificates]
            manual.habits = habits
        }
    }

    private static var everything: [CommandOption<ImagesSettings>] {
        (choice + results + modes).under("Pictures") + bounds.under("Bounds") + CommandOption.client()
            + CommandOption.input(default: "skip") + [.report()].under("Output") + CommandOption.messages
    }

    private static var choice: [CommandOption<ImagesSettings>] {
        [
            .value("dir", "DIR", help: "Where the pictures are kept. Default: images.", needs: "a directory") {
                $0.directory = $1
            },
            .value(
                "field", "PATH",
                help: "Where the URL is, a JSONPath such as image.url or images[0].url; repeatable, the first that "
                    + "holds one counts. "
                    + "Default: imageURL, imageUrl, image.url, image."
            ) { (settings, text) throws(UsageError) in
                settings.fields.append(try ArgumentValue.path(text, option: "--field"))
            },
            .value("base-url", "URL", help: "What relative URLs are relative to.") {
                (settings, text) throws(UsageError) in
                do throws(HTTPFailure) {
                    settings.baseURL = try HTTPURL(text)
                } catch {
                    throw UsageError("--base-url takes a URL of http or https, not '\(text)'")
                }
            },
            .value("member", "NAME", help: "The name of the added member. Default: imageFile.", needs: "a name") {
                $0.memberName = $1
            },
            .flag(
                "with-fetch",
                help:
                    "Also add how the picture was got this time, as the member fetch of imageFile. This differs from "
                    + "run to run."
            ) { $0.tellsFetch = true },
        ]
    }

    private static var results: [CommandOption<ImagesSettings>] {
        [
            .word(
                "on-error", "keep|drop|stop", [.keep, .drop, .stop] as [ImagesSettings.ErrorPolicy],
                help:
                    "A record whose picture can't be had is kept with the status failed, dropped, or ends the run. "
                    + "Default: keep."
            ) { $0.errorPolicy = $1 },
            .value(
                "name", "TEMPLATE",
                help: "Also give each picture a readable name in DIR, such as '{name}', as a hard link."
            ) { (settings, text) throws(UsageError) in settings.nameTemplate = try NameTemplate(text) },
            .flag("embed", help: "Also add the picture itself, at most 47 MiB, as the member imageData in base64.")
            {
                $0.embeds = true
            },
            .optionalValue(
                "placeholder", "FILE",
                help: "A picture that can't be had is replaced by FILE, or by a grey square, and is no failure."
            ) { (settings, path) in
                settings.usesPlaceholder = true
                settings.placeholderPath = path.isEmpty ? nil : path
            },
        ]
    }

    private static var modes: [CommandOption<ImagesSettings>] {
        [
            .flag("verify", help: "Read no records; check that every picture in DIR is what it was.") {
                $0.verifies = true
            },
            .value("gallery", "FILE", help: "Also write a page to look at the records and their pictures.") {
                (settings, path) throws(UsageError) in
                guard path != "-", !path.isEmpty else {
                    throw UsageError("--gallery needs a file, such as gallery.html; stdout carries the records")
                }
                settings.galleryPath = path
            },
            .value(
                "gallery-title", "TEXT", help: "The title of that page. Default: its file's name.", needs: "a text"
            ) { $0.galleryTitle = $1 },
            .value(
                "prune", "AGE",
                help:
                    "At the end, remove the pictures that no record names and no run has named for AGE, such as 30d, "
                    + "with their readable names. Needs an input whose seals speak for all of it."
            ) { (settings, text) throws(UsageError) in
                settings.pruneSeconds = try ArgumentValue.duration(text, option: "--prune")
            },
            .flag("unordered", help: "Write records as their pictures come, not in the input's order.") {
                $0.isOrdered = false
            },
            .flag("allow-private", help: "Also fetch from addresses that aren't public.") {
                $0.client.allowsPrivateAddresses = true
            },
        ]
    }

    private static var bounds: [CommandOption<ImagesSettings>] {
        let usual = ImagesSettings()
        return [
            .count("jobs", "Pictures fetched at once, 1 to 1024. Default: \(usual.jobs).", in: 1...1024) {
                $0.jobs = $1
            },
            .count(
                "per-host", "Of these at one host and port, 1 to 1024. Default: \(usual.jobsPerHost).", in: 1...1024
            ) {
                $0.jobsPerHost = $1
            },
            .bytes("max-bytes", "The largest picture. Default: 64M.") { $0.limitBytes = $1 },
            .count("max-pixels", "The most pixels of a picture. Default: \(usual.pixelLimit).", in: 1...Int.max) {
                $0.pixelLimit = $1
            },
        ]
    }
}

/// The tool.
enum FetchImages {
    /// Runs the tool with the arguments of the process, and ends the process.
    static func run() -> Never {
        Tool.run(Command.fetchImages, ImagesSettings()) { (given, diagnostics, report) throws(ToolFailure) in
            var settings = given
            if settings.verifies { return try StoreCheck.run(settings.directory, &report.figures, diagnostics) }
            settings.jobs = OpenFiles.connections(given.jobs)
            var options = settings.client
            options.idleConnections = settings.jobs
            options.progress = diagnostics.progress
            let store = StoreDirectory(settings)
            options.notedBody = { store.picture(ofNote: $0) }
            var run = try ImagesRun(settings, HTTPClient(options), store, diagnostics)
            defer { report.figures = run.figures }
            return try run.run()
        }
    }
}
