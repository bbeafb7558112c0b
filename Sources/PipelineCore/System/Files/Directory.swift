// Creates and lists directories.

#if canImport(Darwin)
import Darwin
#else
import Glibc
#endif

/// The directories of the file system.
package enum Directory {
    /// Creates the directory and its parents; existing ones are left as they are.
    /// - Parameter mode: the permissions of new ones, before the process's mask is applied.
    package static func make(_ path: String, mode: UInt32 = 0o777) throws(SystemError) {
        if FileLocation.status(ofPath: path)?.isDirectory == true { return }
        let parent = FileLocation.split(path.hasSuffix("/") ? String(path.dropLast()) : path).prefix
        if !parent.isEmpty, parent != "/", parent != path { try make(parent, mode: mode) }
        guard unsafe mkdir(path.fileBytes, mode_t(mode)) != 0 else { return }
        let error = SystemError.last("create", path)
        // Another run may have created it in the meantime.
        guard error.code == EEXIST, FileLocation.status(ofPath: path)?.isDirectory == true else { throw error }
    }

    /// The names in the directory, unordered, with `.` and `..`.
    package static func names(_ path: String) throws(SystemError) -> [String] {
        let number = unsafe open(path.fileBytes, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        guard number >= 0 else { throw .last("read", path) }
        return names(takingOver: number)
    }

    /// - Parameter number: an open directory, which this closes.
    static func names(takingOver number: Int32) -> [String] {
        guard let stream = unsafe fdopendir(number) else {
            _ = close(number)
            return []
        }
        var names: [String] = []
        while let entry = unsafe readdir(stream) {
            let name = unsafe withUnsafeBytes(of: &entry.pointee.d_name) { buffer in
                // SAFETY: the system ends the name with a zero inside the field.
                unsafe String(fileBytes: Array(buffer.prefix { $0 != 0 }))
            }
            names.append(name)
        }
        unsafe closedir(stream)
        return names
    }
}
