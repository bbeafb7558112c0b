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
