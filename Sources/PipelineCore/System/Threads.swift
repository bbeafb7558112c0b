// Threads that take jobs from one queue; the outcomes are returned in the order of the jobs.
//
//     submit:   1 2 3 4                   wakes an idle thread
//     threads:      1   2      3    4
//     outcome:          1 … 2 …           wakes the owner if it waits

import CLibrary
import Synchronization

/// It ends with the value, once its jobs are done. Waiting jobs and outcomes are in memory: the owner bounds their
/// number.
package final class WorkerPool<Job: Sendable, Outcome: Sendable>: Sendable {
    private enum Wait {
        case nothing
        /// The outcome of the first job that hasn't been returned.
        case first
        /// Any outcome, once no job waits: an owner that is woken for each gets little else done.
        case batch
    }

    private struct State {
        /// Jobs that no thread has taken, the first one last. Their numbers follow one another up to `submitted`.
        var jobs: [Job] = []
        var outcomes: [Int: Outcome] = [:]
        var submitted = 0
        var handedBack = 0
        var idle = 0
        var isEnding = false
        var wait = Wait.nothing

        mutating func takeFirst() -> Outcome? {
            let outcome = outcomes.removeValue(forKey: handedBack)
            if outcome != nil { handedBack += 1 }
            return outcome
        }
    }

    private final class Shared: Sendable {
        let state = Mutex(State())
        let jobs: WakeupPipe
        let outcomes: WakeupPipe

        init() throws(SystemError) {
            jobs = try WakeupPipe()
            outcomes = try WakeupPipe()
        }

        func end(_ threads: [WorkerThread]) {
            state.withLock { state in
                state.isEnding = true
                // Nobody waits for the outcomes of an interrupted run.
                if Signals.isRequested { state.jobs = [] }
            }
            for _ in threads { jobs.signal() }
            for thread in threads { thread.join() }
        }
    }

    private let shared: Shared
    private let limit: Int
    private let threads: [WorkerThread]

    /// - Parameters:
    ///   - limit: the maximum number of waiting jobs.
    ///   - begin: called on each thread; returns the function that does the work, with its own state.
    /// - Throws: if the system has no thread or no pipe.
    package init(
        threads count: Int, limit: Int = .max, _ begin: @escaping @Sendable () -> (Job) -> Outcome
    ) throws(SystemError) {
        let shared = try Shared()
        var threads: [WorkerThread] = []
        do throws(SystemError) {
            for _ in 0..<count { threads.append(try WorkerThread { Self.serve(shared, begin()) }) }
        } catch {
            shared.end(threads)
            throw error
        }
        self.shared = shared
        self.limit = limit
        self.threads = threads
    }

    deinit { shared.end(threads) }

    /// Becomes readable when an outcome comes after `awaitOutcomes`.
    package var bell: Descriptor { shared.outcomes.reader }

    package var pendingCount: Int { shared.state.withLock { $0.submitted - $0.handedBack } }

    /// - Returns: false if `limit` jobs are waiting, so the caller had better do it itself.
    @discardableResult
    package func submit(_ job: Job) -> Bool {
        let (isTaken, wakes) = shared.state.withLock { state in
            guard state.jobs.count < limit else { return (false, false) }
            state.jobs.insert(job, at: 0)
            state.submitted += 1
            guard state.idle > 0 else { return (true, false) }
            state.idle -= 1
            return (true, true)
        }
        if wakes { shared.jobs.signal() }
        return isTaken
    }

    /// The available outcomes, up to the first that isn't.
    package func takeOutcomes() -> [Outcome] {
        shared.state.withLock { state in
            state.wait = .nothing
            var outcomes: [Outcome] = []
            while let outcome = state.takeFirst() { outcomes.append(outcome) }
            return outcomes
        }
    }

    /// Requests the bell.
    /// - Returns: false if an outcome is already available.
    package func awaitOutcomes() -> Bool { isAwaited(.batch) }

    /// Waits for the outcome of the first job that hasn't been returned.
    /// - Throws: if a signal asks the run to end.
    package func nextOutcome() throws(SystemError) -> Outcome {
        while true {
            if let outcome = shared.state.withLock({ $0.takeFirst() }) { return outcome }
            if Signals.isRequested { throw .interrupted(bell.name) }
            if isAwaited(.first) { _ = bell.isReady(toRead: true, withinMilliseconds: 250) }
        }
    }

    private func isAwaited(_ wait: Wait) -> Bool {
        // A signal that comes after this one belongs to an outcome that is seen below.
        shared.outcomes.drain()
        return shared.state.withLock { state in
            state.wait = state.outcomes[state.handedBack] == nil ? wait : .nothing
            return state.wait != .nothing
        }
    }

    // MARK: On the threads

    private static func serve(_ shared: Shared, _ work: (Job) -> Outcome) {
        while true {
            let (next, number, isEnding) = shared.state.withLock { state in
                let number = state.submitted - state.jobs.count
                let next = state.jobs.popLast()
                if next == nil, !state.isEnding { state.idle += 1 }
                return (next, number, state.isEnding)
            }
            if let next {
                finish(shared, number, work(next))
            } else if isEnding {
                return
            } else {
                shared.jobs.wait()
            }
        }
    }

    private static func finish(_ shared: Shared, _ number: Int, _ outcome: Outcome) {
        let wakes = shared.state.withLock { state in
            state.outcomes[number] = outcome
            let wakes =
                switch state.wait {
                case .nothing: false
                case .first: number == state.handedBack
                case .batch: state.jobs.isEmpty
                }
            if wakes { state.wait = .nothing }
            return wakes
        }
        // Not under the lock: the owner that is woken needs it.
        if wakes { shared.outcomes.signal() }
    }
}

/// A system thread that does one piece of work and ends. Signals go to the threads that existed before.
package struct WorkerThread: Sendable {
    /// What the thread does, as one object for its single pointer argument.
    private final class Body {
        let run: @Sendable () -> Void

        init(_ run: @escaping @Sendable () -> Void) { self.run = run }
    }

    /// The number of the thread, which is a pointer on macOS.
    private let thread: UInt

    package static var processorCount: Int { max(1, sysconf(Int32(_SC_NPROCESSORS_ONLN))) }

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

    package func join() {
        #if canImport(Darwin)
        if let thread = unsafe pthread_t(bitPattern: thread) { _ = unsafe pthread_join(thread, nil) }
        #else
        _ = pthread_join(thread, nil)
        #endif
    }
}

/// Wakes a thread: a pipe rather than a condition, so that one wait covers input, connections and signals too.
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
