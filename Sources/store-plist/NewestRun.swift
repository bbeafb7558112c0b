// `--newest`: the greatest value of a member, as one line.

import PipelineCore

/// One run with `--newest`.
enum NewestRun {
    static func run(_ settings: StoreSettings, _ diagnostics: Diagnostics) throws(ToolFailure) -> ExitStatus {
        guard let path = settings.newest else { return .done }
        return try StoreReading.run(settings) { (file, report) throws(ToolFailure) in
            var output = OutputBuffer(.standardOutput)
            do throws(StoreReadError) {
                var finder = try NewestFinder.opened(file, layout: settings.layout, path: path)
                try finder.run()
                report.recordsIn = finder.records
                if let line = finder.line { output.append(line + "\n") }
                if let missing = missing(path, finder) { diagnostics.warning(missing) }
            } catch {
                throw .unreadable(error, settings.file)
            }
            defer { report.bytesOut = output.bytesWritten }
            try output.flush()
            return .done
        }
    }

    /// What is said where there are records, and nothing to print: most often the path is misspelt.
    private static func missing(_ path: JSONPath, _ finder: borrowing NewestFinder) -> String? {
        guard finder.line == nil, finder.records > 0 else { return nil }
        let records = finder.records == 1 ? "the one record" : "\(finder.records.grouped) records"
        if finder.hasFound {
            return "\(path.text) finds no time, number or text in \(records); name a member that has one"
        }
        let isOne = finder.records == 1
        return (isOne ? "the one record lacks " : "none of \(records) has ") + path.text
            + (finder.sample.advice(for: path, isOne: isOne).map { "; \($0)" } ?? "")
    }
}
