// One thread that does work beside the caller's: jobs go in and come out done, in the order in which they went in.
//
//     caller ──► jobs, that many at most ──► thread
//        ▲                                  │
//        └────────── done ◄────────────────┘     a byte in a pipe tells a caller that waits

import Synchronization

#if canImport(Darwin)
import Darwin
#else
import Glibc
#endif

/// A thread that turns jobs into results. It ends with the value, after the jobs that it has.
package final class Worker<Job: Sendable, Result: Sendable>: Sendable {
    private struct State {
        var jobs: [Job] = []
        var results: [Result] = []
        /// Jobs that went in and whose results weren't taken.
        var pendingCount = 0
        var isIdle = true
        var isEnding = false
        /// The caller waits for the pipe.
        var isAwaited = false
        /// A byte is in the pipe.
        var isRung = false
    }

    /// What the thread and its owner share.
    private final class Shared: Sendable {
        let state = Mutex(State())
        /// Wakes the thread: a byte comes where it is idle.
        let jobBell = Pipe()
        /// Wakes the caller.
        let resultBell = Pipe()
    }

    private let shared = Shared()
    private let limit: Int
    private let thread: pthread_t

    /// Starts the thread.
    /// - Parameters:
    ///   - limit: the most jobs that wait.
    ///   - begin: called on the thread; gives what does the work, with a state of its own.
    /// - Returns: nil where the system gives no thread or no pipe.
    package init?(limit: Int, _ begin: @escaping @Sendable () -> (Job) -> Result) {
        guard shared.jobBell.isOpen, shared.resultBell.isOpen else { return nil }
        self.limit = limit
        let shared = shared
        // The thread inherits that signals wait, for good: they all come to the thread that looks at the flag.
        let thread = Signals.deferred {
            Thread.start {
                let work = begin()
                Self.serve(shared, work)
            }
        }
        guard let thread else { return nil }
        self.thread = thread
    }

    deinit {
        shared.state.withLock { $0.isEnding = true }
        shared.jobBell.ring()
        pthread_join(thread, nil)
    }

    /// What becomes ready to be read when a result comes after `awaitResults`.
    package var bell: Descriptor { shared.resultBell.reader }

    /// Jobs whose results weren't taken.
    package var pendingCount: Int { shared.state.withLock { $0.pendingCount } }

    /// Hands in a job.
    /// - Returns: false where there are that many already that the caller had better do it itself.
    package func submit(_ job: Job) -> Bool {
        let (isTaken, wasIdle) = shared.state.withLock { state in
            guard state.jobs.count < limit else { return (false, false) }
            state.jobs.append(job)
            state.pendingCount += 1
            defer { state.isIdle = false }
            return (true, state.isIdle)
        }
        if wasIdle { shared.jobBell.ring() }
        return isTaken
    }

    /// The results that are there.
    package func takeResults() -> [Result] {
        shared.state.withLock { state in
            state.isAwaited = false
            guard !state.results.isEmpty else { return [] }
            let results = state.results
            state.results = []
            state.pendingCount -= results.count
            return results
        }
    }

    /// Asks for the bell.
    /// - Returns: false where results are there already.
    package func awaitResults() -> Bool {
        shared.state.withLock { state in
            if state.isRung { shared.resultBell.quiet() }
            state.isRung = false
            state.isAwaited = state.results.isEmpty
            return state.isAwaited
        }
    }

    private static func serve(_ shared: Shared, _ work: (Job) -> Result) {
        while true {
            var (jobs, isEnding) = shared.state.withLock { state in
                defer { state.jobs = [] }
                if state.jobs.isEmpty { state.isIdle = true }
                return (state.jobs, state.isEnding)
            }
            if jobs.isEmpty {
                if isEnding { return }
                shared.jobBell.listen()
            }
            jobs.reverse()
            while let result = jobs.popLast().map(work) {
                shared.state.withLock { state in
                    state.results.append(result)
                    // Once for all that were taken together: a caller that is woken for each gets little else done.
                    guard state.isAwaited, jobs.isEmpty else { return }
                    state.isAwaited = false
                    state.isRung = true
                    shared.resultBell.ring()
                }
            }
        }
    }
}
