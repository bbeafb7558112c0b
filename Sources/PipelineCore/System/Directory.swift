// Directories that are made where they are needed.

#if canImport(Darwin)
import Darwin
#else
import Glibc
#endif

/// The directories of the file system.
package enum Directory {
    /// Makes the directory and those above it; one that is there already is kept as it is.
    package static func make(_ path: String) throws(SystemError) {
        if FilePlace.status(ofPath: path)?.isDirectory == true { return }
        let parent = FilePlace.split(path.hasSuffix("/") ? String(path.dropLast()) : path).prefix
        if !parent.isEmpty, parent != "/", parent != path { try make(parent) }
        guard unsafe mkdir(path, 0o777) != 0 else { return }
        let error = SystemError.last("create", path)
        // Another run may have made it in the meantime.
        guard error.code == EEXIST, FilePlace.status(ofPath: path)?.isDirectory == true else { throw error }
    }
}
