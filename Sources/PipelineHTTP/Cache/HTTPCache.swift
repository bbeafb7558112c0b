// The answers of earlier runs, a file each, under a name made of all that was asked: URL, header fields and keys.
//
//     answers/7f/03c9…      entries that nobody has used for 30 days are removed, once a day
//     answers/swept         its time tells when that was done last
//
// Nothing in a file tells what was asked, and what holds a secret isn't kept, so that no key is ever in the cache. Many
// processes may use it at once: a file appears whole, and of two writers the last one wins.

import PipelineCore
import Synchronization

/// The cache of one user.
package final class HTTPCache: Sendable {
    private static let daySeconds = 86_400.0
    /// Entries that were not used for so long are removed.
    private static let unusedDays = 30.0
    private static let limitBytes = 256 << 20
    private static let sweptName = "swept"

    package let policy: CachePolicy
    private let folder: WholeFileFolder
    /// Whether a write has failed: the disk is full, and trying on would only take time.
    private let isFull = Atomic<Bool>(false)

    /// Opens the cache.
    /// - Returns: nil where there is none: by the user's wish, or where the usual place can't be had.
    /// - Throws: status 73 where a place that the user names can't be had.
    static func opened(_ policy: CachePolicy) throws(ToolFailure) -> HTTPCache? {
        switch policy.place {
        case .none: return nil
        case .directory(let path):
            do throws(SystemError) {
                return HTTPCache(policy, try WholeFileFolder(path, isPrivate: true))
            } catch {
                throw ToolFailure(.cannotCreate, "\(error); choose another --cache")
            }
        case .usual:
            guard let path = usualDirectory("answers") else { return nil }
            do throws(SystemError) {
                return HTTPCache(policy, try WholeFileFolder(path, isPrivate: true))
            } catch {
                return nil
            }
        }
    }

    private init(_ policy: CachePolicy, _ folder: WholeFileFolder) {
        self.policy = policy
        self.folder = folder
    }

    deinit { if !policy.isOffline { sweep() } }

    /// A directory of castline's among the user's cached files, nil where the environment tells of none.
    static func usualDirectory(_ name: String) -> String? {
        if let base = Environment.value("XDG_CACHE_HOME"), base.hasPrefix("/") { return "\(base)/castline/\(name)" }
        guard let home = Environment.value("HOME"), home.hasPrefix("/") else { return nil }
        return "\(home)/.cache/castline/\(name)"
    }

    // MARK: Entries

    /// The name of the entry for a request: the digest of all that is sent.
    func name(_ url: HTTPURL, _ fields: [HTTPRequest.Field], userAgent: String, _ digest: SHA256) -> String {
        var text = Array(url.text.utf8)
        text.append(0x0A)
        text.append(contentsOf: userAgent.utf8)
        for field in fields { text += "\n\(field.place) \(field.name.lowercased()): \(field.value)".utf8 }
        var digits = Array(SHA256.hexadecimal(digest.digest(text.span)).utf8)
        digits.insert(UInt8(ascii: "/"), at: 2)
        return String(decoding: digits, as: UTF8.self)
    }

    /// The entry of that name, nil where there is none that is whole.
    func entry(_ name: String, now: Double, _ digest: SHA256) -> CacheEntry? {
        guard let (bytes, status) = folder.read(name, limitBytes: Self.limitBytes) else { return nil }
        if now - status.modifiedSeconds > Self.daySeconds { folder.touch(name) }
        return CacheEntry(bytes, digest)
    }

    /// Keeps an entry, unless a secret stands in it. What can't be written is left out.
    func keep(_ entry: CacheEntry, _ name: String, secrets: [[UInt8]] = [], _ digest: SHA256) {
        guard !isFull.load(ordering: .relaxed) else { return }
        let bytes = entry.encoded(digest)
        guard !secrets.contains(where: { bytes.span.contains($0.span, ignoringASCIICase: false) }) else {
            return folder.remove(name)
        }
        do throws(SystemError) {
            try folder.write(name, bytes.span)
        } catch {
            isFull.store(true, ordering: .relaxed)
        }
    }

    /// Removes an entry that turned out to be of no use.
    func forget(_ name: String) { folder.remove(name) }

    // MARK: Emptying

    /// Removes what nobody has used for long, if that wasn't done today.
    private func sweep() {
        let now = WallClock.epochSeconds
        guard now - (folder.status(of: Self.sweptName)?.modifiedSeconds ?? 0) > Self.daySeconds,
            !isFull.load(ordering: .relaxed)
        else {
            return
        }
        for value in 0..<256 where !Interruption.isRequested {
            let prefix = SHA256.hexadecimal([UInt8(value)])
            for name in folder.names(in: prefix) where name.utf8.count == 2 * SHA256.count - 2 {
                let path = "\(prefix)/\(name)"
                let unused = now - (folder.status(of: path)?.modifiedSeconds ?? now)
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
