// The options for requests to a service, the same in both fetch tools: timeouts, retries, limits, the cache, recordings.

package import PipelineCore

/// The settings of a tool that sends requests.
package protocol ClientSettings: ToolSettings {
    var client: HTTPClient.Options { get set }
}

extension CommandOption where Settings: ClientSettings {
    /// Every option of a client.
    /// - Parameter rate: what the help says about the default of `--rate`.
    package static func client(rate: String = "no limit") -> [CommandOption] {
        waiting.under("Waiting") + manners(rate).under("Manners") + cache.under("Cache")
            + recording.under("Recordings")
    }

    /// Timeouts and retries.
    private static var waiting: [CommandOption] {
        let usual = HTTPClient.Options(userAgent: "")
        return [
            .count(
                "retries", "Further tries for each request, 0 to 100. Default: \(usual.retry.retries).", in: 0...100
            ) { $0.client.retry.retries = $1 },
            duration("connect-timeout", "The longest wait for a connection.", usual.connectTimeoutSeconds) {
                $0.connectTimeoutSeconds = $1
            },
            duration("timeout", "The longest wait without a byte, or with hardly any.", usual.idleTimeoutSeconds) {
                $0.idleTimeoutSeconds = $1
            },
            duration("deadline", "The longest run.", usual.deadlineSeconds) { $0.deadlineSeconds = $1 },
            duration(
                "max-retry-after", "The longest wait that a service may ask for.", usual.retry.maxRetryAfterSeconds,
                isAboveZero: false
            ) { $0.retry.maxRetryAfterSeconds = $1 },
        ]
    }

    /// How the tool behaves towards a service.
    private static func manners(_ usualRate: String) -> [CommandOption] {
        [
            .value(
                "rate", "N/second|minute|hour",
                help: "The most requests to each service, at even distances, by all runs on this machine together. "
                    + "Default: \(usualRate)."
            ) { (settings, text) throws(UsageError) in
                guard let rate = Rate(text) else {
                    throw UsageError("--rate takes a rate such as 5/second, 30/minute or 1000/hour, not '\(text)'")
                }
                settings.client.rate = rate
            },
            .value("user-agent", "TEXT", help: "How the tool names itself. Default: castline/\(Tool.version).") {
                (settings, text) throws(UsageError) in
                guard text.utf8.allSatisfy({ $0 >= 0x20 && $0 != 0x7F }) else {
                    throw UsageError("--user-agent takes one line of text without control characters")
                }
                settings.client.userAgent = text
            },
        ]
    }

    /// Where the cache is, and when its responses are used.
    private static var cache: [CommandOption] {
        [
            .value(
                "cache", "DIR|none",
                help: "Where responses are kept; what isn't used for 30 days is removed. "
                    + "Default: castline under $XDG_CACHE_HOME or ~/.cache.", needs: "a directory, or none"
            ) { $0.client.cache.location = $1 == "none" ? .none : .directory($1) },
            duration(
                "max-age",
                "Use answers of the cache up to this age without asking, and no older ones. "
                    + "Default: as long as the service says.", nil, isAboveZero: false
            ) { $0.cache.maxAgeSeconds = $1 },
            .flag("offline", help: "Send nothing; use the cache, whatever the age of its responses.") {
                $0.client.cache.isOffline = true
            },
            duration(
                "stale-if-error",
                "Use an answer of the cache for so long after its time where the service fails. Default: off.", nil
            ) { $0.cache.staleIfErrorSeconds = $1 },
        ]
    }

    /// Recording runs, and replaying them without a network.
    private static var recording: [CommandOption] {
        [
            .value(
                "record", "DIR", help: "Keep every answer as files in DIR, a new directory, and use no cache.",
                needs: "a directory"
            ) { $0.client.recordPath = $1 },
            .value(
                "replay", "DIR", help: "Take every response from such files, and send nothing.",
                needs: "a directory"
            ) { $0.client.replayPath = $1 },
        ]
    }

    /// - Parameter usual: the default in seconds, nil if the option is off by default.
    private static func duration(
        _ name: String, _ help: String, _ usual: Double?, isAboveZero: Bool = true,
        _ store: @escaping (inout HTTPClient.Options, Double) -> Void
    ) -> CommandOption {
        let standard = usual.map { " Default: \(text(seconds: $0))." } ?? ""
        return .value(name, "DURATION", help: help + standard) { (settings, text) throws(UsageError) in
            let seconds = try ArgumentValue.duration(text, option: "--\(name)")
            guard seconds > 0 || !isAboveZero else { throw UsageError("--\(name) takes a duration above zero") }
            store(&settings.client, seconds)
        }
    }

    private static func text(seconds: Double) -> String {
        let whole = Int(seconds)
        return whole % 3600 == 0 ? "\(whole / 3600)h" : whole % 60 == 0 ? "\(whole / 60)m" : "\(whole)s"
    }
}

extension OptionRule {
    /// Which options of a client go together.
    package static var client: [OptionRule] {
        let cache = ["offline", "max-age", "stale-if-error"]
        return [
            .refuses(["replay"], "sends nothing", ["record"]),
            .refuses(["record", "replay"], "uses no cache", cache + ["cache!=none"]),
            .refuses(cache, "needs the cache", ["cache=none"]),
            .refuses(["offline"], "uses answers of any age", ["max-age", "stale-if-error"]),
        ]
    }
}
