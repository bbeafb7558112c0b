// `--prune`: removes the pictures of the store that no record of this run names, and that no run has named for a long
// time. When one was last named is the time of its file.
//
//     images/ab/ab12….png        removed after its readable names, so that a killed run leaves it for the next one
//     images/Mick.png            a readable name: the same file
//     images/notes.txt           somebody else's, and left alone

import PipelineCore
import PipelineHTTP

/// The pictures that a run names, and the removal of those that nobody names.
struct Pruning {
    /// What was removed.
    struct Removed {
        var files = 0
        var names = 0
        var bytes = 0
        /// Files that can't be removed, and why the first of them can't.
        var failures = 0
        var failure: SystemError?
    }

    private let ageSeconds: Double
    /// The first eight bytes of the digests. A picture that shares them with a named one is kept.
    private var named: Set<UInt64> = []
    private(set) var removed = Removed()

    init(ageSeconds: Double) { self.ageSeconds = ageSeconds }

    /// Keeps a picture that a record names.
    mutating func keep(_ image: StoredImage) { named.insert(Self.number(image.sha256[...])) }

    /// Removes what no record names, if the records are all that there are. Any obstacle is only a warning.
    mutating func finish(
        _ store: StoreDirectory, _ input: borrowing RecordInput, _ diagnostics: Diagnostics
    ) {
        if let doubt = Self.doubt(input.seal, badLines: input.badLineCount, in: input.name) {
            return diagnostics.warning("nothing is pruned: \(doubt)")
        }
        guard let files = store.files.existing else { return }
        do throws(SystemError) {
            try run(in: files)
        } catch {
            let rest = removed.files > 0 ? "the rest isn't pruned" : "nothing is pruned"
            let cause = error.isInUse ? "another run is using \(files.path); the next one prunes it" : error.advice
            diagnostics.warning("\(rest): \(cause)")
        }
        if let failure = removed.failure {
            let pictures = removed.failures == 1 ? "a picture isn't" : "\(removed.failures) pictures aren't"
            diagnostics.warning("\(pictures) pruned: \(failure.advice)")
        }
    }

    /// Why the records may not be all: then what none of them names isn't known. Nil if they are.
    private static func doubt(_ seal: HeldSeal, badLines: Int, in input: String) -> String? {
        if seal.isEmpty { return "\(input) has no seal; write fetch-characters --seal" }
        if !seal.isComplete { return "\(input) isn't complete, says its seal; run its source again" }
        if let part = seal.part { return "\(input) has only \(part); prune with the whole list" }
        return badLines > 0 ? "a line that was skipped may name a picture; correct it" : nil
    }

    /// Removes what nobody names, a folder at a time; a run that begins meanwhile waits no longer than for one.
    /// - Throws: what keeps the rest from being removed.
    mutating func run(in files: AtomicDirectory) throws(SystemError) {
        let folders = files.names().filter { AtomicDirectory.isFolder($0) }.sorted()
        let latest = WallClock.epochSeconds - ageSeconds
        let links = try links(folders, in: files, until: latest)
        for folder in folders where !Signals.isRequested {
            removed = try files.alone { removing(from: folder, in: files, until: latest, links) }
        }
    }

    // MARK: Pictures

    private struct Picture {
        /// In the store.
        let name: String
        let status: FileLocation.Status
    }

    /// The pictures in a folder that nobody names.
    private func unnamed(_ folder: String, in files: AtomicDirectory, until latest: Double) -> [Picture] {
        files.names(in: folder).compactMap { file in
            guard let digest = StoredImage.digest(ofFile: file), digest.hasPrefix(folder),
                !named.contains(Self.number(digest)),
                let status = files.status(of: "\(folder)/\(file)", followsLink: false),
                status.modifiedSeconds <= latest
            else { return nil }
            return Picture(name: "\(folder)/\(file)", status: status)
        }
    }

    private func removing(
        from folder: String, in files: AtomicDirectory, until latest: Double, _ links: [UInt64: [String]]
    ) -> Removed {
        var removed = removed
        for picture in unnamed(folder, in: files, until: latest) where !Signals.isRequested {
            let ending = picture.name.drop { $0 != "." }
            let names = links[picture.status.inode, default: []].filter { $0.hasSuffix(ending) }
            do throws(SystemError) {
                for name in names {
                    try files.removeChecked(name)
                    removed.names += 1
                }
                try files.removeChecked(picture.name)
                removed.files += 1
                removed.bytes += picture.status.bytes
            } catch {
                removed.failures += 1
                removed.failure = removed.failure ?? error
            }
        }
        return removed
    }

    // MARK: Readable names

    /// The names in the store's own directory of pictures to be removed, by inode.
    private func links(
        _ folders: [String], in files: AtomicDirectory, until latest: Double
    ) throws(SystemError) -> [UInt64: [String]] {
        var inodes: Set<UInt64> = []
        for folder in folders where !Signals.isRequested {
            for picture in unnamed(folder, in: files, until: latest) where picture.status.links > 1 {
                inodes.insert(picture.status.inode)
            }
        }
        guard !inodes.isEmpty else { return [:] }
        var links: [UInt64: [String]] = [:]
        for name in files.names() where !Signals.isRequested {
            guard let status = files.status(of: name, followsLink: false), inodes.contains(status.inode) else {
                continue
            }
            links[status.inode, default: []].append(name)
        }
        return links
    }

    private static func number(_ digest: Substring) -> UInt64 { UInt64(digest.prefix(16), radix: 16) ?? 0 }
}

// For `--report`.
extension Pruning.Removed {
    var json: String { "{\"files\":\(files),\"names\":\(names),\"bytes\":\(bytes)}" }
}
