// The file that --state names: one run's at a time, replaced as a whole.

import PipelineCore

/// A file that is read once and written often.
final class StateFile {
    /// Far more than the largest place takes.
    private static let limitBytes = 256 << 20

    private let place: FilePlace
    private let lock: FileLock

    private init(_ place: FilePlace, _ lock: consuming FileLock) {
        self.place = place
        self.lock = lock
    }

    /// Takes the file for this run.
    static func opened(_ path: String) throws(ToolFailure) -> StateFile {
        let place: FilePlace
        let taken: FileLock?
        do throws(SystemError) {
            place = try FilePlace(path)
            if let status = try place.status(), !status.isRegular {
                throw SystemError(code: 0, operation: "use", subject: path)
            }
            taken = try FileLock.taken(place, waitSeconds: 0)
        } catch {
            guard error.code != 0 else {
                throw ToolFailure(.cannotCreate, "\(path) is no file; choose another --state")
            }
            throw ToolFailure(.cannotCreate, "\(error); choose another --state")
        }
        guard let lock = taken else {
            throw ToolFailure(
                .tryLater, "another run is using \(path); wait for its end, or choose another --state")
        }
        place.removeDebris(under: lock)
        return StateFile(place, lock)
    }

    /// What is in it, nil where it isn't there.
    func read() throws(ToolFailure) -> [UInt8]? {
        do throws(SystemError) {
            guard try place.status() != nil else { return nil }
            return try SmallFile.read(place.path, limitBytes: Self.limitBytes)
        } catch {
            throw ToolFailure(.noInput, "\(error); choose another --state")
        }
    }

    func write(_ text: String) throws(ToolFailure) {
        do throws(SystemError) {
            var file = try AtomicFile.begin(place)
            try file.append(Array(text.utf8).span)
            try file.commit()
        } catch {
            throw ToolFailure(error)
        }
    }

    func remove() throws(ToolFailure) {
        do throws(SystemError) { try place.removeFile() } catch { throw ToolFailure(error) }
    }
}
