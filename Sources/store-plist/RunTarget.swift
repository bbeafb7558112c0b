// Where a run writes: to files that are replaced atomically under their locks, or to streams; and why it can't.

import PipelineCore

struct RunTarget: ~Copyable {
    private let path: String
    /// Nil for a stream.
    let location: FileLocation?
    private let lock: FileLock?

    /// Takes the lock of a file.
    /// - Parameter verb: what another run that holds the lock does to the file.
    static func opened(_ path: String, _ verb: String, _ settings: StoreSettings) throws(ToolFailure) -> RunTarget {
        if isStream(path) { return RunTarget(path: path, location: nil, lock: nil) }
        let location = try ToolFailure.of(FileLocation(path), as: ToolFailure.notCreated)
        let lock = try ToolFailure.of(
            FileLock.taken(location, waitSeconds: settings.lockWaitSeconds), as: ToolFailure.notCreated)
        guard let lock else {
            throw ToolFailure(
                .tryLater,
                "another run \(verb) \(path); try again, or "
                    + (settings.lockWaitSeconds > 0 ? "raise --wait" : "wait for it with --wait 10m"))
        }
        return RunTarget(path: path, location: location, lock: lock)
    }

    static func isStream(_ path: String) -> Bool {
        path == "-" || !(FileLocation.status(ofPath: path)?.isRegular ?? true)
    }

    /// - Parameter isGathered: keeps what goes to a stream until it is complete.
    borrowing func begin(isGathered: Bool) throws(ToolFailure) -> AtomicFile {
        if let location { return try ToolFailure.of(.begin(location), as: ToolFailure.notCreated) }
        let stream: Descriptor =
            path == "-" ? .standardOutput : try ToolFailure.of(.writing(path), as: ToolFailure.notCreated)
        guard isGathered else { return .stream(stream) }
        return try ToolFailure.of(.gathered(for: stream), as: ToolFailure.notKept)
    }
}

extension ToolFailure {
    /// The store couldn't be written, or the records not be read; what was there is still there.
    static func notStored(_ error: SystemError, _ settings: StoreSettings) -> ToolFailure {
        ToolFailure(.inputOutput, Message("\(error); \(settings.aftermath)", cure: error.cure))
    }

    static func notCreated(_ error: SystemError) -> ToolFailure {
        ToolFailure(
            .cannotCreate,
            error.advice(toCreateOr: error.isForeign ? "move it away" : "choose another FILE")
        )
    }

    static func storing<Result>(
        _ settings: StoreSettings, _ store: @autoclosure () throws(StoreFailure) -> Result
    ) throws(ToolFailure) -> Result {
        do throws(StoreFailure) { return try store() } catch { throw .notStored(error, settings) }
    }

    /// The new store couldn't be made from the old one.
    static func notStored(_ failure: StoreFailure, _ settings: StoreSettings) -> ToolFailure {
        switch failure {
        case .system(let error): .notStored(error, settings)
        case .invalid, .badLine, .unfit:
            // Some of the store may have been used before it turned out to be damaged.
            ToolFailure(
                .badData, "\(fault(failure, settings.file)); it is unchanged; \(settings.force) replaces it")
        case .otherLayout, .unwritable: .unreadable(failure, settings.file)
        }
    }

    /// What a complete list says of its age: its service failed, and an earlier state of it stood in.
    static func staleNote(_ seals: InputSeals, _ settings: StoreSettings) -> Message? {
        guard settings.needsSeal, let stale = seals.claim?.stale else { return nil }
        return
            "the service of the records failed, and their source took what its cache had of \(stale); run it again later "
            + "for present ones"
    }

    /// The input ended, and a source of it may have failed. Nil if its seals say otherwise, or none is asked for.
    /// - Parameter isEmptied: its last line is a record without a value.
    static func notSealed(_ seals: InputSeals, isEmptied: Bool, _ settings: StoreSettings) -> ToolFailure? {
        guard settings.needsSeal, !seals.isComplete else { return nil }
        if seals.isEmpty, isEmptied { return .takenApart(settings) }
        let cause =
            seals.doubt ?? seals.reservation
            ?? "the input ended without a complete seal: its source failed, ran without --seal, or a filter dropped the seal"
        return ToolFailure(.badData, "\(cause); \(settings.aftermath)")
    }

    /// The last line has no member with a value, so it is what a tool left of a seal.
    static func takenApart(_ settings: StoreSettings) -> ToolFailure {
        ToolFailure(
            .badData,
            Message(
                "the last line has no member with a value, as a seal that a tool took apart; \(settings.aftermath)",
                cure: SealClaim.remainsCure))
    }

    /// A list with bad lines isn't the one that its seal speaks of.
    static func notWhole(_ badLines: Int, _ settings: StoreSettings) -> ToolFailure? {
        guard settings.needsSeal, badLines > 0 else { return nil }
        return ToolFailure(
            .badData,
            Message(
                "the input has bad lines, \(badLines.grouped) of them, so the list isn't whole; \(settings.aftermath)",
                cure: "mend its source, or leave out --sealed"))
    }
}
