// The options that several tools share, so that they read the same everywhere.

extension CommandOption {
    /// `--on-bad-line`, `--rejects` and `--max-line`.
    /// - Parameter change: gives access to the input's settings (a closure, as key paths slow down startup).
    package static func input(
        default policy: String, _ change: @escaping (inout Settings, (inout InputSettings) -> Void) -> Void
    ) -> [CommandOption] {
        [
            .value(
                "on-bad-line", "skip|stop",
                help: "What becomes of the run at a line that isn't a record. Default: \(policy)."
            ) { (settings, text) throws(UsageError) in
                let policy: InputSettings.BadLinePolicy = try ArgumentValue.word(
                    text, option: "--on-bad-line", [("skip", .skip), ("stop", .stop)])
                change(&settings) { $0.badLines = policy }
            },
            .value("rejects", "FILE", help: "Write the lines that aren't records to FILE.") { (settings, path) in
                change(&settings) { $0.rejectsPath = path }
            },
            .value(
                "max-line", "BYTES", help: "The longest line that is taken, such as 512k or 1G. Default: 64M."
            ) { (settings, text) throws(UsageError) in
                let limitBytes = try ArgumentValue.bytes(text, option: "--max-line")
                change(&settings) { $0.lineLimitBytes = limitBytes }
            },
        ].under("Input")
    }

    /// A whole number.
    package static func count(
        _ name: String, short: Unicode.Scalar? = nil, _ help: String, in range: ClosedRange<Int> = 0...Int.max,
        _ store: @escaping (inout Settings, Int) -> Void
    ) -> CommandOption {
        .value(name, short: short, "N", help: help) { (settings, text) throws(UsageError) in
            store(&settings, try ArgumentValue.count(text, option: "--\(name)", in: range))
        }
    }

    /// `--report`.
    package static func report(_ store: @escaping (inout Settings, String) -> Void) -> CommandOption {
        .value("report", "FILE", help: "Write one JSON object about the run.") { store(&$0, $1) }
    }

    /// `--progress`, and `--quiet` for tools where it means nothing else.
    package static func messages(
        _ change: @escaping (inout Settings, (inout MessageSettings) -> Void) -> Void
    ) -> [CommandOption] {
        [
            progress(change),
            .flag("quiet", short: "q", help: "Say nothing but errors.") { settings in
                change(&settings) { $0.isQuiet = true }
            },
        ].under("Messages")
    }

    /// `--progress`.
    package static func progress(
        _ change: @escaping (inout Settings, (inout MessageSettings) -> Void) -> Void
    ) -> CommandOption {
        .value(
            "progress", "auto|always|never",
            help: "Show on stderr how far the run is. Default: auto, when that is a terminal."
        ) { (settings, text) throws(UsageError) in
            let mode: Progress.Mode = try ArgumentValue.word(
                text, option: "--progress", [("auto", .auto), ("always", .always), ("never", .never)])
            change(&settings) { $0.progress = mode }
        }
    }
}

extension GlossaryEntry {
    /// The proxy variables, which libcurl reads too.
    package static var proxies: GlossaryEntry {
        GlossaryEntry(
            "http_proxy, https_proxy, all_proxy, no_proxy",
            "The proxy for each scheme, and the hosts that are contacted directly.")
    }

    /// The variables that name certificates, as in curl.
    package static var certificates: GlossaryEntry {
        GlossaryEntry(
            "CURL_CA_BUNDLE, SSL_CERT_FILE, SSL_CERT_DIR",
            "The certificates that are trusted in place of the system's.")
    }

    /// The directory of all of the user's caches.
    package static var caches: GlossaryEntry {
        GlossaryEntry("XDG_CACHE_HOME", "The directory of castline's cache. Default: ~/.cache.")
    }
}
