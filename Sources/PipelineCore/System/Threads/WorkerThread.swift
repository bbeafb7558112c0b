// A system thread that does one piece of work and ends. Signals go to the threads that existed before.

#if canImport(Darwin)
import Darwin
#else
import Glibc
#endif

/// A running thread. Join it once.
package struct WorkerThread: Sendable {
    /// What the thread does, as one object for its single pointer argument.
    private final class Body {
        let run: @Sendable () -> Void

        init(_ run: @escaping @Sendable () -> Void) { self.run = run }
    }

    /// The number of the thread, which is a pointer on macOS.
    private let thread: UInt

    /// The number of threads that can run at the same time.
    package static var processorCount: Int { max(1, sysconf(Int32(_SC_NPROCESSORS_ONLN))) }

    /// Starts a thread.
    /// - Throws: if the system has no room for another one.
    package init(_ run: @escaping @Sendable () -> Void) throws(SystemError) {
        let body = unsafe Unmanaged.passRetained(Body(run))
        var all = sigset_t()
        var previous = sigset_t()
        unsafe sigfillset(&all)
        // The thread inherits the blocked signals, and never unblocks them.
        unsafe pthread_sigmask(SIG_BLOCK, &all, &previous)
        defer { unsafe pthread_sigmask(SIG_SETMASK, &previous, nil) }
        #if canImport(Darwin)
        var created: pthread_t?
        #else
        var created = pthread_t()
        #endif
        let code = unsafe pthread_create(
            &created, nil,
            { context in
                let context: UnsafeMutableRawPointer? = unsafe context
                if let context = unsafe context {
                    unsafe Unmanaged<Body>.fromOpaque(context).takeRetainedValue().run()
                }
                return nil
            }, body.toOpaque())
        guard code == 0 else {
            unsafe body.release()
            throw SystemError(code: code, operation: "start", subject: "a thread")
        }
        #if canImport(Darwin)
        thread = UInt(bitPattern: created)
        #else
        thread = created
        #endif
    }

    /// Waits for the thread to end.
    package func join() {
        #if canImport(Darwin)
        if let thread = unsafe pthread_t(bitPattern: thread) { _ = unsafe pthread_join(thread, nil) }
        #else
        _ = pthread_join(thread, nil)
        #endif
    }
}
