// The options for requests to a service, the same in both fetch tools: timeouts, retries, limits, the cache, recordings.

package import PipelineCore

package protocol ClientSettings: ToolSettings {
    var client: HTTPClient.Options { get set }
}

extension CommandOption where Settings: ClientSettings {
    /// - Parameter rate: what the help says about the default of `--rate`.
    package static func client(rate: String = "no limit") -> [CommandOption] {
        network(rate).under(networkHeading) + stored.under("Cache and recordings")
    }

    package static var networkHeading: String { "Network" }

    private static func network(_ usualRate: String) -> [CommandOption] {
        let usual = HTTPClient.Options(userAgent: "")
        return [
            .value(
                "rate", "N/second|minute|hour",
                help: "Limit requests to each service, evenly spaced and shared by all runs on this machine. "
                    + "Default: \(usualRate)."
            ) { (settings, text) throws(UsageError) in
                guard let rate = Rate(text) else {
                    throw UsageError("--rate takes a rate such as 5/second, 30/minute or 1000/hour, not '\(text)'")
                }
                settings.client.rate = rate
            },
            .count(
                "retries", "Retries per request, 0 to 100. Default: \(usual.retry.retries).", in: 0...100
            ) { $0.client.retry.retries = $1 },
            duration("timeout", "Give up after this long without data.", usual.idleTimeoutSeconds) {
                $0.idleTimeoutSeconds = $1
            },
            duration("deadline", "End the run after this long.", usual.deadlineSeconds) { $0.deadlineSeconds = $1 },
        ]
    }

    private static var stored: [CommandOption] {
        [
            duration(
                "max-age",
                "Use cached responses up to this age without asking, and no older ones. "
                    + "Default: as the service says.", nil, isAboveZero: false
            ) { $0.cache.maxAgeSeconds = $1 },
            .flag("offline", help: "Send nothing; use cached responses of any age.", \.client.cache.isOffline),
            duration(
                "stale-if-error",
                "If the service fails, use responses that expired no longer ago than this.", nil
            ) { $0.cache.staleIfErrorSeconds = $1 },
            .value(
                "cache", "DIR|none",
                help: "Cache directory. Default: castline in $XDG_CACHE_HOME or ~/.cache.",
                needs: "a directory, or none"
            ) { $0.client.cache.location = $1 == "none" ? .none : .directory($1) },
            .value(
                "record", "DIR", help: "Save each response in DIR, a new directory.",
                needs: "a directory"
            ) { $0.client.recordPath = $1 },
            .value(
                "replay", "DIR", help: "Take every response from DIR; send nothing.",
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
        if whole % 3600 == 0 { return "\(whole / 3600)h" }
        return whole % 60 == 0 ? "\(whole / 60)m" : "\(whole)s"
    }
}

extension CommandManual {
    /// What does the job of options that both fetch tools had.
    package static let formerNetworkOptions = [
        (names: "connect-timeout", cure: "a connection has 10 s, or less with --timeout DURATION; leave it out"),
        (
            names: "max-retry-after",
            cure: "a service may ask for 5 minutes at most, and --deadline DURATION bounds all waits; leave it out"
        ),
        (names: "user-agent A", cure: "set CASTLINE_USER_AGENT, or CASTLINE_CONTACT to say who you are"),
    ]
}

extension OptionRule {
    package static var client: [OptionRule] {
        let cache = ["offline", "max-age", "stale-if-error"]
        return [
            .refuses(["replay"], "sends nothing", ["record"]),
            .refuses(["record", "replay"], "uses no cache", cache + ["cache!=none"]),
            .refuses(cache, "needs the cache", ["cache=none"]),
            .refuses(["offline"], "uses responses of any age", ["max-age", "stale-if-error"]),
        ]
    }
}

extension UserAgent {
    /// Checks what is sent: the header is one line, and parentheses would end the comment that the contact stands in
    /// (RFC 9110, section 5.6.5).
    package static func check() throws(UsageError) {
        if let whole {
            guard whole.utf8.allSatisfy({ $0 >= 0x20 && $0 != 0x7F }) else {
                throw UsageError("\(wholeVariable) takes one line of text without control characters")
            }
            return
        }
        guard let contact else { return }
        guard contact.utf8.allSatisfy({ $0 >= 0x20 && $0 < 0x7F && ![0x28, 0x29, 0x5C].contains($0) }) else {
            throw UsageError(
                "\(variable) takes one line of ASCII without parentheses, such as a mail address or a URL")
        }
    }
}
