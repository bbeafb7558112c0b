// Threads of the C library, and pipes that wake them.

#if canImport(Darwin)
import Darwin
#else
import Glibc
#endif

/// Threads.
enum Thread {
    /// What a thread runs, for the one pointer that it is given.
    private final class Body {
        let run: @Sendable () -> Void

        init(_ run: @escaping @Sendable () -> Void) { self.run = run }
    }

    /// Starts a thread.
    /// - Returns: nil where the system gives none.
    static func start(_ run: @escaping @Sendable () -> Void) -> pthread_t? {
        let body = unsafe Unmanaged.passRetained(Body(run))
        #if canImport(Darwin)
        var thread: pthread_t?
        let result = unsafe pthread_create(
            &thread, nil,
            { context in
                unsafe Unmanaged<Body>.fromOpaque(context).takeRetainedValue().run()
                return nil
            }, body.toOpaque())
        #else
        var thread = pthread_t()
        let result = unsafe pthread_create(
            &thread, nil,
            { context in
                if let context = unsafe context {
                    unsafe Unmanaged<Body>.fromOpaque(context).takeRetainedValue().run()
                }
                return nil
            }, body.toOpaque())
        #endif
        guard result == 0 else {
            unsafe body.release()
            return nil
        }
        return thread
    }
}

/// A pipe whose bytes mean nothing but that there is something to look at.
final class Pipe: Sendable {
    let reader: Descriptor
    private let writer: Descriptor

    init() {
        var numbers: [2 of Int32] = .init(repeating: -1)
        // SAFETY: the two numbers stand side by side.
        let result = unsafe withUnsafeMutableBytes(of: &numbers) { buffer in
            unsafe buffer.baseAddress.map { unsafe pipe($0.assumingMemoryBound(to: Int32.self)) } ?? -1
        }
        reader = Descriptor(rawValue: result == 0 ? numbers[0] : -1, name: "<pipe>")
        writer = Descriptor(rawValue: result == 0 ? numbers[1] : -1, name: "<pipe>")
        guard isOpen else { return }
        for number in [numbers[0], numbers[1]] {
            _ = fcntl(number, F_SETFD, FD_CLOEXEC)
            _ = fcntl(number, F_SETFL, O_NONBLOCK)
        }
    }

    deinit {
        guard isOpen else { return }
        _ = close(reader.rawValue)
        _ = close(writer.rawValue)
    }

    var isOpen: Bool { reader.rawValue >= 0 }

    /// Makes the reader ready. A full pipe is ready already.
    func ring() {
        var byte: UInt8 = 0
        unsafe write(writer.rawValue, &byte, 1)
    }

    /// Takes what is there.
    func quiet() {
        var bytes: UInt64 = 0
        while unsafe read(reader.rawValue, &bytes, 8) > 0 {}
    }

    /// Waits for a byte and takes it.
    func listen() {
        while !reader.isReady(toRead: true, withinMilliseconds: 1000) {}
        quiet()
    }
}
