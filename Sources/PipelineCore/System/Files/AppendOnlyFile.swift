// A file that grows by whole entries, each on the disk before the next begins. A run that is killed leaves at most
// an incomplete entry past the last whole one.

#if canImport(Darwin)
import Darwin
#else
import Glibc
#endif

/// A file that entries are appended to.
package struct AppendOnlyFile: ~Copyable {
    private let descriptor: Descriptor

    /// Opens an existing file.
    /// - Parameters:
    ///   - known: its status when it was read or written; another file of that name is left alone.
    ///   - count: the number of bytes to keep; the rest of the file is cut off.
    package static func opened(
        _ location: FileLocation, _ known: FileLocation.Status, count: Int
    ) throws(SystemError) -> AppendOnlyFile {
        let opened = try Descriptor.regular(
            location.name, in: location.directory, O_WRONLY | O_APPEND | O_NOFOLLOW, path: location.path)
        let file = AppendOnlyFile(descriptor: opened.descriptor)
        guard opened.status.isSameFile(as: known), opened.status.bytes >= count else {
            throw SystemError(code: SystemError.notOurs, operation: "append to", subject: location.path)
        }
        guard ftruncate(opened.descriptor.rawValue, off_t(count)) == 0 else { throw .last("cut", location.path) }
        return file
    }

    private init(descriptor: Descriptor) { self.descriptor = descriptor }

    deinit { descriptor.closeUnchecked() }

    /// Appends an entry, and waits until it is on the disk.
    package func append(_ entry: Span<UInt8>) throws(SystemError) {
        try descriptor.writeAll(entry)
        try descriptor.synchronize("synchronize", descriptor.name)
    }
}
