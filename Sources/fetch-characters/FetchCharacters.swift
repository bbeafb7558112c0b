// fetch-characters: a web API to records.

import PipelineCore
import PipelineHTTP

/// The tool.
enum FetchCharacters {
    /// Runs it with the arguments of the process, and ends the process.
    static func run() -> Never {
        Tool.run(Command.fetchCharacters, FetchSettings()) { (settings, diagnostics) throws(ToolFailure) in
            diagnostics.follow(settings.messages, writesRecords: true)
            do throws(UsageError) { try settings.check() } catch { throw ToolFailure(.usage, error.message) }
            let report = try settings.reportPath.map { (path) throws(ToolFailure) in try ReportFile(path) }
            let pages = try PageFetcher(settings.source, settings.client)
            var run = FetchRun(settings, try settings.urls(), pages, diagnostics)
            let result: Result<ExitStatus, ToolFailure>
            do throws(ToolFailure) { result = .success(try run.run()) } catch { result = .failure(error) }
            try report?.write(run.closedReport(), result)
            return try result.get()
        }
    }
}
