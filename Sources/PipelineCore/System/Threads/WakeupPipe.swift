// What wakes a thread: a pipe and not a condition, so that one wait can be for input, connections and signals as well.

#if canImport(Darwin)
import Darwin
#else
import Glibc
#endif

/// A pipe whose bytes mean nothing but that there is something to look at.
final class WakeupPipe: Sendable {
    /// Becomes ready to be read with a signal.
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

    /// Makes the reader ready. A full pipe is ready already.
    func signal() {
        var byte: UInt8 = 0
        unsafe write(writer.rawValue, &byte, 1)
    }

    /// Takes all signals.
    func drain() {
        var bytes: UInt64 = 0
        while unsafe read(reader.rawValue, &bytes, 8) > 0 {}
    }

    /// Waits for a signal and takes it; of several threads that wait one gets it.
    func wait() {
        var byte: UInt8 = 0
        while unsafe read(reader.rawValue, &byte, 1) <= 0 {
            _ = reader.isReady(toRead: true, withinMilliseconds: 1000)
        }
    }
}
