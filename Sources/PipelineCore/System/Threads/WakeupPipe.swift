// Wakes a thread: a pipe rather than a condition, so that one wait covers input, connections and signals too.

#if canImport(Darwin)
import Darwin
#else
import Glibc
#endif

/// A pipe whose bytes only mean that there is something to do.
final class WakeupPipe: Sendable {
    /// Becomes readable with a signal.
    let reader: Descriptor
    private let writer: Descriptor

    init() throws(SystemError) {
        (reader, writer) = try Descriptor.pipe("a pipe between threads")
        for end in [reader, writer] { _ = fcntl(end.rawValue, F_SETFL, O_NONBLOCK) }
    }

    deinit {
        reader.closeUnchecked()
        writer.closeUnchecked()
    }

    /// Makes the reader ready. If the pipe is full, it already is.
    func signal() {
        var byte: UInt8 = 0
        unsafe write(writer.rawValue, &byte, 1)
    }

    /// Takes all signals.
    func drain() {
        var bytes: UInt64 = 0
        while unsafe read(reader.rawValue, &bytes, 8) > 0 {}
    }

    /// Waits for a signal and takes it; of several waiting threads one gets it.
    func wait() {
        var byte: UInt8 = 0
        while unsafe read(reader.rawValue, &byte, 1) <= 0 {
            _ = reader.isReady(toRead: true, withinMilliseconds: 1000)
        }
    }
}
