// A thread of the system that does one piece of work and ends. Signals go to the threads that were there before.

#if canImport(Darwin)
import Darwin
#else
import Glibc
#endif

/// A running thread. It is joined once.
package struct WorkerThread {
    private let thread: pthread_t

    /// What the thread does, where its start can find it.
    private final class Work {
        let body: @Sendable () -> Void
        init(_ body: @escaping @Sendable () -> Void) { self.body = body }
    }

    private init(_ thread: pthread_t) { self.thread = thread }

    /// - Throws: where the system has no room for another thread.
    package static func start(_ body: @escaping @Sendable () -> Void) throws(SystemError) -> WorkerThread {
        let work = unsafe Unmanaged.passRetained(Work(body))
        let (code, thread) = withoutSignals { unsafe create(work.toOpaque()) }
        guard code == 0, let thread else {
            unsafe work.release()
            throw SystemError(code: code, operation: "start", subject: "a thread")
        }
        return WorkerThread(thread)
    }

    /// Waits for the thread's end.
    package func join() { _ = pthread_join(thread, nil) }

    /// How many threads can run at the same time.
    package static var processorCount: Int { max(1, sysconf(Int32(_SC_NPROCESSORS_ONLN))) }

    private static func withoutSignals<Result>(_ body: () -> Result) -> Result {
        var all = sigset_t()
        var previous = sigset_t()
        unsafe sigfillset(&all)
        unsafe pthread_sigmask(SIG_BLOCK, &all, &previous)
        defer { unsafe pthread_sigmask(SIG_SETMASK, &previous, nil) }
        return body()
    }

    #if canImport(Darwin)
    private static func create(_ work: UnsafeMutableRawPointer) -> (code: Int32, thread: pthread_t?) {
        var thread: pthread_t?
        let code = unsafe pthread_create(
            &thread, nil,
            { work in
                unsafe Unmanaged<Work>.fromOpaque(work).takeRetainedValue().body()
                return nil
            }, work)
        return (code, thread)
    }
    #else
    private static func create(_ work: UnsafeMutableRawPointer) -> (code: Int32, thread: pthread_t?) {
        var thread = pthread_t()
        let code = unsafe pthread_create(
            &thread, nil,
            { work in
                guard let work = unsafe work else { return nil }
                unsafe Unmanaged<Work>.fromOpaque(work).takeRetainedValue().body()
                return nil
            }, work)
        return (code, thread)
    }
    #endif
}
