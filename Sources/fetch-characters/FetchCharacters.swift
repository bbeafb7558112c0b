// fetch-characters: fetches records from a web API.

import PipelineCore
import PipelineHTTP

/// The tool.
enum FetchCharacters {
    /// Runs the tool with the arguments of the process, and exits.
    static func run() -> Never {
        Tool.run(
            Command.fetchCharacters, FetchSettings(),
            readsStandardInput: { !$0.each.isEmpty || $0.inputPath == "-" }
        ) { (settings, diagnostics) throws(ToolFailure) in
            diagnostics.follow(settings.messages, writesRecords: true)
            try Tool.check(settings.checkAction)
            switch settings.action {
            case .listSources: return try printed(SourceTable.text(diagnostics))
            case .showSource(let name):
                guard let file = try SourceLibrary.description(name) else { throw SourceLookup.unknown(name) }
                return try printed(String(decoding: file.bytes, as: UTF8.self))
            case .fetch, .plan:
                if let url = settings.learntURL { return try Learning.run(url, settings, diagnostics) }
                return try fetched(settings, diagnostics)
            }
        }
    }

    private static func printed(_ text: String) throws(ToolFailure) -> ExitStatus {
        var output = OutputBuffer(.standardOutput)
        output.append(text)
        try output.flush()
        return .done
    }

    private static func fetched(
        _ settings: FetchSettings, _ diagnostics: Diagnostics
    ) throws(ToolFailure) -> ExitStatus {
        let description = try SourceLookup.description(settings.source)
        let described = try SourceLookup.source(description, settings.source, diagnostics)
        let source = settings.search?.isEmpty == false ? described.searched : described
        let each = try Tool.check { () throws(UsageError) in
            try settings.check(for: described)
            return settings.each.isEmpty ? nil : try EachSelection(settings.each, source)
        }
        try settings.checkFiles()
        if let path = settings.inputPath { return try read(path, settings, source, diagnostics) }
        let isPlan = settings.action == .plan
        if isPlan, source.isOfNoService, settings.baseURL == nil {
            return try planned(settings, source, diagnostics)
        }
        var client = settings.client
        client.rate = client.rate ?? source.rate
        client.progress = diagnostics.progress
        let explanation =
            settings.explains ? RequestExplanation(userAgent: settings.client.userAgent, diagnostics) : nil
        let keys = try APIKeys(source, settings, isPlan ? .planning : .of(settings.client), explanation)
        let requests = try requests(settings, source, keys.sent)
        let report = try ReportFile.opened(settings.reportPath)
        guard !isPlan else {
            var plan = FetchPlan(
                settings, source, requests, each: each, rate: client.rate, explanation, diagnostics)
            let result = Result { () throws(ToolFailure) in try plan.write() }
            try report?.write(plan.report, result)
            return try result.get()
        }
        let state =
            try settings.statePath.map { (path) throws(ToolFailure) in
                try RunState.opened(
                    path, command: settings.identity(description.bytes, source), source, pageSize: settings.pageSize
                )
            } ?? RunState()
        let pool = try RequestPool(
            client, jobs: OpenFiles.connections(settings.jobs), keys.tokens, explanation: explanation)
        let run = FetchRun(settings, source, requests, each: each, pool, state, diagnostics)
        let result = Result { () throws(ToolFailure) in try run.run() }
        if case .failure = result, let note = run.stopNote {
            diagnostics.note("\(Command.fetchCharacters.name): \(note)")
        }
        try report?.write(run.closedReport(), result)
        return try result.get()
    }

    /// A plan without requests.
    private static func planned(
        _ settings: FetchSettings, _ source: Source, _ diagnostics: Diagnostics
    ) throws(ToolFailure) -> ExitStatus {
        let report = try ReportFile.opened(settings.reportPath)
        diagnostics.note("\(source.name): \(SourceSummary.text(source, pageSize: nil))")
        try report?.write(RunReport(tool: Command.fetchCharacters.name), .success(.done))
        return .done
    }

    /// Runs --input.
    private static func read(
        _ path: String, _ settings: FetchSettings, _ source: Source, _ diagnostics: Diagnostics
    ) throws(ToolFailure) -> ExitStatus {
        let report = try ReportFile.opened(settings.reportPath)
        // One that needs values, or isn't given, leaves relative URLs as they are.
        let base = settings.baseURL ?? source.baseURL
        let url = base.contains("{") || source.path.contains("{") ? nil : try? HTTPURL(base + source.path)
        var run = InputRun(settings, source, url: url, diagnostics)
        let result = Result { () throws(ToolFailure) in try run.run(path) }
        try report?.write(run.closedReport(), result)
        return try result.get()
    }

    private static func requests(
        _ settings: FetchSettings, _ source: Source, _ keys: [SentKey]
    ) throws(ToolFailure) -> SourceRequests {
        do throws(HTTPFailure) {
            return try SourceRequests(
                source, base: settings.baseURL, search: settings.search ?? "", parameters: settings.parameters,
                since: settings.since?.instant, keys: keys)
        } catch {
            throw ToolFailure(.usage, "--base-url: \(error)")
        }
    }
}
