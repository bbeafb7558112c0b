// store-plist: records in, a property list out; or back with --load.

import PipelineCore

/// The tool.
enum StorePlist {
    /// Runs the tool with the arguments of the process, and ends the process.
    static func run() -> Never {
        Tool.run(
            Command.storePlist, StoreSettings(), readsStandardInput: { !$0.isLoading || $0.file == "-" },
            { (settings, diagnostics) throws(ToolFailure) in
                diagnostics.follow(settings.messages, writesRecords: settings.isTeeing || settings.isLoading)
                try Tool.check(settings.check)
                try settings.checkFiles()
                return settings.isLoading
                    ? try LoadRun.run(settings, diagnostics) : try StoreRun.run(settings, diagnostics)
            })
    }
}
