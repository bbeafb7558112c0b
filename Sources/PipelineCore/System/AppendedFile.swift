// A file that grows by whole entries, each on the disk before the next begins. What a run that is killed leaves behind the
// last whole entry is the beginning of one.

#if canImport(Darwin)
import Darwin
#else
import Glibc
#endif

/// A file that entries are appended to.
package struct AppendedFile: ~Copyable {
    private let descriptor: Descriptor

    /// Opens a file that is there.
    /// - Parameter count: its first bytes, which stay; what is behind them goes.
    package static func opened(_ place: FilePlace, count: Int) throws(SystemError) -> AppendedFile {
        let number = unsafe openat(place.directory, place.name, O_WRONLY | O_APPEND | O_CLOEXEC)
        guard number >= 0 else { throw .last("open", place.path) }
        let file = AppendedFile(descriptor: Descriptor(rawValue: number, name: place.path))
        guard ftruncate(number, off_t(count)) == 0 else { throw .last("cut", place.path) }
        return file
    }

    private init(descriptor: Descriptor) { self.descriptor = descriptor }

    deinit { _ = close(descriptor.rawValue) }

    /// Appends an entry, and waits until it is on the disk.
    package func append(_ entry: Span<UInt8>) throws(SystemError) {
        try descriptor.writeAll(entry)
        try descriptor.synchronize("synchronize", descriptor.name)
    }
}
