// store-plist: records in, a property list out; or what is stored, with --load, --newest and --describe.

import PipelineCore

/// The tool.
enum StorePlist {
    /// Runs the tool with the arguments of the process, and ends the process.
    static func run() -> Never {
        Tool.run(Command.storePlist, StoreSettings()) { (settings, diagnostics, report) throws(ToolFailure) in
            switch settings.action {
            case .store: try StoreRun.run(settings, diagnostics, &report)
            case .load: try LoadRun.run(settings, diagnostics, &report.figures)
            case .newest: try NewestRun.run(settings, diagnostics, &report.figures)
            case .diff: try DiffRun.run(settings, diagnostics, &report.figures)
            case .describe: try DescribeRun.run(settings, &report.figures)
            }
        }
    }
}
