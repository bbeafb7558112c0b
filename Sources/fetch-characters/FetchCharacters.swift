// fetch-characters: fetches records from a web API.

import PipelineCore
import PipelineHTTP

enum FetchCharacters {
    static func run() -> Never {
        Tool.run(Command.fetchCharacters, FetchSettings()) { (settings, diagnostics, report) throws(ToolFailure) in
            if settings.listsSources { return try Tool.print(SourceTable.text(diagnostics)) }
            if let name = settings.shownSource {
                guard let file = try SourceLibrary.description(name) else { throw SourceLibrary.unknown(name) }
                return try Tool.print(String(decoding: file.bytes, as: UTF8.self))
            }
            if let url = settings.learntURL {
                return try Learning.run(url, settings, diagnostics, &report.figures)
            }
            return try fetch(settings, diagnostics, &report.figures)
        }
    }

    private static func fetch(
        _ settings: FetchSettings, _ diagnostics: Diagnostics, _ report: inout RunReport
    ) throws(ToolFailure) -> ExitStatus {
        let description = try SourceLibrary.named(settings.source)
        let described = try SourceLibrary.source(description, settings.source, diagnostics)
        let source = settings.search?.isEmpty == false ? described.searched : described
        let each: EachSelection?
        do throws(UsageError) {
            try settings.check(for: described)
            each = settings.each.isEmpty ? nil : try EachSelection(settings.each, source)
        } catch {
            throw ToolFailure(.usage, error.message)
        }
        if let path = settings.inputPath {
            // One that needs values, or isn't given, leaves relative URLs as they are.
            let base = settings.baseURL ?? source.baseURL
            let url = base.contains("{") || source.path.contains("{") ? nil : try? HTTPURL(base + source.path)
            var run = InputRun(settings, source, url: url, diagnostics)
            defer { report = run.closedReport }
            return try run.run(path)
        }
        if settings.isPlan, source.isOfNoService, settings.baseURL == nil {
            diagnostics.show("\(source.name): \(SourceSummary.text(source, pageSize: nil))")
            return .done
        }
        // The owner of a mirror hasn't asked for that.
        if source.wantsContact, settings.baseURL == nil, settings.client.replayPath == nil,
            !UserAgent.isPersonal
        {
            diagnostics.warning(
                "\(source.name) asks its users to say who they are; set \(UserAgent.variable) to a mail address or a URL"
            )
        }
        var client = settings.client
        client.rate = client.rate ?? source.rate
        client.progress = diagnostics.progress
        let explanation =
            settings.explains ? RequestExplanation(userAgent: settings.client.userAgent, diagnostics) : nil
        let keys = try APIKeys(source, settings, explanation)
        let requests: SourceRequests
        do throws(HTTPFailure) {
            requests = try SourceRequests(
                source, base: settings.baseURL, search: settings.search ?? "", parameters: settings.parameters,
                since: settings.since?.instant, keys: keys.sent)
        } catch {
            throw ToolFailure(.usage, "--base-url: \(error.message)")
        }
        guard !settings.isPlan else {
            var plan = FetchPlan(
                settings: settings, source: source, requests: requests, each: each, rate: client.rate,
                explanation: explanation, diagnostics: diagnostics)
            defer { report = plan.report }
            return try plan.write()
        }
        let owner = StateOwner(
            command: settings.identity(description.bytes, source), keys: { keys.digest(salt: $0) })
        let state =
            try settings.statePath.map { (path) throws(ToolFailure) in
                try RunState.opened(path, owner, source, pageSize: settings.pageSize)
            } ?? RunState()
        let pool = try RequestPool(
            client, jobs: OpenFiles.connections(settings.jobs), keys, explanation: explanation)
        let run = FetchRun(settings, source, requests, each: each, pool, state, diagnostics)
        defer { report = run.closedReport() }
        do throws(ToolFailure) { return try run.run() } catch {
            if let note = run.stopNote { diagnostics.note("\(note)") }
            throw error
        }
    }
}
