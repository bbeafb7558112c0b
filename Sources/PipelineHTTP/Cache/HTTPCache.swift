// The responses of earlier runs, one file each, named by a digest of the request: URL, header fields and keys.
//
//     answers/7f/03c9…          entries; those unused for 30 days are removed, once a day
//     answers/castline-notes    entries without a body, all in one file, for callers that keep bodies themselves
//     answers/castline-swept    its modification time is when that was last done
//
// A user may name any directory, so these are names that nothing else uses. Nothing in a file reveals the request,
// and a response that contains a secret isn't stored, so no key is ever in the cache. Many processes may use it at
// once: files are written atomically, and the last of two writers wins.

import PipelineCore
import Synchronization

/// The cache of one user.
package final class HTTPCache: Sendable {
    private static let daySeconds = 86_400.0
    /// Entries unused for longer are removed.
    private static let unusedDays = 30.0
    private static let limitBytes = 256 << 20
    private static let sweptName = "castline-swept"
    private static let notesName = "castline-notes"

    package let policy: CachePolicy
    private let folder: AtomicDirectory
    /// Nil if each entry has its own file.
    private let notes: MetadataStore?
    /// Whether a write has failed: the disk is full, and further attempts would only take time.
    private let isFull = Atomic<Bool>(false)

    /// Opens the cache.
    /// - Parameter keepsNotes: entries have no bodies, and share one file.
    /// - Returns: nil if there is none: the user doesn't want one, or the default directory isn't available.
    /// - Throws: status 73 if a directory that the user names isn't available.
    static func opened(_ policy: CachePolicy, keepsNotes: Bool) throws(ToolFailure) -> HTTPCache? {
        switch policy.location {
        case .none: return nil
        case .directory(let path):
            do throws(SystemError) {
                return try HTTPCache(policy, path, keepsNotes)
            } catch {
                throw ToolFailure(.cannotCreate, error.advice(orElse: "choose another --cache"))
            }
        case .usual:
            guard let path = usualDirectory("answers") else { return nil }
            do throws(SystemError) {
                return try HTTPCache(policy, path, keepsNotes)
            } catch {
                return nil
            }
        }
    }

    private convenience init(_ policy: CachePolicy, _ path: String, _ keepsNotes: Bool) throws(SystemError) {
        let folder = try AtomicDirectory(path, isPrivate: true)
        self.init(policy, folder, keepsNotes ? try MetadataStore("\(path)/\(Self.notesName)") : nil)
    }

    private init(_ policy: CachePolicy, _ folder: AtomicDirectory, _ notes: MetadataStore?) {
        self.policy = policy
        self.folder = folder
        self.notes = notes
    }

    deinit { if !policy.isOffline { sweep() } }

    /// One of castline's directories among the user's cached files, nil if the environment doesn't name any.
    static func usualDirectory(_ name: String) -> String? {
        if let base = Environment.path("XDG_CACHE_HOME"), base.isAbsolutePath { return "\(base)/castline/\(name)" }
        guard let home = Environment.path("HOME"), home.isAbsolutePath else { return nil }
        return "\(home)/.cache/castline/\(name)"
    }

    // MARK: Entries

    /// The entry with this key, nil if there is none or it is damaged.
    func entry(_ key: CacheKey, now: Double, _ digest: SHA256) -> CacheEntry? {
        if let notes { return notes.content(key, now: now).flatMap { CacheEntry($0, digest) } }
        let name = key.fileName
        do throws(SystemError) {
            let content = try folder.contents(name, limitBytes: Self.limitBytes)
            if abs(now - content.modifiedSeconds) > Self.daySeconds { folder.touch(name) }
            return CacheEntry(content.bytes, digest)
        } catch {
            return nil
        }
    }

    /// Stores an entry, unless it contains a secret. Ignores write errors.
    func keep(_ entry: CacheEntry, _ key: CacheKey, secrets: [SecretText] = [], _ digest: SHA256) {
        guard !isFull.load(ordering: .relaxed) else { return }
        let bytes = entry.encoded(digest)
        guard !secrets.contains(where: { $0.stands(in: bytes.span) }) else { return forget(key) }
        do throws(SystemError) {
            if let notes {
                try notes.keep(key, bytes, now: entry.askedSeconds)
            } else {
                try folder.write(key.fileName, bytes.span)
            }
        } catch {
            isFull.store(true, ordering: .relaxed)
        }
    }

    /// Removes an entry that turned out to be unusable.
    func forget(_ key: CacheKey) {
        if let notes { notes.forget(key) } else { folder.remove(key.fileName) }
    }

    // MARK: Emptying

    /// Removes entries that have long been unused, at most once a day. Times as far in the future date from before
    /// the clock was set back, and mean as little.
    private func sweep() {
        let now = WallClock.epochSeconds
        guard abs(now - (folder.status(of: Self.sweptName)?.modifiedSeconds ?? 0)) > Self.daySeconds,
            !isFull.load(ordering: .relaxed)
        else {
            return
        }
        if notes?.removeUnused(days: Int(Self.unusedDays), now: now) == false { folder.remove(Self.notesName) }
        for prefix in folder.names() where AtomicDirectory.isFolder(prefix) && !Signals.isRequested {
            for name in folder.names(in: prefix) where CacheKey.isFileName(name) {
                let path = "\(prefix)/\(name)"
                let unused = abs(now - (folder.status(of: path)?.modifiedSeconds ?? now))
                if unused > Self.unusedDays * Self.daySeconds { folder.remove(path) }
            }
        }
        let nothing: [UInt8] = []
        do throws(SystemError) {
            try folder.write(Self.sweptName, nothing.span)
        } catch {
            isFull.store(true, ordering: .relaxed)
        }
    }
}
