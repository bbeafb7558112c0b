// filter-search: the records that match.

import PipelineCore

/// The tool.
enum FilterSearch {
    /// Runs the tool with the arguments of the process, and exits.
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
            let report = try ReportFile.opened(settings.reportPath)
            var run = try FilterRun(settings, filter, diagnostics)
            let result = Result { () throws(ToolFailure) in try run.run() }
            try report?.write(run.figures(in: figures), result)
            return try result.get()
        }
    }
}
