// `--load`: a property list in, records out.

import PipelineCore

/// One run with `--load`.
enum LoadRun {
    static func run(_ settings: StoreSettings, _ diagnostics: Diagnostics) throws(ToolFailure) -> ExitStatus {
        let reportFile = try settings.reportPath.map { (path) throws(ToolFailure) in try ReportFile(path) }
        var report = RunReport(tool: "store-plist")
        let result: Result<ExitStatus, ToolFailure>
        do throws(ToolFailure) {
            result = .success(try load(settings, diagnostics, &report))
        } catch {
            result = .failure(error)
        }
        try reportFile?.write(report, result)
        return try result.get()
    }

    private static func load(
        _ settings: StoreSettings, _ diagnostics: Diagnostics, _ report: inout RunReport
    ) throws(ToolFailure) -> ExitStatus {
        let file = try opened(settings)
        report.bytesIn = file.fileSize ?? 0
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
            report.members.append(("lossy", count > 0 ? "{\"nonfiniteAsText\":\(count)}" : "{}"))
        }
        defer { report.bytesOut = output.bytesWritten }
        do throws(SystemError) { try output.flush() } catch { throw ToolFailure(error) }
        switch result {
        case .success(let count):
            if count > 0 { diagnostics.warning("NaN and infinity were written as text: \(count)") }
            return .done
        case .failure(let error): throw .unreadable(error, settings.file)
        }
    }

    private static func opened(_ settings: StoreSettings) throws(ToolFailure) -> Descriptor {
        let path = settings.file == "-" ? Descriptor.standardInput.name : settings.file
        do throws(SystemError) {
            let file: Descriptor = settings.file == "-" ? .standardInput : try .reading(settings.file)
            return try file.seekable()
        } catch {
            // Else it is the copy of a pipe's bytes that can't be written.
            guard !error.isInterruption, error.subject == path else { throw ToolFailure(error) }
            throw ToolFailure(.noInput, error.advice(orElse: "name a store that is there"))
        }
    }
}

extension ToolFailure {
    /// A path in a damaged file may have any length.
    private static func shortened(_ path: String) -> String {
        path.count > 160 ? "\(path.prefix(100))…\(path.suffix(20))" : path
    }

    /// The stored property list can't be read.
    static func unreadable(_ error: StoreReadError, _ file: String) -> ToolFailure {
        switch error {
        case .system(let error): ToolFailure(error)
        case .invalid(let what, let offset):
            ToolFailure(.badData, "\(file): byte \(offset + 1): \(what); it isn't a whole property list")
        case .unfit(let what, let path): ToolFailure(.badData, "\(file): \(shortened(path)): \(what)")
        }
    }
}
