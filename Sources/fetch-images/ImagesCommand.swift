// The command line of fetch-images, for the parser and the help alike.

import PipelineCore
import PipelineHTTP

extension Command<ImagesSettings> {
    static var fetchImages: Command {
        Command(
            name: "fetch-images",
            summary: "Fetch a picture for every record of JSON Lines.",
            options: pictures.under("Pictures") + (output + [.report()]).under("Output") + limits.under("Limits")
                + CommandOption.client() + CommandOption.input(default: "skip") + CommandOption.messages,
            rules: [
                .mode(
                    "verify", "reads no records",
                    takes: [
                        "dir", "allow-private", "report", "Limits", "Network", "max-age", "offline",
                        "stale-if-error",
                        "cache",
                    ]),
                .refuses(
                    ["placeholder"], "leaves no record without a picture", ["on-error=drop", "on-error=stop"]),
                .refuses(["pictures=all"], "adds several pictures", ["embed"]),
                .needs(["gallery-links"], anyOf: ["gallery"], "the page that links them"),
                .needs(["key-file"], anyOf: ["key"], "which says where the key goes"),
            ] + OptionRule.client,
            operandAdvice: advice(forOperand:)
        ) { manual in
            manual.synopsis = ["[options]"]
            manual.description = [
                "Reads records from stdin, one JSON object per line, and writes each once, in the same order, with "
                    + "a member imageFile added: where its picture is, and its type and size. All other bytes of "
                    + "the line stay the same.",
                "Pictures are named by their content, so each is stored once. A download that isn't a whole picture "
                    + "is a failure. Addresses on this machine or a private network are refused unless "
                    + "--allow-private is given.",
            ]
            manual.examples = [
                ("fetch-characters | fetch-images | store-plist", "Store the characters with their pictures."),
                (
                    "fetch-images --dir cats --field image.url --on-error=drop <cats.jsonl",
                    "Keep the pictures in cats, and drop records whose picture failed."
                ),
            ]
            manual.mainOptions = [
                ("dir", "Where to keep the pictures. Default: images."),
                ("field", "Where a record has its URL, such as image.url."),
                ("name", "Add readable names, such as '{name}'."),
                ("gallery", "Also write a web page to look at them."),
                ("on-error", "Keep, drop or stop at a record without a picture."),
                ("embed", "Put the pictures into the records too."),
                ("max-age", "Use cached responses up to this age, such as 1d."),
                ("offline", "Use only the cache."),
                ("allow-private", "Allow this machine and private networks."),
                ("quiet", "Print errors only."),
            ]
            manual.meanings = [
                .badData: "bad data: a line, or a damaged picture under --verify",
                .protocolError: "not a picture, or not found (404)",
            ]
            manual.environment += UserAgent.advice + CommandManual.network
            manual.habits = habits
        }
    }

    private static var pictures: [CommandOption<ImagesSettings>] {
        [
            .value("dir", "DIR", help: "Where to keep the pictures. Default: images.", needs: "a directory") {
                $0.directory = $1
            },
            .value(
                "field", "PATH",
                help:
                    "Where a record has its URL, such as image.url; repeatable, the first with a value counts. "
                    + "Default: imageURL, imageUrl, image.url, image."
            ) { (settings, text) throws(UsageError) in
                settings.fields.append(try ArgumentValue.path(text, option: "--field"))
            },
            .word(
                "pictures", "first|all", [.first, .all] as [PictureChoice],
                help:
                    "Fetch a record's first picture, or all that every --field finds, into a member imageFiles. "
                    + "Default: first."
            ) { $0.pictures = $1 },
            .word(
                "on-error", "keep|drop|stop", [.keep, .drop, .stop] as [ImagesSettings.ErrorPolicy],
                help: "If a picture can't be fetched: keep the record, drop it, or stop. Default: keep."
            ) { $0.errorPolicy = $1 },
            .value(
                "name", "TEMPLATE",
                help: "Also give each picture a readable name in DIR, such as '{name}', as a hard link."
            ) { (settings, text) throws(UsageError) in settings.nameTemplate = try NameTemplate(text) },
            .value(
                "key", "header:NAME=VARIABLE|query:NAME=VARIABLE",
                help:
                    "Send the key in the environment variable VARIABLE, in a header field or a parameter, to the "
                    + "origin of the first URL and to no other."
            ) { (settings, text) throws(UsageError) in settings.key = try PictureKeyPlace(text) },
            .value("key-file", "FILE", help: "Read the key of --key from FILE, in place of VARIABLE.") {
                $0.keyFile = $1
            },
            .flag("allow-private", help: "Also fetch from private addresses.", \.client.allowsPrivateAddresses),
            .optionalValue(
                "placeholder", "FILE",
                help:
                    "Instead of a failure use the cached picture, except after 404 or 410, or FILE or a grey square; "
                    + "for a record without a URL too."
            ) { $0.placeholderPath = $1 },
            .value("base-url", "URL", help: "Resolve relative URLs against URL.") {
                (settings, text) throws(UsageError) in
                do throws(HTTPFailure) { settings.baseURL = try HTTPURL(text) } catch {
                    let cure = text.contains("://") ? "" : "; write http://\(text)"
                    throw UsageError("--base-url takes a URL of http or https, not '\(text)'\(cure)")
                }
            },
            .value(
                "prune", "AGE",
                help:
                    "Remove pictures that no run has used for AGE, such as 30d. The input must end with a "
                    + "complete seal."
            ) { (settings, text) throws(UsageError) in
                settings.pruneSeconds = try ArgumentValue.age(text, option: "--prune")
            },
            .flag("verify", help: "Check every picture in DIR for damage; read no records.", \.verifies),
        ]
    }

    private static var output: [CommandOption<ImagesSettings>] {
        [
            .value("gallery", "FILE", help: "Also write a web page to look at records and pictures.") {
                $0.galleryPath = $1
            },
            .flag(
                "gallery-links",
                help:
                    "Link the page's pictures, however few there are; it links them anyway if they have more than "
                    + "32 MiB.",
                \.linksPictures),
            .flag("embed", help: "Also add the picture, up to 47 MiB, as imageData in base64.", \.embeds),
        ]
    }

    private static var limits: [CommandOption<ImagesSettings>] {
        let usual = ImagesSettings()
        return [
            .count("jobs", "Simultaneous requests, 1 to 1024. Default: \(usual.jobs).", in: 1...1024) {
                $0.jobs = $1
            },
            .count(
                "per-host", "Simultaneous requests per host and port, 1 to 1024. Default: \(usual.jobsPerHost).",
                in: 1...1024
            ) { $0.jobsPerHost = $1 },
            .bytes("max-bytes", "Largest picture, in bytes. Default: 64M.") { $0.limitBytes = $1 },
        ]
    }
}

enum FetchImages {
    static func run() -> Never {
        Tool.run(Command.fetchImages, ImagesSettings()) { (given, diagnostics, report) throws(ToolFailure) in
            var settings = given
            if settings.verifies { return try PictureCheck.run(settings.directory, &report.figures, diagnostics) }
            settings.jobs = OpenFiles.connections(given.jobs)
            var options = settings.client
            // A picture that was there once is better than the placeholder.
            if settings.placeholderPath != nil, options.cache.staleIfErrorSeconds == nil {
                options.cache.staleIfErrorSeconds = .infinity
            }
            options.idleConnections = settings.jobs
            options.progress = diagnostics.progress
            let store = StoreDirectory(settings)
            options.notedBody = { store.picture(ofNote: $0) }
            let key = try PictureKey(settings)
            var run = try ImagesRun(settings, HTTPClient(options), key, store, diagnostics)
            defer { report.figures = run.figures }
            return try run.run()
        }
    }
}
