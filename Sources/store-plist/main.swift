// store-plist: records in, a property list out.

import PipelineCore

Tool.run(
    StoreSettings.command, StoreSettings(), readsStandardInput: { _ in true },
    { (settings, diagnostics) throws(ToolFailure) in
        try StoreRun.run(settings, &diagnostics)
    })
