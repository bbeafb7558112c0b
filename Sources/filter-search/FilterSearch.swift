// filter-search: the records that match.

import PipelineCore

/// The tool.
enum FilterSearch {
    /// Runs the tool with the arguments of the process, and exits.
    static func run() -> Never {
        Tool.run(Command.filterSearch, FilterSettings()) { (settings, diagnostics, report) throws(ToolFailure) in
            var run = try FilterRun(settings, try RecordFilter.checked(settings), diagnostics)
            defer { report.figures = run.figures }
            return try run.run()
        }
    }
}
