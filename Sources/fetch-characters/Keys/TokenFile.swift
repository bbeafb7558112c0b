// A token as it is kept for other runs: one line of JSON. A damaged access token is refused, and so renewed.
//
//     {"access":"…","refresh":"…","got":1732200000,"seconds":3600}

import PipelineCore

struct KeptToken {
    /// Renewed this long before it expires, or after half of a short life.
    private static let marginSeconds = 60.0
    /// The clock of the machine may be set back by less.
    private static let aheadSeconds = 60.0

    /// Nil where only the refresh token is kept.
    var access: String?
    var refresh: String?
    /// When the access token was received, in seconds since 1970.
    var gotSeconds = 0.0
    /// Nil for one that lasts until it is refused.
    var lifetimeSeconds: Double?

    /// When to renew it. Nil for one that lasts, and for one with less than a minute, which the next run renews.
    var renewalSeconds: Double? {
        guard let lifetimeSeconds, lifetimeSeconds > Self.marginSeconds else { return nil }
        return gotSeconds + lifetimeSeconds - min(Self.marginSeconds, lifetimeSeconds / 2)
    }

    func isUsable(now: Double) -> Bool {
        guard gotSeconds <= now + Self.aheadSeconds else { return false }
        return lifetimeSeconds == nil || renewalSeconds.map { now < $0 } ?? false
    }

    // MARK: The file

    init() {}

    init?(_ file: [UInt8]) {
        guard let tree = try? JSONTree.read(file.span) else { return nil }
        access = tree["access"]?.string
        refresh = tree["refresh"]?.string
        gotSeconds = Double(tree["got"]?.count ?? 0)
        lifetimeSeconds = tree["seconds"]?.count.map { Double($0) }
    }

    var line: String {
        ByteBuffer.object { object in
            object.addMember("access", access)
            object.addMember("refresh", refresh)
            object.addMember("got", Int(gotSeconds))
            object.addMember("seconds", lifetimeSeconds.map { Int($0) })
        }.text + "\n"
    }
}

/// The file of a token, which all runs on the machine share: below the user's cache directory, readable by this user
/// only, named by a digest of all that the token depends on. One run at a time may get a new token.
///
///     tokens/3f9a…             mode 0600
///     tokens/.3f9a….lock       while a run is getting one
struct TokenFile: ~Copyable {
    private static let limitBytes = 1 << 20
    /// More than a new token takes.
    private static let roomBytes = 262_144

    private let location: FileLocation
    private let lock: FileLock

    /// Locks the file of a token. Its directory is created if missing.
    /// - Returns: nil if a run that is getting the token is still at it after the wait.
    static func locked(
        _ name: String, in directory: String, waitSeconds: Double
    ) throws(SystemError) -> TokenFile? {
        try Directory.make(directory, mode: 0o700)
        let location = try FileLocation("\(directory)/\(name)")
        guard let lock = try FileLock.taken(location, waitSeconds: waitSeconds) else { return nil }
        return TokenFile(location: location, lock: lock)
    }

    /// Nil if there is none, or its file is damaged.
    var token: KeptToken? {
        (try? Descriptor.contents(of: location.path, limitBytes: Self.limitBytes)).flatMap { KeptToken($0) }
    }

    /// Checks that the file can be replaced, and the disk has room for it.
    func checkRoom() throws(SystemError) {
        if let status = try location.status(), !status.isRegular {
            throw SystemError(code: SystemError.notRegular, operation: "replace", subject: location.path)
        }
        var file = try AtomicFile.begin(location, isPrivate: true)
        try file.append([UInt8](repeating: 0, count: Self.roomBytes).span)
        try file.flush()
    }

    /// Keeps a token. Once this returns, it survives a power loss.
    func keep(_ token: KeptToken) throws(SystemError) {
        var file = try AtomicFile.begin(location, isPrivate: true)
        try file.append(Array(token.line.utf8).span)
        try file.commit(isUrgent: true)
    }
}
