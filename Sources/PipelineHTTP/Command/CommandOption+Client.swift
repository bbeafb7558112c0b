// The options for requests to a service, the same in both fetch tools: timeouts, retries and limits.

package import PipelineCore

extension CommandOption {
    /// Gives an option access to the tool's client settings.
    package typealias ClientChange = (inout Settings, (inout HTTPClient.Options) -> Void) -> Void

    /// Every option of a client.
    /// - Parameter rate: what the help says about the default of `--rate`.
    package static func client(rate: String = "no limit", _ change: @escaping ClientChange) -> [CommandOption] {
        waiting(change).under("Waiting") + manners(rate, change).under("Manners") + cache(change).under("Cache")
            + recording(change).under("Recordings")
    }

    /// Timeouts and retries.
    private static func waiting(_ change: @escaping ClientChange) -> [CommandOption] {
        let usual = HTTPClient.Options(userAgent: "")
        return [
            .value(
                "retries", "N", help: "Further tries for each request, 0 to 100. Default: \(usual.retry.retries)."
            ) {
                (settings, text) throws(UsageError) in
                let count = try ArgumentValue.count(text, option: "--retries", in: 0...100)
                change(&settings) { $0.retry.retries = count }
            },
            duration("connect-timeout", "The longest wait for a connection.", usual.connectTimeoutSeconds, change) {
                $0.connectTimeoutSeconds = $1
            },
            duration(
                "timeout", "The longest wait without a byte, or with hardly any.", usual.idleTimeoutSeconds, change
            ) { $0.idleTimeoutSeconds = $1 },
            duration("deadline", "The longest run.", usual.deadlineSeconds, change) { $0.deadlineSeconds = $1 },
            duration(
                "max-retry-after", "The longest wait that a service may ask for.", usual.retry.maxRetryAfterSeconds,
                isAboveZero: false, change
            ) { $0.retry.maxRetryAfterSeconds = $1 },
        ]
    }

    /// How the tool behaves towards a service.
    private static func manners(_ usualRate: String, _ change: @escaping ClientChange) -> [CommandOption] {
        [
            .value(
                "rate", "N/second|minute|hour",
                help: "The most requests to each service, at even distances, by all runs on this machine together. "
                    + "Default: \(usualRate)."
            ) { (settings, text) throws(UsageError) in
                guard let rate = Rate(text) else {
                    throw UsageError("--rate takes a rate such as 5/second, 30/minute or 1000/hour, not '\(text)'")
                }
                change(&settings) { $0.rate = rate }
            },
            .value("user-agent", "TEXT", help: "How the tool names itself. Default: castline/\(Tool.version).") {
                (settings, text) throws(UsageError) in
                guard text.utf8.allSatisfy({ $0 >= 0x20 && $0 != 0x7F }) else {
                    throw UsageError("--user-agent takes one line of text without control characters")
                }
                change(&settings) { $0.userAgent = text }
            },
        ]
    }

    /// - Parameter usual: the default in seconds, nil if the option is off by default.
    static func duration(
        _ name: String, _ help: String, _ usual: Double?, isAboveZero: Bool = true,
        _ change: @escaping ClientChange,
        _ store: @escaping (inout HTTPClient.Options, Double) -> Void
    ) -> CommandOption {
        let standard = usual.map { " Default: \(text(seconds: $0))." } ?? ""
        return .value(name, "DURATION", help: help + standard) { (settings, text) throws(UsageError) in
            let seconds = try ArgumentValue.duration(text, option: "--\(name)")
            guard seconds > 0 || !isAboveZero else { throw UsageError("--\(name) takes a duration above zero") }
            change(&settings) { store(&$0, seconds) }
        }
    }

    private static func text(seconds: Double) -> String {
        let whole = Int(seconds)
        return whole % 3600 == 0 ? "\(whole / 3600)h" : whole % 60 == 0 ? "\(whole / 60)m" : "\(whole)s"
    }
}

extension CommandOption {
    /// Where the cache is, and when its responses are used.
    static func cache(_ change: @escaping ClientChange) -> [CommandOption] {
        [
            .value(
                "cache", "DIR|none",
                help: "Where responses are kept; what isn't used for 30 days is removed. "
                    + "Default: castline under $XDG_CACHE_HOME or ~/.cache."
            ) { (settings, text) throws(UsageError) in
                guard !text.isEmpty else { throw UsageError("--cache takes a directory, or none") }
                change(&settings) { $0.cache.location = text == "none" ? .none : .directory(text) }
            },
            duration(
                "max-age",
                "Use answers of the cache up to this age without asking, and no older ones. "
                    + "Default: as long as the service says.", nil, isAboveZero: false, change
            ) { $0.cache.maxAgeSeconds = $1 },
            .flag("offline", help: "Send nothing; use the cache, whatever the age of its responses.") { settings in
                change(&settings) { $0.cache.isOffline = true }
            },
            duration(
                "stale-if-error",
                "Use an answer of the cache for so long after its time where the service fails. Default: off.", nil,
                change
            ) { $0.cache.staleIfErrorSeconds = $1 },
        ]
    }
}

extension CommandOption {
    /// Recording runs, and replaying them without a network.
    static func recording(_ change: @escaping ClientChange) -> [CommandOption] {
        [
            .value("record", "DIR", help: "Keep every answer as files in DIR, a new directory, and use no cache.") {
                (settings, text) throws(UsageError) in
                guard !text.isEmpty else { throw UsageError("--record needs a directory") }
                change(&settings) { $0.recordPath = text }
            },
            .value("replay", "DIR", help: "Take every response from such files, and send nothing.") {
                (settings, text) throws(UsageError) in
                guard !text.isEmpty else { throw UsageError("--replay needs a directory") }
                change(&settings) { $0.replayPath = text }
            },
        ]
    }
}

extension HTTPClient.Options {
    /// Checks combinations of options.
    package func check() throws(UsageError) {
        if recordPath != nil, replayPath != nil {
            throw UsageError("--record and --replay are two runs; leave out one of them")
        }
        let recording: String? = recordPath != nil ? "--record" : replayPath != nil ? "--replay" : nil
        if let recording, let other = cacheOption ?? (hasOwnCache ? "--cache" : nil) {
            throw UsageError("\(recording) uses no cache; leave out \(other)")
        }
        if let cacheOption, cache.location == .none {
            throw UsageError("\(cacheOption) needs the cache; leave out --cache none")
        }
        if cache.isOffline, cache.maxAgeSeconds != nil || cache.staleIfErrorSeconds != nil {
            throw UsageError("--offline uses answers of any age; leave out --max-age and --stale-if-error")
        }
    }

    /// An option that was given and needs the cache.
    private var cacheOption: String? {
        if cache.isOffline { return "--offline" }
        if cache.maxAgeSeconds != nil { return "--max-age" }
        return cache.staleIfErrorSeconds != nil ? "--stale-if-error" : nil
    }

    private var hasOwnCache: Bool { if case .directory = cache.location { true } else { false } }
}
