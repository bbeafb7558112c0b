// The file of --state: used by one run at a time, created atomically, then appended to, one line per page.

import PipelineCore

final class StateFile {
    /// Far more than the longest line takes.
    private static let lineLimitBytes = 256 << 20

    private let location: FileLocation
    private let lock: FileLock
    private var log: Descriptor?
    /// The status of the log as it was read or created, so that another file of the same name is noticed.
    private var known: FileLocation.Status?
    /// The size of the complete lines in the log as it was found.
    private var wholeBytes = 0

    init(_ path: String) throws(ToolFailure) {
        let taken: FileLock?
        do throws(SystemError) {
            location = try FileLocation(path)
            if let status = try location.status(), !status.isRegular {
                throw SystemError(code: SystemError.notRegular, operation: "use", subject: path)
            }
            taken = try FileLock.taken(location, waitSeconds: 0)
        } catch {
            throw ToolFailure(.cannotCreate, error.advice(orElse: "choose another --state"))
        }
        guard let lock = taken else {
            throw ToolFailure(
                .tryLater, "another run is using \(path); wait for its end, or choose another --state")
        }
        self.lock = lock
    }

    deinit { log?.closeUnchecked() }

    /// Reads the complete lines. After the last one there may be the start of another, left by a run that was killed.
    /// - Returns: false if there is no file.
    func read(_ use: (Span<UInt8>) throws(ToolFailure) -> Void) throws(ToolFailure) -> Bool {
        let cure = "choose another --state"
        guard let file = try ToolFailure.of(.noInput, orElse: cure, location.reading()) else { return false }
        defer { file.closeUnchecked() }
        known = try ToolFailure.of(.noInput, orElse: cure, file.status())
        var buffer = PieceBuffer()
        while buffer.text.count < Self.lineLimitBytes,
            try ToolFailure.of(.noInput, orElse: cure, buffer.read(file)) > 0
        {
            while let end = buffer.text.firstIndex(of: 0x0A, from: 0) {
                try use(buffer.text.extracting(..<end))
                buffer.drop(end + 1)
            }
        }
        wholeBytes = buffer.offset
        return true
    }

    /// - Parameter first: the log's first line, written first if there is no log.
    func append(_ line: String, first: String) throws(ToolFailure) {
        let log = if let log { log } else { try ToolFailure.of(begun(first)) }
        self.log = log
        let (text, size) = (Array((line + "\n").utf8), log.fileSize)
        do throws(ToolFailure) {
            try ToolFailure.of(log.writeAll(text.span))
            try ToolFailure.of(log.synchronize("synchronize", log.name))
        } catch {
            if let size { log.takeBack(to: size, limit: text.count) }
            throw error
        }
    }

    private func begun(_ first: String) throws(SystemError) -> Descriptor {
        if wholeBytes == 0 {
            let line = Array((first + "\n").utf8)
            // A cursor may have a key in it.
            var file = try AtomicFile.begin(location, isPrivate: true)
            try file.append(line.span)
            // The page that this line describes has been written.
            try file.commit(isUrgent: true)
            known = try location.status()
            wholeBytes = line.count
        }
        guard let known else { throw .notOurs("append to", location.path) }
        return try location.appending(to: known, count: wholeBytes)
    }

    func remove() throws(ToolFailure) {
        guard let known else { return }
        try ToolFailure.of(location.remove(known))
    }
}

/// The values that --each has taken from stdin so far: enough to know whether another input starts with the same ones.
///
///     3-9f0c51a777d1e2b4
struct InputFingerprint: Equatable {
    private(set) var count = 0
    private var sum: UInt64 = 0

    init() {}

    /// - Parameter tree: nil for an empty fingerprint.
    init?(saved tree: JSONTree?) {
        guard let tree else { return }
        let parts = (tree.string ?? "").split(separator: "-")
        guard parts.count == 2, let count = Int(parts[0]), count >= 0, let sum = UInt64(parts[1], radix: 16) else {
            return nil
        }
        self.count = count
        self.sum = sum
    }

    var text: String { "\(count)-\(String(sum, radix: 16))" }

    mutating func enter(_ value: String, _ hash: ByteHash) {
        count += 1
        sum = hash.hash(Array("\(sum) \(value)".utf8).span)
    }
}
