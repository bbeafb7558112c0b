// The frame of the runs that only read a store: it is opened, or copied first if it is a pipe.

import PipelineCore

enum StoreReading {
    /// Runs a body on FILE. Where there is no store, and that is allowed, there is nothing to do.
    /// - Parameter body: gets FILE, open for reads at any offset.
    static func run(
        _ settings: StoreSettings, _ report: inout RunReport,
        _ body: (Descriptor, inout RunReport) throws(ToolFailure) -> ExitStatus
    ) throws(ToolFailure) -> ExitStatus {
        let path = settings.file
        guard let file = settings.action.allowsNoStore ? try openedIfAny(path) : try opened(path) else {
            return .done
        }
        report.bytesIn = file.fileSize ?? 0
        return try body(file, &report)
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
