// filter-search: the records that match.

import PipelineCore

/// The tool.
enum FilterSearch {
    /// Runs it with the arguments of the process, and ends the process.
    static func run() -> Never {
        Tool.run(
            Command.filterSearch, FilterSettings(),
            readsStandardInput: { $0.files.isEmpty || $0.files.contains("-") },
            warning: { $0.warning }
        ) { (settings, diagnostics) throws(ToolFailure) in
            diagnostics.follow(settings.messages, writesRecords: !settings.counts)
            let filter = try RecordFilter.checked(settings)
            let figures = RunReport(tool: Command.filterSearch.name)
            try settings.checkFiles()
            let report = try settings.reportPath.map { (path) throws(ToolFailure) in try ReportFile(path) }
            var run = try FilterRun(settings, filter, diagnostics)
            let result: Result<ExitStatus, ToolFailure>
            do throws(ToolFailure) { result = .success(try run.run()) } catch { result = .failure(error) }
            try report?.write(run.figures(in: figures), result)
            return try result.get()
        }
    }
}
