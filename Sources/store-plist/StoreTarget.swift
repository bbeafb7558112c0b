// Where a run writes: to files that are replaced atomically under their locks, or to streams.

import PipelineCore

/// A file that a run replaces, or a stream that it writes.
struct RunTarget: ~Copyable {
    private let path: String
    /// Nil for a stream.
    let location: FileLocation?
    private let lock: FileLock?

    /// Takes the lock of a file.
    /// - Parameter verb: what another run that holds the lock does to the file.
    static func opened(
        _ path: String, _ verb: String, _ settings: StoreSettings
    ) throws(ToolFailure) -> RunTarget {
        if isStream(path) { return RunTarget(path: path, location: nil, lock: nil) }
        let location = try ToolFailure.of(FileLocation(path), as: ToolFailure.notCreated)
        let lock = try ToolFailure.of(
            FileLock.taken(location, waitSeconds: settings.lockWaitSeconds), as: ToolFailure.notCreated)
        guard let lock else {
            throw ToolFailure(
                .tryLater,
                "another run \(verb) \(path); try again, or "
                    + (settings.lockWaitSeconds > 0 ? "raise --wait" : "wait for it with --wait SECONDS"))
        }
        return RunTarget(path: path, location: location, lock: lock)
    }

    static func isStream(_ path: String) -> Bool {
        path == "-" || !(FileLocation.status(ofPath: path)?.isRegular ?? true)
    }

    /// - Parameter isGathered: keeps what goes to a stream until it is complete.
    borrowing func begin(isGathered: Bool) throws(ToolFailure) -> AtomicFile {
        try ToolFailure.of(beginFile(isGathered: isGathered), as: ToolFailure.notCreated)
    }

    private borrowing func beginFile(isGathered: Bool) throws(SystemError) -> AtomicFile {
        if let location { return try .begin(location) }
        let stream: Descriptor = path == "-" ? .standardOutput : try .writing(path)
        return isGathered ? try .gathered(for: stream) : .stream(stream)
    }
}

/// The store of a run, with what was stored before.
struct StoreTarget: ~Copyable {
    private let settings: StoreSettings
    private let target: RunTarget
    let old: StoreInspection

    /// Takes the lock and inspects the stored file.
    static func opened(_ settings: StoreSettings) throws(ToolFailure) -> StoreTarget {
        if settings.isStream { try refuseStream(settings) }
        let target = try RunTarget.opened(settings.file, "stores to", settings)
        let old = try ToolFailure.storing(settings, StoreInspection(target.location))
        if let fault = fault(of: old, settings), !settings.replacesAnything {
            throw ToolFailure(
                .badData, "\(settings.file) \(fault.what); it is unchanged, \(fault.cure)--force replaces it")
        }
        return StoreTarget(settings: settings, target: target, old: old)
    }

    private static func refuseStream(_ settings: StoreSettings) throws(ToolFailure) {
        guard settings.mode == .replace else {
            throw ToolFailure(.usage, "\(settings.file) is a stream; --mode needs a file that holds records")
        }
        let unfit = [
            ("--verify", settings.verifies), ("--backup", settings.backupSuffix != nil),
            ("--changes", settings.changesPath != nil), ("--ignore", !settings.ignored.isEmpty),
            ("--same-shape", settings.keepsShape),
        ]
        if let (option, _) = unfit.first(where: { $0.1 }) {
            throw ToolFailure(
                .usage, "\(settings.file) is a stream, which can't be read again; leave \(option) out")
        }
    }

    /// Nil for a stream.
    var location: FileLocation? { target.location }

    /// Why the old file isn't a store of this layout, and what to do other than to replace it; nil if it is one.
    private static func fault(
        of old: StoreInspection, _ settings: StoreSettings
    ) -> (what: String, cure: String)? {
        if let fault = old.fault { return (fault, "") }
        let isDictionary = settings.layout.isKeyed || settings.layout.root != nil
        guard old.content == .filled, old.isDictionary != isDictionary else { return nil }
        return isDictionary
            ? ("is an array", "leave out \(settings.layout.root == nil ? "--keyed" : "--root") to keep it so, ")
            : ("is a dictionary, not an array of records", "--root or --keyed says where they are, ")
    }

    /// What is wrong with the old file, which is replaced all the same; nil if nothing is.
    var oldFault: String? { Self.fault(of: old, settings).map { "\(settings.file) \($0.what)" } }

    /// The format of the new file: the one requested, else that of the old one.
    var format: PropertyListFormat { settings.format ?? old.format ?? .xml }

    borrowing func begin() throws(ToolFailure) -> StoreWriter {
        StoreWriter(
            try target.begin(isGathered: format == .binary), at: location, format: format, rules: settings.rules,
            layout: settings.layout, verifies: settings.verifies)
    }

    /// Opens the old store, if there is one that this run has to read.
    borrowing func openOld() throws(ToolFailure) -> Descriptor? {
        let isNeeded =
            settings.mode != .replace || !settings.keys.isEmpty || settings.layout.root != nil
            || settings.keepsShape
        return isNeeded ? try reopened() : nil
    }

    /// The old store, if there is one that can be read.
    borrowing func reopened() throws(ToolFailure) -> Descriptor? {
        guard let location, old.content != .none, oldFault == nil else { return nil }
        return try ToolFailure.of(location.reading(), as: { .notStored($0, settings) })
    }

    /// Ends the new file and replaces the old one with it.
    /// - Parameter announce: called when only the last step is left.
    borrowing func replace(
        with file: inout AtomicFile, announcing announce: () throws(SystemError) -> Void
    ) throws(SystemError) {
        if let suffix = settings.backupSuffix {
            // What is likely to fail comes first: the backup of an earlier run is only replaced with this one.
            try file.prepare()
            try location?.backUp(suffix: suffix)
        }
        try file.commit(settling: location != nil, announcing: announce)
    }
}

extension ToolFailure {
    /// The store couldn't be written, or the records not be read; what was there is still there.
    static func notStored(_ error: SystemError, _ settings: StoreSettings) -> ToolFailure {
        let what = error.isLimit ? error.advice : "\(error)"
        return ToolFailure(.inputOutput, "\(what); \(settings.aftermath)")
    }

    static func notCreated(_ error: SystemError) -> ToolFailure {
        ToolFailure(
            .cannotCreate,
            error.advice(toCreateOr: error.isForeign ? "move it away" : "choose another FILE")
        )
    }

    /// Makes the new store, or a part of it.
    static func storing<Result>(
        _ settings: StoreSettings, _ store: @autoclosure () throws(StoreFailure) -> Result
    ) throws(ToolFailure) -> Result {
        do throws(StoreFailure) { return try store() } catch { throw .notStored(error, settings) }
    }

    /// The new store couldn't be made from the old one.
    static func notStored(_ failure: StoreFailure, _ settings: StoreSettings) -> ToolFailure {
        switch failure {
        case .system(let error): .notStored(error, settings)
        case .invalid, .unfit:
            // Some of the store may have been used before it turned out to be damaged.
            ToolFailure(
                .badData,
                "\(fault(failure, settings.file)); it is unchanged, "
                    + (settings.mode != .replace
                        ? "--mode=replace --force"
                        : settings.changesPath == nil ? "--force" : "--force without --changes") + " replaces it")
        case .otherLayout, .unwritable: .unreadable(failure, settings.file)
        }
    }
}
