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

package final class HTTPCache: Sendable {
    private static let daySeconds = 86_400.0
    private static let unusedDays = 30.0
    private static let limitBytes = 256 << 20
    private static let sweptName = "castline-swept"
    private static let notesName = "castline-notes"

    private let folder: AtomicDirectory
    /// Has the entries, which have no bodies then. Nil if each is a file.
    private let notes: NoteTable?
    private let isOffline: Bool
    /// Whether a write has failed: the disk is full, and further attempts would only take time.
    private let isFull = Atomic<Bool>(false)

    /// - Throws: status 73 if the directory isn't available.
    init(_ path: String, keepsNotes: Bool, isOffline: Bool) throws(ToolFailure) {
        self.isOffline = isOffline
        let cure = "choose another --cache"
        folder = try ToolFailure.of(.cannotCreate, orElse: cure, AtomicDirectory(path, isPrivate: true))
        notes =
            keepsNotes
            ? try ToolFailure.of(.cannotCreate, orElse: cure, NoteTable("\(path)/\(Self.notesName)")) : nil
    }

    /// Removes entries that have long been unused, at most once a day. Times as far in the future date from before
    /// the clock was set back, and mean as little.
    deinit {
        let now = WallClock.epochSeconds
        guard !isOffline, abs(now - (folder.status(of: Self.sweptName)?.modifiedSeconds ?? 0)) > Self.daySeconds,
            !isFull.load(ordering: .relaxed)
        else { return }
        if notes?.removeUnused(days: Int(Self.unusedDays), now: now) == false { folder.remove(Self.notesName) }
        for prefix in folder.names() where AtomicDirectory.isFolder(prefix) && !Signals.isRequested {
            for name in folder.names(in: prefix) where CacheKey.isFileName(name) {
                let path = "\(prefix)/\(name)"
                let unused = abs(now - (folder.status(of: path)?.modifiedSeconds ?? now))
                if unused > Self.unusedDays * Self.daySeconds { folder.remove(path) }
            }
        }
        write(Self.sweptName, [])
    }

    /// One of castline's directories among the user's cached files, nil if the environment doesn't name any. A HOME that
    /// isn't there, as of many system users, isn't made.
    package static func usualDirectory(_ name: String) -> String? {
        if let base = Environment.path("XDG_CACHE_HOME"), base.isAbsolutePath { return "\(base)/castline/\(name)" }
        guard let home = Environment.path("HOME"), home.isAbsolutePath,
            FileLocation.status(ofPath: home)?.isDirectory == true
        else { return nil }
        return "\(home)/.cache/castline/\(name)"
    }

    func entry(_ key: CacheKey, now: Double) -> CacheEntry? {
        if let notes { return notes.content(key, now: now).flatMap { CacheEntry($0) } }
        let name = key.fileName
        guard let content = try? folder.contents(name, limitBytes: Self.limitBytes) else { return nil }
        if abs(now - content.modifiedSeconds) > Self.daySeconds { folder.touch(name) }
        return CacheEntry(content.bytes)
    }

    func kept(_ headers: HTTPHeaders) -> HTTPHeaders {
        notes == nil
            ? CacheEntry.kept(headers) : headers.filter { HTTPHeaders.isOne($0.name, of: CacheEntry.noteFields) }
    }

    /// Stores an entry, unless it contains a secret. Ignores write errors.
    func keep(_ entry: CacheEntry, _ key: CacheKey, secrets: StoredSecrets) {
        guard !isFull.load(ordering: .relaxed) else { return }
        let bytes = entry.encoded()
        guard !secrets.stand(in: bytes.span) else { return forget(key) }
        if let notes {
            if !notes.keep(key, bytes, now: entry.askedSeconds) { isFull.store(true, ordering: .relaxed) }
        } else {
            write(key.fileName, bytes)
        }
    }

    func forget(_ key: CacheKey) {
        if let notes { notes.forget(key) } else { folder.remove(key.fileName) }
    }

    private func write(_ name: String, _ bytes: [UInt8]) {
        do throws(SystemError) { try folder.write(name, bytes.span) } catch {
            isFull.store(true, ordering: .relaxed)
        }
    }
}

/// A slot in the cache for a response, filled once the caller knows that the response is usable.
package struct CacheReservation: Sendable {
    let cache: HTTPCache
    let key: CacheKey
    let entry: CacheEntry
    let secrets: StoredSecrets
    let old: CacheEntry?
    /// The reading, for a page of a list.
    let reading: String?

    /// Stores the response for later runs, with its body or a note that says where the body is. If the service doesn't
    /// want that, removes what was stored before.
    package func keep(_ content: [UInt8]) {
        guard CachePolicy.mayKeep(entry.status, entry.headers) else { return cache.forget(key) }
        var entry = entry
        entry.content = content
        let known = old.map { $0.content == content ? $0.headers.readings : [] } ?? []
        entry.headers.readings = known.filter { $0 != reading } + (reading.map { [$0] } ?? [])
        cache.keep(entry, key, secrets: secrets)
    }

    /// Stores that the response is unusable, with a note that says why. A usable one that was stored before stays.
    package func keep(unusable note: [UInt8]) {
        if old.map({ HTTPResponse.statuses.contains($0.status) }) != true { keep(note) }
    }
}
