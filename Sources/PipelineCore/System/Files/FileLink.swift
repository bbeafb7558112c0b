// Hard links: further names of a file, which take no space.

#if canImport(Darwin)
import Darwin
#else
import Glibc
#endif

/// Further names of files.
package enum FileLink {
    /// Makes a name that another file has a name of this file, in one step.
    package static func replace(_ name: String, by path: String) throws(SystemError) {
        let (directory, last) = FileLocation.split(name)
        let temporary = directory + Debris.newName(for: last)
        guard unsafe link(path.fileBytes, temporary.fileBytes) == 0 else { throw .last("link", name) }
        guard unsafe rename(temporary.fileBytes, name.fileBytes) == 0 else {
            let error = SystemError.last("link", name)
            unsafe unlink(temporary.fileBytes)
            throw error
        }
    }

    /// Gives the file another name in the same file system, never replacing anything.
    /// - Returns: whether the file has the name now; false if another file has it.
    package static func make(_ name: String, to path: String) throws(SystemError) -> Bool {
        guard unsafe link(path.fileBytes, name.fileBytes) != 0 else { return true }
        let error = SystemError.last("link", name)
        guard error.code == EEXIST else { throw error }
        var status = stat()
        var existing = stat()
        return unsafe stat(path.fileBytes, &status) == 0 && lstat(name.fileBytes, &existing) == 0
            && status.st_ino == existing.st_ino && status.st_dev == existing.st_dev
    }
}
