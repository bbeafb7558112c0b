// store-plist: records in, a property list out; or what is stored, with --load, --newest and --describe.

import PipelineCore

enum StorePlist {
    /// Runs the tool with the arguments of the process, and ends the process.
    static func run() -> Never {
        Tool.run(
            Command.storePlist, StoreSettings(), readsStandardInput: { $0.readsStandardInput },
            { (settings, diagnostics) throws(ToolFailure) in
                diagnostics.follow(settings.messages, writesRecords: settings.isTeeing || settings.action != .store)
                try Tool.check(settings.check)
                try settings.checkFiles()
                return switch settings.action {
                case .store: try StoreRun.run(settings, diagnostics)
                case .diff: try DiffRun.run(settings, diagnostics)
                case .load, .newest, .describe: try StoreReading.run(settings, diagnostics)
                }
            })
    }
}
