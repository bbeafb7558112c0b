// Where the records go: a file that is replaced as a whole under its lock, or a stream.

import PipelineCore

/// The destination of a run.
struct StoreTarget: ~Copyable {
    private let settings: StoreSettings
    /// Nil for a stream.
    private let place: FilePlace?
    private let lock: FileLock?
    private let old: StoredFile.Found

    /// Takes the lock and looks at what is stored.
    static func opened(
        _ settings: StoreSettings, _ diagnostics: Diagnostics
    ) throws(ToolFailure) -> StoreTarget {
        let status = FilePlace.status(ofPath: settings.file)
        guard settings.file != "-", status?.isRegular ?? true else {
            return StoreTarget(settings: settings, place: nil, lock: nil, old: StoredFile.Found())
        }
        let place: FilePlace
        let lock: FileLock?
        do throws(SystemError) {
            place = try FilePlace(settings.file)
            lock = try FileLock.taken(place, waitSeconds: settings.lockWaitSeconds)
        } catch {
            throw .notCreated(error)
        }
        guard let lock else {
            throw ToolFailure(
                .tryLater, "another run stores to \(settings.file); try again, or wait for it with --wait SECONDS")
        }
        place.removeDebris(under: lock)
        return StoreTarget(
            settings: settings, place: place, lock: lock, old: try stored(at: place, diagnostics))
    }

    private static func stored(at place: FilePlace, _ diagnostics: Diagnostics) throws(ToolFailure)
        -> StoredFile.Found
    {
        do throws(SystemError) {
            let old = try StoredFile.at(place)
            if old.content == .unreadable {
                diagnostics.warning("\(place.path) isn't a property list; it is replaced")
            }
            return old
        } catch {
            throw .notStored(error, place.path)
        }
    }

    private init(settings: StoreSettings, place: FilePlace?, lock: consuming FileLock?, old: StoredFile.Found) {
        self.settings = settings
        self.place = place
        self.lock = lock
        self.old = old
    }

    /// The form of the new file: what was asked for, else that of the old one.
    private var format: PropertyListFormat { settings.format ?? old.format ?? .xml }

    /// Begins the new file.
    borrowing func begin() throws(ToolFailure) -> StoreWriter {
        do throws(SystemError) {
            return StoreWriter(try beginFile(), at: place, format: format, rules: settings.rules)
        } catch {
            throw .notCreated(error)
        }
    }

    private borrowing func beginFile() throws(SystemError) -> AtomicFile {
        if let place { return try .begin(place) }
        let stream: Descriptor = settings.file == "-" ? .standardOutput : try .writing(settings.file)
        return format == .binary ? try .gathered(for: stream) : .stream(stream)
    }

    /// Keeps an empty input, which most often is an upstream that failed, from wiping a store.
    borrowing func refuseEmpty() throws(ToolFailure) {
        guard old.content == .filled || old.content == .unreadable else { return }
        throw ToolFailure(
            .badData,
            "no records came, and \(settings.file) has some; it is as it was, --allow-empty replaces it")
    }

    /// Ends the new file, lets it replace the old one if it differs, and writes the receipt.
    borrowing func finish(
        _ writer: inout StoreWriter, skipped: Int?, _ diagnostics: Diagnostics
    ) throws(ToolFailure) -> ExitStatus {
        do throws(SystemError) {
            try writer.finish()
            let isChanged = try !writer.file.equalsExisting()
            let receipt = Receipt(
                stored: settings.file, format: writer.format.rawValue, records: writer.records, skipped: skipped,
                bytes: writer.file.bytesAppended, isWritten: isChanged)
            if settings.file != "-" { try Receipt.probe() }
            if isChanged {
                try writer.file.commit(settling: settings.file != "-")
            } else {
                writer.file.discard()
            }
            if settings.file != "-" { receipt.write(diagnostics) }
            return .done
        } catch {
            throw .notStored(error, settings.file)
        }
    }
}
