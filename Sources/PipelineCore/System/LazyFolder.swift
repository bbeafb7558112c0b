// A directory of files that several threads write to: opened once, when the first file comes.

import Synchronization

/// A directory that is made when it is needed.
package final class LazyFolder: Sendable {
    /// As the user gave it.
    package let path: String
    private let opened = Mutex<WholeFileFolder?>(nil)

    package init(_ path: String) { self.path = path }

    /// The open directory; other users may read its files.
    package func folder() throws(SystemError) -> WholeFileFolder {
        try opened.withLock { (opened) throws(SystemError) in
            if let opened { return opened }
            let folder = try WholeFileFolder(path, isPrivate: false)
            opened = folder
            return folder
        }
    }
}
