// The options for responses of earlier runs, the same in both fetch tools.

package import PipelineCore

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
