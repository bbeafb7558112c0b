// A directory that several threads use. It is opened once: for the first file that is written to it or looked for.

import Synchronization

/// A directory that is created when it is needed.
package final class LazyDirectory: Sendable {
    private struct Opened {
        var toWrite: AtomicDirectory?
        /// Where it can't be opened to be written.
        var toRead: AtomicDirectory?
    }

    /// As the user gave it.
    package let path: String
    private let opened = Mutex(Opened())

    package init(_ path: String) { self.path = path }

    /// The open directory, created if missing; other users may read its files.
    package func directory() throws(SystemError) -> AtomicDirectory {
        try opened.withLock { (opened) throws(SystemError) in
            if let directory = opened.toWrite { return directory }
            let directory = try AtomicDirectory(path, isPrivate: false)
            opened.toWrite = directory
            return directory
        }
    }

    /// The directory, if it exists: open to be written where that is possible, as other runs then see that it is used.
    package var existing: AtomicDirectory? {
        if let directory = opened.withLock({ $0.toWrite ?? $0.toRead }) { return directory }
        guard FileLocation.status(ofPath: path)?.isDirectory == true else { return nil }
        do throws(SystemError) { return try directory() } catch {
            // A run that prunes has it: looking without the lock would be too soon.
            return error.isBusy ? nil : readable()
        }
    }

    private func readable() -> AtomicDirectory? {
        opened.withLock { opened in
            do throws(SystemError) { opened.toRead = try AtomicDirectory(reading: path) } catch { return nil }
            return opened.toRead
        }
    }

    /// Whether files in it couldn't be marked as used, as they belong to another user.
    package var hasUnmarkedFiles: Bool {
        opened.withLock { opened in [opened.toWrite, opened.toRead].contains { $0?.hasUnmarkedFiles == true } }
    }
}
