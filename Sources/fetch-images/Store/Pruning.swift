// `--prune`: removes the pictures of the store that no record of this run names, and that no run has named for a long
// time. When one was last named is the time of its file.
//
//     images/ab/ab12….png        removed after its readable names, so that a killed run leaves it for the next one
//     images/Mick.png            a readable name: the same file, and so is any hard link that --name could have made
//     images/notes.txt           somebody else's, and left alone

import PipelineCore

struct Pruning {
    struct Removed {
        var files = 0
        var names = 0
        var bytes = 0
        /// Pictures that can't be removed and folders that can't be read, and why the first of them can't.
        private(set) var failures = 0
        private(set) var failure: SystemError?

        var json: String { "{\"files\":\(files),\"names\":\(names),\"bytes\":\(bytes)}" }

        mutating func fail(_ error: SystemError) {
            failures += 1
            failure = failure ?? error
        }
    }

    /// How long other runs may have to wait, and the time that they then have to come in: they ask every 10 ms.
    private static let holdSeconds = 0.1
    private static let pauseSeconds = 0.03

    private let ageSeconds: Double
    /// The first eight bytes of the digests. A picture that shares them with a named one is kept.
    private var named: Set<UInt64> = []
    private(set) var removed = Removed()

    init(ageSeconds: Double) { self.ageSeconds = ageSeconds }

    mutating func keep(_ image: StoredImage) { named.insert(Self.number(image.sha256[...])) }

    /// Removes what no record names, if the records are all that there are. Any obstacle is only a warning.
    mutating func finish(
        _ store: StoreDirectory, _ input: borrowing RecordInput, records: Int, _ diagnostics: Diagnostics
    ) {
        if let doubt = Self.doubt(input.seals, records, badLines: input.badLineCount, in: input.name) {
            return diagnostics.warning("nothing is pruned: \(doubt)")
        }
        guard FileLocation.status(ofPath: store.path)?.isDirectory == true else { return }
        do throws(SystemError) { try run(in: try store.files()) } catch {
            let rest = removed.files > 0 ? "the rest isn't pruned" : "nothing is pruned"
            let isUsed = error.isInUse || error.isBusy
            let cause: Message =
                isUsed ? "another run is using \(store.path); the next one prunes it" : error.advice
            diagnostics.warning("\(rest): \(cause)")
        }
        if let failure = removed.failure {
            let count = removed.failures == 1 ? "1 failure" : "\(removed.failures) failures"
            diagnostics.warning("not everything is pruned, \(count): \(failure.advice)")
        }
    }

    /// Why the records may not be all: then what none of them names isn't known. Nil if they are.
    private static func doubt(_ seals: InputSeals, _ records: Int, badLines: Int, in input: String) -> Message? {
        guard let claim = seals.claim else { return "\(input) has no seal; write fetch-characters --seal" }
        if !claim.isComplete { return "\(input) isn't complete, says its seal; run its source again" }
        if let doubt = seals.doubt ?? seals.reservation { return doubt }
        if let part = claim.part { return "\(input) has only \(part); --prune needs the whole list" }
        if records == 0, let count = claim.records, count > 0 {
            return "none of \(count) records arrived; --prune needs the whole list"
        }
        return badLines > 0 ? "a line that was skipped may name a picture; correct it" : nil
    }

    /// Removes what nobody names, a part at a time, so that a run that begins meanwhile waits for a moment only.
    private mutating func run(in files: AtomicDirectory) throws(SystemError) {
        let folders = try files.checkedNames().filter { AtomicDirectory.isFolder($0) }.sorted()
        let latest = WallClock.epochSeconds - ageSeconds
        let links = links(in: files, until: latest)
        var heldSeconds = 0.0
        for folder in folders {
            var isDone = false
            while !isDone, !Signals.isRequested {
                let start = MonotonicClock.seconds
                isDone = try files.alone { remove(from: folder, in: files, until: latest, links) }
                heldSeconds += MonotonicClock.seconds - start
                if heldSeconds >= Self.holdSeconds {
                    guard MonotonicClock.wait(seconds: Self.pauseSeconds) else { return }
                    heldSeconds = 0
                }
            }
        }
    }

    private typealias Picture = (name: String, status: FileLocation.Status)

    /// The pictures in a folder that nobody names. A folder that castline didn't make has none.
    private func unnamed(
        _ folder: String, in files: AtomicDirectory, until latest: Double
    ) throws(SystemError) -> [Picture] {
        let names: [String]
        do throws(SystemError) { names = try files.checkedNames(in: folder) } catch {
            guard error.isForeign else { throw error }
            return []
        }
        return names.compactMap { file in
            guard let digest = StoredImage.digest(ofFile: file), digest.hasPrefix(folder),
                !named.contains(Self.number(digest)),
                let status = files.status(of: "\(folder)/\(file)", followsLink: false),
                status.modifiedSeconds <= latest
            else { return nil }
            return ("\(folder)/\(file)", status)
        }
    }

    /// - Returns: false if others would have to wait for the rest.
    private mutating func remove(
        from folder: String, in files: AtomicDirectory, until latest: Double, _ links: [UInt64: [String]]
    ) -> Bool {
        let (before, end) = (removed.files, MonotonicClock.seconds + Self.holdSeconds)
        do throws(SystemError) {
            for picture in try unnamed(folder, in: files, until: latest) {
                if Signals.isRequested || removed.files > before && MonotonicClock.seconds > end { return false }
                do throws(SystemError) { try remove(picture, in: files, links) } catch { removed.fail(error) }
            }
        } catch {
            removed.fail(error)
        }
        return true
    }

    private mutating func remove(
        _ picture: Picture, in files: AtomicDirectory, _ links: [UInt64: [String]]
    ) throws(SystemError) {
        let ending = picture.name.drop { $0 != "." }
        for name in links[picture.status.inode, default: []] where NamedLinks.mayHaveGiven(name, ending) {
            // Another picture may have the name by now.
            guard files.status(of: name, followsLink: false)?.isSameFile(as: picture.status) == true else {
                continue
            }
            try files.removeChecked(name)
            removed.names += 1
        }
        try files.removeChecked(picture.name)
        removed.files += 1
        removed.bytes += picture.status.bytes
    }

    /// Of what may be removed, by inode. A picture and its names are one file, so they have one time.
    private func links(in files: AtomicDirectory, until latest: Double) -> [UInt64: [String]] {
        var links: [UInt64: [String]] = [:]
        for name in files.names() where !Signals.isRequested {
            guard let status = files.status(of: name, followsLink: false), status.isRegular, status.links > 1,
                status.modifiedSeconds <= latest
            else { continue }
            links[status.inode, default: []].append(name)
        }
        return links
    }

    private static func number(_ digest: Substring) -> UInt64 { UInt64(digest.prefix(16), radix: 16) ?? 0 }
}
