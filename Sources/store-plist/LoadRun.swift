// `--load`: a property list in, records out.

import PipelineCore

/// One run with `--load`.
enum LoadRun {
    static func run(_ settings: StoreSettings, _ diagnostics: Diagnostics) throws(ToolFailure) -> ExitStatus {
        let reportFile = try ReportFile.opened(settings.reportPath)
        var report = RunReport(tool: "store-plist")
        let result = Result { () throws(ToolFailure) in try load(settings, diagnostics, &report) }
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
            let lossy = ByteBuffer.object { if count > 0 { $0.addMember("nonfiniteAsText", count) } }
            report.members.append(("lossy", lossy.text))
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
        let file: Descriptor
        do throws(SystemError) {
            file = settings.file == "-" ? .standardInput : try .reading(settings.file)
            if try file.status().isRegular { return file }
        } catch {
            throw .notRead(error)
        }
        let copy: Descriptor
        do throws(SystemError) { copy = try SpillFile.nameless(beside: nil) } catch { throw .notKept(error) }
        do throws(Descriptor.CopyError) {
            try file.copy(to: copy)
        } catch {
            switch error {
            case .source(let error): throw .notRead(error)
            case .target(let error): throw .notKept(error)
            }
        }
        return Descriptor(rawValue: copy.rawValue, name: file.name)
    }
}

extension ToolFailure {
    /// A path in a damaged file may have any length.
    private static func shortened(_ path: String) -> String {
        path.count > 160 ? "\(path.prefix(100))…\(path.suffix(20))" : path
    }

    /// A missing file counts as missing input; an error while reading it doesn't.
    fileprivate static func notRead(_ error: SystemError) -> ToolFailure {
        guard error.isUnusablePlace else { return ToolFailure(error) }
        return ToolFailure(.noInput, "\(error); name a store that is there")
    }

    /// A pipe is copied to a temporary file, since it is read at many offsets.
    fileprivate static func notKept(_ error: SystemError) -> ToolFailure {
        ToolFailure(.inputOutput, "\(error); make room there, or set TMPDIR to another directory")
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
