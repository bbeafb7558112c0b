// The file of a token, which all runs on the machine share: below the user's cache directory, readable by this user
// only, named by a digest of all that the token depends on. One run at a time may get a new token.
//
//     tokens/3f9a…             mode 0600
//     tokens/.3f9a….lock       while a run is getting one

import PipelineCore

/// A token's file, locked.
struct TokenFile: ~Copyable {
    private static let limitBytes = 1 << 20
    /// More than a new token takes.
    private static let roomBytes = 262_144

    private let location: FileLocation
    private let lock: FileLock

    /// Locks the file of a token. Its directory is created if missing.
    /// - Parameters:
    ///   - name: of the file.
    ///   - waitSeconds: how long to wait for a run that is getting the token.
    /// - Returns: nil if that run is still at it.
    static func locked(
        _ name: String, in directory: String, waitSeconds: Double
    ) throws(SystemError) -> TokenFile? {
        try Directory.make(directory, mode: 0o700)
        let location = try FileLocation("\(directory)/\(name)")
        guard let lock = try FileLock.taken(location, waitSeconds: waitSeconds) else { return nil }
        location.removeStaleTemporaries(under: lock)
        return TokenFile(location: location, lock: lock)
    }

    private init(location: FileLocation, lock: consuming FileLock) {
        self.location = location
        self.lock = lock
    }

    /// The token, nil if there is none or its file is damaged.
    func token(_ digest: SHA256) -> KeptToken? {
        do throws(SystemError) {
            return KeptToken(try Descriptor.contents(ofRegular: location.path, limitBytes: Self.limitBytes), digest)
        } catch {
            return nil
        }
    }

    /// Checks that a token can be kept: that the file can be replaced, and the disk has room for it.
    func checkRoom() throws(SystemError) {
        if let status = try location.status(), !status.isRegular {
            throw SystemError(code: SystemError.notRegular, operation: "replace", subject: location.path)
        }
        var file = try AtomicFile.begin(location, isPrivate: true)
        let zeros = [UInt8](repeating: 0, count: Self.roomBytes)
        try file.append(zeros.span)
        try file.flush()
    }

    /// Keeps a token. Once this returns, it survives a power loss.
    func keep(_ token: KeptToken, _ digest: SHA256) throws(SystemError) {
        var file = try AtomicFile.begin(location, isPrivate: true)
        try file.append(token.encoded(digest).span)
        try file.commit(isUrgent: true)
    }
}
