// --learn: the command line's part of it.

import PipelineCore
import PipelineHTTP

/// Runs --learn.
enum Learning {
    static func run(
        _ text: String, _ settings: FetchSettings, _ diagnostics: Diagnostics, _ report: inout RunReport
    ) throws(ToolFailure) -> ExitStatus {
        let description = try description(of: text, settings)
        let explanation =
            settings.explains ? RequestExplanation(userAgent: settings.client.userAgent, diagnostics) : nil
        let source = try source(description)
        let keys = try APIKeys(source, settings, settings.isPlan ? .planning : .of(settings.client), explanation)
        let first = try first(source, settings, keys.sent)
        report.fetch = RunReport.Fetch()
        if settings.isPlan { return try LearnPlan(first, rate: settings.client.rate, explanation).write() }
        let requests = try LearnRequests(settings.client, explanation: explanation, diagnostics)
        var run = LearnRun(description, ListProbe(requests, keys: keys.sent, mirror: settings.baseURL), diagnostics)
        defer { report = run.report }
        return try run.run()
    }

    /// - Throws: status 64 if the key can't go where the option says.
    private static func source(_ description: LearntDescription) throws(ToolFailure) -> Source {
        do throws(DescriptionError) { return try description.source() } catch {
            guard case .mistakes(let mistakes) = error, let mistake = mistakes.first else {
                throw ToolFailure(.usage, "--learn takes a URL that a description can have")
            }
            throw ToolFailure(.usage, "\(description.key == nil ? "--learn" : "--learn-key"): \(mistake)")
        }
    }

    /// The request for the list.
    /// - Throws: status 64 if `--base-url` can't be requested.
    private static func first(
        _ source: Source, _ settings: FetchSettings, _ keys: [SentKey]
    ) throws(ToolFailure) -> HTTPRequest {
        do throws(HTTPFailure) {
            return try SourceRequests(source, base: settings.baseURL, keys: keys).page(.start, size: nil)
        } catch {
            throw ToolFailure(.usage, "\(settings.baseURL == nil ? "--learn" : "--base-url"): \(error)")
        }
    }

    /// What is known of the source before anything is sent.
    private static func description(
        of text: String, _ settings: FetchSettings
    ) throws(ToolFailure) -> LearntDescription {
        let url: HTTPURL
        do throws(HTTPFailure) { url = try HTTPURL(text) } catch { throw ToolFailure(.usage, "--learn: \(error)") }
        guard url.plainText == url.text.prefix(while: { $0 != "#" }) else {
            throw ToolFailure(.usage, "--learn takes a URL without a user and a password; use --learn-key")
        }
        let address = ListAddress(url)
        if let name = address.secretName {
            throw ToolFailure(
                .usage,
                "\(name) in the URL would show a key to everybody and keep it in the description; leave it out and "
                    + "use --learn-key query:\(name) with --key-file")
        }
        var description = LearntDescription(address)
        if let key = settings.learntKey { description.key = (key.placement, key.name, description.variable) }
        return description
    }
}
