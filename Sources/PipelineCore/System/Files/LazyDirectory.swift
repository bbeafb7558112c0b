// A directory that several threads write files to. It is opened once, for the first file.

import Synchronization

/// A directory that is created when it is needed.
package final class LazyDirectory: Sendable {
    /// As the user gave it.
    package let path: String
    private let opened = Mutex<AtomicDirectory?>(nil)

    package init(_ path: String) { self.path = path }

    /// The open directory; other users may read its files.
    package func directory() throws(SystemError) -> AtomicDirectory {
        try opened.withLock { (opened) throws(SystemError) in
            if let opened { return opened }
            let directory = try AtomicDirectory(path, isPrivate: false)
            opened = directory
            return directory
        }
    }
}
