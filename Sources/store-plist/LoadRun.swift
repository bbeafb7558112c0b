// `--load`: a property list in, records out.

import PipelineCore

/// One run with `--load`.
enum LoadRun {
    static func run(_ settings: StoreSettings, _ diagnostics: Diagnostics) throws(ToolFailure) -> ExitStatus {
        try StoreReading.run(settings) { (file, report) throws(ToolFailure) in
            try load(file, settings, diagnostics, &report)
        }
    }

    private static func load(
        _ file: Descriptor, _ settings: StoreSettings, _ diagnostics: Diagnostics, _ report: inout RunReport
    ) throws(ToolFailure) -> ExitStatus {
        var output = OutputBuffer(.standardOutput)
        let result: Result<Int, StoreReadError>
        do throws(StoreReadError) {
            var loader = try StoreLoader.opened(
                file, layout: settings.layout, writesNonfiniteAsText: settings.writesNonfiniteAsText)
            do throws(StoreReadError) {
                try loader.run(&output)
                result = .success(loader.nonfiniteAsText)
            } catch {
                result = .failure(error)
            }
            report.recordsIn = loader.records
            report.recordsOut = loader.records
        } catch {
            result = .failure(error)
        }
        if case .success(let count) = result {
            let lossy = ByteBuffer.object { if count > 0 { $0.addMember("nonfiniteAsText", count) } }
            report.members.append(("lossy", lossy.text))
        }
        defer { report.bytesOut = output.bytesWritten }
        try output.flush()
        switch result {
        case .success(let count):
            if count > 0 { diagnostics.warning("NaN and infinity were written as text: \(count)") }
            return .done
        case .failure(let error): throw .unreadable(error, settings.file)
        }
    }
}
