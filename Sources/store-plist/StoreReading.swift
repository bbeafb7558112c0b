// The frame of the runs that only read a store: it is opened, or copied first if it is a pipe, and the report is written.

import PipelineCore

enum StoreReading {
    /// Runs a body on FILE. Where there is no store, and that is allowed, there is nothing to do.
    /// - Parameter body: gets FILE, open for reads at any offset.
    static func run(
        _ settings: StoreSettings, _ body: (Descriptor, inout RunReport) throws(ToolFailure) -> ExitStatus
    ) throws(ToolFailure) -> ExitStatus {
        let reportFile = try ReportFile.opened(settings.reportPath)
        var report = RunReport(tool: "store-plist")
        let result = Result { () throws(ToolFailure) in
            let path = settings.file
            guard let file = settings.action.allowsNoStore ? try openedIfAny(path) : try opened(path) else {
                return ExitStatus.done
            }
            report.bytesIn = file.fileSize ?? 0
            return try body(file, &report)
        }
        try reportFile?.write(report, result)
        return try result.get()
    }

    /// Opens a store, which is copied first if it is a pipe.
    static func opened(_ path: String) throws(ToolFailure) -> Descriptor {
        let file: Descriptor
        do throws(SystemError) { file = try found(path) } catch { throw .notRead(error) }
        return try seekable(file)
    }

    /// - Returns: nil if the store is empty or isn't there.
    private static func openedIfAny(_ path: String) throws(ToolFailure) -> Descriptor? {
        let file: Descriptor
        do throws(SystemError) { file = try found(path) } catch {
            if error.isNotFound { return nil }
            throw .notRead(error)
        }
        let store = try seekable(file)
        return store.fileSize == 0 ? nil : store
    }

    private static func found(_ path: String) throws(SystemError) -> Descriptor {
        path == "-" ? .standardInput : try .reading(path)
    }

    /// The file, or a copy of what isn't a regular one.
    private static func seekable(_ file: Descriptor) throws(ToolFailure) -> Descriptor {
        do throws(SystemError) { if try file.status().isRegular { return file } } catch { throw .notRead(error) }
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
        case .invalid: ToolFailure(.badData, "\(fault(error, file)); it isn't a whole property list")
        case .unfit, .otherLayout: ToolFailure(.badData, fault(error, file))
        }
    }

    /// What is wrong with a stored property list, and where.
    static func fault(_ error: StoreReadError, _ file: String) -> String {
        switch error {
        case .system(let error): "\(error)"
        case .invalid(let what, let offset): "\(file): byte \(offset + 1): \(what)"
        case .unfit(let what, let path), .otherLayout(let what, let path): "\(file): \(shortened(path)): \(what)"
        }
    }
}

// `--load`: a property list in, records out.

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
        do throws(SystemError) { try output.flush() } catch { throw ToolFailure(error) }
        switch result {
        case .success(let count):
            if count > 0 { diagnostics.warning("NaN and infinity were written as text: \(count)") }
            return .done
        case .failure(let error): throw .unreadable(error, settings.file)
        }
    }
}

// `--newest`: the greatest value of a member, as one line.

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
            do throws(SystemError) { try output.flush() } catch { throw ToolFailure(error) }
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

// `--describe`: what the records of a store have in common, as a Swift type or a JSON Schema.

/// One run with `--describe`.
enum DescribeRun {
    static func run(_ settings: StoreSettings) throws(ToolFailure) -> ExitStatus {
        try StoreReading.run(settings) { (file, report) throws(ToolFailure) in
            var output = OutputBuffer(.standardOutput)
            do throws(StoreReadError) {
                let shape = try StoreShape.collected(file, layout: settings.layout)
                report.recordsIn = shape.records
                output.append(try text(of: shape, settings) + "\n")
            } catch {
                throw .unreadable(error, settings.file)
            }
            defer { report.bytesOut = output.bytesWritten }
            do throws(SystemError) { try output.flush() } catch { throw ToolFailure(error) }
            return .done
        }
    }

    private static func text(of shape: StoreShape, _ settings: StoreSettings) throws(StoreReadError) -> String {
        switch settings.description {
        case .swift: try shape.swift(typeName: settings.typeName ?? StoreShape.defaultTypeName)
        case .schema: shape.schema
        }
    }
}
