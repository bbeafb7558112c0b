// Where `--changes` goes: a file that is replaced atomically under its lock, or a stream.

import PipelineCore

struct ChangesTarget: ~Copyable {
    private let path: String
    /// Nil for a stream.
    private let location: FileLocation?
    private let lock: FileLock?

    /// Takes the lock.
    static func opened(_ path: String, _ settings: StoreSettings) throws(ToolFailure) -> ChangesTarget {
        if path == "-" || !(FileLocation.status(ofPath: path)?.isRegular ?? true) {
            // A gone reader mustn't end the run by SIGPIPE, so that it can clean up.
            Signals.ignoreBrokenPipe()
            return ChangesTarget(path: path, location: nil, lock: nil)
        }
        let location: FileLocation
        let lock: FileLock?
        do throws(SystemError) {
            location = try FileLocation(path)
            lock = try FileLock.taken(location, waitSeconds: settings.lockWaitSeconds)
        } catch {
            throw .notCreated(error)
        }
        guard let lock else {
            throw ToolFailure(
                .tryLater, "another run writes to \(path); try again, or wait for it with --wait SECONDS")
        }
        location.removeStaleTemporaries(under: lock)
        return ChangesTarget(path: path, location: location, lock: lock)
    }

    private init(path: String, location: FileLocation?, lock: consuming FileLock?) {
        self.path = path
        self.location = location
        self.lock = lock
    }

    /// - Parameter store: where the store is; lines that wait are kept beside it.
    borrowing func begin(_ settings: StoreSettings, beside store: FileLocation?) throws(ToolFailure) -> ChangeLog {
        do throws(SystemError) {
            return ChangeLog(
                try beginFile(), beside: store, writesNonfiniteAsText: settings.writesNonfiniteAsText)
        } catch {
            throw .notCreated(error)
        }
    }

    private borrowing func beginFile() throws(SystemError) -> AtomicFile {
        if let location { return try .begin(location) }
        return try .gathered(for: path == "-" ? .standardOutput : try .writing(path))
    }
}
